//! Builds the segments of one route: lines, curves down a channel, and polylines with round corners.

use crate::geometry::{Point, Rect, Segment, Shape};

/// Control points of a curve down the page, as a share of its height.
const PULL: f32 = 0.55;
/// Radius of a corner.
const RADIUS: f32 = 16.0;
/// Quarter circle by a cubic.
const ROUND: f32 = 0.552_284_8;

/// The route being drawn; memory is reused from route to route.
#[derive(Debug, Default)]
pub(crate) struct Pen {
    pub(crate) start: Point,
    pub(crate) at: Point,
    pub(crate) segments: Vec<Segment>,
    pub(crate) bounds: Rect,
    /// Boxes left through the bottom.
    pub(crate) left: Vec<u32>,
    /// Items whose row may take nothing more on its left.
    pub(crate) left_locks: Vec<u32>,
    /// The item after which nothing more may be placed.
    pub(crate) gap_lock: Option<u32>,
    pub(crate) chain: Vec<u32>,
    pub(crate) corners: Vec<Point>,
}

impl Pen {
    pub(crate) fn reset(&mut self) {
        self.segments.clear();
        self.left.clear();
        self.left_locks.clear();
        self.corners.clear();
        self.gap_lock = None;
    }

    pub(crate) fn begin(&mut self, at: Point) {
        (self.start, self.at) = (at, at);
        self.bounds = Rect::new(at.x, at.y, 0.0, 0.0);
    }

    pub(crate) fn push(&mut self, segment: Segment) {
        let mut cover = |p: Point| self.bounds = self.bounds.union(&Rect::new(p.x, p.y, 0.0, 0.0));
        if let Segment::Cubic { c1, c2, .. } = segment {
            cover(c1);
            cover(c2);
        }
        cover(segment.to());
        self.at = segment.to();
        self.segments.push(segment);
    }

    pub(crate) fn line(&mut self, to: Point) {
        if to == self.at {
            return;
        }
        let upright = to.x == self.at.x;
        match self.segments.as_slice() {
            [.., before, Segment::Line { .. }] if upright && before.to().x == to.x => {
                self.segments.pop();
            }
            [Segment::Line { .. }] if upright && self.start.x == to.x => self.segments.clear(),
            _ => {}
        }
        self.push(Segment::Line { to });
    }

    /// Down the channel to `(x, top)` and straight on to `(x, bottom)`.
    pub(crate) fn post(&mut self, x: f32, top: f32, bottom: f32) {
        let high = top - self.at.y;
        if x != self.at.x && high > 0.0 {
            let (c1, c2) = (Point::new(self.at.x, self.at.y + PULL * high), Point::new(x, top - PULL * high));
            self.push(Segment::Cubic { c1, c2, to: Point::new(x, top) });
        }
        self.line(Point::new(x, top));
        self.line(Point::new(x, bottom));
    }

    /// Straight lines through `corners`, the inner ones rounded.
    pub(crate) fn bend(&mut self) {
        let corners = std::mem::take(&mut self.corners);
        for i in 0..corners.len() {
            let corner = corners[i];
            let Some(&next) = corners.get(i + 1) else {
                self.line(corner);
                break;
            };
            let before = if i == 0 { self.at } else { corners[i - 1] };
            let half = if i == 0 { 1.0 } else { 0.5 };
            let share = if i + 2 == corners.len() { 1.0 } else { 0.5 };
            let radius = RADIUS.min(length(before, corner) * half).min(length(corner, next) * share);
            if radius < 0.5 {
                self.line(corner);
                continue;
            }
            let (enter, leave) = (toward(corner, before, radius), toward(corner, next, radius));
            self.line(enter);
            let (c1, c2) = (
                toward(corner, before, radius * (1.0 - ROUND)),
                toward(corner, next, radius * (1.0 - ROUND)),
            );
            self.push(Segment::Cubic { c1, c2, to: leave });
        }
        self.corners = corners;
        self.corners.clear();
    }

    /// In the last third of the last curve; of a loop, half way up the lane.
    pub(crate) fn pill(&self, shape: Shape) -> Point {
        let mut from = self.start;
        let mut best = (f32::NEG_INFINITY, self.start);
        for segment in &self.segments {
            let to = segment.to();
            let curve = matches!(segment, Segment::Cubic { .. });
            let (rank, t) = match shape {
                Shape::Loop if from.x == to.x => ((from.y - to.y).abs(), 0.5),
                Shape::Loop => (-1.0, 0.5),
                _ => {
                    (if curve { f32::INFINITY } else { (to.y - from.y).abs() }, if curve { 0.7 } else { 0.6 })
                }
            };
            if rank >= best.0 {
                best = (rank, segment.at(from, t));
            }
            from = to;
        }
        best.1
    }
}

fn length(a: Point, b: Point) -> f32 {
    (a.x - b.x).abs() + (a.y - b.y).abs()
}

/// The point `by` away from `from` on the way to `to`, which is straight across or down.
fn toward(from: Point, to: Point, by: f32) -> Point {
    let along = length(from, to).max(f32::MIN_POSITIVE);
    Point::new(from.x + (to.x - from.x) / along * by, from.y + (to.y - from.y) / along * by)
}
