//! Settings, versions and where things lie.

use egui::{CornerRadius, Frame, Id, Modal, Stroke, Ui};

use super::lay;
use crate::action::{Action, Actions};
use crate::model::Model;
use crate::model::state::Overlay;
use crate::theme::{Appearance, Radius, Theme};
use crate::widgets::{Button, Chip, ChipTone, Switch, Tone};

/// The frame of every dialog.
pub(super) fn dialog(theme: &Theme) -> Frame {
    Frame::NONE
        .fill(theme.colors.surface_raised)
        .stroke(Stroke::new(1.0, theme.colors.line))
        .corner_radius(CornerRadius::same(Radius::BOX))
        .shadow(theme.popup_shadow())
        .inner_margin(24)
}

/// Shows it.
pub(super) fn show(ui: &Ui, model: &Model<'_>, actions: &mut Actions) {
    let theme = Theme::of(ui);
    let c = &theme.colors;
    let modal = Modal::new(Id::unique("settings")).frame(dialog(theme));
    let response = modal.show(ui.ctx(), |ui| {
        ui.set_width(460.0);
        ui.spacing_mut().item_spacing.y = 8.0;
        lay::prose(ui, "Settings", c.text_primary, Theme::title());
        appearance(ui, model, actions);
        let on = model.state.debug.pause_on_error;
        if ui.add(Switch { on, text: "Hold at errors, before the program sees them" }).clicked() {
            actions.push(Action::PauseOnError(!on));
        }
        if !model.state.in_shell && ui.add(Button::new("Notify me of holds").tone(Tone::Quiet)).clicked() {
            actions.push(Action::AllowNotifications);
        }
        if ui
            .add(Button::new("Prices of models\u{2026}").name("Prices of models").tone(Tone::Quiet))
            .clicked()
        {
            actions.push(Action::Overlay(Overlay::Prices));
        }
        ui.add_space(8.0);
        lay::prose(ui, "About Holdpoint", c.text_secondary, Theme::small_strong());
        about(ui, model, actions);
        ui.add_space(8.0);
        ui.add(Button::new("Close settings").tone(Tone::Quiet)).clicked()
    });
    if response.inner || response.should_close() {
        actions.push(Action::Overlay(Overlay::None));
    }
}

fn appearance(ui: &mut Ui, model: &Model<'_>, actions: &mut Actions) {
    let c = &Theme::of(ui).colors;
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        lay::prose(ui, "Appearance", c.text_primary, Theme::body());
        for (word, choice) in
            [("System", Appearance::System), ("Dark", Appearance::Dark), ("Light", Appearance::Light)]
        {
            let tone = if model.state.layout.theme == choice { ChipTone::Pressed } else { ChipTone::Plain };
            if ui.add(Chip::new(word).tone(tone).clickable()).clicked() {
                actions.push(Action::Theme(choice));
            }
        }
    });
}

fn about(ui: &mut Ui, model: &Model<'_>, actions: &mut Actions) {
    let c = &Theme::of(ui).colors;
    let server = model.state.server.clone().unwrap_or_default();
    let window = env!("CARGO_PKG_VERSION");
    let rows = [
        ("Window", window.to_owned()),
        ("Server", server.version),
        ("Programs connect to", server.ingest_url),
        ("Page", server.viewer_url),
        ("Recordings", server.data_dir),
    ];
    for (name, value) in rows {
        let (rect, response) = lay::row(ui, 24.0, false, &format!("Copy {name}"));
        lay::at_left(
            ui.painter(),
            rect.left(),
            rect.center().y,
            lay::line(ui, name, Theme::body(), c.text_secondary, 140.0),
        );
        let shown = lay::line(ui, &value, Theme::mono(), c.text_primary, rect.width() - 150.0);
        lay::at_left(ui.painter(), rect.left() + 150.0, rect.center().y, shown);
        if response.on_hover_text("Click to copy").clicked() {
            actions.push(Action::Copy { text: value, what: name });
        }
    }
    lay::prose(ui, "Nothing leaves this machine.", c.text_tertiary, Theme::small());
}
