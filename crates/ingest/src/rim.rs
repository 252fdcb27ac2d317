//! The hub's task: inputs in, outputs done, in the order that makes stored-before-shown true.
//!
//! Invariant: this task never waits for a peer. It waits for the disk only where a line must be written before it is
//! shown; reading, serialising and syncing happen on blocking threads.

mod export;
mod handle;
mod import;
mod load;
mod outputs;
mod peers;
mod reads;
mod restore;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use tokio::sync::{mpsc, watch};
use tokio::time::MissedTickBehavior;

pub(crate) use export::{Spool, export_to};
pub(crate) use handle::{HubHandle, Message, Seat};
pub(crate) use import::{ImportOutcome, import};
pub(crate) use peers::{ToApp, ToViewer, ViewerQueue};
pub(crate) use reads::{body, page};
pub(crate) use restore::{Restored, restore};

use crate::config::Importer;
use crate::hub::{Hub, Input, Now, Output};
use crate::journal::{Journal, sync_all};
use crate::limits::{CLOSE_WAIT, HUB_BATCH_MAX, HUB_FRAMES_MAX, SYNC_EVERY, TICK};

/// Everything the hub's task works with.
pub(crate) struct Rim {
    pub(crate) hub: Hub,
    pub(crate) journal: Arc<Journal>,
    pub(crate) data_dir: PathBuf,
    pub(crate) importer: Option<Arc<dyn Importer>>,
    pub(crate) demo: Option<Arc<dyn Fn() + Send + Sync>>,
    pub(crate) handle: handle::WeakHandle,
    peers: peers::Peers,
    /// Where lines are put together for one write.
    buffer: Vec<u8>,
    remembered: Option<std::fs::File>,
    began: Instant,
    syncing: Option<tokio::task::JoinHandle<()>>,
    synced: Instant,
}

/// The two ways in: what must not wait behind a flood, and the flood.
pub(crate) struct Inbox {
    pub(crate) urgent: mpsc::Receiver<Message>,
    pub(crate) main: mpsc::Receiver<Message>,
}

impl Rim {
    pub(crate) fn new(
        hub: Hub,
        journal: Arc<Journal>,
        config: &crate::ServerConfig,
        handle: handle::WeakHandle,
    ) -> Self {
        Self {
            hub,
            journal,
            data_dir: config.data_dir.clone(),
            importer: config.importer.clone(),
            demo: config.demo.clone(),
            handle,
            peers: peers::Peers::default(),
            buffer: Vec::new(),
            remembered: None,
            began: Instant::now(),
            syncing: None,
            synced: Instant::now(),
        }
    }

    fn now(&self) -> Now {
        let wall = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let mono = u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX);
        Now { wall_ms: wall.as_secs_f64() * 1_000.0, mono_ms: mono }
    }

    /// Works until it is told to stop and everyone has gone, or has had time to.
    pub(crate) async fn run(mut self, mut inbox: Inbox, mut stopped: watch::Receiver<bool>) {
        let mut tick = tokio::time::interval(TICK);
        tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut until: Option<tokio::time::Instant> = None;
        let mut out = Vec::new();
        loop {
            let deadline = until.unwrap_or_else(|| tokio::time::Instant::now() + Duration::from_secs(86_400));
            let first = tokio::select! {
                biased;
                first = inbox.urgent.recv() => first,
                first = inbox.main.recv() => first,
                () = std::future::ready(()), if self.hub.has_work() => Some(Message::Work),
                _ = tick.tick() => Some(Message::Tick),
                () = crate::server::stopping(&mut stopped), if until.is_none() => {
                    until = Some(tokio::time::Instant::now() + CLOSE_WAIT);
                    continue;
                }
                () = tokio::time::sleep_until(deadline), if until.is_some() => None,
            };
            let Some(first) = first else {
                while let Ok(left) = inbox.main.try_recv() {
                    self.turn(left, &mut inbox, &mut out);
                }
                break;
            };
            self.turn(first, &mut inbox, &mut out);
            // Other tasks of a single-threaded runtime get their turn between two of ours.
            tokio::task::yield_now().await;
        }
        self.finish(&mut out).await;
    }

    /// Takes what is waiting, within bounds, and does all of it at once.
    fn turn(&mut self, first: Message, inbox: &mut Inbox, out: &mut Vec<Output>) {
        let now = self.now();
        let mut frames = 0;
        let mut next = Some(first);
        for _ in 0..HUB_BATCH_MAX {
            let Some(message) = next else { break };
            frames += self.take(now, message, out);
            if frames >= HUB_FRAMES_MAX {
                break;
            }
            next = inbox.urgent.try_recv().or_else(|_| inbox.main.try_recv()).ok();
        }
        self.hub.finish_turn(out);
        self.perform(now, out);
    }

    fn take(&mut self, now: Now, message: Message, out: &mut Vec<Output>) -> usize {
        match message {
            Message::Input(Input::Frames { session, frames }) => {
                let count = frames.len();
                self.hub.step(now, Input::Frames { session, frames }, out);
                return count;
            }
            Message::Input(Input::Records { from, records, receipt }) => {
                let count = records.len();
                self.hub.step(now, Input::Records { from, records, receipt }, out);
                return count;
            }
            Message::Input(input) => {
                match &input {
                    Input::SessionClosed { session } => self.peers.app_gone(*session),
                    Input::ViewerClosed { viewer } => self.peers.viewer_gone(*viewer),
                    _ => {}
                }
                self.hub.step(now, input, out);
            }
            Message::App { session, token, queue } => {
                self.peers.app_came(session, queue);
                self.hub.step(now, Input::SessionOpened { session, token }, out);
            }
            Message::Viewer { viewer, queue } => {
                self.peers.viewer_came(viewer, queue);
                self.hub.step(now, Input::ViewerOpened { viewer }, out);
            }
            Message::Query(query) => query(&mut self.hub, out),
            Message::Tick => {
                let connections = self.peers.apps();
                self.hub.step(now, Input::Tick { connections, memory_bytes: memory_bytes() }, out);
                self.sync();
            }
            Message::Work => {}
        }
        0
    }

    /// Syncs what was written, at most once a second and never twice at a time.
    fn sync(&mut self) {
        if self.synced.elapsed() < SYNC_EVERY || self.syncing.as_ref().is_some_and(|task| !task.is_finished())
        {
            return;
        }
        let Some(unsynced) = self.journal.take_unsynced() else { return };
        self.synced = Instant::now();
        let handle = self.handle.clone();
        self.syncing = Some(tokio::task::spawn_blocking(move || {
            if let Err(error) = sync_all(unsynced) {
                handle.tell(Input::Trouble {
                    what: format!("journals cannot be brought to the disk: {error}"),
                });
            }
        }));
    }

    async fn finish(mut self, out: &mut Vec<Output>) {
        self.hub.keep_all(out);
        let now = self.now();
        self.perform(now, out);
        if let Some(task) = self.syncing.take() {
            let _ = task.await;
        }
        if let Some(unsynced) = self.journal.take_unsynced() {
            let _ = tokio::task::spawn_blocking(move || sync_all(unsynced)).await;
        }
    }
}

/// Resident memory of this process, where the system tells it cheaply; 0 elsewhere.
fn memory_bytes() -> u64 {
    #[cfg(target_os = "linux")]
    {
        const PAGE: u64 = 4_096;
        let statm = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
        statm.split(' ').nth(1).and_then(|pages| pages.parse::<u64>().ok()).map_or(0, |pages| pages * PAGE)
    }
    #[cfg(not(target_os = "linux"))]
    0
}
