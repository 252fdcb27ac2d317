//! The run as flat rows with a depth.
//!
//! Invariant: rows are what is shown, in order; a chain of any depth is as many rows as nodes, found without
//! recursion. Does not know how far a depth is indented.

use std::collections::BTreeSet;

use crate::project::{Matches, Tree};
use crate::{NodeIx, Run};

/// One row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OutlineRow {
    /// The node.
    pub node: NodeIx,
    /// How many nodes stand above it.
    pub depth: u32,
    /// It has others under it.
    pub has_children: bool,
    /// They are not shown.
    pub folded: bool,
    /// It matches the filter itself, and is not merely above one that does.
    pub matches: bool,
}

/// The rows of a run. With a filter: those that match and those above them, whatever is folded.
pub fn outline(
    run: &Run,
    tree: &Tree,
    folded: &BTreeSet<NodeIx>,
    filter: Option<&Matches>,
) -> Vec<OutlineRow> {
    let kept = filter.map(|matches| with_ancestors(tree, matches));
    let mut rows = Vec::new();
    let mut hidden_below: Option<u32> = None;
    for ix in tree.order() {
        let depth = tree.depth(*ix);
        if hidden_below.is_some_and(|level| depth > level) || kept.as_ref().is_some_and(|kept| !kept[ix.at()])
        {
            continue;
        }
        hidden_below = None;
        let has_children = !tree.children(*ix).is_empty();
        let folded = has_children && filter.is_none() && folded.contains(ix);
        if folded {
            hidden_below = Some(depth);
        }
        let matches = filter.is_none_or(|matches| matches.contains(*ix));
        rows.push(OutlineRow { node: *ix, depth, has_children, folded, matches });
    }
    debug_assert!(rows.len() <= run.nodes().len());
    rows
}

fn with_ancestors(tree: &Tree, matches: &Matches) -> Vec<bool> {
    let mut kept: Vec<bool> = (0..tree.len()).map(|i| matches.contains(i.into())).collect();
    for ix in tree.order().iter().rev() {
        if let Some(parent) = tree.parent(*ix).filter(|_| kept[ix.at()]) {
            kept[parent.at()] = true;
        }
    }
    kept
}
