//! Heads of sections in the rail and inspector, and the thin line between panels.

use egui::{Response, Role, Sense, Stroke, Ui, Vec2, Widget, WidgetInfo, pos2};

use crate::glyph::Glyph;
use crate::theme::{Size, Theme};

/// A head of 32: chevron, words in small semibold, a count. A click folds the section.
#[derive(Debug)]
#[must_use = "add it to a Ui"]
pub struct SectionHead<'a> {
    /// Words.
    pub text: &'a str,
    /// Count or caption after them.
    pub caption: &'a str,
    /// Whether its content is shown.
    pub open: bool,
}

impl Widget for SectionHead<'_> {
    fn ui(self, ui: &mut Ui) -> Response {
        let theme = Theme::of(ui);
        let c = &theme.colors;
        let width = ui.available_width().max(60.0);
        let (rect, response) = ui.allocate_exact_size(Vec2::new(width, Size::SECTION), Sense::click());
        let name = format!("{} {}", self.text, self.caption);
        let open = self.open;
        response.widget_info(|| WidgetInfo::selected(Role::DisclosureTriangle, true, open, name.trim_end()));
        let painter = ui.painter();
        let chevron = if self.open { Glyph::Down } else { Glyph::Right };
        let mid = rect.center().y;
        chevron.paint(painter, pos2(rect.left() + 16.0, mid), 12.0, c.text_secondary);
        let words = super::line(ui, self.text, Theme::small_strong());
        let caption = super::line(ui, self.caption, Theme::small());
        let color = if response.hovered() { c.text_primary } else { c.text_secondary };
        let x = rect.left() + 28.0;
        let words_width = words.size().x;
        painter.galley(pos2(x, (mid - words.size().y / 2.0).round()), words, color);
        let top = (mid - caption.size().y / 2.0).round();
        painter.galley(pos2(x + words_width + 6.0, top), caption, c.text_tertiary);
        if response.has_focus() {
            super::focus_ring_at(painter, theme, rect.shrink2(Vec2::new(6.0, 4.0)), 4);
        }
        response.on_hover_cursor(egui::CursorIcon::PointingHand)
    }
}

/// A line of one pixel in `line_subtle` across the whole width, taking no height.
pub fn separator(ui: &Ui, y: f32) {
    let stroke = Stroke::new(1.0, Theme::of(ui).colors.line_subtle);
    ui.painter().hline(ui.max_rect().x_range(), y, stroke);
}
