//! A run: flat arenas of nodes, instances, holds and edges, and the records they are derived from.
//!
//! Invariant: nothing here is reachable by pointer from anything else, so a chain of any depth clones,
//! serialises and drops in one pass. Only the reducer writes; everyone else reads through this interface.
//! Does not know whether anyone is looking, nor what time it is.

mod index;
mod intern;
mod links;
mod serial;
mod state;

use serde::{Deserialize, Serialize};
use wire::{Body, RunId};

use crate::facts::{Again, End, Failure, Start};
use crate::flow::Group;
use crate::kxm::{Kxm, Redaction};
use crate::seqs::SeqSet;
use crate::tick::Tick;
use crate::{
    Edge, EdgeKind, Hold, HoldIx, Instance, InstanceIx, Money, NamespaceIx, Node, NodeIx, RunKey, Stamp,
    Status, Usage,
};

pub(crate) use index::{Index, position, push_tight};
pub(crate) use links::{Handoff, Link};
pub(crate) use state::node_status;

/// A run.
#[derive(Debug, Clone)]
pub struct Run {
    pub(crate) data: RunData,
    pub(crate) index: Index,
}

/// Everything of a run that a snapshot carries.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct RunData {
    pub(crate) key: RunKey,
    pub(crate) run_id: RunId,
    pub(crate) source: Box<str>,
    pub(crate) live: bool,
    pub(crate) start: Option<RunStart>,
    pub(crate) starts_seen: u32,
    pub(crate) end: Option<RunEnd>,
    /// What graph events say of start and end; the run's own word counts first.
    pub(crate) graph_start: Option<RunStart>,
    pub(crate) graph_end: Option<RunEnd>,
    /// Ends that a later one has replaced; true for the run's own word.
    pub(crate) past_ends: Vec<(bool, RunEnd)>,
    pub(crate) lineage: Lineage,
    pub(crate) events: u64,
    pub(crate) first_ts: Option<f64>,
    pub(crate) last_ts: Option<f64>,
    /// Numbers seen of this run.
    pub(crate) seen: SeqSet,
    /// Numbers seen, or known to belong elsewhere.
    pub(crate) known: SeqSet,
    /// Numbers the sender says are lost.
    pub(crate) lost: SeqSet,
    /// Events that a sender says are lost without saying which.
    pub(crate) lost_unnumbered: u64,
    pub(crate) nodes: Vec<Node>,
    pub(crate) instances: Vec<Instance>,
    pub(crate) starts: Vec<Start>,
    pub(crate) ends: Vec<End>,
    pub(crate) agains: Vec<Again>,
    pub(crate) ticks: Vec<Tick>,
    /// A tick came late: they must be sorted again.
    pub(crate) ticks_late: bool,
    /// Tokens by message: node, message id, the largest figures seen.
    pub(crate) messages: Vec<(NodeIx, Box<str>, Usage)>,
    pub(crate) bad_graph_events: u64,
    pub(crate) kxm: Kxm,
    pub(crate) holds: Vec<Hold>,
    pub(crate) pauses: Vec<PauseGroup>,
    pub(crate) edges: Vec<Edge>,
    /// Lines that are looked up when they are read.
    pub(crate) links: Vec<Link>,
    pub(crate) handoffs: Vec<Handoff>,
    /// Calls whose links or hand-offs are too long for a slim envelope.
    pub(crate) long_links: u64,
    /// What made tasks run, as routes.
    pub(crate) triggers: Vec<Edge>,
    pub(crate) groups: Vec<Group>,
    pub(crate) namespaces: Vec<Vec<Box<str>>>,
    /// The node that embeds each namespace.
    pub(crate) owners: Vec<Option<NodeIx>>,
    pub(crate) usage: Usage,
    pub(crate) money: Money,
    pub(crate) self_parents: u32,
    pub(crate) unknown: Unknown,
    pub(crate) dirty_nodes: Vec<NodeIx>,
    pub(crate) dirty_groups: Vec<u32>,
    pub(crate) debt: u64,
    pub(crate) dirty_cost: u64,
}

/// How a run began.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunStart {
    /// When.
    pub at: Stamp,
    /// The program's name.
    pub app: Box<str>,
    /// Name and version of the client library.
    pub sdk: Option<Box<str>>,
    /// What else the program said about itself.
    pub meta: Option<Body>,
}

/// How a run ended, as the program said.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunEnd {
    /// When.
    pub at: Stamp,
    /// The outcome.
    pub status: Status,
    /// Why, where it failed.
    pub failure: Option<Failure>,
}

/// Where a run stands in a tree of runs; each member as the earliest event that names it says.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Lineage {
    /// The outermost run.
    pub root: Option<(u64, Box<str>)>,
    /// The run that started it.
    pub parent: Option<(u64, Box<str>)>,
    /// The conversation; runs of one thread continue each other.
    pub thread: Option<(u64, Box<str>)>,
    /// The graph.
    pub graph: Option<(u64, Box<str>)>,
}

