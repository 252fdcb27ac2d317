//! A node as it was at a sequence, from stamps where they suffice and from its records where tries were repeated.
//!
//! Invariant: gives what the fold gives for the events up to that sequence, named ones exactly; an end that named no
//! instance belongs to the instance it belongs to today.

use std::collections::BTreeMap;

use super::Step;
use crate::facts::{Again, End};
use crate::node::Batch;
use crate::{Counts, Hold, HoldIx, InstanceIx, NodeIx, Run, Status};
use wire::Action;

/// A node as it was at a sequence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Moment {
    pub(crate) counts: Counts,
    pub(crate) batch: Batch,
    pub(crate) latest: Option<InstanceIx>,
    /// Something of it had been seen.
    pub(crate) real: bool,
}

/// The node as it was once event `seq` had been applied.
pub(crate) fn of_node(run: &Run, ix: NodeIx, seq: u64) -> Moment {
    let node = run.node(ix);
    let plain = node.derived.retries == 0 && node.instances.iter().all(|i| is_plain(run, *i));
    let mut moment = if plain { of_stamps(run, ix, seq) } else { of_records(run, ix, seq) };
    moment.counts.held = count(node.holds.iter().filter(|h| is_open(run.hold(**h), seq)).count());
    moment.real |= node.holds.iter().any(|h| run.hold(*h).paused.seq <= seq);
    moment.real |= moment.counts.total == 0 && node.instances.iter().any(|i| spoke(run, *i, seq));
    moment.real |= node.segments.first().is_some_and(|segment| segment.first_seq() <= seq);
    moment
}

/// An instance's own state once event `seq` had been applied; none when nothing of it had been seen.
pub(crate) fn instance_status(run: &Run, ix: InstanceIx, seq: u64) -> Option<Status> {
    let instance = run.instance(ix);
    if instance.first_seq > seq {
        return None;
    }
    if is_plain(run, ix) {
        return Some(plain_status(run, ix, seq));
    }
    let replay = Replay::up_to(run, instance.node, seq);
    replay.states.get(&ix).map(|state| state.status)
}

/// Whether a hold was open once event `seq` had been applied.
pub(crate) fn is_open(hold: &Hold, seq: u64) -> bool {
    let passed = hold.passed.is_some_and(|at| at.seq <= seq);
    let released = hold.taken_or_released().is_some_and(|at| at.seq <= seq);
    !hold.shadow && hold.paused.seq <= seq && !passed && !released
}

/// Deltas that name the instance had come.
fn spoke(run: &Run, ix: InstanceIx, seq: u64) -> bool {
    run.instance(ix).text().first.is_some_and(|first| first.seq <= seq)
}

fn is_retry(run: &Run, ix: HoldIx) -> bool {
    let hold = run.hold(ix);
    !hold.is_shadow() && hold.action() == Some(Action::Retry)
}

/// One start and at most one end, and that one still counts: its stamps say everything.
fn is_plain(run: &Run, ix: InstanceIx) -> bool {
    let instance = run.instance(ix);
    let began = instance.started.is_none_or(|at| at.seq == instance.first_seq);
    let counts = instance.ends == u32::from(instance.ended.is_some());
    let once = instance.first_start == instance.last_start && counts;
    began && once && instance.retried == 0 && !instance.flags.retrying
}

fn plain_status(run: &Run, ix: InstanceIx, seq: u64) -> Status {
    let instance = run.instance(ix);
    if instance.ended.is_some_and(|end| end.seq <= seq) { instance.status } else { Status::Running }
}

fn of_stamps(run: &Run, ix: NodeIx, seq: u64) -> Moment {
    let mut moment = Moment::default();
    let mut last_start = 0;
    let there = |i: &&InstanceIx| run.instance(**i).first_seq <= seq;
    for i in run.node(ix).instances.iter().filter(there) {
        if let Some(start) = run.instance(*i).started.filter(|at| at.seq <= seq)
            && (moment.latest.is_none() || start.seq > last_start)
        {
            (moment.latest, last_start) = (Some(*i), start.seq);
        }
    }
    for i in run.node(ix).instances.iter().filter(there) {
        let instance = run.instance(*i);
        let status = plain_status(run, *i, seq);
        moment.counts.add(status);
        moment.real = true;
        let ended = instance.ended.filter(|end| end.seq <= seq);
        moment.counts.injected += u32::from(ended.is_some() && instance.flags.injected);
        moment.counts.cached += u32::from(ended.is_some() && instance.flags.cached);
        if ended.is_some_and(|end| end.seq > last_start) {
            moment.batch.change(status, 1);
        }
    }
    moment
}

