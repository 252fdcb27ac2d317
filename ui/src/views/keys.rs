//! The overlay of all keys.

use egui::{Id, Modal, Ui, vec2};

use super::lay;
use crate::action::{Action, Actions};
use crate::app::KEYS;
use crate::model::state::Overlay;
use crate::theme::Theme;
use crate::widgets::{Button, Tone};

/// Shows it.
pub(super) fn show(ui: &Ui, actions: &mut Actions) {
    let theme = Theme::of(ui);
    let c = &theme.colors;
    let modal = Modal::new(Id::unique("keys")).frame(super::settings::dialog(theme));
    let response = modal.show(ui.ctx(), |ui| {
        ui.set_width(680.0f32.min(ui.ctx().content_rect().width() - 80.0));
        lay::prose(ui, "All keys", c.text_primary, Theme::title());
        ui.add_space(8.0);
        let room = (ui.ctx().content_rect().height() - 200.0).max(120.0);
        egui::ScrollArea::vertical().max_height(room).show(ui, |ui| {
            ui.horizontal_top(|ui| {
                ui.spacing_mut().item_spacing.x = 32.0;
                for half in [&KEYS[..3], &KEYS[3..]] {
                    ui.vertical(|ui| {
                        ui.set_width(310.0);
                        for (title, keys) in half {
                            group(ui, title, keys);
                        }
                    });
                }
            });
        });
        let note = "A browser may keep a key for itself; the letter beside it does the same.";
        lay::prose(ui, note, c.text_tertiary, Theme::small());
        ui.add_space(8.0);
        ui.add(Button::new("Close keys").tone(Tone::Quiet)).clicked()
    });
    if response.inner || response.should_close() {
        actions.push(Action::Overlay(Overlay::None));
    }
}

fn group(ui: &mut Ui, title: &str, keys: &[(&str, &str)]) {
    let c = &Theme::of(ui).colors;
    ui.spacing_mut().item_spacing = vec2(8.0, 2.0);
    lay::prose(ui, title, c.text_secondary, Theme::small_strong());
    for (key, what) in keys {
        let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 22.0), egui::Sense::hover());
        let mid = rect.center().y;
        lay::at_left(
            ui.painter(),
            rect.left(),
            mid,
            lay::line(ui, key, Theme::mono(), c.text_primary, 110.0),
        );
        lay::at_left(
            ui.painter(),
            rect.left() + 116.0,
            mid,
            lay::line(ui, what, Theme::body(), c.text_secondary, 210.0),
        );
    }
    ui.add_space(10.0);
}
