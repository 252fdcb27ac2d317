//! State to view: pure functions over a borrowed run.
//!
//! Invariant: a projection changes nothing and needs nothing but the run and what it is asked for. Those that walk
//! the whole run ([`Tree`], [`At`], [`scene`], [`Axis`]) are made once for a change of structure or of the moment;
//! those that a frame calls ([`card`], [`Lanes::bars`]) cost what they return. Positions in pixels are not known
//! here.
//!
//! What there is:
//!
//! | question | projection |
//! |---|---|
//! | which node stands under which; rows of an outline | [`Tree`], [`outline`] |
//! | which cards, boxes and lines a canvas has; what a card says | [`scene`], [`card`], [`inside`] |
//! | how it stood at a moment | [`at`] |
//! | where to step to | [`Steps`]; breakpoints: [`breakpoint_stops`] with [`next_of`], [`before_of`] |
//! | time: axis, marks, lanes with bars | [`Axis`], [`marks`], [`lanes`] |
//! | supersteps with what ran side by side, cached and retried tasks | [`supersteps`] |
//! | saved states as a list and as a tree with forks | [`checkpoints`] |
//! | values of the state and what to compare them with | [`state_rows`] |
//! | nested graphs, and the way down to one | [`namespaces`], [`crumbs`], [`way_to`] |
//! | gates that hold; interrupts with what they ask | [`holds`], [`asks`] |
//! | the tree of runs, and runs that continue one conversation | [`family`] |
//! | the life of a step, an agent's work or an effect by its KXM records, with doubts and resolutions | [`life`] |
//! | tokens: [`Run::usage`](crate::Run::usage); money, with a price table | [`spending`], [`spending_of`], [`cost`] |
//! | forks and joins, depth, draining, custom events, leases | [`Run::ticks`](crate::Run::ticks) |
//! | what is found; what differs; what was disliked | [`filter`], [`diff`], [`notes`] |
//! | lists of runs, the command line | [`summary`], [`show`] |

mod asks;
mod at;
mod axis;
mod card;
mod checkpoints;
mod diff;
mod family;
mod filter;
mod holds;
mod lanes;
mod life;
mod money;
mod namespaces;
mod notes;
mod outline;
mod scene;
mod show;
mod state;
mod steps;
mod summary;
mod supersteps;
mod tree;

pub use asks::{Ask, asks};
pub use at::{At, InstanceAt, NodeAt, at};
pub use axis::{Axis, Fold, Mark, MarkKind, marks};
pub use card::{Card, Inside, card, inside};
pub use checkpoints::{Checkpoint, checkpoints};
pub use diff::{Diff, DiffRow, Difference, Pairing, diff};
pub use family::{FamilyRow, family, forest};
pub use filter::{Filter, Matches, filter};
pub use holds::{HoldRow, hold_row, holds};
pub use lanes::{Bar, Lanes, Span, lanes};
pub use life::{Doubt, Life, Resolution, life};
pub use money::{Spending, cost, spending, spending_of};
pub use namespaces::{Crumb, NamespaceRow, crumbs, namespaces, way_to};
pub use notes::notes;
pub use outline::{OutlineRow, outline};
pub use scene::{Scene, SceneBox, SceneCard, SceneEdge, View, may_open, scene};
pub use show::{Show, ShowEdge, ShowHold, ShowNode, show};
pub use state::{StateRow, state_rows};
pub use steps::{Step, Steps, before_of, breakpoint_stops, next_of};
pub use summary::summary;
pub use supersteps::{Superstep, supersteps};
pub use tree::Tree;
