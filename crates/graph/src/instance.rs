//! One execution of a node.
//!
//! Invariant: every field but `id`, `node`, `named` and the text that names its instance is derived from
//! the node's facts in sequence order, so that arrival order cannot show. Does not know its own duration
//! while running: that needs a clock.

use serde::{Deserialize, Serialize};
use wire::InstanceId;

use crate::facts::{EndIx, Spent, StartIx};
use crate::text::InstanceText;
use crate::{Money, NodeIx, Stamp, Status, TextStats, Usage};

/// One execution of a node.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Instance {
    /// The sender's id; made up as `?seq` where the sender gave none.
    pub id: InstanceId,
    /// The node that ran.
    pub node: NodeIx,
    /// First start; none while only later events of it were seen.
    pub started: Option<Stamp>,
    /// The end that counts: the last one seen, none while it runs.
    pub ended: Option<Stamp>,
    /// State by its own events; see `Run::instance_status` for the state the run gives it.
    pub status: Status,
    /// What else is true of it.
    pub flags: InstanceFlags,
    /// Tries beyond the first.
    pub retried: u32,
    /// Time at gates as the sender reported it, in milliseconds; included in `duration_ms`.
    pub held_ms: Option<f64>,
    /// Duration as the sender reported it, in milliseconds; none for an injected end.
    pub duration_ms: Option<f64>,
    pub(crate) first_start: Option<StartIx>,
    pub(crate) last_start: Option<StartIx>,
    pub(crate) finish: Option<EndIx>,
    pub(crate) error: Option<EndIx>,
    /// The end of the present try whose time and tokens are counted.
    pub(crate) counted: Option<EndIx>,
    /// How many ends were folded in.
    pub(crate) ends: u32,
    /// A start or an end of it has been folded in.
    pub(crate) seen: bool,
    /// Sequence of the first of them.
    pub(crate) first_seq: u64,
    /// A finish named it: its last words are not kept. Not derived.
    pub(crate) ended_by_name: bool,
    /// Open holds of this instance.
    pub(crate) open_holds: u32,
    pub(crate) text: Option<Box<InstanceText>>,
    pub(crate) spent: Option<Box<Spent>>,
}

/// Marks of an instance; several can be true at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct InstanceFlags {
    /// Its value was put in by a person.
    pub injected: bool,
    /// Answered from a cache.
    pub cached: bool,
    /// An error happened on the way; history when the status is not `error`.
    pub failed_once: bool,
    /// Its end named no instance and several were possible.
    pub guessed: bool,
    /// Its start was never seen.
    pub no_start: bool,
    /// A retry was answered and nothing of it has been seen yet.
    pub retrying: bool,
}

impl Instance {
    pub(crate) fn new(id: InstanceId, node: NodeIx) -> Self {
        Self {
            id,
            node,
            started: None,
            ended: None,
            status: Status::Running,
            flags: InstanceFlags::default(),
            retried: 0,
            held_ms: None,
            duration_ms: None,
            first_start: None,
            last_start: None,
            finish: None,
            error: None,
            counted: None,
            ends: 0,
            seen: false,
            first_seq: u64::MAX,
            ended_by_name: false,
            open_holds: 0,
            text: None,
            spent: None,
        }
    }

    /// Tokens of this instance; none where none were reported.
    pub fn usage(&self) -> Option<&Usage> {
        self.spent.as_deref().map(|spent| &spent.usage).filter(|usage| !usage.is_zero())
    }

    /// Figures that its sender reported for it and that only repeat what the calls inside it used; counted nowhere.
    pub fn repeated_usage(&self) -> Option<&Usage> {
        self.spent.as_deref()?.repeated.as_deref()
    }

    /// What it cost, where its sender says.
    pub fn money(&self) -> Option<&Money> {
        self.spent.as_deref()?.money.as_deref()
    }

    /// Streamed text in figures: the deltas that named this instance or could only be its own.
    pub fn text(&self) -> TextStats {
        self.text.as_deref().map(InstanceText::stats).unwrap_or_default()
    }

    /// The moment of the first streamed delta.
    pub fn first_token(&self) -> Option<Stamp> {
        self.text().first
    }

    /// Time it ran without time at gates, in milliseconds, as the sender reported it.
    pub fn run_ms(&self) -> Option<f64> {
        Some((self.duration_ms? - self.held_ms.unwrap_or(0.0)).max(0.0))
    }

    /// True while it waits at a gate (and its run is live).
    pub fn is_held(&self) -> bool {
        self.open_holds > 0
    }

    /// True while deltas and ends without an instance could be its own.
    pub(crate) fn is_open(&self) -> bool {
        self.ended.is_none()
    }
}
