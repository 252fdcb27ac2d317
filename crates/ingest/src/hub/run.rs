//! One run in the hub: its facts, whose it is, and its state where someone needs that.
//!
//! Invariant: the state and `deferred` together are every stored event once. While a snapshot is read from the state
//! nothing writes to it: events wait in `deferred` and are caught up in portions, so neither the reader nor the live
//! traffic waits for the other.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use graph::{RunKey, Store};
use tokio_tungstenite::tungstenite::Utf8Bytes;

use super::facts::{Facts, OpenHold};
use super::io::{SessionId, ViewerId};
use crate::limits::DEFERRED_BYTES_MAX;

/// A run.
pub(crate) struct Run {
    /// What the run list, claims and deduplication need.
    pub(crate) facts: Facts,
    /// The identity that started it; none for imports and for runs whose owner is forgotten.
    pub(crate) owner: Option<Arc<str>>,
    /// The connection that may write now.
    pub(crate) session: Option<SessionId>,
    /// When it counts as abandoned, on the clock that never goes back; none while somebody is connected.
    pub(crate) due_ms: Option<u64>,
    /// More can come.
    pub(crate) live: bool,
    /// Numbers that are not missing: seen, used elsewhere by its session, or lost as its sender says.
    pub(crate) covered: graph::SeqSet,
    /// Its part of the figure of gaps.
    pub(crate) gaps_shown: u64,
    /// Node id to kind and name, for breakpoints and for naming holds.
    pub(crate) words: BTreeMap<Box<str>, (Box<str>, Box<str>)>,
    /// Bodies that conditions may ask about.
    pub(crate) bodies: super::debug::Bodies,
    /// Pause ids that were answered and whose answer is on its way, with the time.
    pub(crate) asked: BTreeMap<String, u64>,
    /// Those of them that a breakpoint's expressions answered; not shown as held unless that takes long.
    pub(crate) passing: BTreeSet<String>,
    /// Holds of an earlier connection: clients let go of every gate when it ends, whether they get to say so or not.
    pub(crate) let_go: BTreeSet<String>,
    /// Viewers that look at it.
    pub(crate) watchers: BTreeSet<ViewerId>,
    /// The state.
    pub(crate) state: State,
    /// Journal length when its sidecar was last written, in events.
    pub(crate) kept_events: u64,
    /// When nobody needed its state any more.
    pub(crate) idle_ms: Option<u64>,
}

/// Where the state of a run is.
pub(crate) enum State {
    /// On disk only.
    Cold,
    /// Being read from disk; `again` when too much came meanwhile.
    Loading { deferred: Deferred, again: bool },
    /// In memory; `frozen` while a snapshot reads it.
    Warm { store: Arc<Store>, deferred: Deferred, frozen: bool },
}

/// Stored events that the state has not seen.
#[derive(Default)]
pub(crate) struct Deferred {
    frames: VecDeque<Late>,
    bytes: usize,
}

enum Late {
    Frame(Utf8Bytes),
    Account(u64, u64),
    Live(bool),
}

impl Deferred {
    fn push(&mut self, late: Late) {
        if let Late::Frame(frame) = &late {
            self.bytes += frame.len();
        }
        self.frames.push_back(late);
    }

    fn pop(&mut self) -> Option<Late> {
        let late = self.frames.pop_front()?;
        if let Late::Frame(frame) = &late {
            self.bytes -= frame.len();
        }
        Some(late)
    }
}

impl Run {
    pub(crate) fn new(facts: Facts) -> Self {
        Self {
            facts,
            owner: None,
            session: None,
            due_ms: None,
            live: false,
            covered: graph::SeqSet::default(),
            gaps_shown: 0,
            words: BTreeMap::new(),
            bodies: super::debug::Bodies::default(),
            asked: BTreeMap::new(),
            passing: BTreeSet::new(),
            let_go: BTreeSet::new(),
            watchers: BTreeSet::new(),
            state: State::Cold,
            kept_events: 0,
            idle_ms: None,
        }
    }

    /// The holds that wait for an answer, as far as anyone can tell.
    pub(crate) fn open_holds(&self) -> impl Iterator<Item = &OpenHold> {
        let open = |hold: &&OpenHold| !self.let_go.contains(&hold.summary.pause_id);
        let reachable = self.live && self.session.is_some();
        self.facts.holds.iter().filter(move |_| reachable).filter(open)
    }

    /// It consists of records, which whoever reports on it may add to.
    pub(crate) fn takes_records(&self) -> bool {
        self.facts.records && self.owner.is_none()
    }

