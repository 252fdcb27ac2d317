//! What a layout keeps between two requests: the tree of boxes, and for each box its bands, rows and columns.
//!
//! A box holds **bands** (layers), a band has one or more **rows** and a list of **columns** that all its rows share.
//! Invariants, on which placing and routing rest:
//! - everything of a row starts at its top and ends above `y + h`; between rows and between bands nothing is placed;
//! - columns of a band are sorted and at least a column gap apart, so the strip just left of a column stays free;
//! - nothing is placed left of a box's content edge: there is the loop lane;
//! - rows below a row pin its height: only the last row of the last band of a box may get taller.
//!
//! Node 0 is the canvas: a box without border that can always grow.

use crate::arena::Run;
use crate::geometry::{Heading, Point, Rect, Segment, Shape, Size};
use crate::layout::Layout;
use crate::request::Key;

pub(crate) const NONE: u32 = u32::MAX;
pub(crate) const CANVAS: u32 = 0;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Node {
    pub(crate) key: Key,
    /// Above 0: the n-th further rectangle of `home`.
    pub(crate) part: u32,
    /// Of a part: the box it continues. Of a box: its last part, or `NONE`.
    pub(crate) home: u32,
    pub(crate) parent: u32,
    pub(crate) depth: u32,
    /// An ancestor further up, see `tree`.
    pub(crate) jump: u32,
    pub(crate) rect: Rect,
    pub(crate) want: Size,
    pub(crate) container: bool,
    pub(crate) grows: bool,
    pub(crate) opens: bool,
    /// Has a place; `relative` while that is still counted from the box's corner.
    pub(crate) placed: bool,
    pub(crate) relative: bool,
    /// An edge from outside its box leads to it or into it.
    pub(crate) entered: bool,
    /// Room for loops is kept on the left.
    pub(crate) lane: bool,
    pub(crate) band: u32,
    pub(crate) row: u32,
    pub(crate) bands: Run,
    pub(crate) relative_bands: bool,
    /// Edges that run below the last row of this box: routed anew when it gets taller.
    pub(crate) exits: Run,
    /// Lists of the batch being placed; `NONE` between two calls.
    pub(crate) first_new: u32,
    pub(crate) last_new: u32,
    pub(crate) next_new: u32,
    pub(crate) first_edge: u32,
    pub(crate) slot: u32,
}