fn of_records(run: &Run, ix: NodeIx, seq: u64) -> Moment {
    Replay::up_to(run, ix, seq).moment()
}

/// The fold in small: states and tries only.
#[derive(Debug, Default)]
struct Replay {
    states: BTreeMap<InstanceIx, Try>,
    latest: Option<InstanceIx>,
    last_start: u64,
    retried: u32,
    retrying: Vec<InstanceIx>,
    real: bool,
}

#[derive(Debug, Clone, Copy, Default)]
struct Try {
    status: Status,
    ended: Option<u64>,
    error: Option<u64>,
    injected: bool,
    cached: bool,
}

impl Replay {
    fn up_to(run: &Run, node: NodeIx, seq: u64) -> Self {
        let mut replay = Self::default();
        for (at, step) in run.steps(node).into_iter().take_while(|(at, _)| *at <= seq) {
            replay.step(run, at, step);
        }
        replay
    }

    fn step(&mut self, run: &Run, at: u64, step: Step) {
        self.real = true;
        match step {
            Step::Start(ix) => self.start(run.data.starts[ix as usize].instance, at),
            Step::End(ix) => {
                let end = &run.data.ends[ix as usize];
                if let Some(inst) = end.resolved {
                    self.end(inst, at, end);
                }
            }
            Step::Release(ix) if is_retry(run, ix) => self.retry(run.hold(ix).instance),
            Step::Again(ix) => self.again(run.data.agains[ix as usize]),
            Step::Release(_) | Step::Pause(_) | Step::Deltas(_) => {}
        }
    }

    fn start(&mut self, inst: InstanceIx, at: u64) {
        if !self.retrying.is_empty() {
            let place = self.retrying.iter().position(|i| *i == inst).unwrap_or(0);
            let first = self.retrying.remove(place);
            let state = self.states.entry(first).or_default();
            if first != inst && state.ended.is_none() && state.error.is_some() {
                (state.status, state.ended) = (Status::Error, state.error);
            }
        }
        (self.latest, self.last_start) = (Some(inst), at);
        if let Some(state) = self.states.get_mut(&inst) {
            self.retried += u32::from(state.status == Status::Error);
            state.begin();
        } else {
            self.states.insert(inst, Try::default());
        }
    }

    fn end(&mut self, inst: InstanceIx, at: u64, end: &End) {
        let state = self.states.entry(inst).or_default();
        (state.status, state.ended) = (end.status, Some(at));
        let failed = end.is_error || end.failure.is_some();
        if failed || (end.status == Status::Error && state.error.is_none()) {
            state.error = Some(at);
        }
        if !end.is_error {
            (state.injected, state.cached) = (end.injected, end.cached);
        }
        self.retrying.retain(|i| *i != inst);
    }

    fn retry(&mut self, inst: Option<InstanceIx>) {
        let Some(inst) = inst.filter(|inst| self.states.contains_key(inst)) else {
            self.retried += 1;
            return;
        };
        if self.retrying.contains(&inst) {
            return;
        }
        self.retried += 1;
        self.retrying.push(inst);
        self.states.entry(inst).or_default().begin();
    }

    fn again(&mut self, again: Again) {
        let named = again.named.filter(|inst| self.states.contains_key(inst));
        let mut open = self.states.iter().filter(|(_, state)| state.ended.is_none()).map(|(ix, _)| *ix);
        let only = open.next().filter(|_| open.next().is_none());
        let Some(inst) = named.or(only).or(self.latest) else { return };
        self.retried += u32::from(again.retry);
        self.states.entry(inst).or_default().begin();
    }

    fn moment(self) -> Moment {
        let mut moment = Moment { latest: self.latest, real: self.real, ..Moment::default() };
        moment.counts.retried = self.retried;
        for state in self.states.values() {
            moment.counts.add(state.status);
            moment.counts.injected += u32::from(state.injected);
            moment.counts.cached += u32::from(state.cached);
            if state.ended.is_some_and(|end| end > self.last_start) {
                moment.batch.change(state.status, 1);
            }
        }
        moment
    }
}

impl Try {
    fn begin(&mut self) {
        (self.status, self.ended, self.injected, self.cached) = (Status::Running, None, false, false);
    }
}

fn count(n: usize) -> u32 {
    n.try_into().unwrap_or(u32::MAX)
}
