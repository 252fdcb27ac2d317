//! The gates that are held right now, and how an answer reaches the one who waits.
//!
//! Invariant: a registered hold is either answered, released (debugger gone, pause timeout) or abandoned by its
//! waiter, and exactly one `exec.resumed` follows, sent by the waiter. Answers never run code of the host on our
//! thread. Knows nothing of sockets or of values' types.

use serde_json::value::RawValue;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use wire::{Action, PauseId};

/// What a debugger said about one hold.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) action: Action,
    pub(crate) output: Option<Box<RawValue>>,
    pub(crate) input: Option<Box<RawValue>>,
    pub(crate) request_id: Option<String>,
}

/// Why a hold ends.
#[derive(Debug)]
pub(crate) enum Wake {
    Answered(Answer),
    /// Nobody is there to answer any more.
    Released,
}

#[derive(Default)]
struct State {
    answer: Option<Answer>,
    released: bool,
    waker: Option<Waker>,
}

/// Where one waiter sleeps.
#[derive(Default)]
pub(crate) struct Slot(Mutex<State>);

impl Slot {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Hands `answer` over; gives it back while an earlier one is still being looked at.
    fn offer(&self, answer: Answer) -> Result<(), Answer> {
        let mut state = self.lock();
        if state.answer.is_some() {
            return Err(answer);
        }
        state.answer = Some(answer);
        let waker = state.waker.take();
        drop(state);
        waker.into_iter().for_each(Waker::wake);
        Ok(())
    }

    fn release(&self) {
        let mut state = self.lock();
        state.released = true;
        let waker = state.waker.take();
        drop(state);
        waker.into_iter().for_each(Waker::wake);
    }

    /// The next answer; an answer that came before the release still counts.
    pub(crate) fn poll(&self, context: &Context<'_>) -> Poll<Wake> {
        let mut state = self.lock();
        if let Some(answer) = state.answer.take() {
            return Poll::Ready(Wake::Answered(answer));
        }
        if state.released {
            return Poll::Ready(Wake::Released);
        }
        state.waker = Some(context.waker().clone());
        Poll::Pending
    }
}

/// All open holds of a session.
#[derive(Default)]
pub(crate) struct Holds {
    open: Mutex<HashMap<PauseId, Arc<Slot>>>,
}

impl Holds {
    fn lock(&self) -> MutexGuard<'_, HashMap<PauseId, Arc<Slot>>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn open(&self, pause_id: &PauseId) -> Arc<Slot> {
        let slot = Arc::new(Slot::default());
        self.lock().insert(pause_id.clone(), Arc::clone(&slot));
        slot
    }

    /// Closes a hold; true the first time.
    pub(crate) fn close(&self, pause_id: &PauseId) -> bool {
        self.lock().remove(pause_id).is_some()
    }

    /// Routes an answer. An unknown pause id is a hold that has ended meanwhile: nothing to do.
    pub(crate) fn answer(&self, pause_id: &PauseId, answer: Answer) -> Result<(), Answer> {
        let slot = self.lock().get(pause_id).cloned();
        slot.map_or(Ok(()), |slot| slot.offer(answer))
    }

    /// Fail open: everything that is held goes on.
    pub(crate) fn release_all(&self) {
        let slots: Vec<Arc<Slot>> = self.lock().values().cloned().collect();
        slots.iter().for_each(|slot| slot.release());
    }

    pub(crate) fn len(&self) -> usize {
        self.lock().len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(action: Action) -> Answer {
        Answer { action, output: None, input: None, request_id: None }
    }

    fn poll(slot: &Slot) -> Option<&'static str> {
        match slot.poll(&Context::from_waker(Waker::noop())) {
            Poll::Ready(Wake::Answered(_)) => Some("answered"),
            Poll::Ready(Wake::Released) => Some("released"),
            Poll::Pending => None,
        }
    }

    #[test]
    fn an_answer_reaches_its_own_hold_only() {
        let holds = Holds::default();
        let (one, two) = (holds.open(&PauseId::from("p1")), holds.open(&PauseId::from("p2")));
        holds.answer(&PauseId::from("p1"), answer(Action::Continue)).expect("free");
        assert_eq!((poll(&one), poll(&two)), (Some("answered"), None));
        holds.answer(&PauseId::from("p9"), answer(Action::Abort)).expect("ended holds take nothing");
    }

    #[test]
    fn a_second_answer_waits_for_the_first_to_be_looked_at() {
        let holds = Holds::default();
        let slot = holds.open(&PauseId::from("p"));
        holds.answer(&PauseId::from("p"), answer(Action::Inject)).expect("free");
        holds.answer(&PauseId::from("p"), answer(Action::Abort)).expect_err("occupied");
        assert_eq!(poll(&slot), Some("answered"));
        holds.answer(&PauseId::from("p"), answer(Action::Abort)).expect("free again");
    }

    #[test]
    fn a_release_ends_every_hold_and_stays() {
        let holds = Holds::default();
        let (one, two) = (holds.open(&PauseId::from("p1")), holds.open(&PauseId::from("p2")));
        holds.release_all();
        assert_eq!(
            (poll(&one), poll(&two), poll(&two)),
            (Some("released"), Some("released"), Some("released"))
        );
        assert!(holds.close(&PauseId::from("p1")) && !holds.close(&PauseId::from("p1")));
        assert_eq!(holds.len(), 1);
    }
}
