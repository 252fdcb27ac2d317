//! The console: everything the window and the server noticed, newest last, in words. Nothing is ever only in a log.

use egui::{ScrollArea, Ui};

use super::lay;
use crate::action::{Action, Actions};
use crate::glyph::Glyph;
use crate::model::toasts::Level;
use crate::model::{Model, format};
use crate::theme::{Size, Theme};

/// Shows it.
pub(super) fn show(ui: &mut Ui, model: &Model<'_>, actions: &mut Actions) {
    let c = &Theme::of(ui).colors;
    let log: Vec<_> = model.state.toasts.history().collect();
    let notes = model.run.map(graph::Run::gaps).unwrap_or_default();
    if log.is_empty() && notes.is_empty() {
        return super::dock::nothing(ui, "Notes of the debugger and of log points appear here.");
    }
    ui.spacing_mut().item_spacing.y = 0.0;
    let rows = log.len() + notes.len();
    ScrollArea::vertical().auto_shrink(false).stick_to_bottom(true).show_rows(
        ui,
        Size::EVENT_ROW,
        rows,
        |ui, range| {
            for at in range {
                let (glyph, color, text, when) = match notes.get(at) {
                    Some((from, to)) => (Glyph::Warn, c.status_failed, gap(*from, *to), None),
                    None => {
                        let toast = log[at - notes.len()];
                        let (glyph, color) = super::toasts::mark(toast.level, &Theme::of(ui).colors);
                        let more =
                            if toast.text.is_empty() { String::new() } else { format!(": {}", toast.text) };
                        (glyph, color, format!("{}{more}", toast.title), Some((toast.at_ms, toast.level)))
                    }
                };
                row(ui, model, glyph, color, &text, when, actions);
            }
        },
    );
}

fn gap(from: u64, to: u64) -> String {
    let missing = format::plural(to - from + 1, "event");
    format!("{missing} never came: numbers {} to {}", format::count(from), format::count(to))
}

fn row(
    ui: &mut Ui,
    model: &Model<'_>,
    glyph: Glyph,
    color: egui::Color32,
    text: &str,
    when: Option<(f64, Level)>,
    actions: &mut Actions,
) {
    let c = &Theme::of(ui).colors;
    let (rect, response) = lay::row(ui, Size::EVENT_ROW, false, text);
    let mid = rect.center().y;
    glyph.paint(ui.painter(), egui::pos2(rect.left() + 22.0, mid), 12.0, color);
    if let Some((at_ms, _)) = when {
        let ago = format!("{} ago", format::running((model.now_ms - at_ms).max(0.0)));
        lay::at_right(
            ui.painter(),
            rect.right() - 12.0,
            mid,
            lay::line(ui, &ago, Theme::small(), c.text_tertiary, 120.0),
        );
    }
    let shown = lay::line(ui, text, Theme::small(), c.text_primary, rect.width() - 180.0);
    lay::at_left(ui.painter(), rect.left() + 36.0, mid, shown);
    if response.on_hover_text("Click to copy").clicked() {
        actions.push(Action::Copy { text: text.to_owned(), what: "the line" });
    }
}
