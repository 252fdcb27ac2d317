//! The result of a layout: rectangles and routes by key, and the structures the next append starts from.

use crate::arena::Runs;
use crate::geometry::{Heading, Point, Rect, Segment, Shape, Size};
use crate::keys::Map;
use crate::model::{Band, CANVAS, Col, Link, NONE, Node, Row};
use crate::request::{Edge, Key, Metrics, Request};
use crate::solve::Work;

/// One rectangle to draw.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placed {
    /// The item.
    pub key: Key,
    /// Where it is.
    pub rect: Rect,
    /// An open box.
    pub container: bool,
    /// How many boxes are round it. Draw lower depths first.
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
    /// Direction at the last point, which is on the border of `to`. (Where one end is more than 256 boxes deeper than
    /// the innermost box round both, the route ends at the border of that end's outermost box instead.)
    pub heading: Heading,
    /// Middle of the count pill.
    pub pill: Point,
    /// Round all of it.
    pub bounds: Rect,
}

/// Where everything is.
#[derive(Clone, Debug, PartialEq)]
pub struct Layout {
    pub(crate) request: Request,
    pub(crate) keys: Map<Key>,
    pub(crate) nodes: Vec<Node>,
    pub(crate) bands: Runs<Band>,
    pub(crate) rows: Runs<Row>,
    pub(crate) cols: Runs<Col>,
    pub(crate) links: Vec<Link>,
    pub(crate) pairs: Map<(u32, u32)>,
    pub(crate) segments: Runs<Segment>,
    pub(crate) exits: Runs<u32>,
    /// Edges with an end that is not there yet.
    pub(crate) dangling: Vec<Edge>,
    /// Parents named but not there yet, or not open.
    pub(crate) missing: Map<Key>,
    pub(crate) parts: u32,
    pub(crate) bounds: Rect,
    pub(crate) work: Work,
}

impl Layout {
    pub(crate) fn empty(metrics: Metrics) -> Self {
        let mut canvas = Node::new(Key(0), Size::default(), true, false);
        (canvas.parent, canvas.jump, canvas.placed) = (CANVAS, CANVAS, true);
        Self {
            request: Request { metrics, ..Request::default() },
            keys: Map::default(),
            nodes: vec![canvas],
            bands: Runs::default(),
            rows: Runs::default(),
            cols: Runs::default(),
            links: Vec::new(),
            pairs: Map::default(),
            segments: Runs::default(),
            exits: Runs::default(),
            dangling: Vec::new(),
            missing: Map::default(),
            parts: 0,
            bounds: Rect::default(),
            work: Work::default(),
        }
    }

    /// The rectangle of an item; of a box in parts, the first.
    #[must_use]
    pub fn rect(&self, key: Key) -> Option<Rect> {
        self.keys.get(&key).map(|&ix| self.node(ix).rect)
    }

    /// All rectangles, in no particular order of depth.
    pub fn placed(&self) -> impl Iterator<Item = Placed> + '_ {
        self.nodes[1..].iter().map(|node| Placed {
            key: node.key,
            rect: node.rect,
            container: node.container,
            depth: node.depth - 1,
            part: node.part,
        })
    }

    /// All routes, one for each pair of ends, in the order the pairs first came.
    pub fn routes(&self) -> impl Iterator<Item = Route<'_>> + '_ {
        self.links.iter().filter(|link| link.host != NONE).map(|link| self.view(link))
    }

    /// The route between two items, if both are placed and neither is inside the other.
    #[must_use]
    pub fn route(&self, from: Key, to: Key) -> Option<Route<'_>> {
        let ends = (*self.keys.get(&from)?, *self.keys.get(&to)?);
        let link = &self.links[*self.pairs.get(&ends)? as usize];
        (link.host != NONE).then(|| self.view(link))
    }

    /// Round everything, lanes included.
    #[must_use]
    pub fn bounds(&self) -> Rect {
        self.bounds
    }

    /// How many boxes had to be continued elsewhere: above 0 a tidy (a full pass) is worth offering.
    #[must_use]
    pub fn continued(&self) -> usize {
        self.parts as usize
    }

    fn view(&self, link: &Link) -> Route<'_> {
        let drawn = &link.drawn;
        Route {
            from: self.node(link.from).key,
            to: self.node(link.to).key,
            shape: drawn.shape,
            start: drawn.start,
            segments: self.segments.get(drawn.segments),
            heading: drawn.heading,
            pill: drawn.pill,
            bounds: drawn.bounds,
        }
    }
}
