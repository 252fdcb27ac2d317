//! Long text in the face of values, a row at a time: what is out of view costs nothing, whatever its length.

use std::ops::Range;
use std::sync::Arc;

use egui::text::{LayoutJob, TextFormat};
use egui::{ScrollArea, Ui};

use super::lay;
use crate::model::json;
use crate::model::rows::Rows;
use crate::theme::Theme;

/// Height of a row.
pub(super) const ROW: f32 = 18.0;

/// A place in the text to point out.
#[derive(Clone, Debug)]
pub(super) struct Mark {
    /// Its bytes.
    pub(super) range: Range<usize>,
    /// Bring it into view in this pass.
    pub(super) jump: bool,
}

/// Shows `text`, wrapped at the width of the `Ui`, with its own scroll bar.
pub(super) fn show(
    ui: &mut Ui,
    id: &str,
    text: &Arc<str>,
    rows: &mut Rows,
    stick: bool,
    mark: Option<&Mark>,
) {
    let columns = ((ui.available_width() - 20.0) / lay::mono_width(ui)).floor().max(8.0) as usize;
    if rows.set(text, columns) {
        ui.request_repaint();
    }
    ui.spacing_mut().item_spacing.y = 0.0;
    let mut area = ScrollArea::vertical().id_salt(id).auto_shrink(false).stick_to_bottom(stick);
    if let Some(mark) = mark.filter(|mark| mark.jump) {
        let above = rows.row_of(mark.range.start) as f32 * ROW - ui.available_height() / 2.0;
        area = area.vertical_scroll_offset(above.max(0.0));
    }
    area.show_rows(ui, ROW, rows.len(), |ui, range| {
        for at in range {
            let label = egui::Label::new(row(ui, rows, at, mark));
            ui.allocate_ui(egui::vec2(ui.available_width(), ROW), |ui| {
                ui.set_height(ROW);
                ui.add(label.selectable(true).extend());
            });
        }
    });
}

/// A row with the part of the mark that lies in it.
fn row(ui: &Ui, rows: &Rows, at: usize, mark: Option<&Mark>) -> LayoutJob {
    let c = &Theme::of(ui).colors;
    let (text, begins) = (rows.row(at), rows.bytes(at).start);
    let inside = |byte: usize| {
        let at = byte.saturating_sub(begins).min(text.len());
        (0..=at).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
    };
    let (from, to) = mark.map_or((0, 0), |mark| (inside(mark.range.start), inside(mark.range.end)));
    let mut job = LayoutJob::default();
    let plain = TextFormat::simple(Theme::mono(), c.text_primary);
    let marked = TextFormat { color: c.on_accent, background: c.accent_fill, ..plain.clone() };
    for (part, format) in [(&text[..from], &plain), (&text[from..to], &marked), (&text[to..], &plain)] {
        if !part.is_empty() {
            job.append(&json::visible(part), 0.0, format.clone());
        }
    }
    job
}
