//! States as the run gives them: what still runs when a run is over is abandoned, and nothing is held.
//!
//! Invariant: these are the only answers to "how does it stand"; the fields behind them do not know the run.

use crate::node::Batch;
use crate::{Channel, Counts, Hold, InstanceIx, NodeIx, NodeStatus, Run, Status};

impl Run {
    /// The run's state: what its end says, else uncertain while its records say it is blocked so, else running while live, else abandoned.
    pub fn status(&self) -> Status {
        match (self.end(), self.data.live) {
            (Some(end), _) => end.status,
            (None, _) if self.data.kxm.blocked.last().is_some_and(|(_, blocked)| *blocked) => {
                Status::Uncertain
            }
            (None, true) => Status::Running,
            (None, false) => Status::Abandoned,
        }
    }

    /// True when nothing more will change but by late events.
    pub fn is_over(&self) -> bool {
        self.end().is_some() || !self.data.live
    }

    /// The state of an instance.
    pub fn instance_status(&self, ix: InstanceIx) -> Status {
        match self.instance(ix).status {
            Status::Running if self.is_over() => Status::Abandoned,
            status => status,
        }
    }

    /// The instances of a node by state.
    pub fn counts(&self, ix: NodeIx) -> Counts {
        let counts = self.node(ix).counts;
        if self.is_over() { counts.closed() } else { counts }
    }

    /// The state of a node: held before running, running before ended; of the ends since it last started, the
    /// worst. An error that a later instance made up for is history.
    pub fn node_status(&self, ix: NodeIx) -> NodeStatus {
        let node = self.node(ix);
        let empty = match () {
            () if node.is_ghost() => NodeStatus::Ghost,
            () if !node.is_container => NodeStatus::Unreached,
            () if self.is_over() => NodeStatus::Ok,
            () => NodeStatus::Running,
        };
        node_status(self.counts(ix), node.counts.running > 0, node.derived.batch, empty)
    }

    /// True while the hold waits for an answer.
    pub fn is_held(&self, hold: &Hold) -> bool {
        hold.open && !self.is_over()
    }

    /// Holds that wait for an answer, in sequence order.
    pub fn open_holds(&self) -> Vec<crate::HoldIx> {
        if self.is_over() {
            return Vec::new();
        }
        let mut open: Vec<_> = self.index.open_holds.iter().copied().collect();
        open.sort_by_key(|ix| self.hold(*ix).paused.seq);
        open
    }

    /// Interrupts that nothing has answered, oldest first, also of a run that has stopped for them.
    pub fn pending_interrupts(&self) -> Vec<crate::HoldIx> {
        let mut open: Vec<_> =
            self.index.open_holds.iter().copied().filter(|ix| self.hold(*ix).interrupt).collect();
        open.sort_by_key(|ix| self.hold(*ix).paused.seq);
        open
    }

    /// True when another open hold has the same pause id, so that one answer releases both.
    pub fn shares_pause(&self, ix: crate::HoldIx) -> bool {
        let group = self.index.pauses.get(&self.hold(ix).pause_id).map(|at| &self.data.pauses[*at as usize]);
        // Holds with the same end are neighbours.
        let place = group.and_then(|group| group.holds.iter().rposition(|other| *other == ix));
        let (Some(group), Some(place)) = (group, place) else { return false };
        let near =
            [place.checked_sub(1), Some(place + 1)].into_iter().flatten().filter_map(|i| group.holds.get(i));
        near.into_iter().any(|other| self.hold(*other).open)
    }

    /// The last words streamed by an instance, at most 512 bytes, and whether anything precedes them.
    pub fn tail(&self, ix: InstanceIx) -> String {
        let instance = self.instance(ix);
        let named = instance.text.as_deref().and_then(|text| Some(&text.named.as_deref()?.tail));
        let mut text = String::new();
        if let Some(tail) = named {
            tail.chunks().filter(|c| c.1 != Channel::ToolArgs).for_each(|c| text.push_str(c.2));
        }
        if text.is_empty() {
            self.implied_tail(instance.node, Some(ix), &mut text);
        }
        crate::text::last_bytes(&text, crate::TAIL_BYTES).to_owned()
    }

    /// The last deltas of a node that no instance could be given, in order: never to be read as one text.
    pub fn unattributed_tail(&self, ix: NodeIx) -> String {
        let mut text = String::new();
        self.implied_tail(ix, None, &mut text);
        crate::text::last_bytes(&text, crate::TAIL_BYTES).to_owned()
    }

    fn implied_tail(&self, node: NodeIx, target: Option<InstanceIx>, text: &mut String) {
        let node = self.node(node);
        let Some(tail) = node.tail.as_deref() else { return };
        for (seq, _, delta) in tail.chunks().filter(|chunk| chunk.1 != Channel::ToolArgs) {
            let at = node.segments.partition_point(|segment| segment.last_seq() < seq);
            if node.segments.get(at).is_some_and(|segment| segment.target == target) {
                text.push_str(delta);
            }
        }
    }
}

/// A node's state from its counts as its run gives them, whether an instance has no end, and the ends since the last
/// start; `empty` when there is no instance.
pub(crate) fn node_status(counts: Counts, endless: bool, batch: Batch, empty: NodeStatus) -> NodeStatus {
    match () {
        () if counts.held > 0 => NodeStatus::Held,
        () if counts.total == 0 => empty,
        () if counts.running > 0 => NodeStatus::Running,
        () if batch.uncertain > 0 => NodeStatus::Uncertain,
        () if batch.error > 0 => NodeStatus::Error,
        () if batch.aborted > 0 => NodeStatus::Aborted,
        () if endless => NodeStatus::Abandoned,
        () => NodeStatus::Ok,
    }
}
