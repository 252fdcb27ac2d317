//! When something happened: the sender's sequence number and clock.
//!
//! Invariant: order is by `seq` alone; `ts` is shown and subtracted, never compared across senders.

use serde::{Deserialize, Serialize};

/// A moment of a run.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Stamp {
    /// Sequence number of the event.
    pub seq: u64,
    /// Sender's wall clock in milliseconds since the epoch, as sent.
    pub ts: f64,
}

impl Stamp {
    /// The earlier of two moments by sequence.
    pub(crate) fn earlier(self, other: Option<Stamp>) -> Stamp {
        other.filter(|o| o.seq <= self.seq).unwrap_or(self)
    }

    /// The later of two moments by sequence.
    pub(crate) fn later(self, other: Option<Stamp>) -> Stamp {
        other.filter(|o| o.seq >= self.seq).unwrap_or(self)
    }
}
