//! The tree of a run's spans and the order of their events, without recursion.
//!
//! Invariant: a parent starts before its children and ends after them wherever their times allow; a cycle is cut
//! at the span that starts first and counted.

use std::collections::HashMap;

use super::Span;

/// Place of a span in `spans`, and what the tree says about it.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Placed {
    /// The parent's place; none for a root or where the parent is missing.
    pub parent: Option<usize>,
    /// Number in a walk that visits parents before children, earlier siblings first.
    pub rank: usize,
}

/// The tree of some spans.
#[derive(Debug, Default)]
pub(crate) struct Tree {
    /// One for each span, in their order.
    pub placed: Vec<Placed>,
    /// Places in the order of the walk.
    pub walk: Vec<usize>,
    /// Spans whose named parent is not there.
    pub orphans: Vec<usize>,
    /// Spans that were cut out of a cycle.
    pub cycles: u64,
}

/// Sorts spans into a tree; they are sorted by start, then id, so that file order says nothing.
pub(crate) fn tree(spans: &mut [Span]) -> Tree {
    spans.sort_by(|a, b| {
        let start = |span: &Span| span.start_ms.unwrap_or(f64::INFINITY);
        start(a).total_cmp(&start(b)).then_with(|| a.id.cmp(&b.id))
    });
    let mut tree = Tree { placed: vec![Placed::default(); spans.len()], ..Tree::default() };
    let by_id: HashMap<&str, usize> =
        spans.iter().enumerate().rev().map(|(at, span)| (span.id.as_str(), at)).collect();
    for (at, span) in spans.iter().enumerate() {
        let Some(parent) = span.parent.as_deref().filter(|parent| *parent != span.id) else { continue };
        match by_id.get(parent) {
            Some(place) => tree.placed[at].parent = Some(*place),
            None => tree.orphans.push(at),
        }
    }
    walk(&mut tree);
    tree
}

fn walk(tree: &mut Tree) {
    let count = tree.placed.len();
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); count];
    let mut roots = Vec::new();
    for at in 0..count {
        match tree.placed[at].parent {
            Some(parent) => children[parent].push(at),
            None => roots.push(at),
        }
    }
    let mut seen = vec![false; count];
    let mut next_cycle = 0;
    let mut stack: Vec<usize> = roots.into_iter().rev().collect();
    loop {
        while let Some(at) = stack.pop() {
            if std::mem::replace(&mut seen[at], true) {
                continue;
            }
            tree.placed[at].rank = tree.walk.len();
            tree.walk.push(at);
            stack.extend(children[at].iter().rev());
        }
        // What no root leads to hangs in a cycle: the earliest of it becomes a root.
        let Some(cut) = (next_cycle..count).find(|at| !seen[*at]) else { return };
        next_cycle = cut + 1;
        tree.placed[cut].parent = None;
        tree.cycles += 1;
        stack.push(cut);
    }
}
