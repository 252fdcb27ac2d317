//! From a node's facts, in sequence order, to its state.
//!
//! Decides the state of instances and nodes. The same fold serves an event that comes in order (one step) and one
//! that comes late (all steps of its node again, and of no other): that is why arrival order cannot show.
//! Late work is put off until it is cheap against the late events that asked for it; `Run::settle` does the rest.
//! Does not read messages, and knows nothing of other nodes.

mod ends;
mod holds;
pub(crate) mod moment;
mod starts;
mod streams;

use crate::facts::Fact;
use crate::node::Derived;
use crate::{Counts, HoldIx, InstanceIx, NodeIx, Run, Status, TextStats};

/// One step of the fold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    Start(u32),
    End(u32),
    Pause(HoldIx),
    Release(HoldIx),
    Again(u32),
    /// Deltas without an instance, by position in the node's segments.
    Deltas(u32),
}

/// Late events are folded in at once when that costs at most this many steps for each of them.
const STEPS_PER_LATE_EVENT: u64 = 16;

impl Run {
    /// Takes one step in when its node is up to date and nothing later was folded; else marks the node.
    /// True when the step was taken.
    pub(crate) fn fold_in_order(&mut self, node: NodeIx, seq: u64, step: Step) -> bool {
        let state = &self.data.nodes[node.at()];
        if state.dirty || state.derived.last_seq.is_some_and(|last| seq <= last) {
            self.mark_node(node);
            if matches!(step, Step::Start(_) | Step::End(_) | Step::Release(_) | Step::Again(_)) {
                self.mark_groups_of(node);
            }
            return false;
        }
        self.fold(node, seq, step);
        true
    }

    /// The node must be derived anew.
    pub(crate) fn mark_node(&mut self, ix: NodeIx) {
        self.data.debt += 1;
        let node = &mut self.data.nodes[ix.at()];
        if !std::mem::replace(&mut node.dirty, true) {
            self.data.dirty_cost += (node.facts.len() + node.segments.len()) as u64;
            self.data.dirty_nodes.push(ix);
        }
    }

    /// The order in which the node and its siblings ran must be inferred anew.
    pub(crate) fn mark_groups_of(&mut self, ix: NodeIx) {
        for i in 0..self.data.nodes[ix.at()].groups.len() {
            let group = self.data.nodes[ix.at()].groups[i];
            self.mark_group(group);
        }
    }

    /// Does put-off work when enough late events have asked for it.
    pub(crate) fn settle_if_cheap(&mut self) {
        if self.data.debt > 0 && self.data.dirty_cost <= self.data.debt.saturating_mul(STEPS_PER_LATE_EVENT) {
            self.settle();
        }
    }

    /// Does all put-off work: call it before reading, after a batch that may have held late events.
    pub fn settle(&mut self) {
        if self.data.kxm.is_late() {
            self.settle_kxm();
        }
        for node in std::mem::take(&mut self.data.dirty_nodes) {
            self.derive_node(node);
        }
        for group in std::mem::take(&mut self.data.dirty_groups) {
            self.derive_group(group);
        }
        (self.data.debt, self.data.dirty_cost) = (0, 0);
        if std::mem::take(&mut self.data.ticks_late) {
            self.data.ticks.sort_by_key(|tick| tick.at.seq);
        }
    }

    /// True when late events wait for `settle`.
    pub fn is_unsettled(&self) -> bool {
        !self.data.dirty_nodes.is_empty()
            || !self.data.dirty_groups.is_empty()
            || self.data.ticks_late
            || self.data.kxm.is_late()
    }

    fn fold(&mut self, node: NodeIx, seq: u64, step: Step) {
        self.data.nodes[node.at()].derived.last_seq = Some(seq);
        match step {
            Step::Start(start) => self.fold_start(node, start),
            Step::End(end) => self.fold_end(node, end),
            Step::Pause(hold) => self.fold_pause(node, hold),
            Step::Release(hold) => self.fold_release(node, hold),
            Step::Again(again) => self.fold_again(node, again),
            Step::Deltas(segment) => self.fold_deltas(node, segment),
        }
    }

    fn derive_node(&mut self, ix: NodeIx) {
        self.reset_node(ix);
        self.join_segments(ix);
        for (seq, step) in self.steps(ix) {
            self.fold(ix, seq, step);
        }
        let instances = &self.data.instances;
        self.data.nodes[ix.at()].instances.sort_by_key(|i| (instances[i.at()].first_seq, *i));
    }

