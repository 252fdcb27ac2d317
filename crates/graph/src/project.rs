//! State to view: pure functions over a borrowed run.
//!
//! Invariant: a projection changes nothing and needs nothing but the run and what it is asked for. Those that walk
//! the whole run ([`Tree`], [`At`], [`scene`], [`Axis`]) are made once for a change of structure or of the moment;
//! those that a frame calls ([`card`], [`Lanes::bars`]) cost what they return. Positions in pixels are not known
//! here.

mod at;
mod axis;
mod card;
mod diff;
mod filter;
mod holds;
mod lanes;
mod money;
mod notes;
mod outline;
mod scene;
mod show;
mod summary;
mod tree;

pub use at::{At, InstanceAt, NodeAt, at};
pub use axis::{Axis, Fold, Mark, MarkKind, marks};
pub use card::{Card, Inside, card, inside};
pub use diff::{Diff, DiffRow, Difference, Pairing, diff};
pub use filter::{Filter, Matches, filter};
pub use holds::{HoldRow, hold_row, holds};
pub use lanes::{Bar, Lanes, Span, lanes};
pub use money::{Spending, cost, spending, spending_of};
pub use notes::notes;
pub use outline::{OutlineRow, outline};
pub use scene::{Scene, SceneBox, SceneCard, SceneEdge, View, may_open, scene};
pub use show::{Show, ShowCounts, ShowEdge, ShowHold, ShowNode, show};
pub use summary::summary;
pub use tree::Tree;
