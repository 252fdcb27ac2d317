//! Runs that belong together: started by one another, or continuing one conversation.
//!
//! Decides the run above each: the one it names as its parent, else one that names it as its child, else its root. A
//! ring is cut at its first run. Invariant: every run stands in exactly one row, each before those under it, roots in
//! the order given.

use std::collections::HashMap;

use crate::{NodeIx, Run, RunKey};

/// A run in the tree of runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FamilyRow<'a> {
    /// The run.
    pub run: &'a RunKey,
    /// The run above it.
    pub parent: Option<&'a RunKey>,
    /// The node of the run above that started it, where it can be told.
    pub node: Option<NodeIx>,
    /// How many runs stand above it.
    pub depth: u32,
    /// The run before it in the same conversation.
    pub continues: Option<&'a RunKey>,
}

/// The tree of runs.
pub fn family<'a>(runs: impl Iterator<Item = &'a Run>) -> Vec<FamilyRow<'a>> {
    let runs: Vec<&Run> = runs.collect();
    let by_id: HashMap<&str, usize> =
        runs.iter().enumerate().map(|(i, run)| (run.run_id().as_str(), i)).collect();
    let started = children(&runs, &by_id);
    let mut above: Vec<Option<usize>> =
        runs.iter().enumerate().map(|(i, run)| parent(run, i, &by_id, &started)).collect();
    let order = forest(&mut above);
    let continues = conversations(&runs);
    let row = |(i, depth): (usize, u32)| FamilyRow {
        run: runs[i].key(),
        parent: above[i].map(|parent| runs[parent].key()),
        node: started.get(&i).filter(|(of, _)| Some(*of) == above[i]).map(|(_, node)| *node),
        depth,
        continues: continues[i].map(|before| runs[before].key()),
    };
    order.into_iter().map(row).collect()
}

/// Places in the order of a forest, each with its depth: every place once, before those under it, roots in their order.
/// `above` names the place above each; a ring is cut at its first place, in `above` too.
///
/// ```
/// let mut above = vec![Some(2), None, None];
/// assert_eq!(graph::project::forest(&mut above), [(1, 0), (2, 0), (0, 1)]);
/// ```
pub fn forest(above: &mut [Option<usize>]) -> Vec<(usize, u32)> {
    cut_rings(above);
    let mut under: Vec<Vec<usize>> = vec![Vec::new(); above.len()];
    let mut open: Vec<(usize, u32)> = Vec::new();
    for (i, parent) in above.iter().enumerate() {
        match parent {
            Some(parent) => under[*parent].push(i),
            None => open.push((i, 0)),
        }
    }
    open.reverse();
    let mut order = Vec::with_capacity(above.len());
    while let Some((i, depth)) = open.pop() {
        order.push((i, depth));
        open.extend(under[i].iter().rev().map(|child| (*child, depth + 1)));
    }
    order
}

/// For each run that a node of another names: that run and that node.
fn children(runs: &[&Run], by_id: &HashMap<&str, usize>) -> HashMap<usize, (usize, NodeIx)> {
    let mut started = HashMap::new();
    for (i, run) in runs.iter().enumerate() {
        for (ix, node) in run.nodes_ix() {
            let named = node.child_runs.iter().filter_map(|id| by_id.get(&**id)).filter(|child| **child != i);
            named.for_each(|child| {
                started.entry(*child).or_insert((i, ix));
            });
        }
    }
    started
}

fn parent(
    run: &Run,
    own: usize,
    by_id: &HashMap<&str, usize>,
    started: &HashMap<usize, (usize, NodeIx)>,
) -> Option<usize> {
    let named = |id: &Option<(u64, Box<str>)>| by_id.get(&*id.as_ref()?.1).copied().filter(|i| *i != own);
    let lineage = run.lineage();
    named(&lineage.parent).or_else(|| started.get(&own).map(|(of, _)| *of)).or_else(|| named(&lineage.root))
}

fn cut_rings(above: &mut [Option<usize>]) {
    // 0: not met, otherwise the number of the walk that met it first.
    let mut met = vec![0usize; above.len()];
    for start in 0..above.len() {
        let mut at = start;
        while met[at] == 0 {
            met[at] = start + 1;
            match above[at] {
                Some(next) => at = next,
                None => break,
            }
        }
        if met[at] == start + 1 && above[at].is_some() {
            let mut first = at;
            let mut next = above[at];
            while let Some(i) = next.filter(|i| *i != at) {
                first = first.min(i);
                next = above[i];
            }
            above[first] = None;
        }
    }
}

/// For each run the one before it, by its first event, with the same thread.
fn conversations(runs: &[&Run]) -> Vec<Option<usize>> {
    let mut order: Vec<usize> = (0..runs.len()).collect();
    let began = |i: usize| runs[i].first_ts().unwrap_or(f64::INFINITY);
    order.sort_by(|a, b| began(*a).total_cmp(&began(*b)).then(a.cmp(b)));
    let mut last: HashMap<&str, usize> = HashMap::new();
    let mut continues = vec![None; runs.len()];
    for i in order {
        if let Some((_, thread)) = &runs[i].lineage().thread {
            continues[i] = last.insert(thread, i);
        }
    }
    continues
}
