//! Where boxes go: a request is planned against what is already placed, then solved into rectangles and routes.
//!
//! Pure geometry over opaque keys. The same request gives the same layout, bit for bit; nothing here knows time,
//! chance, threads, text or colour. See [`plan`] and [`solve`].

mod geometry;
mod layout;
mod request;

pub use geometry::{Heading, Point, Rect, Segment, Shape, Size};
pub use layout::{Layout, Placed, Plan, Route, plan, solve};
pub use request::{Edge, Item, Key, Metrics, Request};
