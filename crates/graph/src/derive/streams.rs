//! Deltas that name no instance: given to the only open one, else left as the node's own, never glued together.
//!
//! Invariant: deltas are joined into one segment only where every number between them is known, so no event that
//! could belong between them can still come; what was once joined never has to be taken apart.

use crate::facts::Segment;
use crate::seqs::SeqSet;
use crate::{NodeIx, Run, TextStats};

use super::Step;

impl Run {
    /// Takes deltas without an instance in.
    pub(crate) fn apply_deltas(&mut self, ix: NodeIx, seq: u64, stats: TextStats) {
        if self.extend_segment(ix, seq, &stats) {
            return;
        }
        let node = &mut self.data.nodes[ix.at()];
        let follows = node.segments.last().is_some_and(|last| node.derived.last_seq == Some(last.last_seq()));
        if !node.dirty {
            join_last(&mut node.segments, &self.data.known);
        }
        crate::run::push_tight(&mut node.segments, Segment { stats, target: None, follows });
        let at = crate::run::position(node.segments.len() - 1);
        self.fold_in_order(ix, seq, Step::Deltas(at));
    }

    /// The fast path: nothing has happened at the node since the last delta, and nothing still can.
    fn extend_segment(&mut self, ix: NodeIx, seq: u64, stats: &TextStats) -> bool {
        let node = &mut self.data.nodes[ix.at()];
        let Some(last) = node.segments.last_mut() else { return false };
        let end = last.last_seq();
        let next = !node.dirty && node.derived.last_seq == Some(end) && end < seq;
        if !next || !known_through(&self.data.known, end, seq) {
            return false;
        }
        last.stats.merge(stats);
        node.derived.last_seq = Some(seq);
        match last.target {
            Some(inst) => self.data.instances[inst.at()].text.get_or_insert_default().implied.merge(stats),
            None => node.unattributed.merge(stats),
        }
        true
    }

    pub(super) fn fold_deltas(&mut self, ix: NodeIx, at: u32) {
        let node = &mut self.data.nodes[ix.at()];
        let target = node.derived.only_open();
        let segment = &mut node.segments[at as usize];
        segment.target = target;
        node.derived.last_seq = Some(segment.last_seq());
        match target {
            Some(inst) => {
                self.data.instances[inst.at()].text.get_or_insert_default().implied.merge(&segment.stats)
            }
            None => node.unattributed.merge(&segment.stats),
        }
    }

    /// Puts a node's segments in order and joins what can be joined.
    pub(super) fn join_segments(&mut self, ix: NodeIx) {
        if self.data.nodes[ix.at()].segments.len() < 2 {
            return;
        }
        let mut segments = std::mem::take(&mut self.data.nodes[ix.at()].segments);
        segments.sort_by_key(Segment::first_seq);
        let mut facts = self.steps(ix).into_iter().map(|(seq, _)| seq).peekable();
        let mut joined: Vec<Segment> = Vec::new();
        for mut segment in segments {
            segment.follows = true;
            while facts.next_if(|seq| *seq < segment.first_seq()).is_some() {
                segment.follows = false;
            }
            match joined.last_mut() {
                Some(last)
                    if segment.follows
                        && known_through(&self.data.known, last.last_seq(), segment.first_seq()) =>
                {
                    last.stats.merge(&segment.stats);
                }
                _ => joined.push(segment),
            }
        }
        self.data.nodes[ix.at()].segments = joined;
    }
}

/// Joins the last two segments when the numbers between them have become known since.
fn join_last(segments: &mut Vec<Segment>, known: &SeqSet) {
    if let [.., before, last] = segments.as_mut_slice()
        && last.follows
        && before.last_seq() < last.first_seq()
        && before.target == last.target
        && known_through(known, before.last_seq(), last.first_seq())
    {
        before.stats.merge(&last.stats);
        segments.pop();
    }
}

/// Every number from `from` to `to` is known.
fn known_through(known: &SeqSet, from: u64, to: u64) -> bool {
    known.range_end(from).is_some_and(|end| end >= to)
}
