//! One execution of one node, and the run it belongs to: what every handle of the public API points at.
//!
//! Invariant: an execution starts once and ends once, whatever its handles do; a chain of parents is dropped without
//! recursion. Time at gates is counted for the held node and for every node it runs under, overlapping holds once.

use crate::{
    deltas::{Pending, Then},
    loops::{LoopFacts, Streak},
    session::Session,
    shared::Shared,
    usage::Usage,
};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use stream::Json;
use wire::{Channel, InstanceId, Kind, NodeId, RunId};

/// A run as its handles share it.
pub(crate) struct RunCore {
    pub(crate) shared: Arc<Shared>,
    pub(crate) id: RunId,
    /// A person pressed Abort: no further node of this run starts.
    aborted: AtomicBool,
    streak: Mutex<Streak>,
    /// Keeps the session open while the run has handles.
    _session: Session,
}

impl RunCore {
    pub(crate) fn new(session: Session, id: RunId) -> Self {
        let shared = Arc::clone(session.shared());
        Self { shared, id, aborted: AtomicBool::new(false), streak: Mutex::default(), _session: session }
    }

    pub(crate) fn is_aborted(&self) -> bool {
        self.aborted.load(Ordering::Relaxed)
    }

    pub(crate) fn abort(&self) {
        self.aborted.store(true, Ordering::Relaxed);
    }

    pub(crate) fn enter_loop(&self, node_id: &NodeId, input: &str, seq: u64) -> Option<LoopFacts> {
        let repeats = self.shared.config.loop_repeats;
        lock(&self.streak).enter(node_id.as_str(), input, seq, repeats)
    }
}

/// Time at gates; overlapping holds of parallel children count once.
#[derive(Debug, Default)]
struct HeldClock {
    open: u32,
    since: Option<Instant>,
    total: Duration,
}

/// What an execution is made from.
pub(crate) struct Site {
    pub(crate) run: Arc<RunCore>,
    pub(crate) parent: Option<Arc<Place>>,
    pub(crate) node_id: NodeId,
    pub(crate) instance_id: InstanceId,
    pub(crate) kind: Kind<'static>,
    pub(crate) name: String,
    pub(crate) graph: Option<Arc<Json>>,
}

/// See the module's documentation.
pub(crate) struct Place {
    pub(crate) run: Arc<RunCore>,
    pub(crate) parent: Option<Arc<Self>>,
    pub(crate) node_id: NodeId,
    pub(crate) instance_id: InstanceId,
    pub(crate) kind: Kind<'static>,
    pub(crate) name: String,
    /// Context of the graph task it runs in.
    pub(crate) graph: Option<Arc<Json>>,
    started: Instant,
    ended: AtomicBool,
    pending: Mutex<Pending>,
    usage: Mutex<Option<Usage>>,
    held: Mutex<HeldClock>,
    /// The error of a child that a person let go on, so that it does not hold again as it passes here.
    let_go: Mutex<Option<String>>,
    /// Facts of a loop, until the next before gate has looked at them.
    looping: Mutex<Option<LoopFacts>>,
}

impl Place {
    pub(crate) fn new(site: Site) -> Arc<Self> {
        let Site { run, parent, node_id, instance_id, kind, name, graph } = site;
        Arc::new(Self {
            run,
            parent,
            node_id,
            instance_id,
            kind,
            name,
            graph,
            started: Instant::now(),
            ended: AtomicBool::new(false),
            pending: Mutex::default(),
            usage: Mutex::default(),
            held: Mutex::default(),
            let_go: Mutex::default(),
            looping: Mutex::default(),
        })
    }

    pub(crate) fn shared(&self) -> &Arc<Shared> {
        &self.run.shared
    }

    /// True for the first caller: the one who sends the end.
    pub(crate) fn end_once(&self) -> bool {
        !self.ended.swap(true, Ordering::AcqRel)
    }

    pub(crate) fn is_ended(&self) -> bool {
        self.ended.load(Ordering::Acquire)
    }

    pub(crate) fn duration(&self) -> Duration {
        self.started.elapsed()
    }

