//! Accepting connections: bounded while they are not WebSockets yet, never blocked by the slow.
//!
//! Invariant: at most `HALF_OPEN_MAX` connections without an upgrade; a newcomer is served and the oldest dropped,
//! so that idle sockets cannot keep an app from attaching.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::sync::{Mutex, PoisonError};

use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::{AbortHandle, JoinSet};

use super::{Site, route};
use crate::limits::{ACCEPT_PAUSE, HALF_OPEN_MAX, HEAD_BYTES_MAX, HEAD_WAIT, HEADERS_MAX};

/// The connections that have not been upgraded, oldest first.
#[derive(Default)]
pub(super) struct HalfOpen(Mutex<(u64, BTreeMap<u64, AbortHandle>)>);

impl HalfOpen {
    fn with<T>(&self, act: impl FnOnce(&mut (u64, BTreeMap<u64, AbortHandle>)) -> T) -> T {
        act(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn add(&self, handle: AbortHandle) -> u64 {
        self.with(|(next, open)| {
            *next += 1;
            open.insert(*next, handle);
            if open.len() > HALF_OPEN_MAX
                && let Some((_, oldest)) = open.pop_first()
            {
                oldest.abort();
            }
            *next
        })
    }

    fn remove(&self, id: u64) {
        self.with(|(_, open)| open.remove(&id));
    }
}

/// Accepts until stopped; returns when every connection it served has ended.
pub(crate) async fn serve(listener: TcpListener, site: Site, mut stopped: watch::Receiver<bool>) {
    let mut connections = JoinSet::new();
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            Some(_) = connections.join_next() => continue,
            () = crate::server::stopping(&mut stopped) => break,
        };
        let Ok((socket, _)) = accepted else {
            // Out of file descriptors: give the others time to close some.
            tokio::time::sleep(ACCEPT_PAUSE).await;
            continue;
        };
        let own = site.clone();
        let (ready, go) = tokio::sync::oneshot::channel();
        let handle = connections.spawn(async move {
            let Ok(id) = go.await else { return };
            connection(socket, own.clone()).await;
            own.half_open.remove(id);
        });
        // An aborted task never runs its own removal; the registry has already let it go then.
        let _ = ready.send(site.half_open.add(handle));
    }
    drop(listener);
    connections.shutdown().await;
}

async fn connection(socket: TcpStream, site: Site) {
    // Without this a small control waits for the acknowledgement of the one before.
    let _ = socket.set_nodelay(true);
    let service = service_fn(move |request: hyper::Request<Incoming>| {
        let site = site.clone();
        async move { Ok::<_, Infallible>(route::answer(request, &site).await) }
    });
    let served = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_WAIT)
        .max_buf_size(HEAD_BYTES_MAX)
        .max_headers(HEADERS_MAX)
        .serve_connection(TokioIo::new(socket), service)
        .with_upgrades();
    // A peer that breaks off or breaks the protocol has been answered by hyper already.
    let _ = served.await;
}
