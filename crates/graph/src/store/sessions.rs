//! Numbers that one sender used over all its runs in a recording.
//!
//! A sender has one counter for all its runs and hellos, so a number missing in one run may stand in another. In a
//! recording of several runs the numbers of all of them count as used. Where two senders share a recording this
//! hides a hole rather than show one that never was.

use std::collections::HashMap;

use indexmap::IndexMap;

use crate::seqs::SeqSet;
use crate::{Run, RunKey};

/// Numbers that senders used over all their runs in a recording.
#[derive(Debug, Clone, Default)]
pub(super) struct Sessions {
    used: Vec<SeqSet>,
    runs: HashMap<RunKey, usize>,
    /// A number came late, so that runs may have holes it fills.
    late: bool,
}

impl Sessions {
    /// Notes a number; `restarts` when the sender's counter began anew with it.
    pub(super) fn take(&mut self, seq: u64, restarts: bool) {
        if self.used.is_empty() || (restarts && self.used.last().is_some_and(|used| used.contains(seq))) {
            self.used.push(SeqSet::default());
        }
        if let Some(used) = self.used.last_mut() {
            self.late |= used.max().is_some_and(|max| seq < max);
            used.insert(seq);
        }
    }

    /// A run belongs to the session it first appears in.
    pub(super) fn join(&mut self, key: &RunKey) {
        if !self.runs.contains_key(key) {
            self.runs.insert(key.clone(), self.used.len().saturating_sub(1));
        }
    }

    /// Numbers between a run's last and this one that its sender used elsewhere.
    pub(super) fn account(&self, run: &mut Run, seq: u64) {
        let Some(last) = run.data.known.max().filter(|last| *last + 1 < seq) else { return };
        if let Some(used) = self.runs.get(run.key()).and_then(|at| self.used.get(*at)) {
            fill(run, used, last + 1, seq - 1);
        }
    }

    /// The same for every hole of every run, once late numbers have come.
    pub(super) fn settle(&mut self, runs: &mut IndexMap<RunKey, Run>) {
        if !std::mem::take(&mut self.late) {
            return;
        }
        for run in runs.values_mut() {
            let Some(used) = self.runs.get(run.key()).and_then(|at| self.used.get(*at)) else { continue };
            let holes: Vec<_> = run.data.known.holes().collect();
            for (from, to) in holes {
                fill(run, used, from, to);
            }
        }
    }
}

fn fill(run: &mut Run, used: &SeqSet, from: u64, to: u64) {
    for (start, end) in used.ranges_within(from, to) {
        run.data.known.insert_range(start, end);
    }
}
