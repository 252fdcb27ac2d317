//! A transport over two shared queues: tests and the native demonstration feed it by hand.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard};

use super::{Link, Transport};

#[derive(Debug)]
struct Shared {
    inbound: VecDeque<String>,
    sent: Vec<String>,
    link: Link,
    epoch: u64,
}

/// Both ends of a queue; clones share it.
#[derive(Clone, Debug)]
pub struct Queue(Arc<Mutex<Shared>>);

impl Default for Queue {
    fn default() -> Self {
        Self::new()
    }
}

impl Queue {
    /// An open connection with nothing in it.
    pub fn new() -> Self {
        let shared = Shared { inbound: VecDeque::new(), sent: Vec::new(), link: Link::Open, epoch: 1 };
        Self(Arc::new(Mutex::new(shared)))
    }

    /// A poisoned lock still holds whole frames, so it is used as it is.
    fn lock(&self) -> MutexGuard<'_, Shared> {
        self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// A frame from the server.
    pub fn feed(&self, frame: impl Into<String>) {
        self.lock().inbound.push_back(frame.into());
    }

    /// Takes what the window sent.
    pub fn sent(&self) -> Vec<String> {
        std::mem::take(&mut self.lock().sent)
    }

    /// Changes the state of the connection; opening begins a new epoch.
    pub fn set_link(&self, link: Link) {
        let mut shared = self.lock();
        if link == Link::Open && shared.link != Link::Open {
            shared.epoch += 1;
        }
        shared.link = link;
    }
}

impl Transport for Queue {
    fn poll(&mut self, _now_s: f64, limit: usize, into: &mut Vec<String>) -> bool {
        let mut shared = self.lock();
        let take = shared.inbound.len().min(limit);
        into.extend(shared.inbound.drain(..take));
        !shared.inbound.is_empty()
    }

    fn send(&mut self, frame: String) -> bool {
        let mut shared = self.lock();
        let open = shared.link == Link::Open;
        if open {
            shared.sent.push(frame);
        }
        open
    }

    fn link(&self) -> Link {
        self.lock().link.clone()
    }

    fn epoch(&self) -> u64 {
        self.lock().epoch
    }

    fn reconnect(&mut self) {
        self.set_link(Link::Open);
    }

    fn address(&self) -> String {
        "127.0.0.1:4747".to_owned()
    }
}
