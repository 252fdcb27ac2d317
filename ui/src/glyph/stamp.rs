//! Glyphs tessellated once, then only copied: five hundred cards a frame paint a thousand of them.
//!
//! Invariant: a stamp holds no colour and no place, so one serves every card at a zoom. The cache is bounded: zooming
//! passes through many sizes, so it is emptied when it has grown large.

use std::collections::BTreeMap;

use egui::epaint::{Mesh, TessellationOptions, Tessellator};
use egui::{Color32, Pos2, Shape};

use super::Glyph;

const STAMPS_MAX: usize = 512;

/// Stamps by glyph and size.
#[derive(Default)]
pub struct Stamps {
    meshes: BTreeMap<(Glyph, u32), Mesh>,
    pixels_per_point: f32,
}

impl std::fmt::Debug for Stamps {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Stamps").field("len", &self.meshes.len()).finish()
    }
}

impl Stamps {
    /// To be called once a frame, before any [`Stamps::add`].
    pub fn begin(&mut self, pixels_per_point: f32) {
        if self.pixels_per_point != pixels_per_point || self.meshes.len() > STAMPS_MAX {
            self.meshes.clear();
            self.pixels_per_point = pixels_per_point;
        }
    }

    /// Adds a glyph of `size` points around `center` to a mesh.
    pub fn add(&mut self, into: &mut Mesh, glyph: Glyph, center: Pos2, size: f32, color: Color32) {
        // Quarters of a point: finer sizes cannot be told apart, and zooming would fill the cache.
        let quarters = (size * 4.0).round().max(1.0);
        let ppp = self.pixels_per_point.max(0.1);
        let stamp =
            self.meshes.entry((glyph, quarters as u32)).or_insert_with(|| stamp(glyph, quarters / 4.0, ppp));
        let base = into.vertices.len() as u32;
        into.indices.extend(stamp.indices.iter().map(|index| index + base));
        into.vertices.extend(stamp.vertices.iter().map(|vertex| {
            let mut vertex = *vertex;
            vertex.pos += center.to_vec2();
            vertex.color = tint(color, vertex.color.a());
            vertex
        }));
    }
}

fn tint(color: Color32, coverage: u8) -> Color32 {
    match coverage {
        255 => color,
        0 => Color32::TRANSPARENT,
        part => color.gamma_multiply_u8(part),
    }
}

fn stamp(glyph: Glyph, size: f32, pixels_per_point: f32) -> Mesh {
    let mut mesh = Mesh::default();
    let options = TessellationOptions { prerasterized_discs: false, ..TessellationOptions::default() };
    let mut tessellator = Tessellator::new(pixels_per_point, options, [1, 1], Vec::new());
    for shape in glyph.shapes(Pos2::ZERO, size, Color32::WHITE) {
        if !matches!(shape, Shape::Noop) {
            tessellator.tessellate_shape(shape, &mut mesh);
        }
    }
    mesh
}
