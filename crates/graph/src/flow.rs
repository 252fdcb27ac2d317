//! The order in which nodes under one parent ran, inferred from ends and starts.
//!
//! Decides the `flow` edges. An instance follows those of its siblings that had ended when it started and after
//! whose end no other sibling both started and ended: the immediate predecessors in the order of the intervals.
//! So a fan-out leads from one to many, a join from many to one, and a loop bends back. Predecessors are kept by
//! node, the `FRONTIER` that ended last at most. Invariant: a function of the sequence of starts and ends.
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
    /// Highest start among those that have ended.
    ended_start: u64,
    /// Nodes with the end of their latest instance, by end.
    frontier: Vec<(NodeIx, u64)>,
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
            ended_start: 0,
            frontier: Vec::new(),
            dirty: false,
        }
    }

    pub(crate) fn check(&self, nodes: usize) -> bool {
        let inside = |ix: NodeIx| ix.at() < nodes;
        self.parent.is_none_or(inside)
            && self.nodes.iter().all(|n| inside(*n))
            && self.frontier.iter().all(|(n, _)| inside(*n))
            && self.edges.iter().all(|e| inside(e.from) && inside(e.to))
    }

    fn end(&mut self, node: NodeIx, start: u64, end: u64) {
        self.ended_start = self.ended_start.max(start);
        let floor = self.ended_start;
        self.frontier.retain(|(n, e)| *n != node && *e > floor);
        self.frontier.push((node, end));
        if self.frontier.len() > FRONTIER {
            self.frontier.remove(0);
        }
    }
}

/// What happened to a sibling.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Step {
    Start(NodeIx),
    /// The node and the sequence of its start.
    End(NodeIx, u64),
}

impl Run {
    /// A new instance started in `group`; true when an edge came with it.
    pub(crate) fn flow_start(&mut self, group: u32, node: NodeIx, seq: u64) -> bool {
        let edges = self.data.groups[group as usize].edges.len();
        self.flow_in_order(group, seq, Step::Start(node));
        self.data.groups[group as usize].edges.len() > edges
    }

    /// An instance of `group` that started at `start` ended.
    pub(crate) fn flow_end(&mut self, group: u32, node: NodeIx, start: u64, seq: u64) {
        self.flow_in_order(group, seq, Step::End(node, start));
    }

    fn flow_in_order(&mut self, at: u32, seq: u64, step: Step) {
        let group = &self.data.groups[at as usize];
        if group.dirty {
            return;
        }
        if group.last_seq.is_some_and(|last| seq <= last) {
            return self.mark_group(at);
        }
        self.flow_step(at, seq, step);
    }

    fn flow_step(&mut self, at: u32, seq: u64, step: Step) {
        let group = &mut self.data.groups[at as usize];
        group.last_seq = Some(seq);
        match step {
            Step::End(node, start) => group.end(node, start, seq),
            Step::Start(to) => {
                for i in 0..group.frontier.len() {
                    let from = group.frontier[i].0;
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

    fn group_steps(&self, at: u32) -> Vec<(u64, Step)> {
        let group = &self.data.groups[at as usize];
        let mut steps = Vec::new();
        for ix in &group.nodes {
            for fact in &self.data.nodes[ix.at()].facts {
                steps.extend(self.group_step(group.parent, *ix, *fact));
            }
        }
        steps.sort_unstable();
        steps
    }

    fn group_step(&self, parent: Option<NodeIx>, node: NodeIx, fact: Fact) -> Option<(u64, Step)> {
        match fact {
            Fact::Start(ix) => {
                let start = &self.data.starts[ix as usize];
                let first = self.data.instances[start.instance.at()].first_start == Some(ix);
                (first && start.parent == parent).then_some((start.at.seq, Step::Start(node)))
            }
            Fact::End(ix) => {
                let end = &self.data.ends[ix as usize];
                let start = &self.data.starts[end.start? as usize];
                (start.parent == parent).then_some((end.at.seq, Step::End(node, start.at.seq)))
            }
            Fact::Pause(_) => None,
        }
    }
}
