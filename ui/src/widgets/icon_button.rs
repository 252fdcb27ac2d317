//! A button without words: its name is in the tooltip and in the accessibility tree.

use egui::{Color32, CornerRadius, Response, Role, Sense, Stroke, StrokeKind, Ui, Vec2, Widget, WidgetInfo};

use crate::glyph::Glyph;
use crate::theme::{Radius, Size, Theme};

/// A square button of 24 with a glyph of 14.
#[derive(Debug)]
#[must_use = "add it to a Ui"]
pub struct IconButton<'a> {
    glyph: Glyph,
    name: &'a str,
    key: Option<&'a str>,
    pressed: bool,
    enabled: bool,
    size: f32,
    color: Option<Color32>,
}

impl<'a> IconButton<'a> {
    /// With this glyph and accessible name.
    pub fn new(glyph: Glyph, name: &'a str) -> Self {
        Self { glyph, name, key: None, pressed: false, enabled: true, size: Size::ICON_BUTTON, color: None }
    }

    /// The key that does the same, told in the tooltip.
    pub fn key(mut self, key: &'a str) -> Self {
        self.key = Some(key);
        self
    }

    /// Switched on.
    pub fn pressed(mut self, pressed: bool) -> Self {
        self.pressed = pressed;
        self
    }

    /// Can it be pressed.
    pub fn enabled(mut self, enabled: bool) -> Self {
        self.enabled = enabled;
        self
    }

    /// Side of the square, in points.
    pub fn size(mut self, size: f32) -> Self {
        self.size = size;
        self
    }

    /// Colour of the glyph.
    pub fn color(mut self, color: Color32) -> Self {
        self.color = Some(color);
        self
    }
}

impl Widget for IconButton<'_> {
    fn ui(self, ui: &mut Ui) -> Response {
        let theme = Theme::of(ui);
        let c = &theme.colors;
        let sense = if self.enabled { Sense::click() } else { Sense::hover() };
        let (rect, response) = ui.allocate_exact_size(Vec2::splat(self.size), sense);
        let selected = self.pressed.then_some(true);
        response.widget_info(|| WidgetInfo {
            selected,
            ..WidgetInfo::labeled(Role::Button, self.enabled, self.name)
        });
        if ui.is_rect_visible(rect) {
            let radius = CornerRadius::same(Radius::ICON);
            if self.pressed {
                let stroke = Stroke::new(1.0, c.accent);
                ui.painter().rect(rect, radius, c.surface_selected, stroke, StrokeKind::Inside);
            } else if response.hovered() && self.enabled {
                ui.painter().rect_filled(rect, radius, c.surface_hover);
            }
            let color = match (self.enabled, self.pressed) {
                (false, _) => c.text_tertiary.gamma_multiply(0.6),
                (true, true) => c.accent,
                (true, false) => self.color.unwrap_or(c.text_primary),
            };
            self.glyph.paint(ui.painter(), rect.center(), Size::GLYPH, color);
            super::focus_ring(ui, &response, Radius::ICON);
        }
        let tooltip = self.key.map_or_else(|| self.name.to_owned(), |key| format!("{} ({key})", self.name));
        super::button::with_tooltip(response, Some(&tooltip), self.enabled)
    }
}
