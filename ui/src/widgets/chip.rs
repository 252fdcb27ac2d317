//! Chips (pills of 20 that name something or filter by it) and badges (shape and number, no pill).

use egui::{
    Color32, CornerRadius, Response, Role, Sense, Stroke, StrokeKind, Ui, Vec2, Widget, WidgetInfo, pos2,
};

use crate::glyph::{BreakpointMark, Glyph};
use crate::theme::{Status, Theme};

/// What a chip stands for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ChipTone {
    /// Says something.
    #[default]
    Plain,
    /// A state, in its colour on its soft surface.
    Status(Status),
    /// Said with a filled disc instead of a glyph, such as "Live".
    Live,
    /// A moment in the past, or a change.
    Accent,
    /// Switched on as a filter.
    Pressed,
    /// Asked for and not yet on its way: outline only.
    Outline,
    /// The count of holds: amber, filled.
    Held,
}

enum Mark {
    None,
    Glyph(Glyph),
    Disc,
    Breakpoint(BreakpointMark),
}

/// A pill with small words.
#[must_use = "add it to a Ui"]
pub struct Chip<'a> {
    text: &'a str,
    name: Option<&'a str>,
    mark: Mark,
    tone: ChipTone,
    clickable: bool,
    tooltip: Option<&'a str>,
}

impl std::fmt::Debug for Chip<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Chip").field("text", &self.text).field("tone", &self.tone).finish_non_exhaustive()
    }
}

impl<'a> Chip<'a> {
    /// With these words.
    pub fn new(text: &'a str) -> Self {
        Self { text, name: None, mark: Mark::None, tone: ChipTone::Plain, clickable: false, tooltip: None }
    }

    /// A state with its glyph.
    pub fn status(status: Status, text: &'a str) -> Self {
        Self { mark: Mark::Glyph(status.glyph()), tone: ChipTone::Status(status), ..Self::new(text) }
    }

    /// Live: a disc before the words.
    pub fn live(text: &'a str) -> Self {
        Self { mark: Mark::Disc, tone: ChipTone::Live, ..Self::new(text) }
    }

    /// A glyph before the words.
    pub fn glyph(mut self, glyph: Glyph) -> Self {
        self.mark = Mark::Glyph(glyph);
        self
    }

    /// A breakpoint's mark before the words.
    pub fn breakpoint(mut self, mark: BreakpointMark) -> Self {
        self.mark = Mark::Breakpoint(mark);
        self
    }

    /// Its tone.
    pub fn tone(mut self, tone: ChipTone) -> Self {
        self.tone = tone;
        self
    }

    /// Another accessible name.
    pub fn name(mut self, name: &'a str) -> Self {
        self.name = Some(name);
        self
    }

    /// Can be clicked.
    pub fn clickable(mut self) -> Self {
        self.clickable = true;
        self
    }

    /// Shown on hover.
    pub fn tooltip(mut self, tooltip: &'a str) -> Self {
        self.tooltip = Some(tooltip);
        self
    }
}

fn colors(theme: &Theme, tone: ChipTone) -> (Color32, Color32, Stroke) {
    let c = &theme.colors;
    match tone {
        ChipTone::Plain => (c.surface_hover, c.text_primary, Stroke::NONE),
        ChipTone::Status(status) => (status.soft(theme), status.color(theme), Stroke::NONE),
        ChipTone::Live => (c.ok_soft, c.status_ok, Stroke::NONE),
        ChipTone::Accent => (c.accent_soft, c.accent, Stroke::NONE),
        ChipTone::Pressed => (c.surface_selected, c.accent, Stroke::new(1.0, c.accent)),
        ChipTone::Outline => (Color32::TRANSPARENT, c.text_primary, Stroke::new(1.0, c.line_strong)),
        ChipTone::Held => (c.held_fill, c.on_held, Stroke::NONE),
    }
}

impl Widget for Chip<'_> {
    fn ui(self, ui: &mut Ui) -> Response {
        const PADDING: f32 = 8.0;
        const HEIGHT: f32 = 20.0;
        let theme = Theme::of(ui);
        let words = super::line(ui, self.text, Theme::small());
        let mark_width = match self.mark {
            Mark::None => 0.0,
            Mark::Disc => 12.0,
            Mark::Glyph(_) | Mark::Breakpoint(_) => 16.0,
        };
        let width = (words.size().x + mark_width + 2.0 * PADDING).max(HEIGHT).round();
        let sense = if self.clickable { Sense::click() } else { Sense::hover() };
        let (rect, response) = ui.allocate_exact_size(Vec2::new(width, HEIGHT), sense);
        let role = if self.clickable { Role::Button } else { Role::Label };
        let selected = (self.tone == ChipTone::Pressed).then_some(true);
        response.widget_info(|| WidgetInfo {
            selected,
            ..WidgetInfo::labeled(role, true, self.name.unwrap_or(self.text))
        });
        if ui.is_rect_visible(rect) {
            let (mut fill, text, stroke) = colors(theme, self.tone);
            if self.clickable && response.hovered() {
                fill = fill.lerp_to_gamma(theme.colors.line_strong, 0.25);
            }
            let painter = ui.painter();
            painter.rect(rect, CornerRadius::same(10), fill, stroke, StrokeKind::Inside);
            let (x, mid) = (rect.left() + PADDING, rect.center().y);
            match self.mark {
                Mark::None => {}
                Mark::Disc => {
                    painter.circle_filled(pos2(x + 4.0, mid), 4.0, text);
                }
                Mark::Glyph(glyph) => glyph.paint(painter, pos2(x + 6.0, mid), 12.0, text),
                Mark::Breakpoint(mark) => mark.paint(painter, theme, pos2(x + 6.0, mid), 16.0, fill),
            }
            let free = (width - 2.0 * PADDING - mark_width - words.size().x).max(0.0) / 2.0;
            let top = (mid - words.size().y / 2.0).round();
            painter.galley(pos2(x + mark_width + free, top), words, text);
            super::focus_ring(ui, &response, 10);
        }
        super::button::with_tooltip(response, self.tooltip, self.clickable)
    }
}

/// Shape and number of a state, such as in the header of a box.
#[derive(Debug)]
#[must_use = "add it to a Ui"]
pub struct Badge<'a> {
    /// The state.
    pub status: Status,
    /// How many, with or without the word.
    pub text: &'a str,
}

impl Widget for Badge<'_> {
    fn ui(self, ui: &mut Ui) -> Response {
        let theme = Theme::of(ui);
        let words = super::line(ui, self.text, Theme::small());
        let (rect, response) = ui.allocate_exact_size(Vec2::new(16.0 + words.size().x, 16.0), Sense::hover());
        let name = format!("{} {}", self.text, self.status.word());
        response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &name));
        let color = self.status.color(theme);
        self.status.glyph().paint(ui.painter(), pos2(rect.left() + 6.0, rect.center().y), 12.0, color);
        let top = (rect.center().y - words.size().y / 2.0).round();
        ui.painter().galley(pos2(rect.left() + 16.0, top), words, color);
        response
    }
}
