//! Does what was planned: takes the new in, lays out new boxes from the inside out, places the rest, draws edges.

use crate::arena::Run;
use crate::arrange::Scratch;
use crate::batch::Batch;
use crate::geometry::{Rect, Size};
use crate::grow::Touched;
use crate::layout::Layout;
use crate::model::{CANVAS, Link, NONE};
use crate::place::Tie;
use crate::plan::{Added, Plan, Tail, added};
use crate::request::Request;
use crate::route::Pen;

/// Does what was planned. Pass [`Plan::Full`] to tidy. `previous` is taken, not copied: an append costs what it adds.
#[must_use]
pub fn solve(plan: Plan, previous: Option<Layout>, request: &Request) -> Layout {
    let previous = previous.filter(|layout| layout.request.metrics == request.metrics);
    match (plan, previous) {
        (Plan::Full, _) | (_, None) => full(request),
        (Plan::Keep, Some(layout)) if layout.request == *request => layout,
        (Plan::Append(tail), Some(layout)) => follow(layout, request, tail),
        (_, Some(layout)) => follow(layout, request, Tail::default()),
    }
}

fn full(request: &Request) -> Layout {
    let mut layout = Layout::empty(request.metrics);
    layout.nodes.reserve(request.items.len());
    layout.keys.reserve(request.items.len());
    layout.links.reserve(request.edges.len());
    layout.pairs.reserve(request.edges.len());
    layout.segments.reserve(2 * request.edges.len());
    layout.request.items.clone_from(&request.items);
    layout.request.edges.clone_from(&request.edges);
    let mut batch = Batch::default();
    layout.take_items(request.items.iter(), &mut batch);
    layout.enlist(&mut batch);
    layout.take_edges(request.edges.iter(), &mut batch);
    layout.settle(batch);
    layout
}

fn follow(mut layout: Layout, request: &Request, tail: Tail) -> Layout {
    match added(&layout.request, request, tail) {
        Some(new) if !layout.comes_home(request, &new) => {
            layout.append(request, &new);
            layout
        }
        _ => layout.adopt_into(request),
    }
}

/// Memory that one call leaves to the next. Not part of what a layout is: it compares equal to any other.
#[derive(Debug, Default)]
pub(crate) struct Work {
    batch: Batch,
    scratch: Box<Scratch>,
    touched: Touched,
    pen: Pen,
}

impl Clone for Work {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl PartialEq for Work {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Layout {
    /// Whether one of the new items is a parent that older ones have been waiting for.
    fn comes_home(&self, request: &Request, new: &Added) -> bool {
        !self.missing.is_empty()
            && new.items.iter().any(|&i| self.missing.contains_key(&request.items[i as usize].key))
    }

    fn append(&mut self, request: &Request, new: &Added) {
        let mut batch = std::mem::take(&mut self.work.batch);
        batch.clear();
        self.take_items(new.items.iter().map(|&i| &request.items[i as usize]), &mut batch);
        self.enlist(&mut batch);
        self.take_edges(new.edges.iter().map(|&i| &request.edges[i as usize]), &mut batch);
        copy_tail(&mut self.request.items, &request.items, &new.items);
        copy_tail(&mut self.request.edges, &request.edges, &new.edges);
        self.settle(batch);
    }

    /// Places what the batch lists and draws its links and those whose way has changed.
    pub(crate) fn settle(&mut self, mut batch: Batch) {
        let mut work = std::mem::take(&mut self.work);
        let Work { scratch, touched, pen, .. } = &mut work;
        let parts = self.parts;
        for &ix in batch.outside_in.iter().rev() {
            if !self.node(ix).placed && self.node(ix).first_new != NONE {
                self.arrange(ix, scratch);
            }
        }
        for i in 0..batch.boxes.len() {
            let ix = batch.boxes[i];
            let node = self.node(ix);
            match (node.relative_bands, node.bands.is_empty()) {
                (true, _) => {}
                (_, true) if ix == CANVAS => self.arrange(CANVAS, scratch),
                (_, true) => self.open_old(ix, scratch, touched),
                _ => self.add_to(ix, touched),
            }
        }
        self.dismiss(&batch);
        self.make_absolute(&batch);
        if self.parts != parts {
            self.lift_again(&batch);
        }
        self.draw_batch(&mut batch, touched, pen);
        work.batch = batch;
        self.work = work;
    }

    /// A box that was empty or folded until now.
    fn open_old(&mut self, ix: u32, scratch: &mut Scratch, touched: &mut Touched) {
        let old = self.node(ix).rect;
        self.arrange(ix, scratch);
        let node = self.node_mut(ix);
        let (new, bands) = (node.rect, node.bands);
        node.rect = old;
        if self.can_reach(ix, new.right(), new.bottom()) {
            self.reach(ix, new.right(), new.bottom(), touched);
            return;
        }
        if self.open_without_lane(ix, new, touched) {
            return;
        }
        let lane = std::mem::take(&mut self.node_mut(ix).lane);
        let node = self.node_mut(ix);
        (node.bands, node.relative_bands) = (Run::default(), false);
        let part = self.continue_box(ix, Size::new(new.w, new.h), true, touched);
        let node = self.node_mut(part);
        (node.bands, node.lane, node.relative_bands) = (bands, lane, true);
        let mut kid = self.node(ix).first_new;
        while kid != NONE {
            self.node_mut(kid).parent = part;
            kid = self.node(kid).next_new;
        }
    }

