//! Shapes of what would be too long: a wide layer becomes a grid, a tall chain is read in rows, as text is.
//!
//! Both keep the order they were given. A chain is a run of layers with one child each; only one that is taller than
//! any window and far from square is wrapped, so that a short run of steps goes on reading straight down.

use super::Scratch;

/// A chain up to this height, in points, runs straight down.
const TALL: f32 = 2000.0;
/// So does one that is at most this many times as tall as wide.
const SLENDER: f32 = 2.0;

/// Makes one layer of each chain that is too tall; [`wrap`] makes a grid of it.
pub(super) fn join_chains(s: &mut Scratch, row_gap: f32) {
    let count = s.layer_count();
    let mut kept = 0;
    let mut at = 0;
    while at < count {
        let end = chain_end(s, at, row_gap);
        s.starts[kept] = s.starts[at];
        kept += 1;
        at = end;
    }
    s.starts[kept] = s.starts[count];
    s.starts.truncate(kept + 1);
}

/// Where the next layer begins if `at` begins one: behind the chain, if one that is too tall begins here.
fn chain_end(s: &Scratch, at: usize, row_gap: f32) -> usize {
    let single = |layer: &usize| s.layer(*layer).len() == 1;
    let (mut end, mut tall, mut wide) = (at, -row_gap, 0.0_f32);
    for layer in (at..s.layer_count()).take_while(single) {
        let claim = s.claim[s.layers[s.starts[layer] as usize] as usize];
        tall += claim.h + row_gap;
        wide = wide.max(claim.w);
        end = layer + 1;
    }
    if tall > TALL && tall > SLENDER * wide { end } else { at + 1 }
}

/// Turns layers that are too wide into grids.
pub(super) fn wrap(s: &mut Scratch, wrap_width: f32, gap: f32, row_gap: f32) {
    s.columns.clear();
    for i in 0..s.layer_count() {
        let layer = s.layer(i);
        let (mut total, mut widest, mut area) = (-gap, 0.0_f32, 0.0);
        for &slot in &s.layers[layer.clone()] {
            let claim = s.claim[slot as usize];
            total += claim.w + gap;
            widest = widest.max(claim.w);
            area += (claim.w + gap) * (claim.h + row_gap);
        }
        let limit = sensible(wrap_width, area);
        let count = layer.len() as u32;
        let fit = ((limit + gap) / (widest + gap).max(1.0)).floor().clamp(1.0, 1e6) as u32;
        let columns = if total <= limit { count } else { count.div_ceil(count.div_ceil(fit.max(1))) };
        s.columns.push(columns.max(1));
    }
}

/// The widest a row of this area may be: large sets get a landscape shape.
fn sensible(wrap_width: f32, area: f32) -> f32 {
    wrap_width.max((1.6 * area).sqrt())
}
