//! Where boxes go: a request is planned against what is already placed, then solved into rectangles and routes.
//!
//! Pure geometry over opaque keys. The same request gives the same layout, bit for bit; nothing here knows time,
//! chance, threads, text or colour. See [`plan`] and [`solve`].

mod adopt;
mod arena;
mod arrange;
mod batch;
mod geometry;
mod grow;
mod keys;
mod layout;
mod model;
mod parts;
mod place;
mod plan;
mod request;
mod route;
mod solve;
mod tree;

pub use geometry::{Heading, Point, Rect, Segment, Shape, Size};
pub use layout::{Layout, Placed, Route};
pub use plan::{Plan, Tail, plan};
pub use request::{Edge, Item, Key, Metrics, Request};
pub use solve::solve;
