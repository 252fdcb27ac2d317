//! The order in which nodes under one parent ran, inferred from ends and starts.
//!
//! Decides the `flow` edges. An instance follows those of its siblings that had ended when it started and after
//! whose end no other sibling both started and ended: the immediate predecessors in the order of the intervals.
//! Siblings of one superstep are never each other's predecessors, whatever the order they were reported in.
//! So a fan-out leads from one to many, a join from many to one, and a loop bends back. What ran before the parent
//! started once more belongs to its execution before, and precedes nothing. Predecessors are kept by node, the `FRONTIER` that ended last at most. Invariant: a function of the sequence of starts and ends.
//! Does not know routes that a program states itself.

use serde::{Deserialize, Serialize};

use crate::Run;
use crate::facts::Fact;
use crate::run::position;
use crate::{Edge, EdgeKind, NodeIx};

/// Most predecessors that one start can have.
const FRONTIER: usize = 16;

/// Nodes that run under one parent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Group {
    pub(crate) parent: Option<NodeIx>,
    pub(crate) nodes: Vec<NodeIx>,
    pub(crate) edges: Vec<Edge>,
    /// How many starts there were, which is what inferring anew costs.
    pub(crate) starts: u64,
    last_seq: Option<u64>,
    /// The latest end of each node that may precede what comes, by end.
    frontier: Vec<Done>,
    dirty: bool,
}

impl Group {
    pub(crate) fn new(parent: Option<NodeIx>) -> Self {
        Self {
            parent,
            nodes: Vec::new(),
            edges: Vec::new(),
            starts: 0,
            last_seq: None,
            frontier: Vec::new(),
            dirty: false,
        }
    }

    pub(crate) fn check(&self, nodes: usize) -> bool {
        let inside = |ix: NodeIx| ix.at() < nodes;
        self.parent.is_none_or(inside)
            && self.nodes.iter().all(|n| inside(*n))
            && self.frontier.iter().all(|done| inside(done.node))
            && self.edges.iter().all(|e| inside(e.from) && inside(e.to))
    }

    /// `done` started at `start`: it stands between what had ended by then and what is still to come. Only for others
    /// of its superstep does it not.
    fn end(&mut self, start: u64, done: Done) {
        let step = done.step;
        self.frontier.retain_mut(|other| {
            let passed = other.end <= start && !other.shares_step(step);
            let again = other.passed_in.is_some() && other.passed_in != step;
            if passed {
                other.passed_in = step;
            }
            other.node != done.node && !(passed && (step.is_none() || again))
        });
        self.frontier.push(done);
        if self.frontier.len() > FRONTIER {
            self.frontier.remove(0);
        }
    }
}

/// An instance that has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct Done {
    node: NodeIx,
    end: u64,
    step: Option<u64>,
    /// The superstep that came after it: it still precedes others of that one, and no more.
    passed_in: Option<u64>,
}

impl Done {
    fn shares_step(&self, step: Option<u64>) -> bool {
        self.step.is_some() && self.step == step
    }

    /// Whether what starts now, in this superstep, comes right after it.
    fn precedes(&self, step: Option<u64>) -> bool {
        !self.shares_step(step) && (self.passed_in.is_none() || self.passed_in == step)
    }
}

/// What happened to a sibling, or to the parent of all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Move {
    /// The parent started: what its nodes did before is another execution's.
    Began,
    /// A new instance started, in this superstep where one is named.
    Start {
        /// Its node.
        node: NodeIx,
        /// Its superstep.
        step: Option<u64>,
    },
    /// An instance ended.
    End {
        /// Its node.
        node: NodeIx,
        /// Its superstep.
        step: Option<u64>,
        /// Sequence of its start.
        start: u64,
    },
}

impl Run {
    /// Something happened in `group`; true when an edge came with it.
    pub(crate) fn flow(&mut self, group: u32, seq: u64, step: Move) -> bool {
        let edges = self.data.groups[group as usize].edges.len();
        self.flow_in_order(group, seq, step);
        self.data.groups[group as usize].edges.len() > edges
    }

