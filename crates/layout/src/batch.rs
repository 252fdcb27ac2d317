//! Takes items and edges into the tree, before anything is placed.
//!
//! Total: a key that comes twice counts once, a parent that is missing or leads in a circle counts as none, a size
//! that is no number counts as 0.

use crate::geometry::Size;
use crate::layout::Layout;
use crate::model::{CANVAS, Drawn, Link, NONE, Node};
use crate::request::{Edge, Item, Key};

const PENDING: u32 = u32::MAX;

/// What one call brings.
#[derive(Debug, Default)]
pub(crate) struct Batch {
    /// New nodes in item order, and the parents they name.
    pub(crate) nodes: Vec<u32>,
    parents: Vec<Option<Key>>,
    /// The same nodes, boxes before what is in them.
    pub(crate) outside_in: Vec<u32>,
    /// Boxes with new children.
    pub(crate) boxes: Vec<u32>,
    /// New links.
    pub(crate) links: Vec<u32>,
    /// Boxes whose list of links is in use.
    pub(crate) hosts: Vec<u32>,
}

impl Batch {
    pub(crate) fn clear(&mut self) {
        self.nodes.clear();
        self.parents.clear();
        self.outside_in.clear();
        self.boxes.clear();
        self.links.clear();
        self.hosts.clear();
    }
}

impl Layout {
    pub(crate) fn take_items<'a>(&mut self, items: impl Iterator<Item = &'a Item>, batch: &mut Batch) {
        for item in items {
            let ix = self.nodes.len() as u32;
            if *self.keys.entry(item.key).or_insert(ix) != ix {
                continue;
            }
            let mut node = Node::new(item.key, sane(item.size), item.container, item.grows);
            node.opens = item.opens;
            node.slot = batch.nodes.len() as u32;
            self.nodes.push(node);
            batch.nodes.push(ix);
            batch.parents.push(item.parent);
        }
        let mut path = Vec::new();
        for i in 0..batch.nodes.len() {
            self.climb(batch.nodes[i], batch, &mut path);
            while let Some(ix) = path.pop() {
                self.hang_new(ix, batch);
            }
        }
    }

    /// Collects a node and its ancestors that are not in the tree yet.
    fn climb(&mut self, mut ix: u32, batch: &Batch, path: &mut Vec<u32>) {
        while self.node(ix).parent == NONE && self.node(ix).depth != PENDING {
            self.node_mut(ix).depth = PENDING;
            path.push(ix);
            match self.named_parent(ix, batch) {
                Some(parent) => ix = parent,
                None => return,
            }
        }
    }

    fn named_parent(&self, ix: u32, batch: &Batch) -> Option<u32> {
        let key = batch.parents[self.node(ix).slot as usize]?;
        self.keys.get(&key).copied()
    }

    fn hang_new(&mut self, ix: u32, batch: &mut Batch) {
        let named = batch.parents[self.node(ix).slot as usize];
        let parent = match self.named_parent(ix, batch) {
            Some(parent) if self.node(parent).parent != NONE && self.node(parent).container => {
                self.last_part(parent)
            }
            Some(parent) if self.node(parent).parent != NONE => {
                self.miss(named);
                self.node(parent).parent
            }
            _ => {
                self.miss(named);
                CANVAS
            }
        };
        self.hang(ix, parent);
        batch.outside_in.push(ix);
    }

    fn miss(&mut self, named: Option<Key>) {
        if let Some(key) = named {
            self.missing.insert(key, 0);
        }
    }

    /// Lists the new children that are not placed under their boxes, in item order.
    pub(crate) fn enlist(&mut self, batch: &mut Batch) {
        for i in 0..batch.nodes.len() {
            let ix = batch.nodes[i];
            if self.node(ix).placed {
                continue;
            }
            let parent = self.node(ix).parent;
            match self.node(parent).last_new {
                NONE => {
                    self.node_mut(parent).first_new = ix;
                    batch.boxes.push(parent);
                }
                last => self.node_mut(last).next_new = ix,
            }
            self.node_mut(parent).last_new = ix;
        }
    }

    pub(crate) fn take_edges<'a>(&mut self, edges: impl Iterator<Item = &'a Edge>, batch: &mut Batch) {
        if !batch.nodes.is_empty() && !self.dangling.is_empty() {
            for edge in std::mem::take(&mut self.dangling) {
                self.take_edge(edge, batch);
            }
        }
        for edge in edges {
            self.take_edge(*edge, batch);
        }
    }

    fn take_edge(&mut self, edge: Edge, batch: &mut Batch) {
        let (Some(&from), Some(&to)) = (self.keys.get(&edge.from), self.keys.get(&edge.to)) else {
            self.dangling.push(edge);
            return;
        };
        let ix = self.links.len() as u32;
        let known = *self.pairs.entry((from, to)).or_insert(ix);
        if known != ix {
            self.links[known as usize].ranks |= edge.ranks;
            return;
        }
        let (host, a, b) = self.lift(from, to);
        self.mark_entered(to, b);
        let drawn = Drawn::default();
        self.links.push(Link { from, to, ranks: edge.ranks, a, b, host, next: NONE, drawn });
        batch.links.push(ix);
        self.enlist_link(ix, batch);
    }

    /// Marks the way from a child of the common box in to where an edge ends. Stops where another edge came by.
    fn mark_entered(&mut self, mut ix: u32, child: u32) {
        while child != NONE && ix != child && !self.node(ix).entered {
            self.node_mut(ix).entered = true;
            ix = self.node(ix).parent;
        }
    }

    fn enlist_link(&mut self, ix: u32, batch: &mut Batch) {
        let host = self.links[ix as usize].host;
        if host == NONE {
            return;
        }
        let first = self.node(host).first_edge;
        if first == NONE {
            batch.hosts.push(host);
        }
        self.links[ix as usize].next = first;
        self.node_mut(host).first_edge = ix;
    }

    /// Leaves no list behind.
    pub(crate) fn dismiss(&mut self, batch: &Batch) {
        for &ix in &batch.boxes {
            let node = self.node_mut(ix);
            (node.first_new, node.last_new) = (NONE, NONE);
        }
        for &ix in &batch.nodes {
            self.node_mut(ix).next_new = NONE;
        }
        for &ix in &batch.hosts {
            self.node_mut(ix).first_edge = NONE;
        }
    }
}

fn sane(size: Size) -> Size {
    let length = |v: f32| if v.is_finite() { v.clamp(0.0, 1e5) } else { 0.0 };
    Size::new(length(size.w), length(size.h))
}
