//! Starts: a new instance, or another try of one.

use crate::facts::StartIx;
use crate::{InstanceIx, NodeIx, Run, Status};

impl Run {
    pub(super) fn fold_start(&mut self, node: NodeIx, ix: StartIx) {
        let start = &self.data.starts[ix as usize];
        let (at, inst) = (start.at, start.instance);
        self.settle_retry(node, inst);
        let again = self.data.instances[inst.at()].seen;
        self.see(node, inst, at.seq);
        let derived = &mut self.data.nodes[node.at()].derived;
        (derived.last_start, derived.newest, derived.batch) = (at.seq, Some(inst), Default::default());
        if again {
            self.pass_holds(node, inst, at, true);
            self.start_again(node, inst);
        }
        if self.data.starts[ix as usize].unnamed {
            self.data.nodes[node.at()].derived.unnamed.push_back(inst);
        }
        let instance = &mut self.data.instances[inst.at()];
        instance.started.get_or_insert(at);
        instance.first_start.get_or_insert(ix);
        instance.last_start = Some(ix);
    }

    /// A retry that was answered shows itself: in place, or as this new instance.
    fn settle_retry(&mut self, node: NodeIx, starting: InstanceIx) {
        let retrying = &mut self.data.nodes[node.at()].derived.retrying;
        if retrying.is_empty() {
            return;
        }
        let at = retrying.iter().position(|i| *i == starting).unwrap_or(0);
        let first = retrying.remove(at);
        self.data.instances[first.at()].flags.retrying = false;
        if first != starting
            && let Some(error) = self.data.instances[first.at()].error
            && self.data.instances[first.at()].is_open()
        {
            let ended = self.data.ends[error as usize].at;
            self.set_status(node, first, Status::Error, Some(ended));
        }
    }

    /// One more try under the same id; a retry only when the try before failed and no answer has counted it.
    fn start_again(&mut self, node: NodeIx, ix: InstanceIx) {
        let instance = &self.data.instances[ix.at()];
        let failed = instance.status == Status::Error;
        if !instance.is_open() {
            self.set_status(node, ix, Status::Running, None);
        }
        self.begin_try(node, ix, u32::from(failed));
    }

    /// A further try was announced by the program itself, or what had ended goes on.
    pub(super) fn fold_again(&mut self, node: NodeIx, ix: u32) {
        let derived = &self.data.nodes[node.at()].derived;
        let again = self.data.agains[ix as usize];
        let named = again.named.filter(|inst| self.data.instances[inst.at()].seen);
        let Some(inst) = named.or(derived.only_open()).or(derived.newest) else { return };
        if !self.data.instances[inst.at()].is_open() {
            self.set_status(node, inst, Status::Running, None);
        }
        self.begin_try(node, inst, u32::from(again.retry));
    }

    /// What the try before left is history; `retried` more tries are counted.
    pub(super) fn begin_try(&mut self, node: NodeIx, ix: InstanceIx, retried: u32) {
        let instance = &mut self.data.instances[ix.at()];
        instance.retried += retried;
        (instance.finish, instance.counted, instance.duration_ms, instance.held_ms) =
            (None, None, None, None);
        let state = &mut self.data.nodes[node.at()];
        state.counts.retried += retried;
        state.counts.injected -= u32::from(std::mem::take(&mut instance.flags.injected));
        state.counts.cached -= u32::from(std::mem::take(&mut instance.flags.cached));
    }
}
