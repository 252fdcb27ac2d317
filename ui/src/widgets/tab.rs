//! Tabs with a line of accent under the shown one, and the switch of a setting.

use egui::{Color32, CornerRadius, Response, Role, Sense, Stroke, Ui, Vec2, Widget, WidgetInfo, lerp, pos2};

use crate::theme::{Size, Theme};

/// One tab of a strip of 32.
#[derive(Debug)]
#[must_use = "add it to a Ui"]
pub struct Tab<'a> {
    /// Word.
    pub text: &'a str,
    /// Count after it; empty for none.
    pub count: &'a str,
    /// Whether it is the one shown.
    pub active: bool,
}

impl Tab<'_> {
    /// The same with an id of its own, so that it can be dragged somewhere else.
    pub fn draggable(self, ui: &mut Ui, id: egui::Id) -> Response {
        self.show(ui, Some(id))
    }

    fn show(self, ui: &mut Ui, id: Option<egui::Id>) -> Response {
        let theme = Theme::of(ui);
        let c = &theme.colors;
        let words = super::line(ui, self.text, if self.active { Theme::strong() } else { Theme::body() });
        let count = super::line(ui, self.count, Theme::small());
        let gap = if self.count.is_empty() { 0.0 } else { 6.0 };
        let size = Vec2::new(words.size().x + gap + count.size().x, Size::TABS);
        let (rect, response) = match id {
            None => ui.allocate_exact_size(size, Sense::click()),
            Some(id) => {
                let (_, rect) = ui.allocate_space(size);
                (rect, ui.interact(rect, id, Sense::click_and_drag()))
            }
        };
        let (active, text) = (self.active, self.text);
        response.widget_info(|| WidgetInfo::selected(Role::Tab, true, active, text));
        let painter = ui.painter();
        let mid = rect.center().y;
        let color = match (self.active, response.hovered()) {
            (true, _) | (_, true) => c.text_primary,
            _ => c.text_secondary,
        };
        let words_width = words.size().x;
        painter.galley(pos2(rect.left(), (mid - words.size().y / 2.0).round()), words, color);
        let top = (mid - count.size().y / 2.0).round();
        painter.galley(pos2(rect.left() + words_width + gap, top), count, c.text_tertiary);
        if self.active {
            painter.hline(rect.x_range(), rect.bottom() - 1.0, Stroke::new(2.0, c.accent));
        }
        if response.has_focus() {
            super::focus_ring_at(painter, theme, rect.shrink2(Vec2::new(-2.0, 6.0)), 4);
        }
        response.on_hover_cursor(egui::CursorIcon::PointingHand)
    }
}

impl Widget for Tab<'_> {
    fn ui(self, ui: &mut Ui) -> Response {
        self.show(ui, None)
    }
}

/// A switch with its words.
#[derive(Debug)]
#[must_use = "add it to a Ui"]
pub struct Switch<'a> {
    /// Whether it is on.
    pub on: bool,
    /// Words, also its accessible name.
    pub text: &'a str,
}

impl Widget for Switch<'_> {
    fn ui(self, ui: &mut Ui) -> Response {
        const TRACK: Vec2 = Vec2::new(28.0, 16.0);
        let theme = Theme::of(ui);
        let c = &theme.colors;
        let words = super::line(ui, self.text, Theme::small());
        let size = Vec2::new(TRACK.x + 8.0 + words.size().x, Size::ICON_BUTTON);
        let (rect, response) = ui.allocate_exact_size(size, Sense::click());
        let (on, text) = (self.on, self.text);
        response.widget_info(|| WidgetInfo::selected(Role::Switch, true, on, text));
        let painter = ui.painter();
        let mid = rect.center().y;
        let track = egui::Rect::from_min_size(pos2(rect.left(), mid - TRACK.y / 2.0), TRACK);
        let share = ui.ctx().animate_bool_with_time(response.id, self.on, 0.08);
        painter.rect_filled(track, CornerRadius::same(8), c.line_strong.lerp_to_gamma(c.accent_fill, share));
        let x = lerp(track.left() + 8.0..=track.right() - 8.0, share);
        painter.circle_filled(pos2(x, mid), 6.0, Color32::WHITE);
        let top = (mid - words.size().y / 2.0).round();
        painter.galley(pos2(track.right() + 8.0, top), words, c.text_primary);
        if response.has_focus() {
            super::focus_ring_at(painter, theme, track, 8);
        }
        response.on_hover_cursor(egui::CursorIcon::PointingHand)
    }
}
