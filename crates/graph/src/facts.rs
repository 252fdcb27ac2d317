//! What was reported, one record an event, kept flat.
//!
//! Decides which parts of a lifecycle event are remembered. Invariant: a record is written once and never
//! changed but for `resolved` and `start`, which its node derives. Records carry positions instead of references, so a
//! run serialises, clones and drops without recursion. Does not know what the records add up to.

use serde::{Deserialize, Serialize};
use wire::Body;

use crate::{HoldIx, InstanceIx, NodeIx, Stamp, Status, TextStats, Usage};

/// Position of a start record.
pub(crate) type StartIx = u32;
/// Position of an end record.
pub(crate) type EndIx = u32;

/// A start: `node.started`, or a task that began.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Start {
    pub(crate) at: Stamp,
    pub(crate) instance: InstanceIx,
    pub(crate) parent: Option<NodeIx>,
    /// Superstep, where the sender names one.
    pub(crate) step: Option<u64>,
    /// The sender gave no id: its end is told by order alone.
    pub(crate) unnamed: bool,
    pub(crate) model: Option<Box<str>>,
    pub(crate) input: Option<Body>,
}

/// An end: `node.finished` or `node.error`, or the end of a task.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct End {
    pub(crate) at: Stamp,
    /// The instance the event named.
    pub(crate) named: Option<InstanceIx>,
    /// The instance it belongs to, as its node derives it.
    pub(crate) resolved: Option<InstanceIx>,
    /// Superstep, where the sender names one.
    pub(crate) step: Option<u64>,
    /// The start of the try it ends, derived too.
    pub(crate) start: Option<StartIx>,
    pub(crate) status: Status,
    /// An error that a finish of the same instance may follow.
    pub(crate) is_error: bool,
    pub(crate) injected: bool,
    pub(crate) cached: bool,
    pub(crate) duration_ms: Option<f64>,
    pub(crate) held_ms: Option<f64>,
    pub(crate) output: Option<Body>,
    pub(crate) usage: Option<Box<Spent>>,
    pub(crate) failure: Option<Box<Failure>>,
}

/// What a call used up.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(crate) struct Spent {
    /// Its own tokens.
    pub(crate) usage: Usage,
    /// Figures that only repeat what the calls inside it used: shown, not added.
    pub(crate) repeated: Option<Box<Usage>>,
    pub(crate) money: Option<Box<crate::Money>>,
}

/// Another try was announced, or what had ended goes on.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) struct Again {
    pub(crate) at: Stamp,
    pub(crate) named: Option<InstanceIx>,
    /// It counts as a further try.
    pub(crate) retry: bool,
}

/// An error as reported.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Failure {
    /// The error's class or code.
    pub name: Box<str>,
    /// What it says, at most `FAILURE_BYTES` bytes.
    pub message: Box<str>,
    /// True when the recording holds more of the message.
    pub cut: bool,
    /// True when the recording holds a stack.
    pub has_stack: bool,
    /// Sequence of the event that carries it.
    pub seq: u64,
}

/// Bytes of an error message kept in the state.
pub const FAILURE_BYTES: usize = 1024;

/// A record of a node, by position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Fact {
    Start(StartIx),
    End(EndIx),
    Pause(HoldIx),
    Again(u32),
}

/// Deltas that named no instance, between two lifecycle events of their node.
///
/// Neighbours are joined only where every number between them is known, so that no event that is
/// still to come can belong between them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Segment {
    pub(crate) stats: TextStats,
    /// The only instance that was open, as its node derives it.
    pub(crate) target: Option<InstanceIx>,
    /// Nothing but deltas was folded in between the segment before and this one.
    pub(crate) follows: bool,
}

impl Segment {
    pub(crate) fn first_seq(&self) -> u64 {
        self.stats.first.map_or(0, |at| at.seq)
    }

    pub(crate) fn last_seq(&self) -> u64 {
        self.stats.last.map_or(0, |at| at.seq)
    }
}
