//! Holding at a gate until a person has decided.
//!
//! Invariant: no debugger, no hold. Whatever happens to the waiter (answered, debugger gone, time out, task dropped),
//! exactly one `exec.resumed` follows its `exec.paused`. An answer that does not fit is refused with a reason and the
//! gate stays held. What an answer's values mean is the caller's: this module never looks into them.

use crate::{
    arm::Why,
    hold::{Answer, Slot, Wake},
    loops::LoopFacts,
    place::Place,
};
use serde_json::value::RawValue;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Instant;
use wire::{Action, PauseId, Point, RefusalCode};

/// Why an answer cannot be used.
#[derive(Debug)]
pub(crate) struct Refusal {
    pub(crate) code: RefusalCode<'static>,
    pub(crate) message: String,
}

impl Refusal {
    pub(crate) fn new(code: RefusalCode<'static>, message: impl Into<String>) -> Self {
        Self { code, message: message.into() }
    }
}

/// An answer that fits: what to do, and what the debugger is told was done.
#[derive(Debug)]
pub(crate) struct Verdict<V> {
    pub(crate) value: V,
    pub(crate) done: Action,
    /// The input that the node now runs with, where it was edited.
    pub(crate) edited: Option<Box<RawValue>>,
}

/// One hold about to begin.
pub(crate) struct Gate<'a> {
    pub(crate) place: &'a Arc<Place>,
    pub(crate) point: Point,
    pub(crate) why: Why,
    pub(crate) facts: Option<LoopFacts>,
    pub(crate) editable: bool,
    /// The hold's name, where it has one already.
    pub(crate) pause_id: Option<PauseId>,
}

/// Whether this gate must hold.
#[inline]
pub(crate) fn wanted(place: &Place, point: Point) -> Option<(Why, Option<LoopFacts>)> {
    let armed = &place.shared().armed;
    let why = armed.check(point, &place.kind, &place.name);
    if point == Point::Before && armed.is_attached() {
        let facts = place.take_loop();
        return why.or(facts.as_ref().map(|_| Why::Loop)).map(|why| (why, facts));
    }
    why.map(|why| (why, None))
}

/// Holds until `judge` accepts an answer; `None` when nobody is there to answer.
pub(crate) async fn hold<V>(
    gate: Gate<'_>,
    judge: impl Fn(Answer) -> Result<Verdict<V>, Refusal>,
) -> Option<V> {
    let mut open = Open::begin(gate);
    loop {
        let Wake::Answered(answer) = open.wait().await else {
            open.end(Action::Continue, None, None);
            return None;
        };
        let request_id = answer.request_id.clone();
        let judged = catch_unwind(AssertUnwindSafe(|| judge(answer))).unwrap_or_else(|_| {
            Err(Refusal::new(RefusalCode::Schema, "reading the value panicked in the program"))
        });
        match judged {
            Ok(Verdict { value, done, edited }) => {
                open.end(done, edited, request_id);
                return Some(value);
            }
            Err(refusal) => open.place.emit_refused(&open.pause_id, &refusal, request_id.as_deref()),
        }
    }
}

/// A hold that has begun; dropped without an end (its task was cancelled) it reports an abort.
struct Open<'a> {
    place: &'a Arc<Place>,
    pause_id: PauseId,
    slot: Arc<Slot>,
    deadline: Option<Instant>,
    ticket: u64,
    ended: bool,
}

impl<'a> Open<'a> {
    fn begin(gate: Gate<'a>) -> Self {
        let place = gate.place;
        let shared = place.shared();
        let pause_id = gate.pause_id.clone().unwrap_or_else(|| shared.pause_id());
        let slot = shared.holds.open(&pause_id);
        place.flush_deltas();
        place.hold_begins();
        place.emit_paused(&pause_id, &gate);
        if !shared.armed.is_attached() {
            // The debugger went between the check and the registration: its release may have missed this hold.
            shared.holds.release_all();
        }
        shared.watch.touch();
        let deadline = shared.config.pause_timeout.map(|timeout| Instant::now() + timeout);
        Self { place, pause_id, slot, deadline, ticket: shared.ticket(), ended: false }
    }

    async fn wait(&self) -> Wake {
        std::future::poll_fn(|context| self.poll(context)).await
    }

    fn poll(&self, context: &Context<'_>) -> Poll<Wake> {
        if let Poll::Ready(wake) = self.slot.poll(context) {
            return Poll::Ready(wake);
        }
        match self.deadline {
            Some(deadline) if Instant::now() >= deadline => Poll::Ready(Wake::Released),
            Some(deadline) => {
                self.place.shared().alarms.set(deadline, self.ticket, context.waker().clone());
                Poll::Pending
            }
            None => Poll::Pending,
        }
    }

    fn end(&mut self, done: Action, edited: Option<Box<RawValue>>, request_id: Option<String>) {
        if std::mem::replace(&mut self.ended, true) {
            return;
        }
        let shared = self.place.shared();
        shared.holds.close(&self.pause_id);
        if let Some(deadline) = self.deadline {
            shared.alarms.clear(deadline, self.ticket);
        }
        self.place.hold_ends();
        self.place.emit_resumed(&self.pause_id, done, edited.as_deref(), request_id.as_deref());
        shared.watch.touch();
    }
}

impl Drop for Open<'_> {
    fn drop(&mut self) {
        self.end(Action::Abort, None, None);
    }
}
