//! Small pieces that several views are made of: lines of text that end in an ellipsis, rows that can be clicked,
//! words after one another. They know the theme and nothing of the debugger.

use std::sync::Arc;

use egui::text::{LayoutJob, TextFormat};
use egui::{
    Color32, CursorIcon, FontId, Galley, Painter, Pos2, Rect, Response, Role, Sense, Ui, WidgetInfo, pos2,
    vec2,
};

use crate::theme::Theme;

/// One line, cut with an ellipsis at `width` points.
pub fn line(ui: &Ui, text: &str, font: FontId, color: Color32, width: f32) -> Arc<Galley> {
    let mut job = LayoutJob::single_section(clip(text, width), TextFormat::simple(font, color));
    job.wrap.max_width = width.max(8.0);
    job.wrap.max_rows = 1;
    job.wrap.break_anywhere = true;
    ui.painter().layout_job(job)
}

/// Text that cannot fit is not laid out: no character is narrower than two points.
fn clip(text: &str, width: f32) -> String {
    let most = (width / 2.0).clamp(8.0, 4_000.0) as usize;
    let cut = text.char_indices().nth(most).map_or(text.len(), |(at, _)| at);
    let clean: String = text[..cut].chars().map(|c| if c == '\n' || c == '\r' { ' ' } else { c }).collect();
    clean
}

/// Paints a line with its left edge and vertical middle at a point; returns the x behind it.
pub fn at_left(painter: &Painter, x: f32, mid: f32, galley: Arc<Galley>) -> f32 {
    let (width, height) = (galley.size().x, galley.size().y);
    painter.galley(pos2(x, (mid - height / 2.0).round()), galley, Color32::PLACEHOLDER);
    x + width
}

/// Paints a line with its right edge and vertical middle at a point; returns the x before it.
pub fn at_right(painter: &Painter, x: f32, mid: f32, galley: Arc<Galley>) -> f32 {
    let left = x - galley.size().x;
    at_left(painter, left, mid, galley);
    left
}

/// A row across the whole width that can be clicked, with its hover and selection painted.
pub fn row(ui: &mut Ui, height: f32, selected: bool, name: &str) -> (Rect, Response) {
    row_as(ui, height, selected, name, Role::Button)
}

/// The same in another role.
pub fn row_as(ui: &mut Ui, height: f32, selected: bool, name: &str, role: Role) -> (Rect, Response) {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::click());
    response.widget_info(|| WidgetInfo::selected(role, true, selected, name));
    let c = &Theme::of(ui).colors;
    if ui.is_rect_visible(rect) {
        if selected {
            ui.painter().rect_filled(rect, 0, c.surface_selected);
        } else if response.hovered() {
            ui.painter().rect_filled(rect, 0, c.surface_hover.gamma_multiply(0.6));
        }
        if response.has_focus() {
            crate::widgets::focus_ring_at(ui.painter(), Theme::of(ui), rect.shrink(3.0), 4);
        }
    }
    (rect, response.on_hover_cursor(CursorIcon::PointingHand))
}

/// Rows of one height, of which only those in view are made; the others take their room.
pub fn rows_in_view(ui: &mut Ui, height: f32, count: usize, mut show: impl FnMut(&mut Ui, usize)) {
    let (top, clip) = (ui.cursor().top(), ui.clip_rect());
    let row = |y: f32| (((y - top) / height).max(0.0) as usize).min(count);
    let (first, last) = (row(clip.top()), row(clip.bottom() + height));
    ui.add_space(first as f32 * height);
    (first..last).for_each(|at| show(ui, at));
    ui.add_space((count - last) as f32 * height);
}

/// Prose in body text that wraps.
pub fn prose(ui: &mut Ui, text: &str, color: Color32, font: FontId) -> Response {
    ui.add(egui::Label::new(egui::RichText::new(text).font(font).color(color)).wrap())
}

/// Text at a place without taking part in layout, such as captions painted into a rectangle.
pub fn caption(ui: &Ui, at: Pos2, text: &str, font: FontId, color: Color32) -> Rect {
    ui.painter().text(at, egui::Align2::LEFT_TOP, text, font, color)
}

/// Width of `columns` characters of the value face.
pub fn mono_width(ui: &Ui) -> f32 {
    ui.fonts_mut(|fonts| fonts.glyph_width(&Theme::mono(), '0')).max(1.0)
}

/// A link: accent, underlined on hover.
pub fn link(ui: &mut Ui, text: &str) -> Response {
    let theme = Theme::of(ui);
    let galley = line(ui, text, Theme::small(), theme.colors.accent, 400.0);
    let (rect, response) = ui.allocate_exact_size(vec2(galley.size().x, 20.0), Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::Link, true, text));
    at_left(ui.painter(), rect.left(), rect.center().y, galley);
    if response.hovered() || response.has_focus() {
        let y = rect.center().y + 7.5;
        ui.painter().hline(rect.x_range(), y, egui::Stroke::new(1.0, theme.colors.accent));
    }
    response.on_hover_cursor(CursorIcon::PointingHand)
}