    /// Finds out anew which numbers are not missing, as the state that is being read will.
    pub(crate) fn cover(&mut self, known: &[(u64, u64)]) {
        self.covered = self.facts.seen.clone();
        let ranges = self.facts.lost.ranges().chain(known.iter().copied());
        ranges.for_each(|(from, to)| self.covered.insert_range(from, to));
    }

    /// How many holes the numbering of a live run has.
    pub(crate) fn gaps(&self) -> u64 {
        if self.live { self.covered.range_count().saturating_sub(1) as u64 } else { 0 }
    }

    /// Its connection has ended, and with it every hold.
    pub(crate) fn lose_holds(&mut self) {
        self.asked.clear();
        self.passing.clear();
        self.let_go = self.facts.holds.iter().map(|hold| hold.summary.pause_id.clone()).collect();
    }

    /// Gives a stored event to the state, now or when it is free.
    pub(crate) fn apply(&mut self, key: &RunKey, frame: &Utf8Bytes, decoded: &wire::Decoded<'_>) {
        if let State::Warm { store, deferred, frozen: false } = &mut self.state
            && deferred.frames.is_empty()
            && let Some(store) = Arc::get_mut(store)
        {
            store.apply_to(key, decoded);
            return;
        }
        self.defer(Late::Frame(frame.clone()));
    }

    /// Tells the state that its session used these numbers elsewhere.
    pub(crate) fn account(&mut self, key: &RunKey, from: u64, to: u64) {
        self.covered.insert_range(from, to);
        self.late(key, Late::Account(from, to));
    }

    /// Tells the state whether more can come.
    pub(crate) fn set_live(&mut self, key: &RunKey, live: bool) {
        self.live = live;
        self.late(key, Late::Live(live));
    }

    fn late(&mut self, key: &RunKey, late: Late) {
        if let State::Warm { store, deferred, frozen: false } = &mut self.state
            && deferred.frames.is_empty()
            && let Some(store) = Arc::get_mut(store)
        {
            return give(store, key, late);
        }
        self.defer(late);
    }

    fn defer(&mut self, late: Late) {
        match &mut self.state {
            State::Cold => {}
            State::Loading { deferred, again } => {
                // What the disk has by then is read again instead of being kept here.
                if deferred.bytes > DEFERRED_BYTES_MAX {
                    *deferred = Deferred::default();
                    *again = true;
                }
                if !*again {
                    deferred.push(late);
                }
            }
            State::Warm { deferred, .. } => {
                if deferred.bytes > DEFERRED_BYTES_MAX {
                    self.state = State::Cold;
                } else {
                    deferred.push(late);
                }
            }
        }
    }

    /// Catches the state up by at most `budget` events; returns what is left of the budget.
    pub(crate) fn catch_up(&mut self, key: &RunKey, mut budget: usize) -> usize {
        let State::Warm { store, deferred, frozen: false } = &mut self.state else { return budget };
        let Some(store) = Arc::get_mut(store) else { return budget };
        while budget > 0
            && let Some(late) = deferred.pop()
        {
            give(store, key, late);
            budget -= 1;
        }
        budget
    }

    /// True while stored events wait for the state.
    pub(crate) fn is_behind(&self) -> bool {
        matches!(&self.state, State::Warm { deferred, frozen: false, .. } if !deferred.frames.is_empty())
    }

    /// The state for a reader, if it is complete; it is not written to until [`Run::thaw`].
    pub(crate) fn freeze(&mut self) -> Option<Arc<Store>> {
        let State::Warm { store, deferred, frozen } = &mut self.state else { return None };
        if *frozen || !deferred.frames.is_empty() {
            return None;
        }
        // What late events have put off belongs into the snapshot.
        Arc::get_mut(store)?.settle();
        *frozen = true;
        Some(store.clone())
    }

    /// The reader is done.
    pub(crate) fn thaw(&mut self) {
        if let State::Warm { frozen, .. } = &mut self.state {
            *frozen = false;
        }
    }

    /// The state as far as it has come.
    pub(crate) fn store(&self) -> Option<&Store> {
        match &self.state {
            State::Warm { store, .. } => Some(store),
            State::Cold | State::Loading { .. } => None,
        }
    }
}

fn give(store: &mut Store, key: &RunKey, late: Late) {
    match late {
        Late::Frame(frame) => {
            store.apply_to(key, &wire::decode(&frame));
        }
        Late::Account(from, to) => store.account(key, from, to),
        Late::Live(live) => {
            store.set_live(key, live);
        }
    }
}
