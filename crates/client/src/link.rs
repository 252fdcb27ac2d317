//! The background thread: looks for a debugger, attaches, sends what the ring has, hands answers on.
//!
//! Invariant: it runs on a thread and a current-thread runtime of its own, so the host's runtime is never needed or
//! blocked. Whatever ends a connection, gates are released before anything else happens.

mod connect;
mod inbound;
mod pump;

pub(crate) use connect::address;

use crate::{shared::Shared, status::State};
use connect::Attached;
use futures_util::StreamExt;
use std::io;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;
use tokio_tungstenite::tungstenite::Message as Frame;

/// First attempt after a connection was lost; the next ones come at the usual pace.
const RETRY_SOON: Duration = Duration::from_millis(500);

/// Starts the thread.
pub(crate) fn spawn(shared: Arc<Shared>) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().enable_time().build()?;
    let thread = std::thread::Builder::new().name("holdpoint-client".to_owned());
    thread.spawn(move || {
        runtime.block_on(serve(&shared));
        // Alarms and flushes end with the runtime; nothing may wait for them any more.
        shared.armed.detach();
        shared.holds.release_all();
        shared.watch.touch();
    })?;
    Ok(())
}

async fn serve(shared: &Shared) {
    tokio::select! {
        () = attach_again(shared) => {}
        () = shared.alarms.serve() => {}
        () = shared.dirty.serve() => {}
    }
}

/// Attaches, serves, and starts over; returns when the host is done.
async fn attach_again(shared: &Shared) {
    let mut claim = None;
    while !shared.closing.load(Ordering::Acquire) {
        let mut pause = shared.config.retry_every;
        match connect::attach(shared, claim.as_deref()).await {
            Ok(attached) => {
                claim = attached.session_token.clone().or(claim);
                let reason = converse(shared, attached).await;
                shared.watch.failed(reason);
                pause = pause.min(RETRY_SOON);
            }
            Err(reason) => shared.watch.failed(reason),
        }
        tokio::select! {
            () = tokio::time::sleep(pause) => {}
            () = shared.close.notified() => {}
        }
    }
}

/// Serves one connection to its end; why it ended.
async fn converse(shared: &Shared, attached: Attached) -> String {
    let Attached { socket, matchers, mode, .. } = attached;
    shared.armed.attach(matchers, mode);
    shared.watch.set(State::Attached);
    let (mut sink, mut source) = socket.split();
    let replies = pump::Replies::default();
    let reason = tokio::select! {
        reason = pump::send(shared, &mut sink, &replies) => reason,
        reason = receive(shared, &mut source, &replies) => reason,
        () = closed(shared) => {
            // Politeness only: the peer sees the end of the stream anyway.
            tokio::time::timeout(RETRY_SOON, futures_util::SinkExt::close(&mut sink)).await.ok();
            "the program closed the session".to_owned()
        }
    };
    shared.armed.detach();
    shared.holds.release_all();
    shared.ring().disconnected();
    shared.watch.set(State::Detached);
    reason
}

async fn closed(shared: &Shared) {
    while !shared.closing.load(Ordering::Acquire) {
        shared.close.notified().await;
    }
}

async fn receive(shared: &Shared, source: &mut connect::Source, replies: &pump::Replies) -> String {
    loop {
        let frame = match source.next().await {
            Some(Ok(frame)) => frame,
            Some(Err(error)) => return format!("the connection broke: {error}"),
            None => return "the debugger went away".to_owned(),
        };
        match frame {
            Frame::Text(text) => inbound::handle(shared, &text),
            Frame::Pong(payload) => replies.confirmed(shared, &payload),
            Frame::Close(close) => return inbound::closed(shared, close),
            Frame::Binary(_) | Frame::Ping(_) | Frame::Frame(_) => {}
        }
    }
}
