//! Finding or making the entry of an id.
//!
//! Invariant: an entry is made once and never moves. Does not know what made it necessary.

use wire::{InstanceId, Kind, NodeId, PauseId, RunId};

use super::index::{position, push_tight};
use super::{Index, Lineage, PauseGroup, Run, RunData, Unknown};
use crate::node::Derived;
use crate::seqs::SeqSet;
use crate::{
    Counts, Edge, EdgeKind, Instance, InstanceIx, Money, NamespaceIx, Node, NodeIx, RunKey, TextStats, Usage,
};

impl Run {
    /// An empty run.
    pub fn new(key: RunKey, run_id: &str, source: &str) -> Self {
        let data = RunData {
            key,
            run_id: RunId::from(run_id),
            source: source.into(),
            live: false,
            start: None,
            starts_seen: 0,
            end: None,
            graph_start: None,
            graph_end: None,
            past_ends: Vec::new(),
            lineage: Lineage::default(),
            events: 0,
            first_ts: None,
            last_ts: None,
            seen: SeqSet::default(),
            known: SeqSet::default(),
            lost: SeqSet::default(),
            lost_unnumbered: 0,
            nodes: Vec::new(),
            instances: Vec::new(),
            starts: Vec::new(),
            ends: Vec::new(),
            agains: Vec::new(),
            ticks: Vec::new(),
            ticks_late: false,
            messages: Vec::new(),
            bad_graph_events: 0,
            kxm: Default::default(),
            holds: Vec::new(),
            pauses: Vec::new(),
            edges: Vec::new(),
            links: Vec::new(),
            handoffs: Vec::new(),
            long_links: 0,
            triggers: Vec::new(),
            groups: Vec::new(),
            namespaces: vec![Vec::new()],
            owners: vec![None],
            usage: Usage::default(),
            money: Money::default(),
            self_parents: 0,
            unknown: Unknown::default(),
            dirty_nodes: Vec::new(),
            dirty_groups: Vec::new(),
            debt: 0,
            dirty_cost: 0,
        };
        Self { index: Index::build(&data), data }
    }

    /// Keeps what envelopes said of the run as a whole, whatever their payloads said of nodes.
    pub(crate) fn keep_run_facts(&mut self, old: &mut RunData) {
        let data = &mut self.data;
        data.start = old.start.take();
        data.end = old.end.take();
        data.past_ends = std::mem::take(&mut old.past_ends);
        data.past_ends.retain(|(own, _)| *own);
        (data.live, data.starts_seen, data.events) = (old.live, old.starts_seen, old.events);
        (data.first_ts, data.last_ts) = (old.first_ts, old.last_ts);
        data.seen = std::mem::take(&mut old.seen);
        data.known = std::mem::take(&mut old.known);
        data.lost = std::mem::take(&mut old.lost);
        data.lost_unnumbered = old.lost_unnumbered;
        data.unknown = std::mem::take(&mut old.unknown);
    }

    /// The node of an id; a ghost named by `seq` when it is new.
    pub(crate) fn intern_node(&mut self, id: &str, seq: u64) -> NodeIx {
        if let Some(ix) = self.index.nodes.get(id) {
            let node = &mut self.data.nodes[ix.at()];
            node.first_seq = node.first_seq.min(seq);
            return *ix;
        }
        let ix = NodeIx::from(self.data.nodes.len());
        let id = NodeId::from(id);
        self.index.nodes.insert(id.clone(), ix);
        self.data.nodes.push(new_node(id, seq));
        ix
    }

    pub(crate) fn intern_instance(&mut self, node: NodeIx, id: &str) -> InstanceIx {
        let id = InstanceId::from(id);
        if let Some(ix) = self.index.find_instance(node, id.as_str()) {
            return ix;
        }
        let ix = InstanceIx::from(self.data.instances.len());
        push_tight(&mut self.data.instances, Instance::new(id.clone(), node));
        push_tight(&mut self.data.nodes[node.at()].instances, ix);
        self.index.put_instance(node, id, ix);
        ix
    }

