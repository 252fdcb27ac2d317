//! Columns: each child as near as the order allows to the middle of its neighbours.
//!
//! A row is solved exactly in linear time: with the separations taken out, the nearest non-falling sequence
//! (pooled adjacent violators). A grid moves as one block.

use super::{Csr, Scratch};
use crate::model::NONE;

/// Neighbours that want nothing give way.
const IDLE_WEIGHT: f32 = 0.05;

/// A stretch of a row that moves together.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block {
    sum: f32,
    weight: f32,
    count: u32,
}

pub(super) fn align(s: &mut Scratch, gap: f32) {
    s.x.clear();
    s.x.resize(s.kids.len(), 0.0);
    for i in 0..s.layer_count() {
        pack(s, i, gap);
    }
    let count = s.layer_count();
    if count > 1 {
        for pass in 0..4 {
            for i in 1..count {
                let (i, above) = if pass % 2 == 0 { (i, true) } else { (count - 1 - i, false) };
                settle(s, i, above, gap);
            }
        }
    }
    finish(s, gap);
}

/// Left edges, side by side round 0.
fn pack(s: &mut Scratch, i: usize, gap: f32) {
    let layer = s.layer(i);
    let width = offsets(s, i, gap);
    for (slot, offset) in s.layers[layer].iter().zip(&s.pos) {
        s.x[*slot as usize] = offset - width / 2.0;
    }
}

/// Writes the left edge of each child of a layer, packed from 0, into `pos`; returns the width.
fn offsets(s: &mut Scratch, i: usize, gap: f32) -> f32 {
    let layer = &s.layers[s.layer(i)];
    let columns = s.columns[i] as usize;
    s.pos.clear();
    let mut left = 0.0;
    for c in 0..columns.min(layer.len()) {
        let widths = layer[c..].iter().step_by(columns).map(|&v| s.claim[v as usize].w);
        s.pos.push(left);
        left += widths.fold(0.0, f32::max) + gap;
    }
    for at in columns..layer.len() {
        s.pos.push(s.pos[at - columns]);
    }
    left - gap
}

/// The left edge a child would like, and how much.
fn wish(s: &Scratch, v: u32, near: &Csr, gap: f32) -> (f32, f32) {
    let at = v as usize;
    let middle = |w: u32| s.x[w as usize] + s.size[w as usize].w / 2.0;
    if s.beside[at] != NONE {
        let other = s.beside[at] as usize;
        return (s.x[other] + s.claim[other].w + gap, IDLE_WEIGHT);
    }
    let around = near.of(v);
    if around.is_empty() {
        return (s.x[at], IDLE_WEIGHT);
    }
    let sum: f32 = around.iter().map(|&w| middle(w)).sum();
    (sum / around.len() as f32 - s.size[at].w / 2.0, 1.0)
}

fn settle(s: &mut Scratch, i: usize, above: bool, gap: f32) {
    offsets(s, i, gap);
    let layer = s.layer(i);
    let grid = (s.columns[i] as usize) < layer.len();
    let near = if above { &s.into } else { &s.out };
    s.blocks.clear();
    for (at, &v) in s.layers[layer.clone()].iter().enumerate() {
        let (x, weight) = wish(s, v, near, gap);
        let mut block = Block { sum: (x - s.pos[at]) * weight, weight, count: 1 };
        while let Some(&last) = s.blocks.last() {
            if !grid && last.sum / last.weight <= block.sum / block.weight {
                break;
            }
            s.blocks.pop();
            let count = block.count + last.count;
            block = Block { sum: last.sum + block.sum, weight: last.weight + block.weight, count };
        }
        s.blocks.push(block);
    }
    let mut at = 0;
    for block in &s.blocks {
        for _ in 0..block.count {
            s.x[s.layers[layer.start + at] as usize] = block.sum / block.weight + s.pos[at];
            at += 1;
        }
    }
}

/// Whole points, from 0 on, gaps kept.
fn finish(s: &mut Scratch, gap: f32) {
    let least = s.x.iter().copied().fold(f32::INFINITY, f32::min);
    for i in 0..s.layer_count() {
        let (layer, columns) = (s.layer(i), s.columns[i] as usize);
        offsets(s, i, gap);
        let mut edge = f32::NEG_INFINITY;
        for at in 0..layer.len() {
            let v = s.layers[layer.start + at] as usize;
            if at < columns {
                s.x[v] = (s.x[v] - least).round().max(edge);
                let step = if at + 1 < layer.len().min(columns) { s.pos[at + 1] - s.pos[at] } else { 0.0 };
                edge = s.x[v] + step.max(s.claim[v].w + gap);
            } else {
                s.x[v] = s.x[s.layers[layer.start + at - columns] as usize];
            }
        }
    }
}
