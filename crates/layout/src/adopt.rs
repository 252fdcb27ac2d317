//! Carries places over to a changed request: items went, were folded, resized or given another parent.
//!
//! The tree is built anew; what stays in its box and still fits where it was keeps its place, what does not is placed
//! like something new. Boxes do not shrink: space that became free is taken by what comes next. As the arenas are
//! built anew too, nothing leaks over a long session.

use crate::batch::Batch;
use crate::grow::Touched;
use crate::layout::Layout;
use crate::model::{Band, CANVAS, Col, NONE, Node};
use crate::request::Request;

impl Layout {
    pub(crate) fn adopt_into(self, request: &Request) -> Layout {
        let mut new = Layout::empty(request.metrics);
        new.request = request.clone();
        let mut batch = Batch::default();
        new.take_items(request.items.iter(), &mut batch);
        let map = self.carry(&mut new);
        self.carry_bands(&mut new, &map);
        new.rehang(&mut batch);
        new.resize();
        new.enlist(&mut batch);
        new.take_edges(request.edges.iter(), &mut batch);
        new.bounds = new.node(CANVAS).rect;
        new.settle(batch);
        new
    }

    /// Which new node stands for each old one, `NONE` if it gave up its place.
    fn carry(&self, new: &mut Layout) -> Vec<u32> {
        let mut map = vec![NONE; self.nodes.len()];
        map[CANVAS as usize] = CANVAS;
        new.node_mut(CANVAS).rect = self.node(CANVAS).rect;
        let needed = self.needed_parts(new);
        let mut order: Vec<u32> = (1..self.nodes.len() as u32).collect();
        order.sort_by_key(|&ix| self.node(ix).depth);
        for ix in order {
            let old = self.node(ix);
            let Some(&now) = new.keys.get(&old.key) else { continue };
            let parent = map[old.parent as usize];
            if parent == NONE || !new.node(parent).container {
                continue;
            }
            let stays = new.home_of(parent) == new.home_of(new.node(now).parent);
            if old.part > 0 {
                if stays && needed[ix as usize] && new.node(now).container {
                    map[ix as usize] = new.adopt_part(old, now, parent);
                }
                continue;
            }
            if stays && self.fits(ix, new.node(now)) {
                new.adopt_node(old, now, parent);
                map[ix as usize] = now;
            }
        }
        map
    }

    /// Parts that still hold something.
    fn needed_parts(&self, new: &Layout) -> Vec<bool> {
        let mut needed = vec![false; self.nodes.len()];
        for old in self.nodes[1..].iter().filter(|old| old.part == 0) {
            needed[old.parent as usize] |= new.keys.contains_key(&old.key);
        }
        for (ix, old) in self.nodes.iter().enumerate().rev() {
            if old.part > 0 && needed[ix] {
                needed[old.parent as usize] = true;
            }
        }
        needed
    }

    /// Whether a node of its new size fits where the old one is.
    fn fits(&self, ix: u32, new: &Node) -> bool {
        let rect = self.node(ix).rect;
        new.container || self.can_reach(ix, rect.x + new.want.w, rect.y + new.want.h)
    }

    /// Gives what kept its place its new size. The limits are the places of others, which do not move: what was
    /// found to fit still does.
    fn resize(&mut self) {
        let mut touched = Touched::default();
        for ix in 1..self.nodes.len() as u32 {
            let Node { rect, want, placed, container, .. } = *self.node(ix);
            if !placed {
                continue;
            }
            let (right, bottom) = (rect.x + want.w, rect.y + want.h);
            if self.can_reach(ix, right, bottom) {
                self.reach(ix, right, bottom, &mut touched);
            }
            if !container {
                let rect = &mut self.node_mut(ix).rect;
                (rect.w, rect.h) = (want.w, want.h);
            }
        }
    }

    fn carry_bands(&self, new: &mut Layout, map: &[u32]) {
        let mut holds = vec![false; self.nodes.len()];
        for (ix, old) in self.nodes.iter().enumerate().skip(1) {
            holds[old.parent as usize] |= map[ix] != NONE;
        }
        for (ix, old) in self.nodes.iter().enumerate() {
            let now = map[ix];
            if now == NONE || !new.node(now).container || !holds[ix] {
                continue;
            }
            let mut kept = Vec::with_capacity(old.bands.len());
            let mut length = 0;
            for band in self.bands.get(old.bands) {
                let cols = self.carry_cols(new, *band, map);
                let alive = !cols.is_empty();
                let mut rows = new.rows.list(self.rows.get(band.rows));
                for row in new.rows.get_mut(rows) {
                    row.left_lock = false;
                }
                if !alive {
                    new.rows.truncate(&mut rows, 1);
                }
                kept.push(Band { rows, cols: new.cols.list(&cols) });
                if alive {
                    length = kept.len();
                }
            }
            kept.truncate(length);
            let bands = new.bands.list(&kept);
            new.node_mut(now).bands = bands;
        }
    }

    fn carry_cols(&self, new: &Layout, band: Band, map: &[u32]) -> Vec<Col> {
        let single = band.rows.len() == 1;
        let now = |col: &Col| if col.node == NONE { NONE } else { map[col.node as usize] };
        let keep = |col: &&Col| !single || now(col) != NONE;
        let cols = self.cols.get(band.cols).iter().filter(keep);
        cols.map(|col| {
            let node = now(col);
            let firm = node != NONE && new.node(node).firm();
            Col { node, firm: firm && (single || col.firm), lock: false, ..*col }
        })
        .collect()
    }

    fn adopt_node(&mut self, old: &Node, now: u32, parent: u32) {
        let node = self.node_mut(now);
        node.rect = old.rect;
        node.lane = node.container && (old.lane || node.lane && old.bands.is_empty());
        (node.parent, node.band, node.row, node.placed) = (parent, old.band, old.row, true);
    }

    fn adopt_part(&mut self, old: &Node, home: u32, parent: u32) -> u32 {
        let ix = self.nodes.len() as u32;
        let mut node = Node::new(old.key, old.want, true, true);
        (node.home, node.part, node.lane, node.rect) = (home, old.part, old.lane, old.rect);
        (node.parent, node.band, node.row, node.placed) = (parent, old.band, old.row, true);
        self.nodes.push(node);
        self.node_mut(home).home = ix;
        self.parts += 1;
        ix
    }

    /// Sets depths and jumps from the parents as they are now; new children go to the last part of their box.
    fn rehang(&mut self, batch: &mut Batch) {
        for &ix in &batch.nodes {
            if !self.node(ix).placed {
                let parent = self.last_part(self.node(ix).parent);
                self.node_mut(ix).parent = parent;
            }
        }
        if self.parts == 0 {
            return;
        }
        for node in &mut self.nodes[1..] {
            node.depth = u32::MAX;
        }
        batch.outside_in.clear();
        let mut path = Vec::new();
        for mut ix in 1..self.nodes.len() as u32 {
            while self.node(ix).depth == u32::MAX && ix != CANVAS {
                path.push(ix);
                ix = self.node(ix).parent;
            }
            while let Some(ix) = path.pop() {
                self.hang(ix, self.node(ix).parent);
                batch.outside_in.push(ix);
            }
        }
    }
}
