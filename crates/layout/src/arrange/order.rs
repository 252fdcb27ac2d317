//! The order within layers: a few barycentre sweeps, and none where the walk's order already crosses nothing.

use super::{Csr, Scratch, rank};

const SWEEPS: usize = 4;

pub(super) fn order(s: &mut Scratch) {
    let forest = (0..s.kids.len() as u32).all(|v| s.into.of(v).len() <= 1);
    if !forest {
        s.pos.clear();
        s.pos.resize(s.kids.len(), 0.0);
        for i in 0..s.layer_count() {
            number(s, i);
        }
        for sweep in 0..SWEEPS {
            let count = s.layer_count();
            for i in 1..count {
                if sweep % 2 == 0 { sort(s, i, true) } else { sort(s, count - 1 - i, false) }
            }
        }
    }
    rank::add_beside(s);
}

/// Positions counted from the middle, so that layers of unequal length compare.
fn number(s: &mut Scratch, i: usize) {
    let layer = s.layer(i);
    let middle = (layer.len() as f32 - 1.0) / 2.0;
    for (at, &v) in s.layers[layer].iter().enumerate() {
        s.pos[v as usize] = at as f32 - middle;
    }
}

fn sort(s: &mut Scratch, i: usize, from_above: bool) {
    let layer = s.layer(i);
    if layer.len() < 2 {
        return;
    }
    let near: &Csr = if from_above { &s.into } else { &s.out };
    s.keyed.clear();
    for &v in &s.layers[layer.clone()] {
        let around = near.of(v);
        let sum: f32 = around.iter().map(|&w| s.pos[w as usize]).sum();
        let key = if around.is_empty() { s.pos[v as usize] } else { sum / around.len() as f32 };
        s.keyed.push((key, v));
    }
    if s.keyed.is_sorted_by(|a, b| a.0 <= b.0) {
        return;
    }
    s.keyed.sort_by(|a, b| a.0.total_cmp(&b.0));
    for (to, &(_, v)) in s.layers[layer].iter_mut().zip(&s.keyed) {
        *to = v;
    }
    number(s, i);
}
