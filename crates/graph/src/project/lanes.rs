//! A node's instances side by side, and the bars of a window of time.
//!
//! Decides the lane of each instance: the lowest that is free when it starts, `LANES_MAX` at most; what does not fit
//! shares the last. Bars shorter than the given width are merged with a count. Does not know rows, pixels or colours.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::project::Axis;
use crate::{InstanceIx, NodeIx, Run, Status};

/// Most lanes of one node.
const LANES_MAX: usize = 64;

/// A node's instances side by side.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Lanes {
    /// For each lane its instances, by start.
    lanes: Vec<Vec<Span>>,
}

/// An instance on the axis.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Span {
    /// The instance.
    pub instance: InstanceIx,
    /// Where it begins, on the axis's clock.
    pub from: f64,
    /// Where it ends.
    pub to: f64,
}

/// A bar: one instance, or several that are too short to tell apart.
#[derive(Debug, Clone, PartialEq)]
pub struct Bar {
    /// Which lane.
    pub lane: usize,
    /// Where it begins, on the axis's clock.
    pub from: f64,
    /// Where it ends.
    pub to: f64,
    /// The first instance in it.
    pub instance: InstanceIx,
    /// How many instances it stands for.
    pub count: u32,
    /// Its state; of several the worst.
    pub status: Status,
    /// When the first text streamed, for a single instance.
    pub first_token: Option<f64>,
    /// When it waited at gates, for a single instance.
    pub held: Vec<(f64, f64)>,
}

/// A node's instances in lanes.
pub fn lanes(run: &Run, axis: &Axis, node: NodeIx) -> Lanes {
    let span = |ix: &InstanceIx| axis.span(run, *ix).map(|(from, to)| Span { instance: *ix, from, to });
    let mut spans: Vec<Span> = run.node(node).instances.iter().filter_map(span).collect();
    spans.sort_by(|a, b| a.from.total_cmp(&b.from).then(a.instance.cmp(&b.instance)));
    let mut lanes: Vec<Vec<Span>> = Vec::new();
    let mut free: BinaryHeap<Reverse<usize>> = BinaryHeap::new();
    let mut busy: BinaryHeap<Reverse<(Moment, usize)>> = BinaryHeap::new();
    for span in spans {
        while let Some(Reverse((end, lane))) =
            busy.peek().copied().filter(|Reverse((end, _))| end.0 <= span.from)
        {
            busy.pop();
            free.push(Reverse(lane));
            debug_assert!(end.0 <= span.from);
        }
        let lane = free.pop().map_or_else(|| lanes.len().min(LANES_MAX - 1), |Reverse(lane)| lane);
        if lane == lanes.len() {
            lanes.push(Vec::new());
        }
        lanes[lane].push(span);
        busy.push(Reverse((Moment(span.to), lane)));
    }
    Lanes { lanes }
}

impl Lanes {
    /// How many lanes.
    pub fn len(&self) -> usize {
        self.lanes.len()
    }

    /// True when no instance has a time.
    pub fn is_empty(&self) -> bool {
        self.lanes.is_empty()
    }

    /// The bars between two moments of the axis, those shorter than `width_min` (on the axis's clock, idle stretches
    /// folded) merged with their neighbours. Costs the bars of the window, not of the run.
    pub fn bars(&self, run: &Run, axis: &Axis, from: f64, to: f64, width_min: f64) -> Vec<Bar> {
        let mut bars = Vec::new();
        for (lane, spans) in self.lanes.iter().enumerate() {
            let first = spans.partition_point(|span| span.to < from && span.from < from);
            let mut at = first;
            while let Some(span) = spans.get(at).filter(|span| span.from <= to) {
                let next = merge_end(axis, spans, at, width_min);
                bars.push(bar(run, axis, lane, span, &spans[at..next]));
                at = next;
            }
        }
        bars
    }
}

/// The end of the group of short spans that begins at `at`: all that lie within one width. Found by bisection.
fn merge_end(axis: &Axis, spans: &[Span], at: usize, width_min: f64) -> usize {
    let edge = axis.fold_down(spans[at].from) + width_min;
    if axis.fold_down(spans[at].to) > edge {
        return at + 1;
    }
    let within = spans[at..]
        .partition_point(|span| axis.fold_down(span.to) <= edge && axis.fold_down(span.from) < edge);
    at + within.max(1)
}

fn bar(run: &Run, axis: &Axis, lane: usize, span: &Span, group: &[Span]) -> Bar {
    let single = group.len() == 1;
    let instance = run.instance(span.instance);
    // A sample bounds the cost of a bar that stands for very many.
    let stride = group.len().div_ceil(256);
    let statuses = group.iter().step_by(stride).map(|span| run.instance_status(span.instance));
    Bar {
        lane,
        from: span.from,
        to: group.iter().rev().take(8).fold(span.to, |to, span| to.max(span.to)),
        instance: span.instance,
        count: group.len().try_into().unwrap_or(u32::MAX),
        status: statuses.max_by_key(|status| severity(*status)).unwrap_or_default(),
        first_token: instance.first_token().filter(|_| single).map(|at| axis.moment(at)),
        held: if single { held(run, axis, span) } else { Vec::new() },
    }
}

fn severity(status: Status) -> u8 {
    match status {
        Status::Ok => 0,
        Status::Abandoned => 1,
        Status::Aborted => 2,
        Status::Running => 3,
        Status::Uncertain => 4,
        Status::Error => 5,
    }
}

fn held(run: &Run, axis: &Axis, span: &Span) -> Vec<(f64, f64)> {
    let node = run.node(run.instance(span.instance).node);
    let holds = node.holds.iter().map(|ix| run.hold(*ix)).filter(|hold| hold.instance == Some(span.instance));
    let mut held: Vec<(f64, f64)> = holds
        .map(|hold| (axis.moment(hold.paused), hold.until().map_or(axis.end, |at| axis.moment(at))))
        .filter(|(from, to)| from <= to)
        .collect();
    held.sort_by(|a, b| a.0.total_cmp(&b.0));
    held
}

/// A moment that can be ordered; the clock is finite.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Moment(f64);

impl Eq for Moment {}

impl PartialOrd for Moment {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Moment {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}
