//! A picture out of a body, over the window: decoded once, when it is asked for, and let go when it is closed.

use std::sync::Arc;

use egui::{ColorImage, Id, Modal, TextureHandle, TextureOptions, Ui, WidgetInfo};

use crate::action::{Action, Actions};
use crate::model::encoded::{self, Picture};
use crate::theme::Theme;
use crate::views::{lay, settings};
use crate::widgets::{Button, Tone};

/// The picture that is open.
#[derive(Default)]
pub(super) struct Scratch {
    open: Option<Open>,
}

struct Open {
    text: Arc<str>,
    words: String,
    shown: Result<(TextureHandle, [u32; 2]), String>,
}

impl std::fmt::Debug for Scratch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Scratch").field("open", &self.open.as_ref().map(|open| &open.words)).finish()
    }
}

impl Scratch {
    /// Decodes what a body holds as text and opens it.
    pub(super) fn open(&mut self, ui: &Ui, text: &str) {
        let Some(found) = encoded::of_text(text) else { return };
        let shown = encoded::picture(text, &found).map(|picture| {
            let Picture { size, whole, rgba } = picture;
            let image = ColorImage::from_rgba_unmultiplied(size, &rgba);
            (ui.load_texture("a picture of a body", image, TextureOptions::LINEAR), whole)
        });
        self.open = Some(Open { text: text.into(), words: found.words(), shown });
    }
}

/// Shows it, if one is open.
pub(super) fn show(ui: &Ui, scratch: &mut Scratch, actions: &mut Actions) {
    let Some(open) = &scratch.open else { return };
    let theme = Theme::of(ui);
    let room = ui.content_rect().size() * 0.8;
    let response = Modal::new(Id::unique("picture")).frame(settings::dialog(theme)).show(ui.ctx(), |ui| {
        match &open.shown {
            Ok((texture, whole)) => {
                let size = texture.size_vec2();
                let scale = (room.x / size.x).min((room.y - 80.0) / size.y).min(1.0);
                let response = ui.add(egui::Image::new((texture.id(), size * scale)));
                let name = format!("Picture of {} \u{D7} {} pixels", whole[0], whole[1]);
                response.widget_info(|| WidgetInfo::labeled(egui::Role::Image, true, &name));
                lay::prose(
                    ui,
                    &format!("{}, {} \u{D7} {}", open.words, whole[0], whole[1]),
                    theme.colors.text_secondary,
                    Theme::small(),
                );
            }
            Err(why) => {
                lay::prose(ui, &open.words, theme.colors.text_primary, Theme::strong());
                lay::prose(ui, why, theme.colors.status_failed, Theme::body());
            }
        }
        ui.add_space(8.0);
        ui.horizontal(|ui| {
            if ui.add(Button::new("Copy it as text").tone(Tone::Quiet)).clicked() {
                actions.push(Action::Copy { text: open.text.to_string(), what: "the encoded value" });
            }
            ui.add(Button::new("Close picture").tone(Tone::Primary)).clicked()
        })
        .inner
    });
    if response.inner || response.should_close() {
        scratch.open = None;
    }
}
