//! The marks of a breakpoint, in the gutter of a card and in the rail.
//!
//! Invariant: bound, conditional, counting, logging, unbound and broken differ in shape, not in colour alone.

use egui::{Color32, Painter, Pos2, Shape, Stroke, Vec2, pos2, vec2};

use super::{Frame, Part};
use crate::theme::Theme;

/// How a breakpoint is marked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BreakpointMark {
    /// It holds, always.
    Bound,
    /// It holds under a condition.
    Condition,
    /// It holds from a number of hits on.
    HitCount,
    /// It writes a line and does not hold.
    LogPoint,
    /// Nothing seen matches it yet, or it is switched off.
    NotBound,
    /// Its condition is not understood; the reason is in the rail.
    Error,
    /// A click here would set one.
    Hover,
}

impl BreakpointMark {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Bound => "breakpoint",
            Self::Condition => "breakpoint with a condition",
            Self::HitCount => "breakpoint with a hit count",
            Self::LogPoint => "log point",
            Self::NotBound => "breakpoint, not bound",
            Self::Error => "breakpoint in error",
            Self::Hover => "no breakpoint",
        }
    }

    /// Paints it into a square of `size` points around `center`, on `surface`.
    pub fn paint(self, painter: &Painter, theme: &Theme, center: Pos2, size: f32, surface: Color32) {
        painter.extend(self.shapes(theme, center, size, surface));
    }

    /// Its shapes.
    pub fn shapes(self, theme: &Theme, center: Pos2, size: f32, surface: Color32) -> Vec<Shape> {
        let red = theme.colors.breakpoint;
        let scale = size / 16.0;
        let disc = |radius: f32, color| Shape::circle_filled(center, radius * scale, color);
        let ring = |radius: f32| {
            Shape::circle_stroke(center, radius * scale, Stroke::new(1.5 * scale.max(0.9), red))
        };
        let bar = |a: (f32, f32), b: (f32, f32), width: f32, color| {
            let at = |p: (f32, f32)| center + vec2(p.0 - 8.0, p.1 - 8.0) * scale;
            Shape::line_segment([at(a), at(b)], Stroke::new(width * scale, color))
        };
        match self {
            Self::Bound => vec![disc(4.5, red)],
            Self::Hover => vec![disc(4.5, red.gamma_multiply(0.35))],
            Self::Condition => vec![
                disc(5.5, red),
                bar((5.5, 6.75), (10.5, 6.75), 1.25, surface),
                bar((5.5, 9.25), (10.5, 9.25), 1.25, surface),
            ],
            Self::HitCount => vec![
                disc(5.5, red),
                bar((8.0, 5.0), (8.0, 11.0), 1.5, surface),
                bar((5.0, 8.0), (11.0, 8.0), 1.5, surface),
            ],
            Self::LogPoint => {
                let frame = Frame {
                    origin: pos2(center.x, center.y) - Vec2::splat(8.0 * scale),
                    scale,
                    color: theme.colors.log_point,
                };
                let mut shapes =
                    frame.part(Part::Fill(&[(8.0, 2.0), (14.0, 8.0), (8.0, 14.0), (2.0, 8.0)]), 0.0);
                shapes.push(bar((6.0, 8.0), (10.0, 8.0), 1.5, surface));
                shapes
            }
            Self::NotBound => vec![ring(4.25)],
            Self::Error => vec![
                ring(5.0),
                bar((8.0, 5.25), (8.0, 8.5), 1.5, red),
                Shape::circle_filled(center + vec2(0.0, 2.6) * scale, 0.9 * scale, red),
            ],
        }
    }
}