/// All holds, answers and refusals under one pause id.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct PauseGroup {
    pub(crate) id: wire::PauseId,
    pub(crate) holds: Vec<HoldIx>,
    pub(crate) releases: Vec<crate::Release>,
    pub(crate) refusals: Vec<crate::HoldRefusal>,
}

/// Messages of unknown types: how many, and the alphabetically first names.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct Unknown {
    pub(crate) count: u64,
    pub(crate) names: std::collections::BTreeSet<Box<str>>,
}

impl Run {
    /// The key in the store.
    pub fn key(&self) -> &RunKey {
        &self.data.key
    }

    /// The sender's id.
    pub fn run_id(&self) -> &RunId {
        &self.data.run_id
    }

    /// Where it came from: `live`, `recording`, or the name of a format.
    pub fn source(&self) -> &str {
        &self.data.source
    }

    /// The program's name; empty while its start is not seen.
    pub fn app(&self) -> &str {
        self.start().map_or("", |start| &start.app)
    }

    /// Name and version of the client library.
    pub fn sdk(&self) -> Option<&str> {
        self.start()?.sdk.as_deref()
    }

    /// How it began.
    pub fn start(&self) -> Option<&RunStart> {
        self.data.start.as_ref().or(self.data.graph_start.as_ref())
    }

    /// How the program said it ended.
    pub fn end(&self) -> Option<&RunEnd> {
        self.data.end.as_ref().or(self.data.graph_end.as_ref())
    }

    /// How it had ended once event `seq` had been applied.
    pub(crate) fn end_at(&self, seq: u64) -> Option<&RunEnd> {
        let past = self.data.past_ends.iter().map(|(own, end)| (*own, end));
        let own = self.data.end.iter().map(|end| (true, end));
        let all = past.chain(own).chain(self.data.graph_end.iter().map(|end| (false, end)));
        all.filter(|(_, end)| end.at.seq <= seq)
            .max_by_key(|(own, end)| (*own, end.at.seq))
            .map(|(_, end)| end)
    }

    /// Where it stands in a tree of runs.
    pub fn lineage(&self) -> &Lineage {
        &self.data.lineage
    }

    /// The facts of its KXM records, in sequence order once it is settled.
    pub fn kxm_records(&self) -> &[crate::KxmRecord] {
        &self.data.kxm.records
    }

    /// What redaction has taken out of its KXM records.
    pub fn redaction(&self) -> &Redaction {
        &self.data.kxm.redaction
    }

    /// Supersteps, checkpoints, state changes and the like, in sequence order.
    pub fn ticks(&self) -> &[Tick] {
        &self.data.ticks
    }

    /// True while more can come.
    pub fn is_live(&self) -> bool {
        self.data.live
    }

    /// Different events seen.
    pub fn event_count(&self) -> u64 {
        self.data.events
    }

    /// Earliest sender clock seen, milliseconds since the epoch.
    pub fn first_ts(&self) -> Option<f64> {
        self.data.first_ts
    }

    /// Latest sender clock seen, milliseconds since the epoch.
    pub fn last_ts(&self) -> Option<f64> {
        self.data.last_ts
    }

    /// Lowest sequence number seen.
    pub fn first_seq(&self) -> Option<u64> {
        self.data.seen.min()
    }

    /// Highest sequence number seen.
    pub fn last_seq(&self) -> Option<u64> {
        self.data.seen.max()
    }

    /// Tokens of all calls; each call counted once.
    pub fn usage(&self) -> &Usage {
        &self.data.usage
    }

    /// What all calls cost, where their sender says; see `project::money` for what a price table adds.
    pub fn money(&self) -> &Money {
        &self.data.money
    }

    /// All nodes, ghosts and hints included, in order of arrival.
    pub fn nodes(&self) -> &[Node] {
        &self.data.nodes
    }

    /// All nodes with their positions.
    pub fn nodes_ix(&self) -> impl DoubleEndedIterator<Item = (NodeIx, &Node)> + ExactSizeIterator {
        self.data.nodes.iter().enumerate().map(|(i, node)| (NodeIx::from(i), node))
    }

    /// One node.
    ///
    /// # Panics
    /// With an index of another run.
    pub fn node(&self, ix: NodeIx) -> &Node {
        &self.data.nodes[ix.at()]
    }

    /// The node of an id.
    pub fn find_node(&self, node_id: &str) -> Option<NodeIx> {
        self.index.nodes.get(node_id).copied()
    }

    /// All instances in order of arrival.
    pub fn instances(&self) -> &[Instance] {
        &self.data.instances
    }

    /// One instance.
    ///
    /// # Panics
    /// With an index of another run.
    pub fn instance(&self, ix: InstanceIx) -> &Instance {
        &self.data.instances[ix.at()]
    }

    /// The instance of an id under a node.
    pub fn find_instance(&self, node: NodeIx, instance_id: &str) -> Option<InstanceIx> {
        self.index.find_instance(node, instance_id)
    }

    /// All holds in order of arrival.
    pub fn holds(&self) -> &[Hold] {
        &self.data.holds
    }

    /// All holds with their positions.
    pub fn holds_ix(&self) -> impl Iterator<Item = (HoldIx, &Hold)> {
        self.data.holds.iter().enumerate().map(|(i, hold)| (HoldIx::from(i), hold))
    }

