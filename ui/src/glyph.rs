//! Icons: strokes and fills on a grid of 16, painted at any size in any colour.
//!
//! Invariant: an icon and what came of it look alike (Inject the button, injected the state), so each shape exists
//! once. There is no emoji and no icon font. Deliberately unknown here: which state uses which glyph.

mod breakpoint;
mod data;
mod stamp;

pub use breakpoint::BreakpointMark;
pub use stamp::Stamps;

use egui::{Color32, Painter, Pos2, Rect, Shape, Vec2};

/// One shape of a glyph; coordinates on the grid of 16.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Part {
    /// Open polyline.
    Line(&'static [(f32, f32)]),
    /// Closed polyline.
    Outline(&'static [(f32, f32)]),
    /// Filled convex polygon.
    Fill(&'static [(f32, f32)]),
    /// Stroked circle: centre, radius.
    Circle(f32, f32, f32),
    /// Filled circle: centre, radius.
    Disc(f32, f32, f32),
    /// Stroked arc: centre, radius, from and to in degrees, clockwise from the right.
    Arc(f32, f32, f32, f32, f32),
    /// Stroked circle of six dashes: centre, radius.
    Dashed(f32, f32, f32),
}

/// An icon.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Glyph {
    /// Kind agent.
    Agent,
    /// Kind model call.
    Llm,
    /// Kind tool.
    Tool,
    /// Kind chain.
    Chain,
    /// Kind retriever.
    Retriever,
    /// Kind server.
    Server,
    /// Kind resource.
    Resource,
    /// Kind prompt.
    Prompt,
    /// Kind custom.
    Custom,
    /// Status not reached.
    NotReached,
    /// Status ghost.
    Ghost,
    /// Status running.
    Running,
    /// Status held.
    Held,
    /// Status ok.
    Ok,
    /// Status failed.
    Failed,
    /// Status aborted, action abort.
    Aborted,
    /// Status abandoned.
    Abandoned,
    /// Status cached.
    Cached,
    /// Status injected, action inject.
    Injected,
    /// Status retried, action retry.
    Retried,
    /// Status uncertain: nobody knows whether it happened.
    Uncertain,
    /// Continue, run, play.
    Run,
    /// Step over.
    Step,
    /// Step into.
    Into,
    /// Step out.
    Out,
    /// Edit.
    Edit,
    /// Search.
    Search,
    /// Chevron or sign: down.
    Down,
    /// Chevron or sign: right.
    Right,
    /// Chevron or sign: left.
    Left,
    /// Chevron or sign: up.
    Up,
    /// Close, also failed in a list.
    Close,
    /// Chevron or sign: plus.
    Plus,
    /// Chevron or sign: minus.
    Minus,
    /// Copy.
    Copy,
    /// Fit to the view.
    Fit,
    /// Follow what happens.
    Follow,
    /// Warning.
    Warn,
    /// Information.
    Info,
    /// A recording.
    File,
    /// Drop zone.
    Drop,
    /// First event.
    First,
    /// Last event.
    Last,
    /// Previous event.
    Prev,
    /// Next event.
    Next,
    /// Compare.
    Diff,
    /// Waiting for a connection.
    Plug,
    /// A moment in the past.
    Pin,
}

impl Glyph {
    /// All of them, for legends and tests.
    pub const ALL: &'static [Self] = &[
        Self::Agent,
        Self::Llm,
        Self::Tool,
        Self::Chain,
        Self::Retriever,
        Self::Server,
        Self::Resource,
        Self::Prompt,
        Self::Custom,
        Self::NotReached,
        Self::Ghost,
        Self::Running,
        Self::Held,
        Self::Ok,
        Self::Failed,
        Self::Aborted,
        Self::Abandoned,
        Self::Cached,
        Self::Injected,
        Self::Retried,
        Self::Uncertain,
        Self::Run,
        Self::Step,
        Self::Into,
        Self::Out,
        Self::Edit,
        Self::Search,
        Self::Down,
        Self::Right,
        Self::Left,
        Self::Up,
        Self::Close,
        Self::Plus,
        Self::Minus,
        Self::Copy,
        Self::Fit,
        Self::Follow,
        Self::Warn,
        Self::Info,
        Self::File,
        Self::Drop,
        Self::First,
        Self::Last,
        Self::Prev,
        Self::Next,
        Self::Diff,
        Self::Plug,
        Self::Pin,
    ];

    /// Paints it into a square of `size` points around `center`.
    pub fn paint(self, painter: &Painter, center: Pos2, size: f32, color: Color32) {
        painter.extend(self.shapes(center, size, color));
    }

    /// Its shapes in a square of `size` points around `center`, with the stroke that fits the size.
    pub fn shapes(self, center: Pos2, size: f32, color: Color32) -> Vec<Shape> {
        let frame = Frame { origin: center - Vec2::splat(size / 2.0), scale: size / 16.0, color };
        self.parts().iter().flat_map(|part| frame.part(*part, stroke_width(size))).collect()
    }

    /// Paints it centred in a rectangle.
    pub fn paint_in(self, painter: &Painter, rect: Rect, size: f32, color: Color32) {
        self.paint(painter, rect.center(), size, color);
    }
}