    /// A node started: its children begin anew.
    pub(crate) fn flow_inside(&mut self, parent: NodeIx, seq: u64) {
        if let Some(group) = self.index.groups.get(&Some(parent)) {
            self.flow_in_order(*group, seq, Move::Began);
        }
    }

    /// A group without children yet, as its parent's starts so far leave it.
    pub(crate) fn new_group(&self, parent: Option<NodeIx>) -> Group {
        let last_seq = parent.and_then(|parent| self.starts_of(parent).max());
        Group { last_seq, ..Group::new(parent) }
    }

    fn starts_of(&self, node: NodeIx) -> impl Iterator<Item = u64> {
        self.data.nodes[node.at()].facts.iter().filter_map(|fact| match fact {
            Fact::Start(ix) => Some(self.data.starts[*ix as usize].at.seq),
            _ => None,
        })
    }

    fn flow_in_order(&mut self, at: u32, seq: u64, step: Move) {
        let group = &self.data.groups[at as usize];
        if group.dirty {
            return;
        }
        if group.last_seq.is_some_and(|last| seq <= last) {
            return self.mark_group(at);
        }
        self.flow_step(at, seq, step);
    }

    fn flow_step(&mut self, at: u32, seq: u64, step: Move) {
        let group = &mut self.data.groups[at as usize];
        group.last_seq = Some(seq);
        match step {
            Move::Began => group.frontier.clear(),
            Move::End { node, step, start } => {
                group.end(start, Done { node, end: seq, step, passed_in: None })
            }
            Move::Start { node: to, step } => {
                for i in 0..group.frontier.len() {
                    if !group.frontier[i].precedes(step) {
                        continue;
                    }
                    let from = group.frontier[i].node;
                    let next = position(group.edges.len());
                    let edge = *self.index.flows.entry((at, from, to)).or_insert(next);
                    if edge == next {
                        group.edges.push(Edge { from, to, kind: EdgeKind::Flow, count: 0, first_seq: seq });
                    }
                    group.edges[edge as usize].count += 1;
                }
            }
        }
    }

    /// The order under this parent must be inferred anew.
    pub(crate) fn mark_group(&mut self, at: u32) {
        let group = &mut self.data.groups[at as usize];
        if std::mem::replace(&mut group.dirty, true) {
            return;
        }
        self.data.dirty_cost += 2 * group.starts;
        self.data.dirty_groups.push(at);
    }

    /// Infers the order under one parent from its nodes' facts.
    pub(crate) fn derive_group(&mut self, at: u32) {
        let group = &mut self.data.groups[at as usize];
        for edge in std::mem::take(&mut group.edges) {
            self.index.flows.remove(&(at, edge.from, edge.to));
        }
        let (nodes, starts) = (std::mem::take(&mut group.nodes), group.starts);
        *group = Group { nodes, starts, ..Group::new(group.parent) };
        for (seq, step) in self.group_steps(at) {
            self.flow_step(at, seq, step);
        }
    }

    fn group_steps(&self, at: u32) -> Vec<(u64, Move)> {
        let group = &self.data.groups[at as usize];
        let mut steps: Vec<_> = group
            .parent
            .into_iter()
            .flat_map(|parent| self.starts_of(parent))
            .map(|seq| (seq, Move::Began))
            .collect();
        for ix in &group.nodes {
            for fact in &self.data.nodes[ix.at()].facts {
                steps.extend(self.group_step(group.parent, *ix, *fact));
            }
        }
        steps.sort_unstable();
        steps
    }

    fn group_step(&self, parent: Option<NodeIx>, node: NodeIx, fact: Fact) -> Option<(u64, Move)> {
        match fact {
            Fact::Start(ix) => {
                let start = &self.data.starts[ix as usize];
                let first = self.data.instances[start.instance.at()].first_start == Some(ix);
                (first && start.parent == parent)
                    .then_some((start.at.seq, Move::Start { node, step: start.step }))
            }
            Fact::End(ix) => {
                let end = &self.data.ends[ix as usize];
                let start = &self.data.starts[end.start? as usize];
                let ended = Move::End { node, step: start.step, start: start.at.seq };
                (start.parent == parent).then_some((end.at.seq, ended))
            }
            Fact::Pause(_) | Fact::Again(_) => None,
        }
    }
}
