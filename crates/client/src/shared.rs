//! What the host's threads and the background thread share: the ring, what is armed, the open holds, the ids.
//!
//! Invariant: nothing here waits. A host thread takes a lock for as long as it takes to append one frame. With the
//! session disabled every entry returns before any work. Knows nothing of sockets.

use crate::{
    alarm::Alarms,
    arm::Armed,
    config::Config,
    deltas::Dirty,
    hold::Holds,
    ring::Ring,
    status::{State, Watch},
};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};
use tokio::sync::Notify;
use wire::{InstanceId, Message, PauseId, RunId};

/// See the module's documentation.
pub(crate) struct Shared {
    pub(crate) config: Config,
    pub(crate) armed: Armed,
    pub(crate) holds: Holds,
    pub(crate) alarms: Alarms,
    pub(crate) dirty: Dirty,
    pub(crate) watch: Watch,
    /// Something was appended for the debugger.
    pub(crate) appended: Notify,
    /// The host is done with the session.
    pub(crate) closing: AtomicBool,
    pub(crate) close: Notify,
    ring: Mutex<Ring>,
    ids: AtomicU64,
    /// Tells the ids of two processes apart.
    tag: String,
}

impl Shared {
    pub(crate) fn new(config: Config) -> Self {
        let ring = Ring::new(config.buffer_events, config.buffer_bytes);
        let state = if config.enabled { State::Detached } else { State::Disabled };
        Self {
            armed: Armed::default(),
            holds: Holds::default(),
            alarms: Alarms::default(),
            dirty: Dirty::default(),
            watch: Watch::new(state),
            appended: Notify::new(),
            closing: AtomicBool::new(false),
            close: Notify::new(),
            ring: Mutex::new(ring),
            ids: AtomicU64::new(0),
            tag: random_tag(),
            config,
        }
    }

    #[inline]
    pub(crate) fn enabled(&self) -> bool {
        self.config.enabled
    }

    pub(crate) fn ring(&self) -> MutexGuard<'_, Ring> {
        self.ring.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Appends one event; its sequence number, 0 when disabled.
    pub(crate) fn emit(&self, run: &RunId, message: &Message<'_>) -> u64 {
        self.emit_with(run, |seq, ts| wire::encode(seq, ts, run.as_str(), message))
    }

    /// Appends the event that `encode` writes for a number and a time.
    pub(crate) fn emit_with(&self, run: &RunId, encode: impl FnOnce(u64, f64) -> String) -> u64 {
        if !self.enabled() {
            return 0;
        }
        let seq = self.ring().push(run, |seq| encode(seq, now_ms()));
        self.appended.notify_one();
        seq
    }

    /// A number no other id of this session has.
    pub(crate) fn ticket(&self) -> u64 {
        self.ids.fetch_add(1, Ordering::Relaxed) + 1
    }

    pub(crate) fn run_id(&self) -> RunId {
        RunId::from(format!("run_{}", random_tag()))
    }

    pub(crate) fn instance_id(&self) -> InstanceId {
        InstanceId::from(format!("call_{}_{}", self.tag, self.ticket()))
    }

    pub(crate) fn pause_id(&self) -> PauseId {
        PauseId::from(format!("pause_{}_{}", self.tag, self.ticket()))
    }
}

/// Twelve hexadecimal digits; from the clock where the system has no randomness to give.
fn random_tag() -> String {
    let mut bytes = [0_u8; 6];
    if getrandom::fill(&mut bytes).is_err() {
        bytes.copy_from_slice(&now_ms().to_bits().to_be_bytes()[2..]);
    }
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Milliseconds since the epoch, to a microsecond.
pub(crate) fn now_ms() -> f64 {
    let micros = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_micros());
    #[expect(
        clippy::cast_precision_loss,
        reason = "microseconds since 1970 stay below 2^53 until the year 2255"
    )]
    let micros = micros as f64;
    micros / 1_000.0
}
