//! The pen of one frame: where the canvas is looked at from, and the shapes gathered so far.
//!
//! Invariant: a layer is handed to egui at once: its rectangles in their order, above them lines and text in theirs,
//! above them the glyphs.

use std::collections::VecDeque;
use std::sync::Arc;

use egui::epaint::{Mesh, RectShape, Shadow, TextShape};
use egui::{Color32, Context, CornerRadius, Painter, Pos2, Rect, Shape, Stroke, StrokeKind, pos2};

use super::text::{Ask, Elide, Face, TextCache, readable};
use super::{Lod, RectCache};
use crate::glyph::{Glyph, Stamps};
use crate::theme::Theme;

/// From where the canvas is looked at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// Where the canvas is on screen.
    pub screen: Rect,
    /// The canvas point at the top left of it.
    pub origin: Pos2,
    /// Screen points for a canvas point.
    pub zoom: f32,
}

impl View {
    /// A canvas point on screen.
    pub fn pos(&self, at: Pos2) -> Pos2 {
        self.screen.min + (at - self.origin) * self.zoom
    }

    /// A canvas rectangle on screen.
    pub fn rect(&self, rect: Rect) -> Rect {
        Rect::from_min_max(self.pos(rect.min), self.pos(rect.max))
    }

    /// A screen point on the canvas.
    pub fn to_canvas(&self, at: Pos2) -> Pos2 {
        self.origin + (at - self.screen.min) / self.zoom
    }

    /// The part of the canvas that can be seen.
    pub fn visible(&self) -> Rect {
        Rect::from_min_max(self.to_canvas(self.screen.min), self.to_canvas(self.screen.max))
    }

    /// How much of a card is drawn.
    pub fn lod(&self) -> Lod {
        Lod::at(self.zoom)
    }
}

/// What was made for earlier frames and can be used again.
#[derive(Debug, Default)]
pub struct Inks {
    texts: TextCache,
    stamps: Stamps,
    rects: RectCache,
    meshes: Meshes,
}

/// Meshes of the frame before: their room is used again, since asking the system for megabytes a frame costs more than
/// filling them.
#[derive(Debug, Default)]
struct Meshes {
    lent: Vec<Arc<Mesh>>,
    free: VecDeque<Mesh>,
}

impl Meshes {
    /// Takes back what egui is done with; what it still holds is its own.
    fn begin(&mut self) {
        self.free.clear();
        self.free.extend(self.lent.drain(..).filter_map(|mesh| Arc::try_unwrap(mesh).ok()));
        self.free.iter_mut().for_each(Mesh::clear);
    }

    /// An empty mesh; in the order in which they were handed out in the frame before, so that each is large enough.
    fn empty(&mut self) -> Mesh {
        self.free.pop_front().unwrap_or_default()
    }

    fn lend(&mut self, mesh: Mesh) -> Shape {
        let mesh = Arc::new(mesh);
        self.lent.push(Arc::clone(&mesh));
        Shape::Mesh(mesh)
    }
}

impl Inks {
    /// To be called once a frame.
    pub fn begin(&mut self, ctx: &Context) {
        self.texts.begin(ctx);
        self.stamps.begin(ctx.pixels_per_point());
        self.rects.begin(ctx.pixels_per_point());
        self.meshes.begin();
    }
}

/// The pen of one frame.
pub struct Pen<'a> {
    /// Where from.
    pub view: View,
    /// The look.
    pub theme: &'static Theme,
    /// 1, or less while something fades in or is dimmed.
    pub opacity: f32,
    pub(crate) ctx: &'a Context,
    inks: &'a mut Inks,
    rects: Mesh,
    shapes: Vec<Shape>,
    glyphs: Mesh,
}

impl std::fmt::Debug for Pen<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Pen")
            .field("view", &self.view)
            .field("shapes", &self.shapes.len())
            .finish_non_exhaustive()
    }
}

impl<'a> Pen<'a> {
    /// A pen that has drawn nothing so far.
    pub fn new(ctx: &'a Context, theme: &'static Theme, view: View, inks: &'a mut Inks) -> Self {
        let (rects, glyphs) = (inks.meshes.empty(), inks.meshes.empty());
        Self { view, theme, opacity: 1.0, ctx, inks, rects, shapes: Vec::new(), glyphs }
    }

    /// Hands everything gathered to the painter.
    pub fn flush(&mut self, painter: &Painter) {
        let meshes = &mut self.inks.meshes;
        let mut lend = |mesh: &mut Mesh| {
            let next = meshes.empty();
            meshes.lend(std::mem::replace(mesh, next))
        };
        let (rects, glyphs) = (lend(&mut self.rects), lend(&mut self.glyphs));
        painter.extend(std::iter::once(rects).chain(std::mem::take(&mut self.shapes)).chain([glyphs]));
    }

    /// Points on screen for points on the canvas.
    pub(crate) fn scale(&self, length: f32) -> f32 {
        length * self.view.zoom
    }

    pub(crate) fn color(&self, color: Color32) -> Color32 {
        if self.opacity >= 1.0 { color } else { color.gamma_multiply(self.opacity) }
    }

    pub(crate) fn radius(&self, radius: f32) -> CornerRadius {
        CornerRadius::same((radius * self.view.zoom).round().clamp(1.0, 40.0) as u8)
    }

    /// A speck: a rectangle too small for corners.
    pub(crate) fn quad(&mut self, rect: Rect, fill: Color32) {
        let fill = self.color(fill);
        self.rects.add_colored_rect(rect, fill);
    }

    /// A rectangle, under everything else of its layer.
    pub(crate) fn rect(&mut self, shape: RectShape) {
        self.inks.rects.add(&mut self.rects, shape);
    }

