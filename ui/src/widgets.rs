//! The controls of the window: buttons, icon buttons, chips, badges, fields, tabs, switches, section heads.
//!
//! Invariant: each has an accessible name, a visible keyboard focus and both looks. A control tells what was asked of
//! it through its `Response`; none changes state of its own. Deliberately unknown here: what a click means.

mod button;
mod chip;
mod field;
mod head;
mod icon_button;
mod tab;

pub use button::{Button, Tone};
pub use chip::{Badge, Chip, ChipTone};
pub use field::Field;
pub use head::{SectionHead, separator};
pub use icon_button::IconButton;
pub use tab::{Switch, Tab};

use egui::{CornerRadius, FontId, Painter, Rect, Response, Stroke, StrokeKind, Ui};

use crate::theme::Theme;

/// Focus ring: 2 points of accent at a distance of 2, only while the keyboard is on it.
pub fn focus_ring(ui: &Ui, response: &Response, radius: u8) {
    if response.has_focus() {
        focus_ring_at(ui.painter(), Theme::of(ui), response.rect, radius);
    }
}

/// The same ring around any rectangle.
pub fn focus_ring_at(painter: &Painter, theme: &Theme, rect: Rect, radius: u8) {
    let ring = rect.expand(2.0);
    painter.rect_stroke(
        ring,
        CornerRadius::same(radius + 2),
        Stroke::new(2.0, theme.colors.accent),
        StrokeKind::Outside,
    );
}

/// A laid-out line of text without wrapping, in a colour to be given when painted.
pub(crate) fn line(ui: &Ui, text: &str, font: FontId) -> std::sync::Arc<egui::Galley> {
    ui.painter().layout_no_wrap(text.to_owned(), font, egui::Color32::PLACEHOLDER)
}
