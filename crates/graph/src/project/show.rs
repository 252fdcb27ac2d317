//! A run as the command line prints it.
//!
//! Invariant: the names are an interface; members may be added, never renamed. Nodes stand in order of first
//! appearance, each before its children.

use serde::Serialize;

use crate::project::{Tree, notes};
use crate::{Counts, Edge, NodeIx, Note, Run, Usage};

/// A run as the command line prints it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Show {
    /// Its key: the sender's id, or `r1 (2)`.
    pub run_id: String,
    /// The program's name.
    pub app: String,
    /// Its state.
    pub status: &'static str,
    /// Where it came from.
    pub source: String,
    /// Different events seen.
    pub events: u64,
    /// Its nodes.
    pub nodes: Vec<ShowNode>,
    /// Its edges.
    pub edges: Vec<ShowEdge>,
    /// Tokens of all calls.
    pub usage: Usage,
    /// The holds of its history.
    pub holds: Vec<ShowHold>,
    /// What was disliked or guessed.
    pub notes: Vec<Note>,
}

/// A node.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ShowNode {
    /// The sender's id.
    pub node_id: String,
    /// What it is.
    pub kind: String,
    /// Its name.
    pub name: String,
    /// The node above.
    pub parent_id: Option<String>,
    /// Path of nested graphs.
    pub namespace: Vec<String>,
    /// How it stands.
    pub status: &'static str,
    /// Its instances by state.
    pub instances: Counts,
}

/// An edge.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ShowEdge {
    /// Id of the node it starts at.
    pub from: String,
    /// Id of the node it ends at.
    pub to: String,
    /// What it means.
    pub kind: &'static str,
    /// How often.
    pub count: u32,
}

/// A hold.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ShowHold {
    /// Its id.
    pub pause_id: String,
    /// The node that waited.
    pub node_id: String,
    /// Where the gate stood.
    pub point: &'static str,
    /// What ended it; null while it holds and where that was not seen.
    pub action: Option<&'static str>,
    /// It holds now.
    pub held: bool,
    /// Why it held, where the sender says.
    pub reason: Option<String>,
}

/// A run as the command line prints it.
pub fn show(run: &Run) -> Show {
    let tree = Tree::new(run);
    let mut holds: Vec<_> = run.holds().iter().filter(|hold| !hold.is_shadow()).collect();
    holds.sort_by_key(|hold| hold.paused.seq);
    Show {
        run_id: run.key().to_string(),
        app: run.app().to_owned(),
        status: run.status().as_str(),
        source: run.source().to_owned(),
        events: run.event_count(),
        nodes: tree.order().iter().map(|ix| node(run, &tree, *ix)).collect(),
        edges: edges(run),
        usage: *run.usage(),
        holds: holds.into_iter().map(|hold| self::hold(run, hold)).collect(),
        notes: notes(run),
    }
}

fn node(run: &Run, tree: &Tree, ix: NodeIx) -> ShowNode {
    let node = run.node(ix);
    ShowNode {
        node_id: node.id.to_string(),
        kind: node.kind.to_string(),
        name: node.name.to_string(),
        parent_id: tree.parent(ix).map(|parent| run.node(parent).id.to_string()),
        namespace: run.namespace(node.namespace).iter().map(|segment| segment.to_string()).collect(),
        status: run.node_status(ix).as_str(),
        instances: run.counts(ix),
    }
}

/// Edges by first appearance; flow edges that two parents share are summed.
fn edges(run: &Run) -> Vec<ShowEdge> {
    let mut edges: Vec<Edge> = run.edges().collect();
    let id = |ix: NodeIx| run.node(ix).id.as_str();
    edges.sort_by_key(|e| (e.kind, id(e.from), id(e.to)));
    let same = |a: &Edge, b: &Edge| (a.kind, a.from, a.to) == (b.kind, b.from, b.to);
    let mut summed: Vec<Edge> = Vec::new();
    for edge in edges {
        match summed.last_mut().filter(|last| same(last, &edge)) {
            Some(last) => {
                last.count += edge.count;
                last.first_seq = last.first_seq.min(edge.first_seq);
            }
            None => summed.push(edge),
        }
    }
    summed.sort_by_key(|e| (e.first_seq, e.kind, id(e.from), id(e.to)));
    let shown = |e: Edge| ShowEdge {
        from: id(e.from).to_owned(),
        to: id(e.to).to_owned(),
        kind: e.kind.as_str(),
        count: e.count,
    };
    summed.into_iter().map(shown).collect()
}

fn hold(run: &Run, hold: &crate::Hold) -> ShowHold {
    ShowHold {
        pause_id: hold.pause_id.to_string(),
        node_id: run.node(hold.node).id.to_string(),
        point: hold.point.as_str(),
        action: hold.action().map(wire::Action::as_str),
        held: run.is_held(hold),
        reason: hold.reason.as_ref().map(|reason| reason.as_str().to_owned()),
    }
}
