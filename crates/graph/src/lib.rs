//! What a run is: one reducer from events to state, and pure projections of that state.
//!
//! [`Store`] is the only thing that changes; it changes only by applying events. Everything that is shown, printed
//! or sent is a function over a borrowed [`Run`] in [`project`]. The crate is pure: no clock, randomness, threads
//! or IO, the same result natively and in wasm32, and no recursion over the depth of a run. It does not know
//! sockets, files, pixels or formats.

pub mod project;

mod change;
mod check;
mod derive;
mod digest;
mod edge;
mod facts;
mod flow;
mod hold;
mod ids;
mod instance;
mod kxm;
mod money;
mod node;
mod note;
mod reduce;
mod run;
mod seqs;
mod stamp;
mod status;
mod store;
mod text;
mod tick;

pub use change::Change;
pub use check::Refusal;
pub use edge::{Edge, EdgeKind};
pub use facts::{FAILURE_BYTES, Failure};
pub use hold::{Hold, HoldRefusal, Release};
pub use ids::{HoldIx, InstanceIx, NamespaceIx, NodeIx, RunKey};
pub use instance::{Instance, InstanceFlags};
pub use kxm::{KxmRecord, Redaction};
pub use money::{Cost, CostKind, Currency, Money, NANOS, Price, PriceTable};
pub use node::Node;
pub use note::{Note, NoteKind};
pub use run::{Lineage, Run, RunEnd, RunStart};
pub use seqs::SeqSet;
pub use stamp::Stamp;
pub use status::{Counts, NodeStatus, Status};
pub use store::Store;
pub use text::{Channel, TAIL_BYTES, TextStats};
pub use tick::{Tick, TickKind};
pub use wire::tokens::{Reported, Usage};
