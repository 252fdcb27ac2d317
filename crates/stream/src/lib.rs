//! The vocabulary of graph streams: events, parts, modes, filters, and the fold that knows what a run has come to.
//!
//! Source: graph streaming and events. Everything here is pure and sync: no clock, threads or IO; the async stream is
//! the client's. It deliberately does not know how a run is drawn, stored or sent; it only says what things are called
//! and how they are written in the GraphMind envelope ([`GRAPH_EVENT`], [`GRAPH_PART`]).
mod codec;
mod context;
mod event;
mod filter;
mod fold;
mod ids;
mod interrupt;
mod item;
mod json;
mod line;
mod mode;
mod part;
mod project;

pub use context::{Context, segment_node};
pub use event::{EventClass, EventError, GraphEvent};
pub use filter::{Family, FilterError, StreamFilter};
pub use fold::{PENDING_MAX, RunFold, RunStatus};
pub use ids::{CheckpointId, ComponentId, GraphId, TaskId, ThreadId};
pub use interrupt::{Interrupt, RouteTarget};
pub use item::{Body, GRAPH_EVENT, GRAPH_MEMBER, GRAPH_PART, StreamItem, encode_event, encode_part};
pub use json::Json;
pub use line::{LineBody, LineItem, Outcome, StreamLine, lines};
pub use mode::StreamMode;
pub use part::{
    CheckpointPayload, DebugPayload, Message, StateUpdate, StreamMetadata, StreamPart, TaskResult,
    TaskStreamPayload,
};
pub use project::{INTERRUPT_KEY, modes_of, project, project_to};
pub use wire::{NodeId, RunId};