/// Stroke for a glyph of `size` points: 1.5 from 14 on, a little heavier on the grid below, so that 12 stays crisp.
fn stroke_width(size: f32) -> f32 {
    if size < 14.0 { size / 16.0 * 2.0 } else { (size / 16.0 * 1.5).max(1.4) }
}

/// Where and how a glyph is drawn.
pub(crate) struct Frame {
    pub(crate) origin: Pos2,
    pub(crate) scale: f32,
    pub(crate) color: Color32,
}

impl Frame {
    fn at(&self, x: f32, y: f32) -> Pos2 {
        self.origin + Vec2::new(x, y) * self.scale
    }

    pub(crate) fn part(&self, part: Part, width: f32) -> Vec<Shape> {
        let stroke = egui::Stroke::new(width, self.color);
        match part {
            Part::Line(points) => self.rounded(points.iter().map(|p| self.at(p.0, p.1)).collect(), width),
            Part::Outline(points) => {
                let points: Vec<_> = points.iter().map(|p| self.at(p.0, p.1)).collect();
                let joins = if self.scale < LARGE { Vec::new() } else { joins(&points, width, self.color) };
                std::iter::once(Shape::closed_line(points, stroke)).chain(joins).collect()
            }
            Part::Fill(points) => {
                let points = points.iter().map(|p| self.at(p.0, p.1)).collect();
                vec![Shape::convex_polygon(points, self.color, egui::Stroke::NONE)]
            }
            Part::Circle(x, y, r) => vec![Shape::circle_stroke(self.at(x, y), r * self.scale, stroke)],
            Part::Disc(x, y, r) => vec![Shape::circle_filled(self.at(x, y), r * self.scale, self.color)],
            Part::Arc(x, y, r, from, to) => self.rounded(self.arc(x, y, r, from, to), width),
            Part::Dashed(x, y, r) => (0..6u8)
                .map(|dash| f32::from(dash) * 60.0)
                .map(|from| Shape::line(self.arc(x, y, r, from + 15.0, from + 45.0), stroke))
                .collect(),
        }
    }

    fn arc(&self, x: f32, y: f32, radius: f32, from: f32, to: f32) -> Vec<Pos2> {
        const SEGMENTS: u8 = 24;
        (0..=SEGMENTS)
            .map(|step| (from + (to - from) * f32::from(step) / f32::from(SEGMENTS)).to_radians())
            .map(|angle| self.at(x + radius * angle.cos(), y + radius * angle.sin()))
            .collect()
    }

    /// An open line with round caps, and round joins where it turns sharply.
    fn rounded(&self, mut points: Vec<Pos2>, width: f32) -> Vec<Shape> {
        if self.scale < LARGE {
            extend_ends(&mut points, width * 0.4);
            return vec![Shape::line(points, egui::Stroke::new(width, self.color))];
        }
        let marks = if points.len() > 8 { vec![points[0], points[points.len() - 1]] } else { points.clone() };
        let joins = joins(&marks, width, self.color);
        std::iter::once(Shape::line(points, egui::Stroke::new(width, self.color))).chain(joins).collect()
    }
}

/// From this scale on a cap is large enough to be seen as round.
const LARGE: f32 = 1.3;

/// A cap too small to be seen as round is a longer line.
fn extend_ends(points: &mut [Pos2], by: f32) {
    let count = points.len();
    if count >= 2 {
        let (first, last) = (points[0] - points[1], points[count - 1] - points[count - 2]);
        points[0] += first.normalized() * by;
        points[count - 1] += last.normalized() * by;
    }
}

/// egui draws butt caps and mitred joins; a disc at each point makes them round.
fn joins(points: &[Pos2], width: f32, color: Color32) -> Vec<Shape> {
    points.iter().map(|point| Shape::circle_filled(*point, width / 2.0, color)).collect()
}
