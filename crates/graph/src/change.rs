//! What one applied event did to the state.
//!
//! Invariant: a consumer that looks only at what a change names misses nothing it shows.

use crate::{NodeIx, Note, RunKey};

/// What one applied event did.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Change {
    /// The run it belongs to; none for the wildcard, controls and refused messages.
    pub run: Option<RunKey>,
    /// The run is new.
    pub created: bool,
    /// Nodes, boxes or edges came or changed: layout has work.
    pub structure: bool,
    /// A state, count or hold changed.
    pub status: bool,
    /// Text streamed.
    pub stream: bool,
    /// The node it was about.
    pub node: Option<NodeIx>,
    /// What the reducer disliked about it.
    pub notes: Vec<Note>,
    /// Seen before; nothing changed.
    pub duplicate: bool,
}
