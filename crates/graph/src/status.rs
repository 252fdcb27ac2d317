//! States of runs, nodes and instances, and how many instances are in each.
//!
//! Decides the six words and which of them wins when a node has many instances. Invariant:
//! `Counts::total` is the sum of the six states. Does not know why something failed.

use serde::{Deserialize, Serialize};

/// The state of a run or of an instance (design, Loopback server).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Started, no end yet, and its run is live.
    #[default]
    Running,
    /// Ended well.
    Ok,
    /// Ended with an error.
    Error,
    /// Ended by an abort.
    Aborted,
    /// No end was seen and none can come.
    Abandoned,
    /// Nobody knows whether it happened: neither well nor ill until someone says.
    Uncertain,
}

impl Status {
    /// The word on the wire, in JSON and on screen.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Ok => "ok",
            Self::Error => "error",
            Self::Aborted => "aborted",
            Self::Abandoned => "abandoned",
            Self::Uncertain => "uncertain",
        }
    }

    /// True for every state but `Running`.
    pub fn is_over(self) -> bool {
        self != Self::Running
    }
}

/// How a node stands: the state of its latest instances, or why it has none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum NodeStatus {
    /// Announced by a hint or a route, not yet reached.
    Unreached,
    /// Named as a parent, never seen itself.
    Ghost,
    /// An instance waits at a gate.
    Held,
    /// An instance runs.
    Running,
    /// The latest instance ended well.
    Ok,
    /// The latest instance, or one that ran in parallel with it, failed.
    Error,
    /// The latest instance was aborted.
    Aborted,
    /// The latest instance has no end.
    Abandoned,
    /// Nobody knows whether the latest instance happened.
    Uncertain,
}

impl NodeStatus {
    /// The word in JSON and on screen.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Unreached => "unreached",
            Self::Ghost => "ghost",
            Self::Held => "held",
            Self::Running => "running",
            Self::Ok => "ok",
            Self::Error => "error",
            Self::Aborted => "aborted",
            Self::Abandoned => "abandoned",
            Self::Uncertain => "uncertain",
        }
    }
}

impl From<Status> for NodeStatus {
    fn from(status: Status) -> Self {
        match status {
            Status::Running => Self::Running,
            Status::Ok => Self::Ok,
            Status::Error => Self::Error,
            Status::Aborted => Self::Aborted,
            Status::Abandoned => Self::Abandoned,
            Status::Uncertain => Self::Uncertain,
        }
    }
}

/// Instances by state; `injected`, `cached`, `retried` and `held` cut across the states.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Counts {
    /// All instances.
    pub total: u32,
    /// Ended well.
    pub ok: u32,
    /// Failed.
    pub error: u32,
    /// Aborted.
    pub aborted: u32,
    /// Running, held ones included.
    pub running: u32,
    /// Without an end that could still come.
    pub abandoned: u32,
    /// Of which nobody knows whether they happened.
    pub uncertain: u32,
    /// Waiting at a gate right now.
    pub held: u32,
    /// Whose value was put in by a person instead of computed.
    pub injected: u32,
    /// Answered from a cache.
    pub cached: u32,
    /// Tries beyond the first, summed over instances.
    pub retried: u32,
}

impl Counts {
    /// Counts one instance of this state more.
    pub(crate) fn add(&mut self, status: Status) {
        self.total += 1;
        *self.slot(status) += 1;
    }

    /// Adds every figure of `other`.
    pub fn merge(&mut self, other: &Counts) {
        self.total += other.total;
        self.ok += other.ok;
        self.error += other.error;
        self.aborted += other.aborted;
        self.running += other.running;
        self.abandoned += other.abandoned;
        self.uncertain += other.uncertain;
        self.held += other.held;
        self.injected += other.injected;
        self.cached += other.cached;
        self.retried += other.retried;
    }

    /// Moves one instance from one state to another.
    pub(crate) fn shift(&mut self, from: Status, to: Status) {
        *self.slot(from) -= 1;
        *self.slot(to) += 1;
    }

    /// The same instances once their run is over: what still ran is abandoned, nothing is held.
    pub(crate) fn closed(mut self) -> Self {
        self.abandoned += self.running;
        self.running = 0;
        self.held = 0;
        self
    }

    fn slot(&mut self, status: Status) -> &mut u32 {
        match status {
            Status::Running => &mut self.running,
            Status::Ok => &mut self.ok,
            Status::Error => &mut self.error,
            Status::Aborted => &mut self.aborted,
            Status::Abandoned => &mut self.abandoned,
            Status::Uncertain => &mut self.uncertain,
        }
    }
}
