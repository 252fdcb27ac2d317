//! Moments of a run that are neither starts nor ends: supersteps, checkpoints, changes of state, leases.
//!
//! Invariant: one tick an event, in sequence order once a run is settled; values stay in the recording, a tick only
//! says which event carries them.

use serde::{Deserialize, Serialize};

use crate::{NamespaceIx, NodeIx, Stamp};

/// A moment of a graph run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Tick {
    /// When; the event of this sequence carries the values.
    pub at: Stamp,
    /// What.
    pub kind: TickKind,
    /// In which nested graph.
    pub namespace: NamespaceIx,
    /// The node it is about.
    pub node: Option<NodeIx>,
    /// The superstep, where one is named.
    pub step: Option<u64>,
    /// A name: the checkpoint, the custom event, the reason for draining, the fork's task.
    pub label: Box<str>,
    /// A second name: the checkpoint this one continues, the task that forked.
    pub from: Option<Box<str>>,
}

/// What a tick means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TickKind {
    /// A superstep began.
    Step,
    /// A superstep ended.
    StepEnd,
    /// A node changed the state.
    State,
    /// The whole state was reported.
    Values,
    /// A state was saved.
    Checkpoint,
    /// A saved state was restored.
    Restored,
    /// A context was forked.
    Fork,
    /// A fork was joined.
    Join,
    /// Graphs are nested deeper, or less deep; `step` is the depth.
    Depth,
    /// The run ends as soon as it can.
    Draining,
    /// A program's own event.
    Custom,
    /// A message was reported whole.
    Message,
    /// A KXM record that is neither a start nor an end of something; `label` says what.
    Phase,
    /// A KXM lease was acquired, released or lost; `label` says which, `from` is its id.
    Lease,
}

impl TickKind {
    /// The word in JSON and on screen.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Step => "step",
            Self::StepEnd => "step end",
            Self::State => "state",
            Self::Values => "values",
            Self::Checkpoint => "checkpoint",
            Self::Restored => "restored",
            Self::Fork => "fork",
            Self::Join => "join",
            Self::Depth => "depth",
            Self::Draining => "draining",
            Self::Custom => "custom",
            Self::Message => "message",
            Self::Phase => "phase",
            Self::Lease => "lease",
        }
    }
}