    pub(crate) fn add(&mut self, shape: Shape) {
        self.shapes.push(shape);
    }

    pub(crate) fn fill(&mut self, rect: Rect, radius: f32, fill: Color32) {
        let shape = RectShape::filled(rect, self.radius(radius), self.color(fill));
        self.rect(shape);
    }

    /// Fill and outline in one shape. The outline's inner edge is one point inside the rectangle, whatever its width.
    pub(crate) fn outlined(&mut self, rect: Rect, radius: f32, fill: Color32, stroke: Stroke) {
        let grown = rect.expand(stroke.width - 1.0);
        let stroke = Stroke::new(stroke.width, self.color(stroke.color));
        let radius = self.radius(radius + (stroke.width - 1.0) / self.view.zoom);
        let shape = RectShape::new(grown, radius, self.color(fill), stroke, StrokeKind::Inside);
        self.rect(shape);
    }

    /// A stroke wholly outside the rectangle grown by `distance` screen points.
    pub(crate) fn halo(&mut self, rect: Rect, radius: f32, distance: f32, stroke: Stroke) {
        let stroke = Stroke::new(stroke.width, self.color(stroke.color));
        let radius = self.radius(radius + (distance + stroke.width) / self.view.zoom);
        let grown = rect.expand(distance + stroke.width);
        self.rect(RectShape::stroke(grown, radius, stroke, StrokeKind::Inside));
    }

    pub(crate) fn shadow(&mut self, rect: Rect, radius: f32, shadow: Shadow) {
        let shadow = Shadow { color: self.color(shadow.color), ..shadow };
        let radius = self.radius(radius);
        self.rect(shadow.as_shape(rect, radius));
    }

    pub(crate) fn glyph(&mut self, glyph: Glyph, center: Pos2, size: f32, color: Color32) {
        let color = self.color(color);
        self.inks.stamps.add(&mut self.glyphs, glyph, center, size, color);
    }

    /// A dashed rectangle with round corners, dash and gap in screen points.
    pub(crate) fn dashed(&mut self, rect: Rect, radius: f32, stroke: Stroke, dash: f32, gap: f32) {
        let mut path = Vec::new();
        let radius = self.radius(radius);
        let rounded = egui::epaint::RoundedRect::new(rect.shrink(0.5), radius);
        egui::epaint::tessellator::path::rounded_rectangle(&mut path, rounded);
        if let Some(first) = path.first().copied() {
            path.push(first);
        }
        let stroke = Stroke::new(stroke.width, self.color(stroke.color));
        self.shapes.extend(Shape::dashed_line(&path, stroke, dash, gap));
    }

    /// One line of text, vertically centred on `left.y`, in a size of the canvas. Returns its right end.
    pub(crate) fn words(&mut self, words: Words<'_>) -> f32 {
        let size = readable(words.size * self.view.zoom.min(words.zoom_max));
        let ask =
            Ask { text: words.text, face: words.face, size, width_max: words.width_max, elide: words.elide };
        let Some(galley) = self.inks.texts.line(self.ctx, ask) else { return words.left.x };
        let width = galley.size().x;
        let x = if words.right { words.left.x - width } else { words.left.x };
        let y = words.left.y - galley.size().y / 2.0;
        let ppp = self.ctx.pixels_per_point();
        let snap = |v: f32| (v * ppp).round() / ppp;
        let color = self.color(words.color);
        self.shapes.push(Shape::Text(TextShape::new(pos2(snap(x), snap(y)), galley, color)));
        if words.right { x } else { x + width }
    }

    /// How wide a line would be, in screen points.
    pub(crate) fn width(&mut self, text: &str, face: Face, size: f32) -> f32 {
        let size = readable(size * self.view.zoom);
        let ask = Ask { text, face, size, width_max: 4000.0, elide: Elide::End };
        self.inks.texts.line(self.ctx, ask).map_or(0.0, |galley| galley.size().x)
    }
}

/// One line of text to paint.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Words<'a> {
    pub(crate) text: &'a str,
    pub(crate) face: Face,
    /// At zoom 1.
    pub(crate) size: f32,
    /// Zoom up to which the text grows along.
    pub(crate) zoom_max: f32,
    /// Left end, or right end if `right`; its y is the middle of the line. Screen points.
    pub(crate) left: Pos2,
    pub(crate) right: bool,
    pub(crate) width_max: f32,
    pub(crate) elide: Elide,
    pub(crate) color: Color32,
}

impl<'a> Words<'a> {
    pub(crate) fn small(text: &'a str, left: Pos2, width_max: f32, color: Color32) -> Self {
        Self {
            text,
            face: Face::Regular,
            size: 12.0,
            zoom_max: f32::INFINITY,
            left,
            right: false,
            width_max,
            elide: Elide::End,
            color,
        }
    }

    pub(crate) fn strong(text: &'a str, left: Pos2, width_max: f32, color: Color32) -> Self {
        Self {
            face: Face::Strong,
            size: 13.0,
            elide: Elide::Middle,
            ..Self::small(text, left, width_max, color)
        }
    }

    /// At zoom 1 whatever the zoom.
    pub(crate) fn fixed(self) -> Self {
        Self { zoom_max: 0.0, ..self }
    }

    pub(crate) fn to_right(self) -> Self {
        Self { right: true, ..self }
    }
}

impl Pen<'_> {
    /// How wide a line of 12 that does not grow with the zoom is, in screen points.
    pub(crate) fn fixed_width(&mut self, text: &str) -> f32 {
        let ask = Ask { text, face: Face::Regular, size: 12.0, width_max: 4000.0, elide: Elide::End };
        self.inks.texts.line(self.ctx, ask).map_or(0.0, |galley| galley.size().x)
    }
}
