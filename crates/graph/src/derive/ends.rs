//! Ends: which instance an end belongs to, and what it makes of it.
//!
//! Decides that the last end counts, that an error is history once a finish follows, and that an injected end is
//! neither a call nor a duration.

use crate::facts::EndIx;
use crate::{InstanceIx, NodeIx, Run, Status};

impl Run {
    pub(super) fn fold_end(&mut self, node: NodeIx, ix: EndIx) {
        let Some(inst) = self.resolve_end(node, ix) else { return };
        let end = &self.data.ends[ix as usize];
        let (at, status, is_error, flags) = (end.at, end.status, end.is_error, (end.injected, end.cached));
        let failed = end.is_error || end.failure.is_some();
        let seen = self.data.instances[inst.at()].seen;
        self.see(node, inst, at.seq);
        self.set_status(node, inst, status, Some(at));
        let instance = &mut self.data.instances[inst.at()];
        instance.flags.no_start |= !seen && !flags.1;
        instance.ends += 1;
        self.data.ends[ix as usize].start = instance.last_start;
        if failed || (status == Status::Error && instance.error.is_none()) {
            instance.error = Some(ix);
            instance.flags.failed_once = true;
        }
        if !is_error {
            self.mark(node, inst, flags);
            self.count_end(node, inst, ix);
            self.pass_holds(node, inst, at, false);
        }
        self.forget_retry(node, inst);
        let derived = &mut self.data.nodes[node.at()].derived;
        derived.last_ended = Some(inst);
        if let Some(place) = derived.unnamed.iter().position(|open| *open == inst) {
            derived.unnamed.remove(place);
        }
    }

    /// The named instance, else the only open one, else the oldest without an id, else the newest: a guess.
    fn resolve_end(&mut self, node: NodeIx, ix: EndIx) -> Option<InstanceIx> {
        let first = self.oldest_unnamed(node, self.data.ends[ix as usize].step);
        let derived = &self.data.nodes[node.at()].derived;
        let end = &mut self.data.ends[ix as usize];
        end.resolved = end.named.or(derived.only_open()).or(first).or(derived.newest);
        let guess = end.named.is_none() && derived.open != 1;
        if let Some(inst) = end.resolved {
            self.data.instances[inst.at()].flags.guessed |= guess;
        }
        end.resolved
    }

    /// Of instances without an id the oldest, of the same superstep where one is open: nothing but order tells them
    /// apart.
    fn oldest_unnamed(&self, node: NodeIx, step: Option<u64>) -> Option<InstanceIx> {
        let unnamed = &self.data.nodes[node.at()].derived.unnamed;
        let of_step = |ix: &&InstanceIx| {
            let start = self.data.instances[ix.at()].last_start;
            step.is_some() && start.is_some_and(|start| self.data.starts[start as usize].step == step)
        };
        unnamed.iter().find(of_step).or(unnamed.front()).copied()
    }

    fn mark(&mut self, node: NodeIx, ix: InstanceIx, (injected, cached): (bool, bool)) {
        let flags = &mut self.data.instances[ix.at()].flags;
        let counts = &mut self.data.nodes[node.at()].counts;
        let set = |flag: &mut bool, count: &mut u32, to: bool| {
            *count = *count + u32::from(to) - u32::from(std::mem::replace(flag, to));
        };
        set(&mut flags.injected, &mut counts.injected, injected);
        set(&mut flags.cached, &mut counts.cached, cached);
    }

    /// Time and tokens of a finish: once a try, and none for a value that a person put in.
    fn count_end(&mut self, node: NodeIx, ix: InstanceIx, end_ix: EndIx) {
        let instance = &mut self.data.instances[ix.at()];
        instance.finish = Some(end_ix);
        if self.data.ends[end_ix as usize].injected {
            return;
        }
        let before = instance.counted.replace(end_ix);
        if let Some(before) = before {
            self.tally(node, ix, before, false);
        }
        self.tally(node, ix, end_ix, true);
        let end = &self.data.ends[end_ix as usize];
        let instance = &mut self.data.instances[ix.at()];
        (instance.duration_ms, instance.held_ms) = (end.duration_ms, end.held_ms);
    }

    /// Adds the figures of an end, or takes them off again.
    fn tally(&mut self, node: NodeIx, ix: InstanceIx, end: EndIx, add: bool) {
        let end = &self.data.ends[end as usize];
        let state = &mut self.data.nodes[node.at()];
        let held = end.held_ms.map_or(0, micros);
        let busy = end.duration_ms.map_or(0, micros).saturating_sub(held);
        let timed = u32::from(end.duration_ms.is_some());
        let apply =
            |figure: u64, by: u64| if add { figure.wrapping_add(by) } else { figure.wrapping_sub(by) };
        state.busy_us = apply(state.busy_us, busy);
        state.held_us = apply(state.held_us, held);
        state.timed = if add { state.timed + timed } else { state.timed - timed };
        let Some(spent) = end.usage.as_deref() else { return };
        for figures in [&mut state.usage, &mut self.data.usage] {
            if add { figures.add(&spent.usage) } else { figures.sub(&spent.usage) }
        }
        for cost in spent.money.iter().flat_map(|money| money.sums()) {
            for money in [&mut state.money, &mut self.data.money] {
                if add { money.add(&cost) } else { money.sub(&cost) }
            }
        }
        let own = self.data.instances[ix.at()].spent.get_or_insert_default();
        if add {
            own.usage.add(&spent.usage)
        } else {
            own.usage.sub(&spent.usage)
        }
        (own.repeated, own.money) =
            if add { (spent.repeated.clone(), spent.money.clone()) } else { Default::default() };
    }

    fn forget_retry(&mut self, node: NodeIx, ix: InstanceIx) {
        if std::mem::take(&mut self.data.instances[ix.at()].flags.retrying) {
            self.data.nodes[node.at()].derived.retrying.retain(|i| *i != ix);
        }
    }
}

/// Milliseconds as whole microseconds, so that sums do not depend on their order.
pub(crate) fn micros(ms: f64) -> u64 {
    (ms * 1000.0).round() as u64
}
