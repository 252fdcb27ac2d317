//! A place in the code, with what its instances add up to.
//!
//! Invariant: `counts`, `batch` and the streams are derived from `facts` and `segments` in sequence order;
//! a late event makes the node dirty and it is derived anew, alone. Does not know its children's states.

use std::collections::{BTreeSet, VecDeque};

use serde::{Deserialize, Serialize};
use wire::{Kind, NodeId};

use crate::facts::{Fact, Segment};
use crate::text::Tail;
use crate::{Counts, HoldIx, InstanceIx, Money, NamespaceIx, NodeIx, TextStats, Usage};

/// A place in the code.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Node {
    /// The sender's id.
    pub id: NodeId,
    /// What it is; empty while nothing but its id is known.
    pub kind: Kind<'static>,
    /// Its name; its id while nothing else is known.
    pub name: Box<str>,
    /// The path of nested graphs it stands in.
    pub namespace: NamespaceIx,
    /// The parent of its first start, else of its hint. Never itself; a chain of parents may still be a
    /// cycle, which `project::Tree` cuts.
    pub parent: Option<NodeIx>,
    /// Lowest sequence that named it.
    pub first_seq: u64,
    /// Its instances in order of arrival; see `Run::instances_of` for sequence order.
    pub instances: Vec<InstanceIx>,
    /// Its holds in order of arrival.
    pub holds: Vec<HoldIx>,
    /// Announced by `graph.hint`.
    pub hinted: bool,
    /// Named by a route or a schedule.
    pub routed: bool,
    /// Named by a graph event: a node of a graph runtime.
    pub in_graph: bool,
    /// Named by a KXM record.
    pub(crate) in_kxm: bool,
    /// Nothing speaks of it any more: late records have told otherwise. It keeps its position.
    pub(crate) vacant: bool,
    /// A namespace is inside it: drawn as a box whether or not it was seen itself.
    pub is_container: bool,
    /// Runs of graphs and agents inside it, by id.
    pub child_runs: BTreeSet<Box<str>>,
    /// The sender asks to show it folded.
    pub collapsed: bool,
    /// Deltas that no instance could be given.
    pub unattributed: TextStats,
    /// Tokens its instances reported.
    pub usage: Usage,
    /// What its instances cost, where their sender says.
    pub money: Money,
    /// Run time of its ended instances without time at gates, in microseconds; injected ends not counted.
    pub busy_us: u64,
    /// Time at gates, in microseconds.
    pub held_us: u64,
    /// Ended instances that `busy_us` sums over.
    pub timed: u32,
    pub(crate) counts: Counts,
    pub(crate) derived: Derived,
    pub(crate) desc_seq: u64,
    pub(crate) hint_seq: u64,
    pub(crate) parent_seq: u64,
    pub(crate) started: bool,
    /// A graph event says it is an agent.
    pub(crate) is_agent: bool,
    /// Tokens of messages that graph parts carry; part of `usage`, not derived.
    pub(crate) message_usage: Usage,
    pub(crate) facts: Vec<Fact>,
    pub(crate) segments: Vec<Segment>,
    pub(crate) tail: Option<Box<Tail>>,
    /// The groups it has run in: one for each parent.
    pub(crate) groups: Vec<u32>,
    pub(crate) dirty: bool,
}

/// What the fold over a node's facts carries along.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(crate) struct Derived {
    /// Highest sequence folded in.
    pub(crate) last_seq: Option<u64>,
    /// Open instances, and the exclusive or of their positions: with one open, that one.
    pub(crate) open: u32,
    pub(crate) open_xor: u32,
    /// Sequence of the last start.
    pub(crate) last_start: u64,
    /// The instance that started last.
    pub(crate) newest: Option<InstanceIx>,
    /// The instance that ended last.
    pub(crate) last_ended: Option<InstanceIx>,
    /// Ends since the last start: what the node's state is made of.
    pub(crate) batch: Batch,
    /// Instances whose retry was answered and not yet seen.
    pub(crate) retrying: Vec<InstanceIx>,
    /// Open instances that have no id of their own, oldest first.
    pub(crate) unnamed: VecDeque<InstanceIx>,
    /// Retries of holds that belong to no instance.
    pub(crate) retries: u32,
}

/// Instances that ended since the node last started, by end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct Batch {
    pub(crate) ok: u32,
    pub(crate) error: u32,
    pub(crate) aborted: u32,
    pub(crate) uncertain: u32,
}

impl Node {
    /// True when it was named as a parent and never seen itself.
    pub fn is_ghost(&self) -> bool {
        let seen = !self.facts.is_empty() || !self.segments.is_empty() || !self.instances.is_empty();
        !seen && !self.vacant && !self.hinted && !self.routed && !self.in_graph && !self.is_container
    }

    /// True when nothing speaks of it any more, because late KXM records have told otherwise. It keeps its position
    /// and is shown nowhere.
    pub fn is_vacant(&self) -> bool {
        self.vacant
    }

    /// True when it has no instance.
    pub fn is_unreached(&self) -> bool {
        self.instances.is_empty()
    }
}

impl Derived {
    /// The only open instance; none while there is none or there are several.
    pub(crate) fn only_open(&self) -> Option<InstanceIx> {
        (self.open == 1).then_some(InstanceIx(self.open_xor))
    }
}

impl Batch {
    pub(crate) fn change(&mut self, status: crate::Status, by: i32) {
        let count = match status {
            crate::Status::Ok => &mut self.ok,
            crate::Status::Error => &mut self.error,
            crate::Status::Aborted => &mut self.aborted,
            crate::Status::Uncertain => &mut self.uncertain,
            crate::Status::Running | crate::Status::Abandoned => return,
        };
        *count = count.saturating_add_signed(by);
    }
}
