//! A box gets larger where it stands, and with it the boxes round it, if nothing old is in the way.
//!
//! To the right a box may take what lies before the next column; downwards what its row keeps free, or without limit in
//! the last row, as long as the boxes round it can follow. First asked, then done: a refused growth changes nothing.

use crate::layout::Layout;
use crate::model::{CANVAS, Col};

/// Boxes whose lower part changed: edges that run there are drawn anew.
#[derive(Debug, Default)]
pub(crate) struct Touched(pub(crate) Vec<u32>);

impl Layout {
    /// Whether the content of `ix` may reach to `right` and `bottom`.
    pub(crate) fn has_room(&self, ix: u32, right: f32, bottom: f32) -> bool {
        let end = self.inset(ix).end;
        self.can_reach(ix, right + end, bottom + end)
    }

    /// Makes room for content up to `right` and `bottom`; only after `has_room`.
    pub(crate) fn make_room(&mut self, ix: u32, right: f32, bottom: f32, touched: &mut Touched) {
        let end = self.inset(ix).end;
        self.reach(ix, right + end, bottom + end, touched);
    }

    /// Whether the border of `ix` may move out to `right` and `bottom`.
    pub(crate) fn can_reach(&self, mut ix: u32, mut right: f32, mut bottom: f32) -> bool {
        loop {
            let rect = self.node(ix).rect;
            if ix == CANVAS || (right <= rect.right() && bottom <= rect.bottom()) {
                return true;
            }
            if right > self.right_limit(ix).max(rect.right()) {
                return false;
            }
            if bottom > self.row_of(ix).bottom().max(rect.bottom()) && !self.in_last_row(ix) {
                return false;
            }
            ix = self.node(ix).parent;
            let end = self.inset(ix).end;
            (right, bottom) = (right.max(rect.right()) + end, bottom.max(rect.bottom()) + end);
        }
    }

    pub(crate) fn reach(&mut self, mut ix: u32, mut right: f32, mut bottom: f32, touched: &mut Touched) {
        loop {
            let rect = self.node(ix).rect;
            if right <= rect.right() && bottom <= rect.bottom() {
                return;
            }
            (right, bottom) = (right.max(rect.right()), bottom.max(rect.bottom()));
            let limit = self.right_limit(ix);
            let node = self.node_mut(ix);
            (node.rect.w, node.rect.h) = (right - rect.x, bottom - rect.y);
            touched.0.push(ix);
            if ix == CANVAS {
                return;
            }
            let slack = self.slack(ix);
            let col = self.column_mut(ix);
            col.right = col.right.max((right + slack.w).min(limit).max(right));
            let last = self.in_last_row(ix);
            let row = self.row_of_mut(ix);
            if last {
                row.h = row.h.max(bottom - row.y);
                row.reserve = row.reserve.max(bottom + slack.h);
            }
            ix = self.node(ix).parent;
            let end = self.inset(ix).end;
            (right, bottom) = (right + end, bottom + end);
        }
    }

    /// How far right something may reach without coming too near to the next column.
    fn right_limit(&self, ix: u32) -> f32 {
        if ix == CANVAS {
            return f32::INFINITY;
        }
        let node = self.node(ix);
        let cols = self.cols.get(self.bands_of(node.parent)[node.band as usize].cols);
        let at = self.col_of(ix);
        match (cols.get(at), cols.get(at + 1)) {
            (Some(col), Some(_)) if col.lock => node.rect.right(),
            (_, Some(next)) => next.x - self.request.metrics.column_gap,
            _ => f32::INFINITY,
        }
    }

    fn column_mut(&mut self, ix: u32) -> &mut Col {
        let node = self.node(ix);
        let band = self.bands_of(node.parent)[node.band as usize];
        let at = self.col_of(ix);
        &mut self.cols.get_mut(band.cols)[at]
    }
}