    pub(crate) fn push_delta(self: &Arc<Self>, channel: Channel<'static>, text: &str) {
        if text.is_empty() || !self.shared().enabled() || self.is_ended() {
            return;
        }
        let then = lock(&self.pending).push(channel, text);
        match then {
            Then::Nothing => {}
            Then::Plan => self.shared().dirty.plan(self),
            Then::Flush => self.flush_deltas(),
        }
    }

    /// Sends the text collected so far.
    pub(crate) fn flush_deltas(&self) {
        // The lock is kept while sending, so that two flushes cannot swap their texts.
        let mut pending = lock(&self.pending);
        let deltas = pending.take();
        if !deltas.is_empty() {
            self.emit_deltas(deltas);
        }
    }

    pub(crate) fn set_usage(&self, usage: Usage) {
        *lock(&self.usage) = Some(usage);
    }

    pub(crate) fn usage(&self) -> Option<Usage> {
        lock(&self.usage).clone()
    }

    pub(crate) fn note_let_go(&self, message: &str) {
        *lock(&self.let_go) = Some(message.to_owned());
    }

    /// Whether `message` is, or wraps, an error that a person let go on below.
    pub(crate) fn was_let_go(&self, message: &str) -> bool {
        lock(&self.let_go).as_ref().is_some_and(|seen| message.contains(seen.as_str()))
    }

    pub(crate) fn set_loop(&self, facts: Option<LoopFacts>) {
        *lock(&self.looping) = facts;
    }

    pub(crate) fn take_loop(&self) -> Option<LoopFacts> {
        lock(&self.looping).take()
    }

    /// A hold begins here: the clocks of this node and of all above it run.
    pub(crate) fn hold_begins(&self) {
        let now = Instant::now();
        self.up(|place| {
            let mut held = lock(&place.held);
            held.open += 1;
            held.since.get_or_insert(now);
        });
    }

    pub(crate) fn hold_ends(&self) {
        let now = Instant::now();
        self.up(|place| {
            let mut held = lock(&place.held);
            held.open = held.open.saturating_sub(1);
            if held.open == 0
                && let Some(since) = held.since.take()
            {
                held.total += now.saturating_duration_since(since);
            }
        });
    }

    pub(crate) fn held_total(&self) -> Duration {
        let held = lock(&self.held);
        held.total + held.since.map_or(Duration::ZERO, |since| since.elapsed())
    }

    fn up(&self, mut visit: impl FnMut(&Self)) {
        let mut at = Some(self);
        while let Some(place) = at {
            visit(place);
            at = place.parent.as_deref();
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut above = self.parent.take();
        while let Some(parent) = above {
            above = Arc::into_inner(parent).and_then(|mut parent| parent.parent.take());
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(parent: Option<Arc<Place>>) -> Arc<Place> {
        let run = parent.as_ref().map_or_else(
            || Arc::new(RunCore::new(Session::disabled(), RunId::from("r1"))),
            |parent| Arc::clone(&parent.run),
        );
        Place::new(Site {
            run,
            parent,
            node_id: NodeId::from("tool:x"),
            instance_id: InstanceId::from("x1"),
            kind: Kind::Tool,
            name: "x".to_owned(),
            graph: None,
        })
    }

    #[test]
    fn a_chain_of_a_hundred_thousand_parents_is_dropped_without_a_deep_stack() {
        let mut leaf = place(None);
        for _ in 0..100_000 {
            leaf = place(Some(leaf));
        }
        leaf.hold_begins();
        leaf.hold_ends();
        drop(leaf);
    }

    #[test]
    fn a_hold_counts_for_every_node_above_and_two_at_once_count_once() {
        let root = place(None);
        let (one, two) = (place(Some(Arc::clone(&root))), place(Some(Arc::clone(&root))));
        one.hold_begins();
        two.hold_begins();
        std::thread::sleep(Duration::from_millis(5));
        one.hold_ends();
        two.hold_ends();
        let sum = one.held_total() + two.held_total();
        assert!(root.held_total() >= one.held_total() && root.held_total() < sum);
    }

    #[test]
    fn an_error_let_go_below_is_known_again_when_wrapped() {
        let root = place(None);
        root.note_let_go("bad amount");
        assert!(root.was_let_go("line 3: bad amount"));
        assert!(!root.was_let_go("timeout"));
    }
}
