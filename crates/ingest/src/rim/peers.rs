//! The sockets as the hub's task sees them: queues that are never waited for.
//!
//! Invariant: an app that does not read, or a viewer that lets too many bytes pile up, is disconnected; its app fails
//! open, its viewer comes back and reads a snapshot.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::sync::mpsc;
use tokio_tungstenite::tungstenite::Utf8Bytes;

use crate::hub::{SessionId, ViewerId};
use crate::limits::VIEWER_QUEUE_BYTES_MAX;

/// Something for an app's socket.
#[derive(Debug)]
pub(crate) enum ToApp {
    Text { text: String, receipt: Option<(ViewerId, u64)> },
    Close { code: u16, reason: String },
}

/// Something for a viewer's socket.
#[derive(Debug)]
pub(crate) enum ToViewer {
    Text(Utf8Bytes),
    Close { code: u16, reason: &'static str },
}

/// The sending end of a viewer's queue, which counts bytes rather than messages.
#[derive(Clone, Debug)]
pub(crate) struct ViewerQueue {
    sender: mpsc::UnboundedSender<ToViewer>,
    bytes: Arc<AtomicUsize>,
}

impl ViewerQueue {
    pub(crate) fn new() -> (Self, mpsc::UnboundedReceiver<ToViewer>) {
        let (sender, receiver) = mpsc::unbounded_channel();
        (Self { sender, bytes: Arc::default() }, receiver)
    }

    /// Queues a frame; false if the viewer is gone or is now being closed for reading too slowly.
    pub(crate) fn push(&self, text: Utf8Bytes) -> bool {
        if self.bytes.load(Ordering::Acquire) > VIEWER_QUEUE_BYTES_MAX {
            let _ = self.sender.send(ToViewer::Close { code: 1008, reason: "this viewer reads too slowly" });
            return false;
        }
        self.bytes.fetch_add(text.len(), Ordering::AcqRel);
        self.sender.send(ToViewer::Text(text)).is_ok()
    }

    /// Notes that a frame has left the queue.
    pub(crate) fn left(&self, bytes: usize) {
        self.bytes.fetch_sub(bytes, Ordering::AcqRel);
    }
}

/// Everyone who can be sent to.
#[derive(Default)]
pub(super) struct Peers {
    apps: HashMap<SessionId, mpsc::Sender<ToApp>>,
    viewers: HashMap<ViewerId, ViewerQueue>,
}

impl Peers {
    pub(super) fn app_came(&mut self, session: SessionId, queue: mpsc::Sender<ToApp>) {
        self.apps.insert(session, queue);
    }

    pub(super) fn viewer_came(&mut self, viewer: ViewerId, queue: ViewerQueue) {
        self.viewers.insert(viewer, queue);
    }

    pub(super) fn app_gone(&mut self, session: SessionId) {
        self.apps.remove(&session);
    }

    pub(super) fn viewer_gone(&mut self, viewer: ViewerId) {
        self.viewers.remove(&viewer);
    }

    pub(super) fn apps(&self) -> u32 {
        u32::try_from(self.apps.len()).unwrap_or(u32::MAX)
    }

    pub(super) fn viewer(&self, viewer: ViewerId) -> Option<&ViewerQueue> {
        self.viewers.get(&viewer)
    }

    /// Dropping the queue of an app that does not read ends its task, which closes the socket.
    pub(super) fn send_app(&mut self, session: SessionId, message: ToApp) {
        if self.apps.get(&session).is_some_and(|queue| queue.try_send(message).is_err()) {
            self.apps.remove(&session);
        }
    }

    pub(super) fn send_viewer(&mut self, viewer: ViewerId, text: Utf8Bytes) {
        if self.viewers.get(&viewer).is_some_and(|queue| !queue.push(text)) {
            self.viewers.remove(&viewer);
        }
    }
}
