//! From the ring to the socket: replay first, then live, in the order of the numbers.
//!
//! Invariant: a frame is sent once a connection, in order. A ping after each batch brings back the number up to which
//! the debugger has read; only one ping is under way. A debugger that answers no ping for [`SILENCE_MAX`] is gone.

use super::connect::Socket;
use crate::shared::Shared;
use futures_util::{SinkExt, stream::SplitSink};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;
use tokio::sync::Notify;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Message as Frame;

/// Bytes taken from the ring at a time.
const BATCH_BYTES: usize = 256 << 10;
/// A ping goes out at least this often, so that a stalled debugger is noticed.
const PING_EVERY: Duration = Duration::from_secs(5);
/// How long a debugger may leave a ping unanswered.
const SILENCE_MAX: Duration = Duration::from_secs(30);

type Sink = SplitSink<Socket, Frame>;

/// What the receiving half tells the sending half.
#[derive(Default)]
pub(crate) struct Replies {
    under_way: AtomicBool,
    confirmed: AtomicU64,
    came: Notify,
}

impl Replies {
    /// A pong: everything below the number in it was read.
    pub(crate) fn confirmed(&self, shared: &Shared, payload: &[u8]) {
        let Ok(bytes) = payload.try_into() else { return };
        let next = u64::from_be_bytes(bytes);
        shared.ring().confirm(next);
        self.confirmed.store(next, Ordering::Release);
        self.under_way.store(false, Ordering::Release);
        self.came.notify_one();
        shared.watch.touch();
    }
}

/// Sends for as long as the connection lives; why it ended.
pub(crate) async fn send(shared: &Shared, sink: &mut Sink, replies: &Replies) -> String {
    let mut next = 0;
    loop {
        if let Err(error) = send_batch(shared, sink, replies, &mut next).await {
            return format!("the connection broke: {error}");
        }
        let more = shared.ring().reaches(next);
        if !more && let Some(reason) = idle(shared, replies).await {
            return reason;
        }
    }
}

async fn send_batch(
    shared: &Shared,
    sink: &mut Sink,
    replies: &Replies,
    next: &mut u64,
) -> Result<(), tokio_tungstenite::tungstenite::Error> {
    let losses = shared.ring().take_losses();
    losses.iter().for_each(|loss| shared.emit_gap(loss));
    let (texts, after) = shared.ring().batch(*next, BATCH_BYTES);
    shared.ring().mark_written(after);
    let some = !texts.is_empty();
    for text in texts {
        sink.feed(Frame::Text(text)).await?;
    }
    *next = after;
    let unconfirmed = after > replies.confirmed.load(Ordering::Acquire);
    if (some || unconfirmed) && !replies.under_way.swap(true, Ordering::AcqRel) {
        sink.feed(Frame::Ping(after.to_be_bytes().to_vec().into())).await?;
    }
    sink.flush().await
}

/// Waits for something to send; a reason when the debugger is silent for too long.
async fn idle(shared: &Shared, replies: &Replies) -> Option<String> {
    let mut silent = Duration::ZERO;
    loop {
        let news = async {
            tokio::select! {
                () = shared.appended.notified() => {}
                () = replies.came.notified() => {}
            }
        };
        if timeout(PING_EVERY, news).await.is_ok() {
            return None;
        }
        if !replies.under_way.load(Ordering::Acquire) {
            replies.confirmed.store(0, Ordering::Release);
            return None;
        }
        silent += PING_EVERY;
        if silent >= SILENCE_MAX {
            return Some(format!("the debugger answered no ping for {} s", SILENCE_MAX.as_secs()));
        }
    }
}
