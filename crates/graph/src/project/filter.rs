//! Which nodes match what a person looks for.
//!
//! Decides that every criterion that is set must hold, and that text is found in names, ids, instance ids, models and
//! error messages without regard to case. Matching dims the others; it never removes them.

use crate::project::Tree;
use crate::{InstanceIx, NodeIx, NodeStatus, Run};

/// What a person looks for. Unset criteria hold for every node.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Filter {
    /// Words, all of which must be found.
    pub text: String,
    /// With a failed instance.
    pub errors: bool,
    /// On the way to a failed instance, it included.
    pub error_path: bool,
    /// With an instance of which nobody knows whether it happened.
    pub uncertain: bool,
    /// With a gate that holds.
    pub held: bool,
    /// With a running instance.
    pub running: bool,
    /// Some instance ran at least this long without time at gates, in milliseconds.
    pub slow_ms: Option<f64>,
    /// Of this kind.
    pub kind: Option<String>,
    /// In this namespace or deeper.
    pub namespace: Option<Vec<String>>,
}

impl Filter {
    /// True when every node matches.
    pub fn is_empty(&self) -> bool {
        *self == Self { text: self.text.trim().to_owned(), ..Self::default() } && self.text.trim().is_empty()
    }
}

/// The nodes that match.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Matches {
    matches: Vec<bool>,
    count: usize,
}

impl Matches {
    /// Whether a node matches.
    pub fn contains(&self, ix: NodeIx) -> bool {
        self.matches.get(ix.at()).copied().unwrap_or(false)
    }

    /// How many match.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The matching nodes in order of arrival.
    pub fn nodes(&self) -> impl Iterator<Item = NodeIx> + '_ {
        self.matches.iter().enumerate().filter(|(_, yes)| **yes).map(|(i, _)| i.into())
    }
}

/// The nodes that match.
pub fn filter(run: &Run, tree: &Tree, filter: &Filter) -> Matches {
    let words: Vec<String> = filter.text.split_whitespace().map(str::to_lowercase).collect();
    let path = filter.error_path.then(|| error_path(run, tree));
    let matches: Vec<bool> = run
        .nodes_ix()
        .map(|(ix, _)| {
            !run.node(ix).is_vacant()
                && states(run, ix, filter)
                && path.as_ref().is_none_or(|path| path[ix.at()])
                && place(run, ix, filter)
                && { words.is_empty() || has_words(run, ix, &words) }
        })
        .collect();
    let count = matches.iter().filter(|yes| **yes).count();
    Matches { matches, count }
}

fn states(run: &Run, ix: NodeIx, filter: &Filter) -> bool {
    let counts = run.counts(ix);
    let slow = |ms: f64| {
        run.node(ix).instances.iter().any(|i| run.instance(*i).run_ms().is_some_and(|ran| ran >= ms))
    };
    (!filter.errors || counts.error > 0)
        && (!filter.uncertain || counts.uncertain > 0)
        && (!filter.held || counts.held > 0)
        && (!filter.running || counts.running > 0)
        && filter.slow_ms.is_none_or(slow)
}

fn place(run: &Run, ix: NodeIx, filter: &Filter) -> bool {
    let node = run.node(ix);
    let path = run.namespace(node.namespace);
    let under = |prefix: &Vec<String>| {
        path.len() >= prefix.len() && path.iter().zip(prefix).all(|(segment, wanted)| **segment == **wanted)
    };
    filter.kind.as_ref().is_none_or(|kind| node.kind.as_str() == kind)
        && filter.namespace.as_ref().is_none_or(under)
}

fn error_path(run: &Run, tree: &Tree) -> Vec<bool> {
    let failed = |i: usize| run.counts(i.into()).error > 0 || run.node_status(i.into()) == NodeStatus::Error;
    let mut path: Vec<bool> = (0..tree.len()).map(failed).collect();
    for ix in tree.order().iter().rev() {
        if let Some(parent) = tree.parent(*ix).filter(|_| path[ix.at()]) {
            path[parent.at()] = true;
        }
    }
    path
}

fn has_words(run: &Run, ix: NodeIx, words: &[String]) -> bool {
    let node = run.node(ix);
    let own = [&*node.name, node.id.as_str(), node.kind.as_str()];
    words.iter().all(|word| {
        own.iter().any(|text| has(text, word)) || node.instances.iter().any(|i| said(run, *i, word))
    })
}

fn said(run: &Run, ix: InstanceIx, word: &str) -> bool {
    let failure = run.failure(ix);
    has(run.instance(ix).id.as_str(), word)
        || run.model(ix).is_some_and(|model| has(model, word))
        || failure.is_some_and(|failure| has(&failure.message, word) || has(&failure.name, word))
}

/// `word` is in lower case.
fn has(text: &str, word: &str) -> bool {
    text.contains(word) || text.to_lowercase().contains(word)
}