    /// Counts an edge `times` more; 0 only announces it.
    pub(crate) fn count_edge(
        &mut self,
        from: NodeIx,
        to: NodeIx,
        kind: EdgeKind,
        times: u32,
        seq: u64,
    ) -> bool {
        let next = position(self.data.edges.len());
        let at = *self.index.edges.entry((from, to, kind)).or_insert(next);
        if at == next {
            self.data.edges.push(Edge { from, to, kind, count: times, first_seq: seq });
            self.index.note_stated(to, kind);
            return true;
        }
        let edge = &mut self.data.edges[at as usize];
        edge.count += times;
        edge.first_seq = edge.first_seq.min(seq);
        false
    }

    /// Counts what made a task run.
    pub(crate) fn count_trigger(&mut self, from: NodeIx, to: NodeIx, seq: u64) {
        let next = position(self.data.triggers.len());
        let at = *self.index.triggers.entry((from, to)).or_insert(next);
        if at == next {
            self.data.triggers.push(Edge { from, to, kind: EdgeKind::Route, count: 0, first_seq: seq });
            self.index.note_stated(to, EdgeKind::Route);
        }
        let edge = &mut self.data.triggers[at as usize];
        edge.count += 1;
        edge.first_seq = edge.first_seq.min(seq);
    }

    /// The group of nodes that run under `parent`.
    pub(crate) fn intern_group(&mut self, parent: Option<NodeIx>) -> u32 {
        let next = position(self.data.groups.len());
        let at = *self.index.groups.entry(parent).or_insert(next);
        if at == next {
            self.data.groups.push(self.new_group(parent));
        }
        at
    }

    pub(crate) fn intern_pause(&mut self, id: &str) -> u32 {
        if let Some(at) = self.index.pauses.get(id) {
            return *at;
        }
        let at = position(self.data.pauses.len());
        let id = PauseId::from(id);
        self.index.pauses.insert(id.clone(), at);
        self.data.pauses.push(PauseGroup {
            id,
            holds: Vec::new(),
            releases: Vec::new(),
            refusals: Vec::new(),
        });
        at
    }

    /// The namespace of a path, its ancestors made before it.
    pub(crate) fn intern_namespace(&mut self, path: &[Box<str>]) -> NamespaceIx {
        if let Some(ix) = self.index.namespaces.get(path) {
            return *ix;
        }
        let known =
            (0..path.len()).rev().find(|n| self.index.namespaces.contains_key(&path[..*n])).unwrap_or(0);
        for n in known + 1..=path.len() {
            let ix = NamespaceIx::from(self.data.namespaces.len());
            self.index.namespaces.insert(path[..n].to_vec(), ix);
            self.data.namespaces.push(path[..n].to_vec());
            self.data.owners.push(None);
        }
        NamespaceIx::from(self.data.namespaces.len() - 1)
    }
}

fn new_node(id: NodeId, seq: u64) -> Node {
    Node {
        kind: Kind::from(""),
        name: id.as_str().into(),
        id,
        namespace: NamespaceIx(0),
        parent: None,
        first_seq: seq,
        instances: Vec::new(),
        holds: Vec::new(),
        hinted: false,
        routed: false,
        in_graph: false,
        in_kxm: false,
        vacant: false,
        is_container: false,
        child_runs: Default::default(),
        collapsed: false,
        unattributed: TextStats::default(),
        usage: Usage::default(),
        money: Money::default(),
        busy_us: 0,
        held_us: 0,
        timed: 0,
        counts: Counts::default(),
        derived: Derived::default(),
        desc_seq: 0,
        hint_seq: 0,
        parent_seq: 0,
        started: false,
        is_agent: false,
        message_usage: Usage::default(),
        facts: Vec::new(),
        segments: Vec::new(),
        tail: None,
        groups: Vec::new(),
        dirty: false,
    }
}