    /// Every step of a node in sequence order.
    fn steps(&self, ix: NodeIx) -> Vec<(u64, Step)> {
        let node = &self.data.nodes[ix.at()];
        let mut steps: Vec<(u64, Step)> = node.facts.iter().map(|fact| self.step_of(*fact)).collect();
        for hold in &node.holds {
            let end = self.data.holds[hold.at()].taken_or_released();
            steps.extend(end.map(|at| (at.seq, Step::Release(*hold))));
        }
        let segments = node.segments.iter().enumerate();
        steps.extend(
            segments.map(|(i, segment)| (segment.first_seq(), Step::Deltas(crate::run::position(i)))),
        );
        steps.sort_by_key(|(seq, step)| (*seq, self.tie(*step)));
        steps
    }

    /// One answer can release several gates: the one that has waited longest comes first.
    fn tie(&self, step: Step) -> u64 {
        match step {
            Step::Release(ix) => self.data.holds[ix.at()].paused.seq,
            Step::Start(_) | Step::End(_) | Step::Pause(_) | Step::Again(_) | Step::Deltas(_) => 0,
        }
    }

    fn step_of(&self, fact: Fact) -> (u64, Step) {
        match fact {
            Fact::Start(ix) => (self.data.starts[ix as usize].at.seq, Step::Start(ix)),
            Fact::End(ix) => (self.data.ends[ix as usize].at.seq, Step::End(ix)),
            Fact::Pause(ix) => (self.data.holds[ix.at()].paused.seq, Step::Pause(ix)),
            Fact::Again(ix) => (self.data.agains[ix as usize].at.seq, Step::Again(ix)),
        }
    }

    fn reset_node(&mut self, ix: NodeIx) {
        let node = &mut self.data.nodes[ix.at()];
        self.data.usage.sub(&node.usage);
        node.usage = node.message_usage;
        self.data.usage.add(&node.usage);
        for cost in std::mem::take(&mut node.money).sums() {
            self.data.money.sub(&cost);
        }
        (node.busy_us, node.held_us, node.timed) = (0, 0, 0);
        node.counts = Counts::default();
        node.derived = Derived::default();
        node.unattributed = TextStats::default();
        node.dirty = false;
        for instance in &node.instances {
            reset_instance(&mut self.data.instances[instance.at()]);
        }
        for hold in &node.holds {
            let state = &mut self.data.holds[hold.at()];
            (state.open, state.instance, state.passed) = (false, None, None);
            self.index.open_holds.remove(hold);
        }
    }

    /// Moves an instance to a state, in the node's counts and in those of its latest ends.
    pub(super) fn set_status(
        &mut self,
        node: NodeIx,
        ix: InstanceIx,
        to: Status,
        ended: Option<crate::Stamp>,
    ) {
        let state = &mut self.data.nodes[node.at()];
        let instance = &mut self.data.instances[ix.at()];
        let since_start = |at: Option<crate::Stamp>| at.is_some_and(|at| at.seq > state.derived.last_start);
        if since_start(instance.ended) {
            state.derived.batch.change(instance.status, -1);
        }
        if since_start(ended) {
            state.derived.batch.change(to, 1);
        }
        if instance.ended.is_none() != ended.is_none() {
            state.derived.open =
                if ended.is_none() { state.derived.open + 1 } else { state.derived.open - 1 };
            state.derived.open_xor ^= ix.0;
        }
        state.counts.shift(instance.status, to);
        (instance.status, instance.ended) = (to, ended);
    }

    /// Counts an instance the first time anything of it is folded in.
    fn see(&mut self, node: NodeIx, ix: InstanceIx, seq: u64) {
        let instance = &mut self.data.instances[ix.at()];
        if !std::mem::replace(&mut instance.seen, true) {
            instance.first_seq = seq;
            let state = &mut self.data.nodes[node.at()];
            state.counts.add(Status::Running);
            state.derived.open += 1;
            state.derived.open_xor ^= ix.0;
        }
    }
}

fn reset_instance(instance: &mut crate::Instance) {
    let text = instance.text.take();
    let (id, node, ended_by_name) = (instance.id.clone(), instance.node, instance.ended_by_name);
    *instance = crate::Instance { ended_by_name, ..crate::Instance::new(id, node) };
    instance.text = text;
    if let Some(text) = &mut instance.text {
        text.implied = TextStats::default();
    }
}
