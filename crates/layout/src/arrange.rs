//! Lays out one box whose children are all new: layers from the edges, order, rows of a sensible
//! length, columns.
//!
//! Works in the box's own coordinates, so boxes are done from the inside out. Knows nothing of what is already placed:
//! that is `place`. All steps are linear but for sorting layers.

mod align;
mod order;
mod rank;
mod wrap;

use crate::geometry::{Rect, Size};
use crate::layout::Layout;
use crate::model::{Band, CANVAS, Col, NONE, Row};

/// Neighbour lists in two vectors.
#[derive(Debug, Default)]
struct Csr {
    start: Vec<u32>,
    to: Vec<u32>,
}

impl Csr {
    fn build(&mut self, n: usize, edges: &[(u32, u32)], forward: bool) {
        self.start.clear();
        self.start.resize(n + 2, 0);
        self.to.clear();
        self.to.resize(edges.len(), 0);
        let ends = |&(u, v): &(u32, u32)| if forward { (u, v) } else { (v, u) };
        for edge in edges {
            self.start[ends(edge).0 as usize + 2] += 1;
        }
        for i in 2..n + 2 {
            self.start[i] += self.start[i - 1];
        }
        for edge in edges {
            let (u, v) = ends(edge);
            let at = &mut self.start[u as usize + 1];
            self.to[*at as usize] = v;
            *at += 1;
        }
    }

    fn of(&self, v: u32) -> &[u32] {
        &self.to[self.start[v as usize] as usize..self.start[v as usize + 1] as usize]
    }
}

/// Memory reused from box to box. Children are numbered from 0 in item order ("slots").
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    kids: Vec<u32>,
    /// Drawn size and size with slack.
    size: Vec<Size>,
    claim: Vec<Size>,
    ranked: Vec<(u32, u32)>,
    aside: Vec<(u32, u32)>,
    /// Reached by an edge from outside the box: where reading starts if there is no source.
    entered: Vec<bool>,
    /// Open boxes.
    open: Vec<bool>,
    out: Csr,
    into: Csr,
    rank: Vec<u32>,
    /// The slot this one stands beside, or `NONE`.
    beside: Vec<u32>,
    reading: Vec<u32>,
    /// Slots layer by layer; layer `i` is `layers[starts[i]..starts[i + 1]]`, in `columns[i]` columns.
    layers: Vec<u32>,
    starts: Vec<u32>,
    columns: Vec<u32>,
    x: Vec<f32>,
    tmp: rank::Tmp,
    keyed: Vec<(f32, u32)>,
    pos: Vec<f32>,
    best: Vec<u32>,
    sums: Vec<u64>,
    blocks: Vec<align::Block>,
    cols: Vec<Col>,
    rows: Vec<Row>,
    bands: Vec<Band>,
    back: usize,
}

impl Scratch {
    fn layer(&self, i: usize) -> std::ops::Range<usize> {
        self.starts[i] as usize..self.starts[i + 1] as usize
    }

    fn layer_count(&self) -> usize {
        self.starts.len() - 1
    }
}

impl Layout {
    /// Places the new children of `ix` relative to its corner, and gives it its size.
    pub(crate) fn arrange(&mut self, ix: u32, s: &mut Scratch) {
        self.collect(ix, s);
        if s.kids.is_empty() {
            return;
        }
        let m = self.request.metrics;
        rank::rank(s);
        order::order(s);
        wrap::join_chains(s, m.row_gap);
        wrap::wrap(s, m.wrap_width, m.column_gap, m.row_gap);
        align::align(s, m.column_gap);
        if s.back > 0 && ix != CANVAS {
            self.node_mut(ix).lane = true;
        }
        self.emit(ix, s);
    }

