//! Lines that are stated by the ids of calls or by the names of agents, which may be seen later or never.
//!
//! Decides that a link leads from the node of the call it names, and a hand-off from and to the first agent of a name.
//! They are looked up when they are read, so that the order of arrival cannot show; a run without any pays nothing.

use std::collections::{BTreeMap, HashMap};

use serde::{Deserialize, Serialize};

use crate::{Edge, EdgeKind, NodeIx, Run};

/// A call says that it is related to another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Link {
    /// Id of the other call.
    pub(crate) from: Box<str>,
    pub(crate) to: NodeIx,
    pub(crate) seq: u64,
}

/// An agent hands over to another, or says that it could.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Handoff {
    pub(crate) from: Box<str>,
    pub(crate) to: Box<str>,
    pub(crate) seq: u64,
    pub(crate) taken: bool,
}

impl Run {
    /// Links and hand-offs as edges.
    pub(super) fn looked_up_edges(&self) -> Vec<Edge> {
        let mut edges: BTreeMap<(NodeIx, NodeIx, EdgeKind), Edge> = BTreeMap::new();
        let mut count = |from: NodeIx, to: NodeIx, kind: EdgeKind, times: u32, seq: u64| {
            let edge =
                edges.entry((from, to, kind)).or_insert(Edge { from, to, kind, count: 0, first_seq: seq });
            edge.count += times;
            edge.first_seq = edge.first_seq.min(seq);
        };
        if !self.data.links.is_empty() {
            let calls = self.linked_calls();
            for link in &self.data.links {
                let from = calls.get(&*link.from).copied().flatten();
                if let Some(from) = from.filter(|from| *from != link.to) {
                    count(from, link.to, EdgeKind::Link, 1, link.seq);
                }
            }
        }
        if !self.data.handoffs.is_empty() {
            let agents = self.agents();
            for handoff in &self.data.handoffs {
                if let (Some(from), Some(to)) = (agents.get(&*handoff.from), agents.get(&*handoff.to)) {
                    count(from.1, to.1, EdgeKind::Handoff, u32::from(handoff.taken), handoff.seq);
                }
            }
        }
        edges.into_values().collect()
    }

    /// The node of each call that a link names.
    fn linked_calls(&self) -> HashMap<&str, Option<NodeIx>> {
        let mut calls: HashMap<&str, Option<NodeIx>> =
            self.data.links.iter().map(|link| (&*link.from, None)).collect();
        for instance in &self.data.instances {
            if let Some(node) = calls.get_mut(instance.id.as_str()) {
                let both = node.iter().copied().chain([instance.node]);
                *node = both.min_by(|a, b| self.node(*a).id.cmp(&self.node(*b).id));
            }
        }
        calls
    }

    /// The first agent of each name, and the number that decides which that is.
    fn agents(&self) -> HashMap<&str, (u64, NodeIx)> {
        let mut agents: HashMap<&str, (u64, NodeIx)> = HashMap::new();
        let named = self.nodes_ix().filter(|(_, node)| node.kind.as_str() == "agent" && !node.is_vacant());
        for (ix, node) in named {
            let known = agents.entry(&node.name).or_insert((node.first_seq, ix));
            if (node.first_seq, &node.id) < (known.0, &self.node(known.1).id) {
                *known = (node.first_seq, ix);
            }
        }
        agents
    }
}
