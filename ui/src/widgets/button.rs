//! A button of 28: glyph, words, key. Its tone says how loud it is.

use egui::{
    Color32, CornerRadius, Response, Role, Sense, Stroke, StrokeKind, Ui, Vec2, Widget, WidgetInfo, pos2,
};

use crate::glyph::Glyph;
use crate::theme::{Radius, Size, Theme};

/// How a button looks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tone {
    /// The one thing to do next.
    Primary,
    /// Continue a hold: the only amber button.
    Hold,
    /// One of several.
    #[default]
    Quiet,
    /// Without a fill until hovered.
    Bare,
    /// Switched on, or the one whose editor is open.
    Pressed,
    /// Cannot be undone; needs a second press.
    Danger,
    /// The second press.
    DangerArmed,
}

/// A button with words.
#[derive(Debug)]
#[must_use = "add it to a Ui"]
pub struct Button<'a> {
    text: &'a str,
    name: Option<&'a str>,
    key: Option<&'a str>,
    glyph: Option<Glyph>,
    trailing: Option<Glyph>,
    tone: Tone,
    enabled: bool,
    tooltip: Option<&'a str>,
    min_width: f32,
    strong: bool,
    align_left: bool,
    height: f32,
}

impl<'a> Button<'a> {
    /// With these words, which are its accessible name too.
    pub fn new(text: &'a str) -> Self {
        Self {
            text,
            name: None,
            key: None,
            glyph: None,
            trailing: None,
            tone: Tone::Quiet,
            enabled: true,
            tooltip: None,
            min_width: 0.0,
            strong: false,
            align_left: false,
            height: Size::BUTTON,
        }
    }

    /// Another accessible name, for words that need their surroundings ("Continue parse_amount").
    pub fn name(mut self, name: &'a str) -> Self {
        self.name = Some(name);
        self
    }

    /// The key that does the same.
    pub fn key(mut self, key: &'a str) -> Self {
        self.key = Some(key);
        self
    }

    /// A glyph before the words.
    pub fn glyph(mut self, glyph: Glyph) -> Self {
        self.glyph = Some(glyph);
        self
    }

    /// A glyph after the words, such as a chevron.
    pub fn trailing(mut self, glyph: Glyph) -> Self {
        self.trailing = Some(glyph);
        self
    }

    /// How loud.
    pub fn tone(mut self, tone: Tone) -> Self {
        self.tone = tone;
        self
    }

    /// Can it be pressed; a disabled one says why in its tooltip.
    pub fn enabled(mut self, enabled: bool) -> Self {
        self.enabled = enabled;
        self
    }

    /// Shown on hover, also while disabled.
    pub fn tooltip(mut self, tooltip: &'a str) -> Self {
        self.tooltip = Some(tooltip);
        self
    }

    /// At least this wide, in points.
    pub fn min_width(mut self, width: f32) -> Self {
        self.min_width = width;
        self
    }

    /// Words in semibold, such as the run's name.
    pub fn strong(mut self) -> Self {
        self.strong = true;
        self
    }

    /// Another height than 28, in points.
    pub fn height(mut self, height: f32) -> Self {
        self.height = height;
        self
    }

    /// Words at the left, the trailing glyph at the right.
    pub fn align_left(mut self) -> Self {
        self.align_left = true;
        self
    }
}

struct Look {
    fill: Color32,
    text: Color32,
    stroke: Stroke,
}

