//! `/stream`: a run as parts, from any number on, and live until it ends.
//!
//! A subscriber reads the journal at its own pace instead of being sent events: a slow one misses nothing, costs nobody
//! anything, and holds one chunk in memory. Invariant: every stored item is looked at once, in the order it was stored;
//! the outcome (final output, interrupts) covers all of them, whatever the filter leaves out.

use std::sync::Arc;
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use stream::{Outcome, RunFold, StreamFilter, StreamItem, StreamLine};
use tokio::sync::watch;
use tokio_tungstenite::tungstenite::Message as Frame;

use super::{Socket, close, in_time, send};
use crate::journal::{Growth, Journal, RunFile};
use crate::limits::{NO_SUCH_RUN, STREAM_CHUNK_BYTES, STREAM_INLINE_BYTES, STREAM_RUN_CHECK};
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
const UNREADABLE: End = (1011, "the journal cannot be read");

/// Where a subscriber is.
struct Reader {
    file: Arc<RunFile>,
    filter: StreamFilter,
    from: u64,
    at: u64,
    fold: RunFold,
}

/// The journal of a run that has begun.
pub(crate) async fn find(hub: &HubHandle, journal: &Journal, run: &str) -> Option<Arc<RunFile>> {
    let run = run.to_owned();
    let (key, summary) = hub.ask(move |hub, _| hub.find(&run)).await??;
    // A run without events is one that is still being imported.
    journal.find(key.as_str()).filter(|_| summary.events > 0)
}

async fn subscribed(socket: &mut Socket, hub: &HubHandle, subscription: Subscription) -> End {
    let Subscription { run, journal, filter, from, wait } = subscription;
    // What is told while there is no run is the outcome of one that nobody has seen.
    let mut told = None;
    let file = match find(hub, &journal, &run).await {
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
    follow(socket, reader, told).await
}

/// Waits for a run to begin.
async fn begun(hub: &HubHandle, journal: &Journal, run: &str) -> Arc<RunFile> {
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
            () = tokio::time::sleep(STREAM_RUN_CHECK) => {}
        }
    }
}

async fn follow(socket: &mut Socket, mut reader: Reader, mut told: Option<Outcome>) -> End {
    let mut growth = reader.file.growth();
    loop {
        // What ends the run is in the file when it is no longer live.
        let Growth { len, live } = *growth.borrow_and_update();
        while reader.at < len {
            let Some((next, lines)) = reader.next(len).await else { return UNREADABLE };
            reader = next;
            if !send_all(socket, lines).await {
                return SLOW;
            }
        }
        if told.as_ref().is_none_or(|told| reader.differs(told)) {
            let outcome = reader.fold.outcome();
            if !send(socket, Frame::text(StreamLine::encode_outcome(&outcome))).await {
                return SLOW;
            }
            told = Some(outcome);
        }
        if !live {
            let _ = send(socket, Frame::text(StreamLine::encode_end())).await;
            return (1000, "the run has ended");
        }
        tokio::select! {
            _ = growth.changed() => {}
            gone = gone(socket) => return gone,
        }
    }
}

/// Sends lines that go out together; false if the peer is gone or does not read.
async fn send_all(socket: &mut Socket, lines: Vec<String>) -> bool {
    for line in lines {
        if !in_time(socket.feed(Frame::text(line))).await {
            return false;
        }
    }
    in_time(socket.flush()).await
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
    /// The lines of the next chunk; `None` if it cannot be read.
    async fn next(self, len: u64) -> Option<(Self, Vec<String>)> {
        let end = self.file.line_end(len.min(self.at + STREAM_CHUNK_BYTES), len);
        // What has just been written is in memory: a live run is followed without a thread for each event.
        if end - self.at <= STREAM_INLINE_BYTES {
            self.read(end)
        } else {
            tokio::task::spawn_blocking(move || self.read(end)).await.ok()?
        }
    }

    fn read(mut self, end: u64) -> Option<(Self, Vec<String>)> {
        let bytes = self.file.read(self.at..end).ok()?;
        self.at = end;
        let mut lines = Vec::new();
        for line in bytes.split(|byte| *byte == b'\n').filter_map(|line| str::from_utf8(line).ok()) {
            // A line that is no item is passed over here as everywhere; its journal counts it.
            if let Ok(Some(item)) = StreamItem::decode(&wire::decode(line)) {
                self.fold.apply(&item);
                if item.seq >= self.from {
                    lines.extend(stream::lines(&item, &self.filter));
                }
            }
        }
        Some((self, lines))
    }

    /// Whether the outcome is another one by now.
    fn differs(&self, told: &Outcome) -> bool {
        told.status != self.fold.status()
            || told.final_output.as_ref() != self.fold.final_output()
            || told.interrupted != self.fold.is_interrupted()
            || told.pending_interrupts != self.fold.pending_interrupts()
    }
}
