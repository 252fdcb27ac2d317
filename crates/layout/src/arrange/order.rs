//! The order within layers: barycentre sweeps from reading order; the order with the fewest crossings is kept.
//!
//! A forest in reading order crosses nothing and is left alone. Crossings are counted between neighbouring layers only:
//! longer edges run through free strips and weigh little.

use super::{Csr, Scratch, rank};

const SWEEPS: usize = 4;

pub(super) fn order(s: &mut Scratch) {
    let forest = (0..s.kids.len() as u32).all(|v| s.into.of(v).len() <= 1);
    if !forest {
        s.pos.clear();
        s.pos.resize(s.kids.len(), 0.0);
        let count = s.layer_count();
        for i in 0..count {
            number(s, i);
        }
        let mut least = crossings(s);
        s.best.clone_from(&s.layers);
        for sweep in 0..SWEEPS {
            if least == 0 {
                break;
            }
            for i in 1..count {
                if sweep % 2 == 0 { sort(s, i, true) } else { sort(s, count - 1 - i, false) }
            }
            let now = crossings(s);
            if now < least {
                least = now;
                s.best.clone_from(&s.layers);
            }
        }
        s.layers.clone_from(&s.best);
    }
    rank::add_beside(s);
}

/// How many pairs of edges between neighbouring layers cross: inversions, counted with a tree of partial sums.
fn crossings(s: &mut Scratch) -> u64 {
    let mut total = 0;
    for i in 1..s.layer_count() {
        let (above, below) = (s.layer(i - 1), s.layer(i));
        let middle = (below.len() as f32 - 1.0) / 2.0;
        s.sums.clear();
        s.sums.resize(below.len() + 1, 0);
        let mut seen = 0;
        for &v in &s.layers[above] {
            let next = |w: &&u32| s.rank[**w as usize] == i as u32;
            let place = |w: &u32| (s.pos[*w as usize] + middle) as usize;
            for at in s.out.of(v).iter().filter(next).map(place) {
                total += seen - prefix(&s.sums, at + 1);
            }
            for at in s.out.of(v).iter().filter(next).map(place) {
                seen += 1;
                let mut k = at + 1;
                while k < s.sums.len() {
                    s.sums[k] += 1;
                    k += k & k.wrapping_neg();
                }
            }
        }
    }
    total
}

/// How many of the first `k` places are taken, with repeats.
fn prefix(sums: &[u64], mut k: usize) -> u64 {
    let mut sum = 0;
    while k > 0 {
        sum += sums[k];
        k &= k - 1;
    }
    sum
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