fn look(theme: &Theme, tone: Tone, hovered: bool, enabled: bool) -> Look {
    let c = &theme.colors;
    let (fill, text) = match tone {
        Tone::Primary => (c.accent_fill, c.on_accent),
        Tone::Hold => (c.held_fill, c.on_held),
        Tone::Quiet => (c.surface_hover, c.text_primary),
        Tone::Bare => (Color32::TRANSPARENT, c.text_primary),
        Tone::Pressed => (c.surface_selected, c.accent),
        Tone::Danger => (Color32::TRANSPARENT, c.status_failed),
        Tone::DangerArmed => (c.failed_fill, c.on_failed),
    };
    let stroke = if tone == Tone::Pressed { Stroke::new(1.0, c.accent) } else { Stroke::NONE };
    if !enabled {
        let fill = if tone == Tone::Bare { fill } else { Color32::TRANSPARENT };
        return Look { fill, text: c.text_tertiary.gamma_multiply(0.6), stroke: Stroke::NONE };
    }
    let fill = match (hovered, tone) {
        (false, _) | (_, Tone::Pressed) => fill,
        (true, Tone::Bare | Tone::Danger) => c.surface_hover,
        (true, Tone::Quiet) => c.surface_hover.lerp_to_gamma(c.line_strong, 0.25),
        (true, _) => fill.lerp_to_gamma(if theme.dark { Color32::WHITE } else { Color32::BLACK }, 0.10),
    };
    Look { fill, text, stroke }
}

impl Widget for Button<'_> {
    fn ui(self, ui: &mut Ui) -> Response {
        const PADDING: f32 = 10.0;
        const GAP: f32 = 6.0;
        let theme = Theme::of(ui);
        let words = super::line(ui, self.text, if self.strong { Theme::strong() } else { Theme::body() });
        let key = self.key.map(|key| super::line(ui, key, Theme::mono()));
        let glyph_width = |glyph: Option<Glyph>| glyph.map_or(0.0, |_| Size::GLYPH + GAP);
        let key_width = key.as_ref().map_or(0.0, |key| key.size().x + GAP);
        let content = glyph_width(self.glyph) + words.size().x + key_width + glyph_width(self.trailing);
        let width = (content + 2.0 * PADDING).max(self.min_width).round();
        let sense = if self.enabled { Sense::click() } else { Sense::hover() };
        let (rect, response) = ui.allocate_exact_size(Vec2::new(width, self.height), sense);
        let name = self.name.unwrap_or(self.text);
        let selected = (self.tone == Tone::Pressed).then_some(true);
        response
            .widget_info(|| WidgetInfo { selected, ..WidgetInfo::labeled(Role::Button, self.enabled, name) });
        if ui.is_rect_visible(rect) {
            let look = look(theme, self.tone, response.hovered(), self.enabled);
            let radius = CornerRadius::same(Radius::BUTTON);
            ui.painter().rect(rect, radius, look.fill, look.stroke, StrokeKind::Inside);
            let free = if self.align_left { 0.0 } else { (width - 2.0 * PADDING - content) / 2.0 };
            let mut x = rect.left() + PADDING + free;
            let mid = rect.center().y;
            if let Some(glyph) = self.glyph {
                glyph.paint(ui.painter(), pos2(x + Size::GLYPH / 2.0, mid), Size::GLYPH, look.text);
                x += Size::GLYPH + GAP;
            }
            let top = |galley: &egui::Galley| (mid - galley.size().y / 2.0).round();
            let words_top = top(&words);
            let words_width = words.size().x;
            ui.painter().galley(pos2(x, words_top), words, look.text);
            x += words_width + GAP;
            if let Some(key) = key {
                let y = top(&key);
                ui.painter().galley(pos2(x, y), key, look.text.gamma_multiply(0.75));
            }
            if let Some(glyph) = self.trailing {
                let at = pos2(rect.right() - PADDING - Size::GLYPH / 2.0, mid);
                glyph.paint(ui.painter(), at, Size::GLYPH, look.text);
            }
            super::focus_ring(ui, &response, Radius::BUTTON);
        }
        with_tooltip(response, self.tooltip, self.enabled)
    }
}

pub(super) fn with_tooltip(response: Response, tooltip: Option<&str>, enabled: bool) -> Response {
    match tooltip {
        Some(tooltip) if enabled => {
            response.on_hover_text(tooltip).on_hover_cursor(egui::CursorIcon::PointingHand)
        }
        Some(tooltip) => response.on_hover_text(tooltip),
        None if enabled => response.on_hover_cursor(egui::CursorIcon::PointingHand),
        None => response,
    }
}
