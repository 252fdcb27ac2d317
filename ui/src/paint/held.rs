//! The strip of actions on a held card.
//!
//! Invariant: the buttons stand where [`strip_button_rects`] says, for the painter and the pointer alike; Abort stands
//! apart at the far right, and says so when a first press has armed it.

use egui::{Pos2, Rect, Stroke, Vec2, vec2};

use super::Pen;
use super::pen::Words;
use crate::scene::HoldVerb;
use crate::theme::Radius;

/// How the strip is looked at.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct StripLook {
    /// Under the pointer.
    pub(crate) hovered: Option<HoldVerb>,
    /// With the keyboard on it.
    pub(crate) focused: Option<HoldVerb>,
    /// Whose editor is open.
    pub(crate) pressed: Option<HoldVerb>,
    /// Not possible on this hold.
    pub(crate) no_edit: bool,
    /// A first press of Abort waits for the second.
    pub(crate) armed: bool,
    /// An answer is on its way.
    pub(crate) waiting: bool,
}

const STRIP: f32 = 32.0;
const BUTTON: f32 = 24.0;

/// Each button's rectangle on a painted held card, in the same points as `card`.
pub(crate) fn strip_button_rects(card: Rect, zoom: f32) -> impl Iterator<Item = (HoldVerb, Rect)> {
    let top = card.bottom() - (STRIP - (STRIP - BUTTON) / 2.0) * zoom;
    HoldVerb::ALL.into_iter().enumerate().map(move |(index, verb)| {
        let x = match verb {
            HoldVerb::Abort => card.right() - (6.0 + BUTTON) * zoom,
            _ => card.left() + (6.0 + index as f32 * (BUTTON + 4.0)) * zoom,
        };
        (verb, Rect::from_min_size(Pos2::new(x, top), Vec2::splat(BUTTON * zoom)))
    })
}

pub(super) fn strip(pen: &mut Pen<'_>, card: Rect, look: StripLook) {
    let c = &pen.theme.colors;
    let top = card.bottom() - pen.scale(STRIP);
    let inner = Rect::from_min_max(Pos2::new(card.left() + 1.0, top), card.max - vec2(1.0, 1.0));
    let mut shape = egui::epaint::RectShape::filled(inner, 0, pen.color(c.held_soft));
    let corner = pen.radius(f32::from(Radius::CARD) - 1.0);
    shape.corner_radius = egui::CornerRadius { nw: 0, ne: 0, ..corner };
    pen.rect(shape);
    let line = c.surface_card.lerp_to_gamma(c.held_fill, 0.40);
    let y = top.round() + 0.5;
    let stroke = Stroke::new(1.0, pen.color(line));
    pen.add(egui::Shape::hline(inner.x_range(), y, stroke));
    if look.waiting {
        let left = Pos2::new(card.left() + pen.scale(12.0), card.bottom() - pen.scale(STRIP / 2.0));
        pen.words(Words::small("Answer on its way", left, card.width(), c.status_running));
        return;
    }
    for (verb, rect) in strip_button_rects(card, pen.view.zoom) {
        button(pen, verb, rect, look);
    }
}

fn button(pen: &mut Pen<'_>, verb: HoldVerb, rect: Rect, look: StripLook) {
    let c = &pen.theme.colors;
    let radius = f32::from(Radius::ICON);
    let off = verb == HoldVerb::Edit && look.no_edit;
    let armed = verb == HoldVerb::Abort && look.armed;
    let pressed = look.pressed == Some(verb);
    let hovered = look.hovered == Some(verb) && !off;
    let (fill, glyph) = match verb {
        HoldVerb::Continue if hovered => (Some(c.held_fill.lerp_to_gamma(c.text_primary, 0.12)), c.on_held),
        HoldVerb::Continue => (Some(c.held_fill), c.on_held),
        _ if armed => (Some(c.failed_fill), c.on_failed),
        _ if pressed => (Some(c.surface_selected), c.accent),
        _ if hovered => (Some(c.surface_hover), c.text_primary),
        _ if off => (None, c.text_tertiary.gamma_multiply(0.6)),
        _ => (None, c.text_primary),
    };
    if let Some(fill) = fill {
        pen.fill(rect, radius, fill);
    }
    if pressed {
        pen.outlined(rect, radius, egui::Color32::TRANSPARENT, Stroke::new(1.0, c.accent));
    }
    if look.focused == Some(verb) {
        pen.halo(rect, radius, 1.0, Stroke::new(2.0, c.accent));
    }
    pen.glyph(verb.glyph(), rect.center(), pen.scale(14.0), glyph);
}
