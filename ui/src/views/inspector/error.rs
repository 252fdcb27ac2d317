//! The Error tab: what failed, in its own words, its stack, and the arguments that led there.

use egui::{Ui, pos2, vec2};

use super::{Place, Scratch, body};
use crate::action::{Action, Actions};
use crate::glyph::Glyph;
use crate::model::{BodyKey, json};
use crate::theme::{Radius, Size, Theme};
use crate::views::lay;
use crate::widgets::IconButton;

/// Shows it.
pub(super) fn show(ui: &mut Ui, place: &Place<'_>, scratch: &mut Scratch, actions: &mut Actions) {
    let c = &Theme::of(ui).colors;
    let failure = place.instance.and_then(|(ix, _)| place.run.failure(ix));
    let failure = failure.filter(|failure| !place.model.is_later(failure.seq));
    let Some(failure) = failure else {
        lay::prose(ui, "It has not failed.", c.text_tertiary, Theme::small());
        return;
    };
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 28.0), egui::Sense::hover());
    Glyph::Failed.paint(ui.painter(), pos2(rect.left() + 6.0, rect.center().y), 12.0, c.status_failed);
    let name = if failure.name.is_empty() { "Error" } else { &failure.name };
    lay::at_left(
        ui.painter(),
        rect.left() + 22.0,
        rect.center().y,
        lay::line(ui, name, Theme::strong(), c.status_failed, rect.width() - 60.0),
    );
    let copy =
        egui::Rect::from_center_size(pos2(rect.right() - 12.0, rect.center().y), egui::Vec2::splat(24.0));
    if ui.put(copy, IconButton::new(Glyph::Copy, "Copy error")).clicked() {
        actions.push(Action::Copy { text: format!("{name}: {}", failure.message), what: "the error" });
    }
    let message = json::visible(&failure.message.chars().take(1_500).collect::<String>());
    ui.add(egui::Label::new(egui::RichText::new(message).font(Theme::mono()).color(c.text_primary)).wrap());
    ui.add_space(8.0);
    let recovered = place.instance.is_some_and(|(_, instance)| instance.flags.injected);
    if recovered {
        lay::prose(
            ui,
            "A value was injected in its place; the program went on.",
            c.status_injected,
            Theme::small(),
        );
        ui.add_space(8.0);
    }
    if failure.has_stack {
        stack(ui, place, failure.seq, &mut scratch.stack, actions);
    }
    let input = place.instance.and_then(|(ix, _)| place.run.input(ix));
    if input.is_some() {
        body::show(ui, place, "Input", "/payload/input", input, &mut scratch.input, actions);
    }
}

/// Lines of a stack shown before it scrolls.
const STACK_HEIGHT: f32 = 132.0;

fn stack(ui: &mut Ui, place: &Place<'_>, seq: u64, scratch: &mut body::Scratch, actions: &mut Actions) {
    let c = &Theme::of(ui).colors;
    let key = BodyKey { run: place.key(), seq, pointer: "/payload/error/stack".into() };
    body::fetched(place, scratch, &key, actions);
    let (rect, _) =
        ui.allocate_exact_size(vec2(ui.available_width(), Size::FIGURE_ROW), egui::Sense::hover());
    lay::at_left(
        ui.painter(),
        rect.left(),
        rect.center().y,
        lay::line(ui, "Stack", Theme::small_strong(), c.text_secondary, 200.0),
    );
    let frame = egui::Frame::NONE.fill(c.surface_field).corner_radius(Radius::BUTTON).inner_margin(8);
    frame.show(ui, |ui| {
        ui.set_width(ui.available_width());
        let text = scratch.stack();
        if text.is_empty() {
            lay::prose(ui, "Reading it\u{2026}", c.text_tertiary, Theme::small());
            return;
        }
        egui::ScrollArea::both()
            .id_salt("stack")
            .max_height(STACK_HEIGHT)
            .auto_shrink([false, true])
            .show_rows(ui, 18.0, text.len(), |ui, range| {
                for line in &text[range] {
                    let shown = egui::RichText::new(line.as_str()).font(Theme::mono()).color(c.text_primary);
                    ui.add(egui::Label::new(shown).extend());
                }
            });
    });
    ui.add_space(8.0);
}
