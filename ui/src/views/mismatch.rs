//! The banner over everything when page and server are of different versions: what is shown may be wrong.

use egui::{Align, Frame, Layout, Panel, Ui};

use super::lay;
use crate::action::{Action, Actions};
use crate::glyph::Glyph;
use crate::theme::{Size, Theme};
use crate::widgets::{Button, Tone};

/// Takes a strip of the window for it.
pub(crate) fn show(ui: &mut Ui, why: &str, actions: &mut Actions) {
    let c = &Theme::of(ui).colors;
    let strip = Panel::top("mismatch").exact_size(Size::TIME_BAR).resizable(false);
    strip.show_separator_line(false).frame(Frame::NONE.fill(c.failed_soft)).show(ui, |ui| {
        let rect = ui.max_rect();
        ui.expand_to_include_rect(rect);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.add_space(12.0);
            if ui.add(Button::new("Reload the page").tone(Tone::Primary)).clicked() {
                actions.push(Action::Reload);
            }
            let free = ui.available_width() - 48.0;
            let text = lay::line(
                ui,
                &format!("{why} What is shown may be wrong."),
                Theme::body(),
                c.text_primary,
                free,
            );
            let mark = egui::pos2(rect.left() + 20.0, rect.center().y);
            Glyph::Warn.paint(ui.painter(), mark, Size::GLYPH, c.status_failed);
            let words = egui::Rect::from_min_max(
                egui::pos2(rect.left() + 36.0, rect.top()),
                egui::pos2(rect.left() + 36.0 + free, rect.bottom()),
            );
            let response = ui.interact(words, egui::Id::unique("mismatch"), egui::Sense::hover());
            response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Alert, true, why));
            response.on_hover_text(why);
            lay::at_left(ui.painter(), words.left(), rect.center().y, text);
        });
    });
}