    /// Does without the room for loops where that makes a box fit: a loop is drawn in its padding then. The bands of
    /// `ix` are as they were laid out, beside a lane, and `new` is the size that this takes.
    fn open_without_lane(&mut self, ix: u32, new: Rect, touched: &mut Touched) -> bool {
        let lane = self.request.metrics.loop_lane;
        let least = self.node(ix).want.w.max(self.node(ix).rect.w);
        if !self.node(ix).lane
            || new.w - lane < least
            || !self.can_reach(ix, new.right() - lane, new.bottom())
        {
            return false;
        }
        self.node_mut(ix).lane = false;
        let bands = self.node(ix).bands;
        for i in 0..bands.len() {
            let cols = self.bands.get(bands)[i].cols;
            for col in self.cols.get_mut(cols) {
                (col.x, col.right) = (col.x - lane, col.right - lane);
            }
        }
        let mut kid = self.node(ix).first_new;
        while kid != NONE {
            let node = self.node_mut(kid);
            (node.rect.x, kid) = (node.rect.x - lane, node.next_new);
        }
        self.reach(ix, new.right() - lane, new.bottom(), touched);
        true
    }

    /// A box that already holds others.
    fn add_to(&mut self, ix: u32, touched: &mut Touched) {
        let ties = self.ties(ix);
        let mut host = ix;
        let mut kid = self.node(ix).first_new;
        while kid != NONE {
            let from = ties.partition_point(|tie| tie.item < kid);
            let count = ties[from..].iter().take_while(|tie| tie.item == kid).count();
            let near = if host == ix { &ties[from..from + count] } else { &[] };
            let guest = self.guest(kid);
            let wish = self.wish(host, kid, near);
            match self.find(host, &guest, wish) {
                Some(spot) => self.take(host, kid, spot, touched),
                None => {
                    host = self.continue_box(host, guest.size, false, touched);
                    self.seed(host, kid, touched);
                }
            }
            kid = self.node(kid).next_new;
        }
    }

    fn ties(&self, host: u32) -> Vec<Tie> {
        let mut ties = Vec::new();
        let mut edge = self.node(host).first_edge;
        while edge != NONE {
            let link = &self.links[edge as usize];
            for (item, other, inward) in [(link.b, link.a, true), (link.a, link.b, false)] {
                if !self.node(item).placed {
                    ties.push(Tie { item, other, inward, ranks: link.ranks });
                }
            }
            edge = link.next;
        }
        ties.sort_by_key(|tie| tie.item);
        ties
    }

    /// Adds the corners of boxes that were laid out on their own.
    fn make_absolute(&mut self, batch: &Batch) {
        for &ix in &batch.boxes {
            let from = self.last_part(self.home_of(ix));
            for host in [ix, from] {
                if self.node(host).placed && !self.node(host).relative {
                    self.shift_bands(host);
                }
            }
        }
        for &ix in &batch.outside_in {
            if self.node(ix).relative {
                let at = self.node(self.node(ix).parent).rect;
                let node = self.node_mut(ix);
                (node.rect.x, node.rect.y, node.relative) = (node.rect.x + at.x, node.rect.y + at.y, false);
            }
            self.shift_bands(ix);
        }
    }

    fn shift_bands(&mut self, ix: u32) {
        let node = self.node_mut(ix);
        if !std::mem::take(&mut node.relative_bands) {
            return;
        }
        let (at, bands) = (node.rect, node.bands);
        for i in 0..bands.len() {
            let band = self.bands.get(bands)[i];
            for row in self.rows.get_mut(band.rows) {
                (row.y, row.reserve) = (row.y + at.y, row.reserve + at.y);
            }
            for col in self.cols.get_mut(band.cols) {
                (col.x, col.right) = (col.x + at.x, col.right + at.x);
            }
        }
    }

    /// A continued box changes who holds whom.
    fn lift_again(&mut self, batch: &Batch) {
        for &ix in &batch.outside_in {
            self.hang(ix, self.node(ix).parent);
        }
        for &ix in &batch.links {
            let Link { from, to, .. } = self.links[ix as usize];
            let (host, a, b) = self.lift(from, to);
            let link = &mut self.links[ix as usize];
            (link.host, link.a, link.b) = (host, a, b);
        }
    }

    fn draw_batch(&mut self, batch: &mut Batch, touched: &mut Touched, pen: &mut Pen) {
        for ix in touched.0.drain(..) {
            let mut exits = std::mem::take(&mut self.node_mut(ix).exits);
            batch.links.extend_from_slice(self.exits.get(exits));
            self.exits.release(&mut exits);
        }
        batch.links.sort_unstable();
        batch.links.dedup();
        for &ix in &batch.links {
            self.draw(ix, pen);
        }
        let canvas = self.node(CANVAS).rect;
        self.bounds = self.bounds.union(&canvas);
    }
}

fn copy_tail<T: Copy>(old: &mut Vec<T>, new: &[T], added: &[u32]) {
    if added.first().is_some_and(|&first| first as usize == old.len()) {
        old.extend_from_slice(&new[old.len()..]);
    } else if !added.is_empty() {
        old.clear();
        old.extend_from_slice(new);
    }
}
