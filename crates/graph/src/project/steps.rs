//! Stepping through a recording: from a moment to the next one that a debugger would stop at.
//!
//! Decides what a stop is: an event; the start or the end of an instance; for into, over and out a stop that is deeper,
//! as deep or less deep than the last one at the moment; a failure; a gate that a breakpoint means. Built once for a
//! change of the run, in linear time; every question after that is a bisection and one look-up.
//! Invariant: a step forward gives a later moment and a step back an earlier one, else nothing.
//! Does not evaluate conditions: bodies stand in the recording, not in the state.

use wire::{Matcher, Point};

use crate::project::Tree;
use crate::{InstanceIx, Run};

/// Where to go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// The next event.
    Event,
    /// The next start of an instance.
    Node,
    /// The next start or end of an instance, however deep.
    Into,
    /// The next one that is not deeper.
    Over,
    /// The next one that is less deep.
    Out,
    /// The next failure.
    Error,
}

/// The stops of a run.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Steps {
    stops: Vec<Stop>,
    starts: Vec<u64>,
    errors: Vec<u64>,
    /// For each stop the next one, and the one before it, that is not deeper, and that is less deep.
    next: [Vec<u32>; 2],
    before: [Vec<u32>; 2],
}

/// A start or an end of an instance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stop {
    seq: u64,
    depth: u32,
}

/// No such stop.
const NONE: u32 = u32::MAX;

impl Steps {
    /// The stops of a run.
    pub fn new(run: &Run, tree: &Tree) -> Self {
        let mut steps = Self::default();
        for (i, instance) in run.instances().iter().enumerate() {
            let depth = tree.depth(instance.node);
            let started = instance.started.map(|at| at.seq);
            let both = [started, instance.ended.map(|at| at.seq)];
            steps.stops.extend(both.into_iter().flatten().map(|seq| Stop { seq, depth }));
            steps.starts.extend(started);
            steps.errors.extend(run.failed_at(i.into()).map(|at| at.seq));
        }
        steps.stops.sort_unstable_by_key(|stop| (stop.seq, stop.depth));
        steps.starts.sort_unstable();
        steps.errors.sort_unstable();
        let depths: Vec<u32> = steps.stops.iter().map(|stop| stop.depth).collect();
        let order: Vec<u32> = (0..).take(depths.len()).collect();
        let back: Vec<u32> = order.iter().rev().copied().collect();
        steps.next = [nearest(&depths, &back, false), nearest(&depths, &back, true)];
        steps.before = [nearest(&depths, &order, false), nearest(&depths, &order, true)];
        steps
    }

    /// The next moment after `seq`.
    pub fn next(&self, run: &Run, seq: u64, step: Step) -> Option<u64> {
        match step {
            Step::Event => run.next_seq(seq),
            Step::Node => next_of(&self.starts, seq),
            Step::Error => next_of(&self.errors, seq),
            Step::Into => self.stops.get(self.after(seq)).map(|stop| stop.seq),
            Step::Over => self.follow(&self.next[0], self.after(seq).checked_sub(1), seq),
            Step::Out => self.follow(&self.next[1], self.after(seq).checked_sub(1), seq),
        }
    }

    /// The last moment before `seq`.
    pub fn before(&self, run: &Run, seq: u64, step: Step) -> Option<u64> {
        let first_at = self.stops.partition_point(|stop| stop.seq < seq);
        match step {
            Step::Event => run.seq_before(seq),
            Step::Node => before_of(&self.starts, seq),
            Step::Error => before_of(&self.errors, seq),
            Step::Into => Some(self.stops[first_at.checked_sub(1)?].seq),
            Step::Over => self.follow_back(&self.before[0], first_at, seq),
            Step::Out => self.follow_back(&self.before[1], first_at, seq),
        }
    }

    /// Position of the first stop after `seq`.
    fn after(&self, seq: u64) -> usize {
        self.stops.partition_point(|stop| stop.seq <= seq)
    }

    /// From the last stop at the moment along a table; before the first stop, that one.
    fn follow(&self, table: &[u32], from: Option<usize>, seq: u64) -> Option<u64> {
        let Some(from) = from else { return self.stops.first().map(|stop| stop.seq) };
        let found = self.stops.get(*table.get(from)? as usize)?.seq;
        if found > seq { Some(found) } else { self.stops.get(self.after(seq)).map(|stop| stop.seq) }
    }

    fn follow_back(&self, table: &[u32], from: usize, seq: u64) -> Option<u64> {
        let last = self.stops.len().checked_sub(1)?;
        if from > last {
            return Some(self.stops[last].seq);
        }
        let found = self.stops.get(*table.get(from)? as usize)?.seq;
        (found < seq).then_some(found)
    }
}

/// For each stop the nearest one, in the other direction of `order`, that is not deeper or, if `strict`, less deep.
fn nearest(depths: &[u32], order: &[u32], strict: bool) -> Vec<u32> {
    let mut found = vec![NONE; depths.len()];
    let mut open: Vec<u32> = Vec::new();
    for at in order {
        let depth = depths[*at as usize];
        let fits = |other: u32| {
            if strict { depths[other as usize] < depth } else { depths[other as usize] <= depth }
        };
        while let Some(top) = open.last().copied().filter(|top| !fits(*top)) {
            debug_assert!(depths[top as usize] >= depth);
            open.pop();
        }
        found[*at as usize] = open.last().copied().unwrap_or(NONE);
        open.push(*at);
    }
    found
}

/// The first of ascending numbers above `seq`: for stops of any kind, such as those of breakpoints.
pub fn next_of(stops: &[u64], seq: u64) -> Option<u64> {
    stops.get(stops.partition_point(|stop| *stop <= seq)).copied()
}

/// The last of ascending numbers below `seq`.
pub fn before_of(stops: &[u64], seq: u64) -> Option<u64> {
    Some(stops[stops.partition_point(|stop| *stop < seq).checked_sub(1)?])
}

/// Where breakpoints would have held a recording, ascending: before an instance at its start, after it at its end, at an
/// error at its failure. Conditions and hit counts are not looked at.
pub fn breakpoint_stops(run: &Run, matchers: &[Matcher]) -> Vec<u64> {
    let mut stops = Vec::new();
    for (i, instance) in run.instances().iter().enumerate() {
        let node = run.node(instance.node);
        let means = |point| matchers.iter().any(|m| m.matches(node.kind.as_str(), &node.name, point));
        let gates = [
            (Point::Before, instance.started),
            (Point::After, instance.ended),
            (Point::Error, run.failed_at(InstanceIx::from(i))),
        ];
        let held = gates.into_iter().filter_map(|(point, at)| Some((point, at?.seq)));
        stops.extend(held.filter(|(point, _)| means(*point)).map(|(_, seq)| seq));
    }
    stops.sort_unstable();
    stops.dedup();
    stops
}
