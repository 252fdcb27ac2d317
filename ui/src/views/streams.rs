//! The Streams tab: what is being written right now, side by side, newest first; the whole of one is in the inspector.

use egui::{ScrollArea, Ui, pos2, vec2};
use graph::{InstanceIx, Run};

use super::lay;
use crate::action::{Action, Actions};
use crate::model::{InspectorTab, Model, Selection, format};
use crate::theme::{NodeKind, Theme};

/// The streams as they were found last.
#[derive(Debug, Default)]
pub struct Scratch {
    built: Option<(String, u64)>,
    found: Vec<InstanceIx>,
}

/// Instances looked through from the newest on.
const LOOKED_THROUGH: usize = 4_000;
/// Streams listed.
const LISTED: usize = 200;
/// Height of a stream's row.
const ROW: f32 = 56.0;

/// How many streams are open now.
pub(super) fn open(model: &Model<'_>) -> usize {
    let Some(run) = model.run.filter(|run| run.is_live() && !run.is_over()) else { return 0 };
    let newest = run.instances().iter().rev().take(512);
    newest.filter(|instance| instance.ended.is_none() && !instance.text().is_empty()).count()
}

/// Shows it.
pub(super) fn show(ui: &mut Ui, model: &Model<'_>, scratch: &mut Scratch, actions: &mut Actions) {
    let Some(run) = model.run else { return };
    let key = (run.key().as_str().to_owned(), run.event_count());
    if scratch.built.as_ref() != Some(&key) {
        scratch.found = find(run);
        scratch.built = Some(key);
    }
    if scratch.found.is_empty() {
        return super::dock::nothing(ui, "Text appears here word by word while a model writes it.");
    }
    ui.spacing_mut().item_spacing.y = 0.0;
    let rows = scratch.found.len();
    ScrollArea::vertical().id_salt("streams").auto_shrink(false).show_rows(ui, ROW, rows, |ui, range| {
        for ix in &scratch.found[range] {
            row(ui, model, run, *ix, actions);
        }
    });
}

fn find(run: &Run) -> Vec<InstanceIx> {
    let total = run.instances().len();
    let newest = (total.saturating_sub(LOOKED_THROUGH)..total).rev().map(InstanceIx::from);
    newest.filter(|ix| !run.instance(*ix).text().is_empty()).take(LISTED).collect()
}

fn row(ui: &mut Ui, model: &Model<'_>, run: &Run, ix: InstanceIx, actions: &mut Actions) {
    let theme = Theme::of(ui);
    let c = &theme.colors;
    let instance = run.instance(ix);
    let node = run.node(instance.node);
    let selected = model.state.selection.instance.as_deref() == Some(instance.id.as_str());
    let (rect, response) = lay::row(ui, ROW, selected, &format!("Stream of {}", node.name));
    let kind = NodeKind::from_word(node.kind.as_str());
    kind.glyph().paint(ui.painter(), pos2(rect.left() + 22.0, rect.top() + 14.0), 14.0, kind.hue(theme));
    let name = lay::line(ui, &node.name, Theme::strong(), c.text_primary, 240.0);
    let x = lay::at_left(ui.painter(), rect.left() + 36.0, rect.top() + 14.0, name);
    let stats = instance.text();
    let writing = instance.ended.is_none() && !run.is_over();
    let word = if writing { "writing" } else { "done" };
    let color = if writing { c.status_running } else { c.text_tertiary };
    let figures = format!(
        "{word} \u{B7} {} \u{B7} {}",
        format::plural(stats.deltas, "piece"),
        format::bytes(stats.text_bytes)
    );
    lay::at_left(
        ui.painter(),
        x + 8.0,
        rect.top() + 14.0,
        lay::line(ui, &figures, Theme::small(), color, 300.0),
    );
    let tail = crate::model::json::visible(&run.tail(ix));
    let from = tail.char_indices().rev().nth(((rect.width() - 60.0) / 6.5) as usize).map_or(0, |(at, _)| at);
    let shown = if from > 0 { format!("\u{2026}{}", &tail[from..]) } else { tail };
    let words = lay::line(ui, &shown, Theme::small(), c.text_secondary, rect.width() - 52.0);
    let end = lay::at_left(ui.painter(), rect.left() + 36.0, rect.top() + 36.0, words);
    if writing {
        let caret = egui::Rect::from_min_size(pos2(end + 3.0, rect.top() + 30.0), vec2(6.0, 12.0));
        ui.painter().rect_filled(caret, 0, c.status_running);
    }
    if response.clicked() {
        actions.push(Action::Select(Selection::instance(node.id.as_str(), instance.id.as_str())));
        actions.push(Action::Inspect(InspectorTab::Stream));
    }
}
