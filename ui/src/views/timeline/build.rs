//! The axis and the lanes of a run, brought up to date.
//!
//! Invariant: nothing is read while nothing changed, a large run not at every event, and of a run that grows only the
//! nodes in which something happened: their lanes are made anew, all others are kept.

use std::collections::HashMap;

use graph::project::{Axis, Lanes, Tree, lanes, marks, supersteps};
use graph::{Counts, NodeIx, Run};

use super::Scratch;
use crate::model::Model;

/// Idle stretches from this length on are folded, in milliseconds.
const IDLE_MS: f64 = 30_000.0;
/// Marks on the ruler at most.
const MARKS_MAX: usize = 2_000;
/// Instances that may be read in a second of looking.
const INSTANCES_PER_S: f64 = 40_000.0;

/// A node with its lanes.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) node: NodeIx,
    pub(super) lanes: Lanes,
    /// Lanes above this row.
    pub(super) above: usize,
    facts: Facts,
}

/// What a node's lanes follow from, in short: while this stays the same, so do they.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Facts {
    counts: Counts,
    busy_us: u64,
    held_us: u64,
    ordinal: bool,
}

impl Facts {
    fn of(run: &Run, ix: NodeIx, ordinal: bool) -> Self {
        let node = run.node(ix);
        Self { counts: run.counts(ix), busy_us: node.busy_us, held_us: node.held_us, ordinal }
    }

    /// What has no end reaches to the end of the axis, which moves.
    fn settled(self) -> bool {
        self.counts.running + self.counts.abandoned + self.counts.uncertain == 0
    }
}

/// Reads the run anew when it changed; a large one not at every event.
pub(super) fn build(run: &Run, model: &Model<'_>, scratch: &mut Scratch) {
    let live = run.is_live() && !run.is_over();
    // What still runs grows without events: once a second is enough for its lanes.
    let second = if live { (model.now_ms / 1_000.0) as u64 } else { 0 };
    let key = (run.key().as_str().to_owned(), run.event_count(), second);
    let same_run = scratch.built.as_ref().is_some_and(|(known, ..)| *known == key.0);
    let pause_s = run.instances().len() as f64 / INSTANCES_PER_S;
    let fresh = same_run && model.time_s - scratch.built_s < pause_s;
    if scratch.built.as_ref() == Some(&key) || fresh {
        return;
    }
    if !same_run {
        scratch.window = None;
        scratch.measure = None;
        scratch.rows.clear();
    }
    scratch.axis = Axis::new(run, IDLE_MS);
    if live && !scratch.axis.ordinal {
        scratch.axis.end = scratch.axis.end.max(model.now_ms);
    }
    scratch.marks = marks(run, MARKS_MAX);
    scratch.steps = supersteps(run);
    rows(run, &scratch.axis, &mut scratch.rows);
    scratch.built = Some(key);
    scratch.built_s = model.time_s;
}

fn rows(run: &Run, axis: &Axis, rows: &mut Vec<Row>) {
    let mut known: HashMap<NodeIx, Row> = rows.drain(..).map(|row| (row.node, row)).collect();
    let mut above = 0;
    for node in Tree::new(run).order() {
        let facts = Facts::of(run, *node, axis.ordinal);
        let kept = known.remove(node).filter(|row| row.facts == facts && facts.settled());
        let lanes = kept.map_or_else(|| lanes(run, axis, *node), |row| row.lanes);
        if !lanes.is_empty() {
            let count = lanes.len();
            rows.push(Row { node: *node, lanes, above, facts });
            above += count;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use graph::{RunKey, Store};

    /// The rows of a run at every event, each made from the rows before, against rows made from nothing.
    #[test]
    fn kept_lanes_are_those_that_a_look_at_everything_makes() {
        let mut store = Store::default();
        let mut kept = Vec::new();
        for (n, frame) in testkit::typical_run("r1", 7, 12).iter().enumerate() {
            store.apply(&wire::decode(frame));
            let run = store.run(&RunKey::from("r1")).unwrap();
            let axis = Axis::new(run, IDLE_MS);
            let mut fresh = Vec::new();
            rows(run, &axis, &mut fresh);
            rows(run, &axis, &mut kept);
            let look = |rows: &[Row]| -> Vec<(NodeIx, Lanes, usize)> {
                rows.iter().map(|row| (row.node, row.lanes.clone(), row.above)).collect()
            };
            assert_eq!(look(&kept), look(&fresh), "at event {n}");
        }
    }
}
