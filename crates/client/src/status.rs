//! Whether a debugger is attached, for hosts that want to know or wait.
//!
//! Invariant: a waiter is woken by every change; what it waits for it checks itself. Knows nothing of sockets.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::Waker;

/// Where a session stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// Switched off (`GRAPHMIND_DISABLED`): nothing is recorded and nothing is sent.
    Disabled,
    /// No debugger; events are kept for one that comes, gates pass.
    Detached,
    /// A debugger is attached.
    Attached,
}

/// A session's figures at one moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Status {
    /// Where the session stands.
    pub state: State,
    /// Gates held right now.
    pub held: usize,
    /// Events kept for replay.
    pub buffered: usize,
    /// Events that no debugger has read and none will: the ring was full. Gap markers name them.
    pub dropped: u64,
    /// How often a debugger was attached.
    pub attached_count: u64,
    /// Why the last attempt to attach failed or the last connection ended.
    pub last_error: Option<String>,
}

struct Seen {
    state: State,
    attached_count: u64,
    last_error: Option<String>,
    waiting: Vec<Waker>,
}

/// The state and who waits for it to change.
pub(crate) struct Watch(Mutex<Seen>);

impl Watch {
    pub(crate) fn new(state: State) -> Self {
        Self(Mutex::new(Seen { state, attached_count: 0, last_error: None, waiting: Vec::new() }))
    }

    fn lock(&self) -> MutexGuard<'_, Seen> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn set(&self, state: State) {
        let mut seen = self.lock();
        seen.attached_count += u64::from(state == State::Attached && seen.state != State::Attached);
        seen.state = state;
        wake(seen);
    }

    /// Something a waiter may look at has changed.
    pub(crate) fn touch(&self) {
        wake(self.lock());
    }

    pub(crate) fn failed(&self, reason: String) {
        self.lock().last_error = Some(reason);
    }

    /// Wakes `waker` at the next change.
    pub(crate) fn wait(&self, waker: &Waker) {
        let mut seen = self.lock();
        if !seen.waiting.iter().any(|known| known.will_wake(waker)) {
            seen.waiting.push(waker.clone());
        }
    }

    pub(crate) fn figures(&self) -> (State, u64, Option<String>) {
        let seen = self.lock();
        (seen.state, seen.attached_count, seen.last_error.clone())
    }
}

fn wake(mut seen: MutexGuard<'_, Seen>) {
    let waiting = std::mem::take(&mut seen.waiting);
    drop(seen);
    waiting.into_iter().for_each(Waker::wake);
}
