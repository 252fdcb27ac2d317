//! `/stream`: a run as parts, from any number on, and live until it ends.
//!
//! A subscriber reads the journal at its own pace instead of being sent events: a slow one misses nothing, costs nobody
//! anything, and holds one chunk in memory. Invariant: every stored item is looked at once, in the order it was stored;
//! the outcome (final output, interrupts) covers all of them, whatever the filter leaves out.

use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt;
use stream::{Outcome, RunFold, StreamFilter, StreamItem, StreamLine};
use tokio::sync::watch;
use tokio_tungstenite::tungstenite::Message as Frame;

use super::{Socket, close, send};
use crate::journal::{Journal, RunFile, scan};
use crate::limits::{NO_SUCH_RUN, STREAM_CHUNK_BYTES, STREAM_END_CHECK};
use crate::rim::{HubHandle, Seat};

/// What a subscriber asked for.
pub(crate) struct Subscription {
    /// The run's key, or its sender's id.
    pub(crate) run: String,
    pub(crate) journal: Arc<Journal>,
    pub(crate) filter: StreamFilter,
    /// Items with a lower number are not sent.
    pub(crate) from: u64,
    /// How long the run may take to begin.
    pub(crate) wait: Duration,
}

/// Serves one subscriber until the run or the peer ends.
pub(crate) async fn serve(
    mut socket: Socket,
    hub: HubHandle,
    subscription: Subscription,
    seat: Seat,
    mut stopped: watch::Receiver<bool>,
) {
    let (code, reason) = tokio::select! {
        end = subscribed(&mut socket, &hub, subscription) => end,
        () = crate::server::stopping(&mut stopped) => (1001, "the server is closing"),
    };
    drop(seat);
    close(socket, code, reason).await;
}

/// How it ends: the close code and a word.
type End = (u16, &'static str);

const SLOW: End = (1008, "this subscriber reads too slowly");

/// Where a subscriber is.
struct Reader {
    file: Arc<RunFile>,
    filter: StreamFilter,
    from: u64,
    at: u64,
    fold: RunFold,
}

/// The key and the journal of a run that has begun.
pub(crate) async fn find(hub: &HubHandle, journal: &Journal, run: &str) -> Option<(String, Arc<RunFile>)> {
    let run = run.to_owned();
    let (key, summary) = hub.ask(move |hub, _| hub.find(&run)).await??;
    // A run without events is one that is still being imported.
    let file = journal.find(key.as_str()).filter(|_| summary.events > 0)?;
    Some((key.to_string(), file))
}

async fn subscribed(socket: &mut Socket, hub: &HubHandle, subscription: Subscription) -> End {
    let Subscription { run, journal, filter, from, wait } = subscription;
    // What is told while there is no run is the outcome of one that nobody has seen.
    let mut told = None;
    let (key, file) = match find(hub, &journal, &run).await {
        Some(found) => found,
        None => {
            let unseen = RunFold::default().outcome();
            if !send(socket, Frame::text(StreamLine::encode_outcome(&unseen))).await {
                return SLOW;
            }
            told = Some(unseen);
            tokio::select! {
                found = begun(hub, &journal, &run) => found,
                () = tokio::time::sleep(wait) => return (NO_SUCH_RUN, "no such run has begun in time"),
                gone = gone(socket) => return gone,
            }
        }
    };
    let reader = Reader { file, filter, from, at: 0, fold: RunFold::default() };
    follow(socket, hub, &key, reader, told).await
}

/// Waits for a run to begin.
async fn begun(hub: &HubHandle, journal: &Journal, run: &str) -> (String, Arc<RunFile>) {
    let mut known = journal.known();
    loop {
        // Marked as seen before it is looked up, so that what comes in between wakes us.
        known.borrow_and_update();
        if let Some(found) = find(hub, journal, run).await {
            return found;
        }
        tokio::select! {
            _ = known.changed() => {}
            // An import becomes a run when it is whole, long after its journal was begun.
            () = tokio::time::sleep(STREAM_END_CHECK) => {}
        }
    }
}

async fn follow(
    socket: &mut Socket,
    hub: &HubHandle,
    key: &str,
    mut reader: Reader,
    mut told: Option<Outcome>,
) -> End {
    let mut growth = reader.file.growth();
    loop {
        // Asked before reading on, so that what comes between question and reading is not taken for the end.
        let over = !is_live(hub, key).await;
        let len = *growth.borrow_and_update();
        if reader.at < len {
            let read = tokio::task::spawn_blocking(move || reader.read(len)).await;
            let Ok((next, lines)) = read else { return (1011, "the journal cannot be read") };
            reader = next;
            for line in lines {
                if !send(socket, Frame::text(line)).await {
                    return SLOW;
                }
            }
            if reader.at < len {
                continue;
            }
        }
        let outcome = reader.fold.outcome();
        if told.as_ref() != Some(&outcome) {
            if !send(socket, Frame::text(StreamLine::encode_outcome(&outcome))).await {
                return SLOW;
            }
            told = Some(outcome);
        }
        if over && reader.at >= *growth.borrow() {
            let _ = send(socket, Frame::text(StreamLine::encode_end())).await;
            return (1000, "the run has ended");
        }
        tokio::select! {
            _ = growth.changed() => {}
            () = tokio::time::sleep(STREAM_END_CHECK) => {}
            gone = gone(socket) => return gone,
        }
    }
}

async fn is_live(hub: &HubHandle, key: &str) -> bool {
    let key = key.to_owned();
    let found = hub.ask(move |hub, _| hub.find(&key)).await.flatten();
    found.is_some_and(|(_, run)| run.status == "running")
}

/// Reads until the peer goes; what it says is of no interest.
async fn gone(socket: &mut Socket) -> End {
    loop {
        match socket.next().await {
            Some(Ok(Frame::Close(_)) | Err(_)) | None => return (1000, "goodbye"),
            Some(Ok(_)) => {}
        }
    }
}

impl Reader {
    /// The lines of the next chunk. Blocks on the disk.
    fn read(mut self, len: u64) -> (Self, Vec<String>) {
        let start = self.at;
        let file = self.file.clone();
        let mut lines = Vec::new();
        let end = file.line_end(len.min(start + STREAM_CHUNK_BYTES), len);
        let scanned = scan(file.path(), start, Some(end), |line, _| {
            if let Ok(Some(item)) = StreamItem::decode(&wire::decode(line)) {
                self.fold.apply(&item);
                if item.seq >= self.from {
                    lines.extend(stream::lines(&item, &self.filter));
                }
            }
            true
        });
        // A journal that cannot be read now is tried again when it grows; what was read is not read again.
        self.at = scanned.map_or(len, |scanned| scanned.bytes.max(end));
        (self, lines)
    }
}
