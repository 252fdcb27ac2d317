//! How everyone else reaches the hub: messages in two queues, and seats that bound how many there are.
//!
//! Invariant: both queues are bounded; senders wait, the hub never does.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use tokio::sync::{mpsc, oneshot};

use super::Inbox;
use super::peers::{ToApp, ViewerQueue};
use crate::hub::{Hub, Input, Output, SessionId, ViewerId};
use crate::limits::HUB_QUEUE;

/// A question to the hub, or a change that is no input of a peer.
pub(crate) type Query = Box<dyn FnOnce(&mut Hub, &mut Vec<Output>) + Send>;

/// What the hub's task receives.
pub(crate) enum Message {
    Input(Input),
    App { session: SessionId, token: Arc<str>, queue: mpsc::Sender<ToApp> },
    Viewer { viewer: ViewerId, queue: ViewerQueue },
    Query(Query),
    Tick,
    Work,
}

/// Sends to the hub; it lives as long as one of these does.
#[derive(Clone)]
pub(crate) struct HubHandle {
    urgent: mpsc::Sender<Message>,
    main: mpsc::Sender<Message>,
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    next: AtomicU64,
    apps: Arc<AtomicUsize>,
    viewers: Arc<AtomicUsize>,
    posts: Arc<AtomicUsize>,
}

/// Sends to the hub without keeping it alive.
#[derive(Clone)]
pub(crate) struct WeakHandle(mpsc::WeakSender<Message>);

/// One of a bounded number of places; given back when dropped.
pub(crate) struct Seat(Arc<AtomicUsize>);

impl Drop for Seat {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}

impl HubHandle {
    pub(crate) fn new() -> (Self, Inbox) {
        let (urgent, urgent_inbox) = mpsc::channel(HUB_QUEUE);
        let (main, main_inbox) = mpsc::channel(HUB_QUEUE);
        let handle = Self { urgent, main, shared: Arc::default() };
        (handle, Inbox { urgent: urgent_inbox, main: main_inbox })
    }

    pub(crate) fn weak(&self) -> WeakHandle {
        WeakHandle(self.urgent.downgrade())
    }

    /// A number nobody else has.
    pub(crate) fn next_id(&self) -> u64 {
        self.shared.next.fetch_add(1, Ordering::Relaxed)
    }

    /// A place for an app; `None` when all are taken.
    pub(crate) fn app_seat(&self, most: usize) -> Option<Seat> {
        seat(&self.shared.apps, most)
    }

    /// A place for a viewer; `None` when all are taken.
    pub(crate) fn viewer_seat(&self, most: usize) -> Option<Seat> {
        seat(&self.shared.viewers, most)
    }

    /// A place for a body of records that is being read; `None` when all are taken.
    pub(crate) fn post_seat(&self, most: usize) -> Option<Seat> {
        seat(&self.shared.posts, most)
    }

    /// Sends ahead of the flood; false when the hub is gone.
    pub(crate) async fn urgent(&self, message: Message) -> bool {
        self.urgent.send(message).await.is_ok()
    }

    /// Sends in line; false when the hub is gone.
    pub(crate) async fn send(&self, message: Message) -> bool {
        self.main.send(message).await.is_ok()
    }

    /// Asks the hub something.
    pub(crate) async fn ask<T: Send + 'static>(
        &self,
        query: impl FnOnce(&mut Hub, &mut Vec<Output>) -> T + Send + 'static,
    ) -> Option<T> {
        let (answer, answered) = oneshot::channel();
        let query: Query = Box::new(move |hub, out| {
            // Who asked may be gone.
            let _ = answer.send(query(hub, out));
        });
        self.urgent(Message::Query(query)).await;
        answered.await.ok()
    }
}

impl WeakHandle {
    /// Sends from a blocking thread; what comes after the end of the hub is of no use to anyone.
    pub(crate) fn tell(&self, input: Input) {
        self.send(Message::Input(input));
    }

    /// Asks from a blocking thread.
    pub(crate) fn ask<T: Send + 'static>(
        &self,
        query: impl FnOnce(&mut Hub, &mut Vec<Output>) -> T + Send + 'static,
    ) -> Option<T> {
        let (answer, answered) = oneshot::channel();
        let query: Query = Box::new(move |hub, out| {
            let _ = answer.send(query(hub, out));
        });
        self.send(Message::Query(query));
        answered.blocking_recv().ok()
    }

    fn send(&self, message: Message) {
        if let Some(sender) = self.0.upgrade() {
            let _ = sender.blocking_send(message);
        }
    }
}

fn seat(count: &Arc<AtomicUsize>, most: usize) -> Option<Seat> {
    let taken = count.fetch_add(1, Ordering::AcqRel);
    let seat = Seat(count.clone());
    (taken < most).then_some(seat)
}
