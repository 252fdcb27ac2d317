//! Points, sizes, rectangles and the segments a route is made of. Canvas coordinates: points, y grows downwards.

/// A place on the canvas.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Point {
    /// To the right.
    pub x: f32,
    /// Downwards.
    pub y: f32,
}

impl Point {
    /// A place on the canvas.
    #[must_use]
    pub const fn new(x: f32, y: f32) -> Self {
        Self { x, y }
    }
}

/// A width and a height.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Size {
    /// Width.
    pub w: f32,
    /// Height.
    pub h: f32,
}

impl Size {
    /// A width and a height.
    #[must_use]
    pub const fn new(w: f32, h: f32) -> Self {
        Self { w, h }
    }
}

/// An upright rectangle.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rect {
    /// Left.
    pub x: f32,
    /// Top.
    pub y: f32,
    /// Width.
    pub w: f32,
    /// Height.
    pub h: f32,
}

impl Rect {
    /// A rectangle from its top left corner and its size.
    #[must_use]
    pub const fn new(x: f32, y: f32, w: f32, h: f32) -> Self {
        Self { x, y, w, h }
    }

    /// Right edge.
    #[must_use]
    pub fn right(&self) -> f32 {
        self.x + self.w
    }

    /// Bottom edge.
    #[must_use]
    pub fn bottom(&self) -> f32 {
        self.y + self.h
    }

    /// Middle.
    #[must_use]
    pub fn center(&self) -> Point {
        Point::new(self.x + self.w / 2.0, self.y + self.h / 2.0)
    }

    /// Whether the inner areas share a point; touching does not count.
    #[must_use]
    pub fn overlaps(&self, other: &Rect) -> bool {
        self.x < other.right() && other.x < self.right() && self.y < other.bottom() && other.y < self.bottom()
    }

    /// Whether `other` lies inside, borders included.
    #[must_use]
    pub fn contains(&self, other: &Rect) -> bool {
        self.x <= other.x
            && self.y <= other.y
            && self.right() >= other.right()
            && self.bottom() >= other.bottom()
    }

    /// The smallest rectangle round both.
    #[must_use]
    pub fn union(&self, other: &Rect) -> Rect {
        let (x, y) = (self.x.min(other.x), self.y.min(other.y));
        Rect::new(x, y, self.right().max(other.right()) - x, self.bottom().max(other.bottom()) - y)
    }
}

/// One piece of a route; it starts where the piece before it ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Segment {
    /// A straight line.
    Line {
        /// Its end.
        to: Point,
    },
    /// A cubic Bézier curve.
    Cubic {
        /// First control point.
        c1: Point,
        /// Second control point.
        c2: Point,
        /// Its end.
        to: Point,
    },
}

impl Segment {
    /// Where the piece ends.
    #[must_use]
    pub fn to(&self) -> Point {
        match *self {
            Segment::Line { to } | Segment::Cubic { to, .. } => to,
        }
    }

    /// The point at `t` in 0..=1 of the piece that starts at `from`.
    #[must_use]
    pub fn at(&self, from: Point, t: f32) -> Point {
        let u = 1.0 - t;
        match *self {
            Segment::Line { to } => Point::new(u * from.x + t * to.x, u * from.y + t * to.y),
            Segment::Cubic { c1, c2, to } => {
                let w = [u * u * u, 3.0 * u * u * t, 3.0 * u * t * t, t * t * t];
                Point::new(
                    w[0] * from.x + w[1] * c1.x + w[2] * c2.x + w[3] * to.x,
                    w[0] * from.y + w[1] * c1.y + w[2] * c2.y + w[3] * to.y,
                )
            }
        }
    }
}

/// The direction an arrow points in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heading {
    /// Into the top of a card.
    Down,
    /// Into the left side.
    Right,
    /// Into the right side.
    Left,
}

/// How a route runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Down the page.
    Down,
    /// Back up, out at the side through the loop lane.
    Loop,
    /// To a card of the same row.
    Beside,
    /// Out of a card and back into it.
    Own,
}
