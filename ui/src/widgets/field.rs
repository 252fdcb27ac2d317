//! A field of one line: glyph, text, hint, key. The focus is a ring of 1.5 in accent.

use egui::{
    CornerRadius, Frame, Margin, Response, Role, Stroke, StrokeKind, TextEdit, Ui, UiBuilder, WidgetInfo,
    pos2,
};

use crate::glyph::Glyph;
use crate::theme::{Radius, Size, Theme};

/// A single-line text field with an accessible name.
#[must_use = "call `show`"]
pub struct Field<'a> {
    text: &'a mut String,
    name: &'a str,
    hint: &'a str,
    glyph: Option<Glyph>,
    key: Option<&'a str>,
    mono: bool,
    width: f32,
    id: Option<egui::Id>,
    error: bool,
}

impl std::fmt::Debug for Field<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Field").field("name", &self.name).finish_non_exhaustive()
    }
}

impl<'a> Field<'a> {
    /// A field for this text with this accessible name.
    pub fn new(text: &'a mut String, name: &'a str) -> Self {
        Self {
            text,
            name,
            hint: "",
            glyph: None,
            key: None,
            mono: false,
            width: 224.0,
            id: None,
            error: false,
        }
    }

    /// Shown while it is empty.
    pub fn hint(mut self, hint: &'a str) -> Self {
        self.hint = hint;
        self
    }

    /// A glyph before the text.
    pub fn glyph(mut self, glyph: Glyph) -> Self {
        self.glyph = Some(glyph);
        self
    }

    /// The key that goes to it.
    pub fn key(mut self, key: &'a str) -> Self {
        self.key = Some(key);
        self
    }

    /// Text in the face of values.
    pub fn mono(mut self) -> Self {
        self.mono = true;
        self
    }

    /// Width in points.
    pub fn width(mut self, width: f32) -> Self {
        self.width = width;
        self
    }

    /// A fixed id, to send the keyboard to it.
    pub fn id(mut self, id: egui::Id) -> Self {
        self.id = Some(id);
        self
    }

    /// What is in it is not accepted.
    pub fn error(mut self, error: bool) -> Self {
        self.error = error;
        self
    }

    /// Shows it. The response is that of the text.
    pub fn show(self, ui: &mut Ui) -> Response {
        let theme = Theme::of(ui);
        let c = &theme.colors;
        let (rect, _) = ui.allocate_exact_size(egui::vec2(self.width, Size::BUTTON), egui::Sense::hover());
        let left = rect.left() + if self.glyph.is_some() { 30.0 } else { 10.0 };
        let key = self.key.map(|key| super::line(ui, key, Theme::mono()));
        let right = rect.right() - 10.0 - key.as_ref().map_or(0.0, |key| key.size().x + 6.0);
        let inner = egui::Rect::from_min_max(pos2(left, rect.top()), pos2(right, rect.bottom()));
        ui.painter().rect_filled(rect, CornerRadius::same(Radius::BUTTON), c.surface_field);
        if let Some(glyph) = self.glyph {
            glyph.paint(
                ui.painter(),
                pos2(rect.left() + 17.0, rect.center().y),
                Size::GLYPH,
                c.text_secondary,
            );
        }
        let font = if self.mono { Theme::mono() } else { Theme::body() };
        let mut edit = TextEdit::singleline(self.text)
            .font(font.clone())
            .frame(Frame::NONE)
            .margin(Margin::ZERO)
            .align(egui::Align2::LEFT_CENTER)
            .desired_width(inner.width())
            .hint_text(egui::RichText::new(self.hint).font(font).color(c.text_tertiary));
        if let Some(id) = self.id {
            edit = edit.id(id);
        }
        let mut child = ui.new_child(
            UiBuilder::new().max_rect(inner).layout(egui::Layout::left_to_right(egui::Align::Center)),
        );
        let response = child.add_sized(inner.size(), edit);
        let name = self.name;
        response.widget_info(|| WidgetInfo::labeled(Role::TextInput, true, name));
        let stroke = match (response.has_focus(), self.error) {
            (_, true) => Stroke::new(1.0, c.status_failed),
            (true, false) => Stroke::new(1.5, c.accent),
            (false, false) => Stroke::new(1.0, c.line),
        };
        ui.painter().rect_stroke(rect, CornerRadius::same(Radius::BUTTON), stroke, StrokeKind::Inside);
        if let Some(key) = key.filter(|_| !response.has_focus()) {
            let at = pos2(rect.right() - 10.0 - key.size().x, (rect.center().y - key.size().y / 2.0).round());
            ui.painter().galley(at, key, c.text_tertiary);
        }
        response
    }
}
