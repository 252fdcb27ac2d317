//! Which node stands under which.
//!
//! Decides one parent for each node: that of its first start, else of its hint. Rings of parents are cut at their
//! earliest node, which becomes a root. Invariant: a forest, children in order of first appearance; built and walked
//! without recursion, in linear time.

use crate::{NodeIx, Run};

/// Which node stands under which.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Tree {
    parent: Vec<Option<NodeIx>>,
    depth: Vec<u32>,
    /// Children of all nodes, one after the other.
    children: Vec<NodeIx>,
    /// Where each node's children begin in `children`; one more entry than nodes.
    from: Vec<u32>,
    roots: Vec<NodeIx>,
    order: Vec<NodeIx>,
    cut: Vec<NodeIx>,
}

impl Tree {
    /// The forest of a run.
    pub fn new(run: &Run) -> Self {
        let mut tree =
            Self { parent: run.nodes().iter().map(|node| node.parent).collect(), ..Self::default() };
        tree.cut_rings(run);
        tree.link(run);
        tree.walk();
        tree
    }

    /// The node above, none for a root.
    pub fn parent(&self, ix: NodeIx) -> Option<NodeIx> {
        self.parent[ix.at()]
    }

    /// The nodes below, in order of first appearance.
    pub fn children(&self, ix: NodeIx) -> &[NodeIx] {
        &self.children[self.from[ix.at()] as usize..self.from[ix.at() + 1] as usize]
    }

    /// Nodes without a parent, in order of first appearance.
    pub fn roots(&self) -> &[NodeIx] {
        &self.roots
    }

    /// How many nodes stand above.
    pub fn depth(&self, ix: NodeIx) -> u32 {
        self.depth[ix.at()]
    }

    /// All nodes, each before its children.
    pub fn order(&self) -> &[NodeIx] {
        &self.order
    }

    /// Nodes at which a ring of parents was cut.
    pub fn cut(&self) -> &[NodeIx] {
        &self.cut
    }

    /// The nodes above, nearest first.
    pub fn ancestors(&self, ix: NodeIx) -> impl Iterator<Item = NodeIx> + '_ {
        std::iter::successors(self.parent(ix), |above| self.parent(*above))
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.parent.len()
    }

    /// True when there is no node.
    pub fn is_empty(&self) -> bool {
        self.parent.is_empty()
    }

    fn cut_rings(&mut self, run: &Run) {
        // 0: not met, otherwise the number of the walk that met it first.
        let mut met = vec![0u32; self.parent.len()];
        for start in 0..self.parent.len() {
            let walk = start as u32 + 1;
            let mut at = NodeIx::from(start);
            while met[at.at()] == 0 {
                met[at.at()] = walk;
                match self.parent[at.at()] {
                    Some(above) => at = above,
                    None => break,
                }
            }
            if met[at.at()] == walk && self.parent[at.at()].is_some() {
                self.cut_ring(run, at);
            }
        }
        self.cut.sort_by_key(|ix| age(run, *ix));
    }

    /// `at` was met twice by one walk, so it stands in a ring.
    fn cut_ring(&mut self, run: &Run, at: NodeIx) {
        let mut first = at;
        let mut next = self.parent[at.at()];
        while let Some(ix) = next.filter(|ix| *ix != at) {
            if age(run, ix) < age(run, first) {
                first = ix;
            }
            next = self.parent[ix.at()];
        }
        self.parent[first.at()] = None;
        self.cut.push(first);
    }

    fn link(&mut self, run: &Run) {
        let mut order: Vec<NodeIx> = (0..self.parent.len()).map(NodeIx::from).collect();
        order.sort_by_key(|ix| age(run, *ix));
        self.from = vec![0; self.parent.len() + 1];
        for above in self.parent.iter().flatten() {
            self.from[above.at() + 1] += 1;
        }
        for i in 1..self.from.len() {
            self.from[i] += self.from[i - 1];
        }
        let mut next = self.from.clone();
        self.children = vec![NodeIx(0); self.from.last().map_or(0, |end| *end as usize)];
        for ix in order {
            match self.parent[ix.at()] {
                None if run.node(ix).is_vacant() => {}
                None => self.roots.push(ix),
                Some(above) => {
                    self.children[next[above.at()] as usize] = ix;
                    next[above.at()] += 1;
                }
            }
        }
    }

    fn walk(&mut self) {
        self.depth = vec![0; self.parent.len()];
        let mut open: Vec<NodeIx> = self.roots.iter().rev().copied().collect();
        while let Some(ix) = open.pop() {
            self.order.push(ix);
            let depth = self.depth[ix.at()] + 1;
            for at in (self.from[ix.at()]..self.from[ix.at() + 1]).rev() {
                let child = self.children[at as usize];
                self.depth[child.at()] = depth;
                open.push(child);
            }
        }
    }
}

/// Order of appearance; ids decide between nodes that one event named.
fn age(run: &Run, ix: NodeIx) -> (u64, &str) {
    let node = run.node(ix);
    (node.first_seq, node.id.as_str())
}