    /// One hold.
    ///
    /// # Panics
    /// With an index of another run.
    pub fn hold(&self, ix: HoldIx) -> &Hold {
        &self.data.holds[ix.at()]
    }

    /// The segments of a namespace; the root has none.
    ///
    /// # Panics
    /// With an index of another run.
    pub fn namespace(&self, ix: NamespaceIx) -> &[Box<str>] {
        &self.data.namespaces[ix.at()]
    }

    /// All namespaces named so far; the root first, a parent always before its children.
    pub fn namespaces(&self) -> &[Vec<Box<str>>] {
        &self.data.namespaces
    }

    /// The namespace of a path.
    pub fn find_namespace(&self, path: &[Box<str>]) -> Option<NamespaceIx> {
        self.index.namespaces.get(path).copied()
    }

    /// The node that embeds a namespace; none for the root.
    ///
    /// # Panics
    /// With an index of another run.
    pub fn owner(&self, ix: NamespaceIx) -> Option<NodeIx> {
        self.data.owners[ix.at()]
    }

    /// The KXM records that speak of an instance, in sequence order; none where none does.
    pub fn records_of(&self, ix: InstanceIx) -> Option<impl Iterator<Item = &crate::KxmRecord>> {
        let life = self.data.kxm.lives.get(&ix)?;
        Some(life.records.iter().filter_map(|at| self.data.kxm.records.get(*at as usize)))
    }

    /// The next number after `seq` that was seen.
    pub fn next_seq(&self, seq: u64) -> Option<u64> {
        self.data.seen.next_after(seq)
    }

    /// The last number before `seq` that was seen.
    pub fn seq_before(&self, seq: u64) -> Option<u64> {
        self.data.seen.last_before(seq)
    }

    /// All edges. Stated ones first, then the inferred flow, then links and hand-offs; one pair of nodes may have a flow edge for each parent
    /// they share. What a program states of a node's predecessors replaces what would be inferred, and a trigger
    /// counts as a route where no route between the two was reported.
    pub fn edges(&self) -> impl Iterator<Item = Edge> + '_ {
        let routed = |edge: &&Edge| self.index.edges.contains_key(&(edge.from, edge.to, EdgeKind::Route));
        let triggers = self.data.triggers.iter().filter(move |edge| !routed(edge));
        let flow = self.data.groups.iter().flat_map(|group| &group.edges);
        let inferred = flow.filter(|edge| !self.index.stated.contains(&edge.to));
        self.data.edges.iter().chain(triggers).chain(inferred).copied().chain(self.looked_up_edges())
    }

    /// Holes in the sequence: numbers that nobody is known to have used. Both ends included.
    pub fn gaps(&self) -> Vec<(u64, u64)> {
        let mut known = self.data.known.clone();
        for (from, to) in self.data.lost.ranges() {
            known.insert_range(from, to);
        }
        let (Some(min), Some(max)) = (self.data.seen.min(), self.data.seen.max()) else { return Vec::new() };
        known.holes().filter(|(from, to)| *from >= min && *to <= max).collect()
    }

    /// Numbers the sender itself says are lost, as ranges.
    pub fn known_loss(&self) -> Vec<(u64, u64)> {
        self.data.lost.ranges().collect()
    }

    /// Nodes named as a parent and never seen.
    pub fn missing_parents(&self) -> usize {
        self.data.nodes.iter().filter(|node| node.is_ghost()).count()
    }

    /// The input of an instance (its last start's), and the event that carries it.
    pub fn input(&self, ix: InstanceIx) -> Option<(&Body, u64)> {
        let start = &self.data.starts[self.instance(ix).last_start? as usize];
        Some((start.input.as_ref()?, start.at.seq))
    }

    /// The output of an instance, and the event that carries it.
    pub fn output(&self, ix: InstanceIx) -> Option<(&Body, u64)> {
        let end = &self.data.ends[self.instance(ix).finish? as usize];
        Some((end.output.as_ref()?, end.at.seq))
    }

    /// The last error of an instance; history when the instance went on to end well.
    pub fn failure(&self, ix: InstanceIx) -> Option<&Failure> {
        self.data.ends[self.instance(ix).error? as usize].failure.as_deref()
    }

    /// When an instance last failed.
    pub fn failed_at(&self, ix: InstanceIx) -> Option<Stamp> {
        Some(self.data.ends[self.instance(ix).error? as usize].at)
    }

    /// The model an instance called, where its sender says.
    pub fn model(&self, ix: InstanceIx) -> Option<&str> {
        self.data.starts[self.instance(ix).last_start? as usize].model.as_deref()
    }

    /// The superstep an instance ran in, where its sender says.
    pub fn step(&self, ix: InstanceIx) -> Option<u64> {
        self.data.starts[self.instance(ix).last_start? as usize].step
    }

    /// The node that called an instance.
    pub fn parent_of(&self, ix: InstanceIx) -> Option<NodeIx> {
        self.data.starts[self.instance(ix).last_start? as usize].parent
    }
}
