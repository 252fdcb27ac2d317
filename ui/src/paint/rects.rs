//! Rounded rectangles tessellated once, then only copied: most cards on screen have the same few bodies.
//!
//! Invariant: a kept rectangle holds no place, only its size in whole pixels and its look, so a copy is what egui would
//! have made of it. The cache is bounded: zooming passes through many sizes, so it is emptied when it has grown large.

use std::collections::HashMap;

use egui::emath::GuiRounding as _;
use egui::epaint::util::hash;
use egui::epaint::{Mesh, RectShape, TessellationOptions, Tessellator};
use egui::{Pos2, Shape};

const KEPT_MAX: usize = 1_024;

/// Rectangles by size and look.
#[derive(Default)]
pub struct RectCache {
    kept: HashMap<u64, Mesh>,
    pixels_per_point: f32,
}

impl std::fmt::Debug for RectCache {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RectCache").field("len", &self.kept.len()).finish()
    }
}

impl RectCache {
    /// To be called once a frame, before any [`RectCache::add`].
    pub(crate) fn begin(&mut self, pixels_per_point: f32) {
        if self.pixels_per_point != pixels_per_point || self.kept.len() > KEPT_MAX {
            self.kept.clear();
            self.pixels_per_point = pixels_per_point;
        }
    }

    /// Adds a rectangle to a mesh.
    pub(crate) fn add(&mut self, into: &mut Mesh, mut shape: RectShape) {
        let ppp = self.pixels_per_point.max(0.1);
        let rect = shape.rect.round_to_pixels(ppp);
        shape.rect = rect.translate(-rect.min.to_vec2());
        let (corner, stroke) = (shape.corner_radius, shape.stroke);
        let key = hash((
            [
                rect.width().to_bits(),
                rect.height().to_bits(),
                stroke.width.to_bits(),
                shape.blur_width.to_bits(),
            ],
            [corner.nw, corner.ne, corner.sw, corner.se, shape.stroke_kind as u8],
            [shape.fill, stroke.color],
        ));
        let kept = self.kept.entry(key).or_insert_with(|| tessellate(shape, ppp));
        copy(kept, into, rect.min);
    }
}

fn tessellate(shape: RectShape, pixels_per_point: f32) -> Mesh {
    let mut mesh = Mesh::default();
    let mut tessellator =
        Tessellator::new(pixels_per_point, TessellationOptions::default(), [1, 1], Vec::new());
    tessellator.tessellate_shape(Shape::Rect(shape), &mut mesh);
    mesh
}

fn copy(kept: &Mesh, into: &mut Mesh, at: Pos2) {
    let base = into.vertices.len() as u32;
    let by = at.to_vec2();
    into.indices.extend(kept.indices.iter().map(|index| index + base));
    into.vertices.extend(kept.vertices.iter().map(|vertex| {
        let mut vertex = *vertex;
        vertex.pos += by;
        vertex
    }));
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::{Color32, Rect, Stroke, StrokeKind, pos2, vec2};

    #[test]
    fn a_copy_is_what_egui_would_have_made_of_the_rectangle() {
        let shape = |at: Pos2| {
            let stroke = Stroke::new(1.0, Color32::RED);
            RectShape::new(
                Rect::from_min_size(at, vec2(184.0, 56.0)),
                8,
                Color32::BLUE,
                stroke,
                StrokeKind::Inside,
            )
        };
        let mut cache = RectCache::default();
        cache.begin(1.0);
        let mut copies = Mesh::default();
        for at in [pos2(0.0, 0.0), pos2(33.0, -7.0), pos2(100.4, 20.6)] {
            copies.clear();
            cache.add(&mut copies, shape(at));
            let fresh = tessellate(shape(at), 1.0);
            assert_eq!(copies.indices, fresh.indices);
            for (copy, fresh) in copies.vertices.iter().zip(&fresh.vertices) {
                assert!((copy.pos - fresh.pos).length() < 0.001, "{copy:?} {fresh:?}");
                assert_eq!(copy.color, fresh.color);
            }
        }
        assert_eq!(cache.kept.len(), 1);
    }
}
