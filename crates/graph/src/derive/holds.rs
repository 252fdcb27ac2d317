//! Holds: which instance waits, what an answer does to it, and gates that opened unseen.

use crate::{HoldIx, InstanceIx, NodeIx, Run, Stamp, Status};
use wire::{Action, Point};

impl Run {
    pub(super) fn fold_pause(&mut self, node: NodeIx, ix: HoldIx) {
        let hold = &self.data.holds[ix.at()];
        if hold.shadow {
            return;
        }
        let inst = hold.named.or_else(|| self.waiting(node, hold.point));
        let hold = &mut self.data.holds[ix.at()];
        (hold.open, hold.instance) = (true, inst);
        self.index.open_holds.insert(ix);
        self.data.nodes[node.at()].counts.held += 1;
        if let Some(inst) = inst {
            self.data.instances[inst.at()].open_holds += 1;
        }
    }

    /// The instance that a pause without an instance means: before, the only open one; after and at an error,
    /// the one that ended last where that fits, else the only open one.
    fn waiting(&self, node: NodeIx, point: Point) -> Option<InstanceIx> {
        let derived = &self.data.nodes[node.at()].derived;
        let ended = derived.last_ended;
        let failed = ended.filter(|i| self.data.instances[i.at()].status == Status::Error);
        match point {
            Point::Before => derived.only_open(),
            Point::After => derived.only_open().or(ended),
            Point::Error => failed.or(derived.only_open()).or(ended),
        }
    }

    pub(super) fn fold_release(&mut self, node: NodeIx, ix: HoldIx) {
        if self.data.holds[ix.at()].shadow {
            return;
        }
        let inst = self.open_gate(node, ix);
        if self.data.holds[ix.at()].taken.is_some() {
            return;
        }
        let action = self.data.holds[ix.at()].action();
        if action != Some(Action::Retry) {
            return;
        }
        match inst.filter(|inst| self.data.instances[inst.at()].seen) {
            Some(inst) => self.retry(node, inst),
            None => {
                let state = &mut self.data.nodes[node.at()];
                state.derived.retries += 1;
                state.counts.retried += 1;
            }
        }
    }

    /// The instance runs once more; what it did before is history.
    fn retry(&mut self, node: NodeIx, ix: InstanceIx) {
        let instance = &mut self.data.instances[ix.at()];
        if std::mem::replace(&mut instance.flags.retrying, true) {
            return;
        }
        if !instance.is_open() {
            self.set_status(node, ix, Status::Running, None);
        }
        self.begin_try(node, ix, 1);
        self.data.nodes[node.at()].derived.retrying.push(ix);
    }

    /// Gates of an instance that finished: it went on, whatever was or was not seen of it. A start of the same
    /// instance answers its interrupts only.
    pub(super) fn pass_holds(&mut self, node: NodeIx, inst: InstanceIx, at: Stamp, interrupts_only: bool) {
        if self.data.instances[inst.at()].open_holds == 0 {
            return;
        }
        let of_instance = |ix: &HoldIx| {
            let hold = &self.data.holds[ix.at()];
            hold.open && hold.instance == Some(inst) && (hold.interrupt || !interrupts_only)
        };
        let open: Vec<HoldIx> =
            self.data.nodes[node.at()].holds.iter().copied().filter(of_instance).collect();
        for hold in open {
            self.data.holds[hold.at()].passed = Some(at);
            self.open_gate(node, hold);
        }
    }

    /// The hold is over; the instance that waited.
    fn open_gate(&mut self, node: NodeIx, ix: HoldIx) -> Option<InstanceIx> {
        let hold = &mut self.data.holds[ix.at()];
        let inst = hold.instance;
        if std::mem::take(&mut hold.open) {
            self.index.open_holds.remove(&ix);
            self.data.nodes[node.at()].counts.held -= 1;
            if let Some(inst) = inst {
                self.data.instances[inst.at()].open_holds -= 1;
            }
        }
        inst
    }
}
