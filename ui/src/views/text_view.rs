//! Long text in the face of values, a row at a time: what is out of view costs nothing, whatever its length.

use std::sync::Arc;

use egui::{ScrollArea, Ui};

use super::lay;
use crate::model::json;
use crate::model::rows::Rows;
use crate::theme::Theme;

/// Height of a row.
pub(super) const ROW: f32 = 18.0;

/// Shows `text`, wrapped at the width of the `Ui`, with its own scroll bar; `number` adds line numbers.
pub(super) fn show(ui: &mut Ui, id: &str, text: &Arc<str>, rows: &mut Rows, stick: bool) {
    let c = &Theme::of(ui).colors;
    let columns = ((ui.available_width() - 20.0) / lay::mono_width(ui)).floor().max(8.0) as usize;
    rows.set(text, columns);
    ui.spacing_mut().item_spacing.y = 0.0;
    let area = ScrollArea::vertical().id_salt(id).auto_shrink(false).stick_to_bottom(stick);
    area.show_rows(ui, ROW, rows.len(), |ui, range| {
        for at in range {
            let row = json::visible(rows.row(at));
            let label = egui::Label::new(egui::RichText::new(row).font(Theme::mono()).color(c.text_primary));
            ui.allocate_ui(egui::vec2(ui.available_width(), ROW), |ui| {
                ui.set_height(ROW);
                ui.add(label.selectable(true).extend());
            });
        }
    });
}
