//! Timers for code that runs on no runtime of ours: the host's tasks and threads wait, the background thread wakes
//! them.
//!
//! Invariant: an alarm only wakes; what a deadline means is decided by who set it. Knows nothing of holds or sockets.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::task::Waker;
use std::time::Instant;
use tokio::sync::Notify;

/// Wakers by time.
#[derive(Default)]
pub(crate) struct Alarms {
    entries: Mutex<BTreeMap<(Instant, u64), Waker>>,
    changed: Notify,
}

impl Alarms {
    /// Wakes `waker` at `at`; `ticket` tells two alarms of one moment apart and replaces an equal one.
    pub(crate) fn set(&self, at: Instant, ticket: u64, waker: Waker) {
        self.lock().insert((at, ticket), waker);
        self.changed.notify_one();
    }

    pub(crate) fn clear(&self, at: Instant, ticket: u64) {
        self.lock().remove(&(at, ticket));
    }

    /// Wakes what is due and returns when the next one is.
    fn ring(&self, now: Instant) -> Option<Instant> {
        let due = {
            let mut entries = self.lock();
            let later = entries.split_off(&(now, u64::MAX));
            std::mem::replace(&mut *entries, later)
        };
        due.into_values().for_each(Waker::wake);
        self.lock().keys().next().map(|(at, _)| *at)
    }

    /// Serves alarms for ever; runs on the background thread.
    pub(crate) async fn serve(&self) {
        loop {
            match self.ring(Instant::now()) {
                Some(at) => tokio::select! {
                    () = tokio::time::sleep_until(at.into()) => {}
                    () = self.changed.notified() => {}
                },
                None => self.changed.notified().await,
            }
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, BTreeMap<(Instant, u64), Waker>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU32, Ordering};
    use std::task::Wake;
    use std::time::Duration;

    #[derive(Default)]
    struct Count(AtomicU32);

    impl Wake for Count {
        fn wake(self: Arc<Self>) {
            self.0.fetch_add(1, Ordering::SeqCst);
        }
    }

    #[test]
    fn an_alarm_rings_once_when_due_and_not_when_cleared() {
        let alarms = Alarms::default();
        let count = Arc::new(Count::default());
        let start = Instant::now();
        let later = start + Duration::from_secs(5);
        for (at, ticket) in [(start, 1), (start, 2), (start, 3), (later, 1)] {
            alarms.set(at, ticket, Waker::from(Arc::clone(&count)));
        }
        alarms.clear(start, 3);
        assert_eq!(alarms.ring(start), Some(later));
        assert_eq!(count.0.load(Ordering::SeqCst), 2);
        assert_eq!(alarms.ring(later), None);
        assert_eq!(count.0.load(Ordering::SeqCst), 3);
    }
}
