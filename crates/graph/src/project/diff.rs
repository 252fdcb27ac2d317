//! Two runs side by side.
//!
//! Decides which node of one run is which node of the other: the one under the same parent with the same kind and
//! name, the first with the first where there are several. Invariant: every node of both runs stands in exactly one
//! row, in the order of the first run with what only the second has behind its siblings. Does not compare bodies
//! beyond their preview and size.

use serde::Serialize;

use crate::project::Tree;
use crate::{Counts, NodeIx, Run, Usage};

/// Two runs side by side.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Diff {
    /// Outcome of the first and of the second run.
    pub status: (&'static str, &'static str),
    /// Tokens of both.
    pub usage: (Usage, Usage),
    /// Milliseconds from first to last event of both.
    pub elapsed_ms: (f64, f64),
    /// One row a node.
    pub rows: Vec<DiffRow>,
}

/// A node in one run or in both.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DiffRow {
    /// Where it stands.
    pub pairing: Pairing,
    /// How many nodes stand above.
    pub depth: u32,
    /// What it is.
    pub kind: String,
    /// Its name.
    pub name: String,
    /// What differs; empty where nothing does.
    pub differences: Vec<Difference>,
}

/// The nodes of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Pairing {
    /// In both runs.
    Both(NodeIx, NodeIx),
    /// In the first only.
    First(NodeIx),
    /// In the second only.
    Second(NodeIx),
}

/// Something that differs, first run first.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Difference {
    /// The state.
    Status(&'static str, &'static str),
    /// How many instances.
    Instances(u32, u32),
    /// How many failed.
    Errors(u32, u32),
    /// Run time of all ended instances without time at gates, in milliseconds.
    RunMs(f64, f64),
    /// Tokens.
    Tokens(u64, u64),
    /// The input of an instance: previews, by ordinal.
    Input(u32, String, String),
    /// The output of an instance: previews, by ordinal.
    Output(u32, String, String),
}

/// Most instances of a node whose bodies are compared.
const BODIES_MAX: usize = 100;

/// Two runs side by side.
pub fn diff(first: &Run, second: &Run) -> Diff {
    let (left, right) = (Tree::new(first), Tree::new(second));
    let mut rows = Vec::new();
    let mut open = pair_up(first, second, left.roots(), right.roots(), 0);
    open.reverse();
    while let Some((pairing, depth)) = open.pop() {
        rows.push(row(first, second, pairing, depth));
        let (a, b): (&[NodeIx], &[NodeIx]) = match pairing {
            Pairing::Both(a, b) => (left.children(a), right.children(b)),
            Pairing::First(a) => (left.children(a), &[]),
            Pairing::Second(b) => (&[], right.children(b)),
        };
        let below = pair_up(first, second, a, b, depth + 1);
        open.extend(below.into_iter().rev());
    }
    Diff {
        status: (first.status().as_str(), second.status().as_str()),
        usage: (*first.usage(), *second.usage()),
        elapsed_ms: (elapsed(first), elapsed(second)),
        rows,
    }
}

/// Siblings of both runs, paired by kind, name and ordinal.
fn pair_up(first: &Run, second: &Run, a: &[NodeIx], b: &[NodeIx], depth: u32) -> Vec<(Pairing, u32)> {
    let key = |run: &Run, ix: NodeIx| (run.node(ix).kind.to_string(), run.node(ix).name.to_string());
    let mut waiting: std::collections::BTreeMap<(String, String), std::collections::VecDeque<NodeIx>> =
        Default::default();
    for ix in b {
        waiting.entry(key(second, *ix)).or_default().push_back(*ix);
    }
    let mut taken = std::collections::BTreeSet::new();
    let mut pairs = Vec::new();
    for ix in a {
        let twin = waiting.get_mut(&key(first, *ix)).and_then(std::collections::VecDeque::pop_front);
        taken.extend(twin);
        pairs.push((twin.map_or(Pairing::First(*ix), |twin| Pairing::Both(*ix, twin)), depth));
    }
    let only = b.iter().filter(|ix| !taken.contains(*ix));
    pairs.extend(only.map(|ix| (Pairing::Second(*ix), depth)));
    pairs
}

fn row(first: &Run, second: &Run, pairing: Pairing, depth: u32) -> DiffRow {
    let (node, differences) = match pairing {
        Pairing::Both(a, b) => (first.node(a), differences(first, a, second, b)),
        Pairing::First(a) => (first.node(a), Vec::new()),
        Pairing::Second(b) => (second.node(b), Vec::new()),
    };
    DiffRow { pairing, depth, kind: node.kind.to_string(), name: node.name.to_string(), differences }
}

fn differences(first: &Run, a: NodeIx, second: &Run, b: NodeIx) -> Vec<Difference> {
    let mut found = Vec::new();
    let (left, right): (Counts, Counts) = (first.counts(a), second.counts(b));
    let status = (first.node_status(a).as_str(), second.node_status(b).as_str());
    let tokens = (first.node(a).usage.total, second.node(b).usage.total);
    let busy = (first.node(a).busy_us, second.node(b).busy_us);
    if status.0 != status.1 {
        found.push(Difference::Status(status.0, status.1));
    }
    if left.total != right.total {
        found.push(Difference::Instances(left.total, right.total));
    }
    if left.error != right.error {
        found.push(Difference::Errors(left.error, right.error));
    }
    if tokens.0 != tokens.1 {
        found.push(Difference::Tokens(tokens.0, tokens.1));
    }
    if busy.0 != busy.1 {
        found.push(Difference::RunMs(busy.0 as f64 / 1000.0, busy.1 as f64 / 1000.0));
    }
    bodies(first, a, second, b, &mut found);
    found
}

fn bodies(first: &Run, a: NodeIx, second: &Run, b: NodeIx, found: &mut Vec<Difference>) {
    let pairs = first.node(a).instances.iter().zip(&second.node(b).instances).take(BODIES_MAX);
    for (ordinal, (a, b)) in pairs.enumerate() {
        let ordinal = u32::try_from(ordinal).unwrap_or(u32::MAX);
        let preview = |body: Option<(&wire::Body, u64)>| {
            body.map_or(String::new(), |(body, _)| body.preview.to_string())
        };
        let differ =
            |x: Option<(&wire::Body, u64)>, y: Option<(&wire::Body, u64)>| x.map(|x| x.0) != y.map(|y| y.0);
        if differ(first.input(*a), second.input(*b)) {
            found.push(Difference::Input(ordinal, preview(first.input(*a)), preview(second.input(*b))));
        }
        if differ(first.output(*a), second.output(*b)) {
            found.push(Difference::Output(ordinal, preview(first.output(*a)), preview(second.output(*b))));
        }
    }
}

fn elapsed(run: &Run) -> f64 {
    run.first_ts().zip(run.last_ts()).map_or(0.0, |(first, last)| last - first)
}
