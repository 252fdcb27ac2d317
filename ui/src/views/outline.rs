//! The outline: the same graph as rows, for the keyboard, for screen readers and for finding things. The tree is built
//! when the run changes and only then; a ring of parents is cut where it closes.

use std::collections::BTreeSet;
use std::sync::Arc;

use egui::{Role, Ui, pos2};
use graph::project::{At, Filter, OutlineRow, Tree, filter, outline};
use graph::{NodeIx, NodeStatus, Run};

use super::{lay, rail};
use crate::action::{Action, Actions};
use crate::glyph::Glyph;
use crate::model::{Model, Selection, format};
use crate::theme::{NodeKind, Size, Status, Theme};

/// The tree as it was built last, and what is closed in it.
#[derive(Debug, Default)]
pub struct Scratch {
    built: Option<(String, u64, usize, Filter)>,
    rows: Vec<OutlineRow>,
    closed: BTreeSet<Arc<str>>,
}

/// The state of a node as the window says it.
pub(crate) fn status(run: &Run, ix: NodeIx, at: Option<&At>) -> Status {
    let (status, counts) = match at {
        Some(at) => (at.node(ix).status, at.node(ix).counts),
        None => (run.node_status(ix), run.counts(ix)),
    };
    match status {
        NodeStatus::Unreached => Status::NotReached,
        NodeStatus::Ghost => Status::Ghost,
        NodeStatus::Held => Status::Held,
        NodeStatus::Running => Status::Running,
        NodeStatus::Ok if counts.injected > 0 && counts.injected == counts.total => Status::Injected,
        NodeStatus::Ok if counts.cached > 0 && counts.cached == counts.total => Status::Cached,
        NodeStatus::Ok => Status::Ok,
        NodeStatus::Error => Status::Failed,
        NodeStatus::Aborted => Status::Aborted,
        NodeStatus::Abandoned => Status::Abandoned,
        NodeStatus::Uncertain => Status::Uncertain,
    }
}

/// The section in the rail.
pub(super) fn section(ui: &mut Ui, model: &Model<'_>, scratch: &mut Scratch, actions: &mut Actions) {
    let Some(run) = model.run else {
        return rail::nothing(ui, "The graph appears here as it grows.");
    };
    let filter = model.state.filter();
    let key = (run.key().as_str().to_owned(), run.event_count(), scratch.closed.len(), filter.clone());
    if scratch.built.as_ref() != Some(&key) {
        scratch.rows = build(run, &scratch.closed, &filter);
        scratch.built = Some(key);
    }
    if scratch.rows.is_empty() && !filter.is_empty() {
        return rail::nothing(ui, "No node matches.");
    }
    let mut toggled = None;
    lay::rows_in_view(ui, Size::OUTLINE_ROW, scratch.rows.len(), |ui, at| {
        let row = scratch.rows[at];
        if show_row(ui, model, run, row, &scratch.closed, actions) {
            toggled = Some(Arc::<str>::from(run.node(row.node).id.as_str()));
        }
    });
    if let Some(id) = toggled
        && !scratch.closed.remove(&id)
    {
        scratch.closed.insert(id);
    }
}

/// Rows in order; with a search those that match and those above them.
fn build(run: &Run, closed: &BTreeSet<Arc<str>>, wanted: &Filter) -> Vec<OutlineRow> {
    let tree = Tree::new(run);
    let folded = closed.iter().filter_map(|id| run.find_node(id)).collect();
    let matches = (!wanted.is_empty()).then(|| filter(run, &tree, wanted));
    outline(run, &tree, &folded, matches.as_ref())
}

fn show_row(
    ui: &mut Ui,
    model: &Model<'_>,
    run: &Run,
    row: OutlineRow,
    closed: &BTreeSet<Arc<str>>,
    actions: &mut Actions,
) -> bool {
    let theme = Theme::of(ui);
    let c = &theme.colors;
    let node = run.node(row.node);
    let id = node.id.as_str();
    let selected = model.state.selection.node.as_deref() == Some(id);
    let (rect, response) = lay::row_as(ui, Size::OUTLINE_ROW, selected, &node.name, Role::TreeItem);
    let later = model.at.is_some_and(|at| !at.is_drawn(run, row.node));
    let status = status(run, row.node, model.at);
    let kind = NodeKind::from_word(node.kind.as_str());
    let x = rect.left() + 10.0 + Size::INDENT * row.depth.min(24) as f32;
    let (painter, mid) = (ui.painter(), rect.center().y);
    if row.has_children {
        let chevron = if closed.contains(id) { Glyph::Right } else { Glyph::Down };
        chevron.paint(painter, pos2(x + 6.0, mid), 12.0, c.text_secondary);
    }
    let reached = status.reached();
    kind.glyph().paint(
        painter,
        pos2(x + 25.0, mid),
        14.0,
        if reached { kind.hue(theme) } else { c.text_tertiary },
    );
    status.glyph().paint(painter, pos2(rect.right() - 18.0, mid), 12.0, status.color(theme));
    let total = model.at.map_or_else(|| run.counts(row.node), |at| at.node(row.node).counts).total;
    let mut right = rect.right() - 32.0;
    if later {
        let word = lay::line(ui, "later", Theme::small(), c.text_tertiary, 60.0);
        right = lay::at_right(painter, right, mid, word) - 6.0;
    } else if total > 1 {
        let count = format!("\u{D7}{}", format::count(u64::from(total)));
        right =
            lay::at_right(painter, right, mid, lay::line(ui, &count, Theme::small(), c.text_tertiary, 80.0))
                - 6.0;
    }
    let color = if reached && row.matches { c.text_primary } else { c.text_tertiary };
    let text = x + 38.0;
    lay::at_left(
        painter,
        text,
        mid,
        lay::line(ui, &node.name, Theme::body(), color, (right - text).max(24.0)),
    );
    let on_chevron = row.has_children
        && response.interact_pointer_pos().is_some_and(|at| at.x < x + 14.0 && at.x > x - 4.0);
    if response.clicked() && on_chevron {
        return true;
    }
    if response.clicked() {
        actions.push(Action::Select(Selection::node(id)));
        actions.push(Action::Reveal(id.into()));
    }
    let response = response.on_hover_text(format!("{} \u{B7} {} \u{B7} {}", id, node.kind, status.word()));
    response.context_menu(|ui| menu(ui, id, &node.name, actions));
    false
}

fn menu(ui: &mut Ui, id: &str, name: &str, actions: &mut Actions) {
    if ui.button("Breakpoint here").clicked() {
        actions.push(Action::ToggleBreakpoint(id.into()));
        ui.close();
    }
    if ui.button("Show in the graph").clicked() {
        actions.push(Action::Select(Selection::node(id)));
        actions.push(Action::Reveal(id.into()));
        ui.close();
    }
    if ui.button("Copy name").clicked() {
        actions.push(Action::Copy { text: name.to_owned(), what: "the name" });
        ui.close();
    }
    if ui.button("Copy node id").clicked() {
        actions.push(Action::Copy { text: id.to_owned(), what: "the node id" });
        ui.close();
    }
}
