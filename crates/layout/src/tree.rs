//! The tree of boxes: common ancestors in logarithmic time, without recursion and without work per append.
//!
//! Every node knows its parent and one `jump` further up (skew-binary jumps), so that a chain of 50,000 boxes is
//! climbed in some 30 steps.

use crate::layout::Layout;
use crate::model::{CANVAS, NONE};

impl Layout {
    /// Puts `ix` under `parent`, which must already be in the tree.
    pub(crate) fn hang(&mut self, ix: u32, parent: u32) {
        let up = *self.node(parent);
        let (jump, far) = (*self.node(up.jump), self.node(up.jump).jump);
        let even = up.depth - jump.depth == jump.depth - self.node(far).depth;
        let node = self.node_mut(ix);
        node.parent = parent;
        node.depth = up.depth + 1;
        node.jump = if even && parent != CANVAS { far } else { parent };
    }

    fn ancestor_at(&self, mut ix: u32, depth: u32) -> u32 {
        while self.node(ix).depth > depth {
            let jump = self.node(ix).jump;
            ix = if self.node(jump).depth >= depth { jump } else { self.node(ix).parent };
        }
        ix
    }

    fn common(&self, u: u32, v: u32) -> u32 {
        let depth = self.node(u).depth.min(self.node(v).depth);
        let (mut u, mut v) = (self.ancestor_at(u, depth), self.ancestor_at(v, depth));
        while u != v {
            let (ju, jv) = (self.node(u).jump, self.node(v).jump);
            (u, v) = if ju == jv { (self.node(u).parent, self.node(v).parent) } else { (ju, jv) };
        }
        u
    }

    /// The innermost box round both, and its children that hold them; `host` is `NONE` if one holds the other.
    pub(crate) fn lift(&self, from: u32, to: u32) -> (u32, u32, u32) {
        let host = self.node(from).parent;
        if host == self.node(to).parent {
            return (host, from, to);
        }
        let host = self.common(from, to);
        if host == from || host == to {
            return (NONE, NONE, NONE);
        }
        let depth = self.node(host).depth + 1;
        (host, self.ancestor_at(from, depth), self.ancestor_at(to, depth))
    }
}
