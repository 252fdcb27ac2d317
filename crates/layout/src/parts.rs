//! A box that can grow nowhere is continued in a further rectangle.
//!
//! The rectangle stands in the nearest box round it that has room; boxes between that have none are continued along.
//! The canvas always has room, so this always ends, and nothing old ever moves.

use crate::geometry::{Rect, Size};
use crate::grow::Touched;
use crate::layout::Layout;
use crate::model::Node;
use crate::place::{Guest, Wish};

impl Layout {
    /// Continues `host` elsewhere, with room for `inner` points in its innermost part, and returns that part.
    /// With `outer`, `inner` already is the size of the part.
    pub(crate) fn continue_box(&mut self, host: u32, inner: Size, outer: bool, touched: &mut Touched) -> u32 {
        let mut chain = vec![host];
        let mut sizes = vec![if outer { inner } else { self.wrapped(inner) }];
        let spot = loop {
            let (last, size) = (chain[chain.len() - 1], sizes[sizes.len() - 1]);
            let up = self.node(last).parent;
            let guest = Guest { size, slack: self.request.metrics.slack, firm: false };
            let wish = Wish { band: self.node(last).band as usize + 1, left: Some(self.node(last).rect.x) };
            if let Some(spot) = self.find(up, &guest, wish) {
                break spot;
            }
            chain.push(up);
            sizes.push(self.wrapped(size));
        };
        let mut into = self.node(chain[chain.len() - 1]).parent;
        for (i, (&of, &size)) in chain.iter().zip(&sizes).enumerate().rev() {
            let part = self.new_part(of, size);
            self.hang(part, into);
            if i + 1 == chain.len() {
                self.take(into, part, spot, touched);
            } else {
                self.seed(into, part, touched);
            }
            into = part;
        }
        into
    }

    /// The size of a box round content of this size.
    fn wrapped(&self, inner: Size) -> Size {
        let m = &self.request.metrics;
        Size::new(inner.w + 2.0 * m.padding, inner.h + m.header + 2.0 * m.padding)
    }

    fn new_part(&mut self, of: u32, size: Size) -> u32 {
        let home = self.home_of(of);
        let last = self.last_part(home);
        let mut node = Node::new(self.node(home).key, size, true, true);
        (node.home, node.part, node.lane) = (home, self.node(last).part + 1, false);
        node.rect = Rect::new(0.0, 0.0, size.w, size.h);
        let ix = self.nodes.len() as u32;
        self.nodes.push(node);
        self.node_mut(home).home = ix;
        self.parts += 1;
        ix
    }

    /// The box that `ix` is or continues.
    pub(crate) fn home_of(&self, ix: u32) -> u32 {
        if self.node(ix).part > 0 { self.node(ix).home } else { ix }
    }

    /// Where new children of a box go.
    pub(crate) fn last_part(&self, home: u32) -> u32 {
        let last = self.node(home).home;
        if last == crate::model::NONE { home } else { last }
    }
}