    fn collect(&mut self, ix: u32, s: &mut Scratch) {
        s.kids.clear();
        s.size.clear();
        s.claim.clear();
        s.entered.clear();
        s.open.clear();
        s.ranked.clear();
        s.aside.clear();
        let mut kid = self.node(ix).first_new;
        while kid != NONE {
            let (rect, slack) = (self.node(kid).rect, self.slack(kid));
            self.node_mut(kid).slot = s.kids.len() as u32;
            s.kids.push(kid);
            s.entered.push(self.node(kid).entered);
            s.open.push(self.node(kid).container);
            s.size.push(Size::new(rect.w, rect.h));
            s.claim.push(Size::new(rect.w + slack.w, rect.h + slack.h));
            kid = self.node(kid).next_new;
        }
        let mut edge = self.node(ix).first_edge;
        while edge != NONE {
            let link = &self.links[edge as usize];
            if link.a != link.b {
                let pair = (self.node(link.a).slot, self.node(link.b).slot);
                if link.ranks { s.ranked.push(pair) } else { s.aside.push(pair) }
            }
            edge = link.next;
        }
        // The list is built by pushing in front.
        s.ranked.reverse();
        s.aside.reverse();
    }

    fn emit(&mut self, ix: u32, s: &mut Scratch) {
        let inset = self.inset(ix);
        let gap = self.request.metrics.row_gap;
        let wide = s.x.iter().zip(&s.size).map(|(x, size)| x + size.w).fold(0.0, f32::max);
        let want = self.node(ix).want;
        let width = if ix == CANVAS { wide } else { want.w.max(inset.left + wide + inset.end) };
        let shift = inset.left + ((width - inset.left - inset.end - wide) / 2.0).floor().max(0.0);
        s.bands.clear();
        let (mut y, mut bottom) = (inset.top, inset.top);
        for i in 0..s.layer_count() {
            bottom = self.emit_band(s, i, shift, y);
            let reserve = s.rows.last().map_or(bottom, |row| row.reserve);
            if i + 1 < s.layer_count()
                && let Some(row) = self.rows.last_mut(s.bands[i].rows)
            {
                row.h = reserve - row.y;
            }
            y = reserve + gap;
        }
        let bands = self.bands.list(&s.bands);
        let node = self.node_mut(ix);
        (node.bands, node.relative_bands) = (bands, true);
        node.rect = Rect::new(node.rect.x, node.rect.y, width, want.h.max(bottom + inset.end));
    }

    /// Writes one band and returns the bottom of what is drawn in it.
    fn emit_band(&mut self, s: &mut Scratch, i: usize, shift: f32, top: f32) -> f32 {
        let gap = self.request.metrics.row_gap;
        let (layer, columns) = (s.layer(i), s.columns[i] as usize);
        s.cols.clear();
        s.rows.clear();
        let (mut y, mut bottom) = (top, top);
        for (r, row) in s.layers[layer].chunks(columns).enumerate() {
            let (mut h, mut reserve) = (0.0_f32, 0.0_f32);
            for (c, &slot) in row.iter().enumerate() {
                let (kid, at) = (s.kids[slot as usize], slot as usize);
                let node = &mut self.nodes[kid as usize];
                node.rect.x = s.x[at] + shift;
                node.rect.y = y;
                (node.band, node.row) = (i as u32, r as u32);
                (node.placed, node.relative) = (true, true);
                let firm = node.firm();
                let right = node.rect.x + s.claim[at].w;
                if r == 0 {
                    s.cols.push(Col { x: node.rect.x, right, node: kid, firm, lock: false });
                } else {
                    let col = &mut s.cols[c];
                    col.right = col.right.max(right);
                    col.firm &= firm;
                }
                h = h.max(s.size[at].h);
                reserve = reserve.max(s.claim[at].h);
            }
            bottom = y + h;
            s.rows.push(Row { y, h, reserve: y + reserve, used: row.len() as u32, left_lock: false });
            y += reserve + gap;
        }
        let last = s.rows.len() - 1;
        for row in &mut s.rows[..last] {
            row.h = row.reserve - row.y;
        }
        let band = Band { rows: self.rows.list(&s.rows), cols: self.cols.list(&s.cols) };
        s.bands.push(band);
        bottom
    }
}