impl Node {
    pub(crate) fn new(key: Key, want: Size, container: bool, grows: bool) -> Self {
        Self {
            key,
            part: 0,
            home: NONE,
            parent: NONE,
            depth: 0,
            jump: NONE,
            rect: Rect::new(0.0, 0.0, want.w, want.h),
            want,
            container,
            grows,
            opens: false,
            placed: false,
            relative: false,
            entered: false,
            lane: container && grows,
            band: 0,
            row: 0,
            bands: Run::default(),
            relative_bands: false,
            exits: Run::default(),
            first_new: NONE,
            last_new: NONE,
            next_new: NONE,
            first_edge: NONE,
            slot: 0,
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Band {
    pub(crate) rows: Run,
    pub(crate) cols: Run,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Row {
    pub(crate) y: f32,
    pub(crate) h: f32,
    /// Where the next row may start at the earliest, less the gap: bottoms with slack.
    pub(crate) reserve: f32,
    /// Columns used, in a band of several rows.
    pub(crate) used: u32,
    /// A loop leaves through the left: nothing may be placed before the first column.
    pub(crate) left_lock: bool,
}

impl Row {
    pub(crate) fn bottom(&self) -> f32 {
        self.y + self.h
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Col {
    pub(crate) x: f32,
    /// Right edge with slack.
    pub(crate) right: f32,
    /// What stands there, in a band of one row.
    pub(crate) node: u32,
    /// Will not get wider: the strip right of it stays free.
    pub(crate) firm: bool,
    /// A straight line runs to the next column: nothing may be placed between.
    pub(crate) lock: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Link {
    pub(crate) from: u32,
    pub(crate) to: u32,
    pub(crate) ranks: bool,
    /// The ends lifted to children of `host`, the innermost box round both; `host` is `NONE` if one holds the other.
    pub(crate) a: u32,
    pub(crate) b: u32,
    pub(crate) host: u32,
    pub(crate) next: u32,
    pub(crate) drawn: Drawn,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Drawn {
    pub(crate) shape: Shape,
    pub(crate) start: Point,
    pub(crate) heading: Heading,
    pub(crate) pill: Point,
    pub(crate) bounds: Rect,
    pub(crate) segments: Run,
}

impl Default for Drawn {
    fn default() -> Self {
        Self {
            shape: Shape::Down,
            start: Point::default(),
            heading: Heading::Down,
            pill: Point::default(),
            bounds: Rect::default(),
            segments: Run::default(),
        }
    }
}

impl Default for Segment {
    fn default() -> Self {
        Segment::Line { to: Point::default() }
    }
}

/// Space between a box's border and its content.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Inset {
    pub(crate) left: f32,
    pub(crate) top: f32,
    pub(crate) end: f32,
}

impl Node {
    /// Will not get wider.
    pub(crate) fn firm(&self) -> bool {
        !self.container && !self.grows && !self.opens
    }
}

impl Layout {
    pub(crate) fn node(&self, ix: u32) -> &Node {
        &self.nodes[ix as usize]
    }

    pub(crate) fn node_mut(&mut self, ix: u32) -> &mut Node {
        &mut self.nodes[ix as usize]
    }

    pub(crate) fn inset(&self, ix: u32) -> Inset {
        if ix == CANVAS {
            return Inset { left: 0.0, top: 0.0, end: 0.0 };
        }
        let m = &self.request.metrics;
        let lane = if self.node(ix).lane { m.loop_lane } else { 0.0 };
        Inset { left: m.padding + lane, top: m.header + m.padding, end: m.padding }
    }

    pub(crate) fn bands_of(&self, ix: u32) -> &[Band] {
        self.bands.get(self.node(ix).bands)
    }

    /// The row a node stands in.
    pub(crate) fn row_of(&self, ix: u32) -> &Row {
        let node = self.node(ix);
        let band = &self.bands_of(node.parent)[node.band as usize];
        &self.rows.get(band.rows)[node.row as usize]
    }

    pub(crate) fn row_of_mut(&mut self, ix: u32) -> &mut Row {
        let Node { parent, band, row, .. } = *self.node(ix);
        let band = self.bands_of(parent)[band as usize];
        &mut self.rows.get_mut(band.rows)[row as usize]
    }

    /// Whether the node stands in the last row of the last band of its box.
    pub(crate) fn in_last_row(&self, ix: u32) -> bool {
        let node = self.node(ix);
        let bands = self.bands_of(node.parent);
        node.band as usize + 1 == bands.len() && node.row as usize + 1 == bands[node.band as usize].rows.len()
    }

    /// The index of a node's column in its band.
    pub(crate) fn col_of(&self, ix: u32) -> usize {
        let node = self.node(ix);
        let cols = self.cols.get(self.bands_of(node.parent)[node.band as usize].cols);
        cols.partition_point(|col| col.x < node.rect.x)
    }

    /// Room kept for growth beyond what is drawn. What holds nothing yet will first need a border and a lane; a card
    /// keeps none below, since most cards never open and rows would stand far apart.
    pub(crate) fn slack(&self, ix: u32) -> Size {
        let m = &self.request.metrics;
        let node = self.node(ix);
        let border = 2.0 * m.padding;
        match (node.grows, node.container, node.bands.is_empty()) {
            (false, false, true) if node.opens => Size::new(3.0 * border + m.loop_lane, 0.0),
            (false, ..) => Size::default(),
            (true, _, false) => m.slack,
            (true, false, true) => Size::new(m.slack.w + border + m.loop_lane, 0.0),
            (true, true, true) => Size::new(m.slack.w + border + m.loop_lane, m.slack.h + border + m.header),
        }
    }
}
