//! The state at a sequence.
//!
//! Decides what was true once the event of that number had been applied, from the stamps of instances and holds.
//! Nodes whose instances were retried are folded from their records up to that number instead; both give what
//! replaying gives. Linear in instances, without allocation for each.

use crate::derive::moment;
use crate::{Counts, HoldIx, InstanceIx, NodeIx, NodeStatus, Run, Status};

/// The state at a sequence.
#[derive(Debug, Clone, PartialEq)]
pub struct At {
    seq: u64,
    over: bool,
    status: Status,
    nodes: Vec<NodeAt>,
}

/// A node at a moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NodeAt {
    /// How it stood.
    pub status: NodeStatus,
    /// Its instances.
    pub counts: Counts,
    /// The instance that had started last.
    pub latest: Option<InstanceIx>,
}

/// An instance at a moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InstanceAt {
    /// Its state.
    pub status: Status,
    /// It waited at a gate.
    pub held: bool,
}

/// The state of a run once the event `seq` had been applied.
pub fn at(run: &Run, seq: u64) -> At {
    let ended = run.end_at(seq);
    let last = run.last_seq().is_some_and(|last| seq >= last);
    let over = ended.is_some() || (last && run.is_over());
    let status = match ended {
        Some(end) => end.status,
        None if over => run.status(),
        None if run.data.kxm.is_blocked(seq) => Status::Uncertain,
        None => Status::Running,
    };
    let nodes = run.nodes_ix().map(|(ix, _)| node_at(run, ix, seq, over)).collect();
    At { seq, over, status, nodes }
}

impl At {
    /// The sequence.
    pub fn seq(&self) -> u64 {
        self.seq
    }

    /// The run's state.
    pub fn status(&self) -> Status {
        self.status
    }

    /// A node's state.
    pub fn node(&self, ix: NodeIx) -> NodeAt {
        self.nodes[ix.at()]
    }

    /// An instance's state; none when nothing of it had been seen.
    pub fn instance(&self, run: &Run, ix: InstanceIx) -> Option<InstanceAt> {
        let status = moment::instance_status(run, ix, self.seq)?;
        let status = if self.over && status == Status::Running { Status::Abandoned } else { status };
        let holds = &run.node(run.instance(ix).node).holds;
        let held = holds.iter().any(|h| run.hold(*h).instance == Some(ix) && self.is_held(run, *h));
        Some(InstanceAt { status, held })
    }

    /// Whether an instance had ended.
    pub fn has_ended(&self, run: &Run, ix: InstanceIx) -> bool {
        run.instance(ix).ended.is_some_and(|end| end.seq <= self.seq)
    }

    /// Whether a hold was open.
    pub fn is_held(&self, run: &Run, ix: HoldIx) -> bool {
        !self.over && moment::is_open(run.hold(ix), self.seq)
    }

    /// Whether a node had been named; hinted ones are drawn from the start.
    pub fn is_drawn(&self, run: &Run, ix: NodeIx) -> bool {
        run.node(ix).first_seq <= self.seq
    }
}

fn node_at(run: &Run, ix: NodeIx, seq: u64, over: bool) -> NodeAt {
    let node = run.node(ix);
    if node.first_seq > seq {
        return NodeAt { status: NodeStatus::Unreached, counts: Counts::default(), latest: None };
    }
    let moment = moment::of_node(run, ix, seq);
    let counts = if over { moment.counts.closed() } else { moment.counts };
    let empty = match () {
        () if node.is_container && over => NodeStatus::Ok,
        () if node.is_container => NodeStatus::Running,
        () if moment.real || node.hinted || node.routed || node.in_graph => NodeStatus::Unreached,
        () => NodeStatus::Ghost,
    };
    let status = crate::run::node_status(counts, moment.counts.running > 0, moment.batch, empty);
    NodeAt { status, counts, latest: moment.latest }
}
