//! Streamed text on its way out: collected for a moment, then sent as one `node.token`.
//!
//! Invariant: texts of one channel that follow each other are joined, order between channels is kept, and a node's
//! deltas are out before its end is. The background thread flushes within [`FLUSH_AFTER`]; a long buffer flushes
//! itself. Knows nothing of sockets.

use crate::place::Place;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;
use tokio::sync::Notify;
use wire::Channel;

/// How long text is collected: a viewer sees it as flowing, the wire sees at most 40 events a second and node.
pub(crate) const FLUSH_AFTER: Duration = Duration::from_millis(25);
/// Text that is sent without waiting.
pub(crate) const FLUSH_BYTES: usize = 8 << 10;

/// The unsent deltas of one node.
#[derive(Debug, Default)]
pub(crate) struct Pending {
    deltas: Vec<(Channel<'static>, String)>,
    bytes: usize,
}

/// What a push asks for.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Then {
    Nothing,
    /// The first text since the last flush: a flush must be planned.
    Plan,
    Flush,
}

impl Pending {
    pub(crate) fn push(&mut self, channel: Channel<'static>, text: &str) -> Then {
        let first = self.deltas.is_empty();
        match self.deltas.last_mut() {
            Some((last, joined)) if *last == channel => joined.push_str(text),
            _ => self.deltas.push((channel, text.to_owned())),
        }
        self.bytes += text.len();
        if self.bytes >= FLUSH_BYTES {
            Then::Flush
        } else if first {
            Then::Plan
        } else {
            Then::Nothing
        }
    }

    pub(crate) fn take(&mut self) -> Vec<(Channel<'static>, String)> {
        self.bytes = 0;
        std::mem::take(&mut self.deltas)
    }
}

/// Nodes with unsent text.
#[derive(Default)]
pub(crate) struct Dirty {
    nodes: Mutex<Vec<Weak<Place>>>,
    some: Notify,
}

impl Dirty {
    pub(crate) fn plan(&self, node: &Arc<Place>) {
        self.nodes.lock().unwrap_or_else(PoisonError::into_inner).push(Arc::downgrade(node));
        self.some.notify_one();
    }

    /// Sends all that is unsent.
    pub(crate) fn flush(&self) {
        let nodes = std::mem::take(&mut *self.nodes.lock().unwrap_or_else(PoisonError::into_inner));
        nodes.iter().filter_map(Weak::upgrade).for_each(|node| node.flush_deltas());
    }

    /// Flushes for ever; runs on the background thread.
    pub(crate) async fn serve(&self) {
        loop {
            self.some.notified().await;
            tokio::time::sleep(FLUSH_AFTER).await;
            self.flush();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_one_channel_join_and_order_between_channels_stays() {
        let mut pending = Pending::default();
        assert_eq!(pending.push(Channel::Text, "a"), Then::Plan);
        assert_eq!(pending.push(Channel::Text, "b"), Then::Nothing);
        pending.push(Channel::Reasoning, "c");
        pending.push(Channel::Text, "d");
        let texts = [(Channel::Text, "ab"), (Channel::Reasoning, "c"), (Channel::Text, "d")];
        assert_eq!(pending.take(), texts.map(|(channel, text)| (channel, text.to_owned())));
        assert_eq!(pending.push(Channel::Text, "e"), Then::Plan);
    }

    #[test]
    fn a_long_text_does_not_wait() {
        let mut pending = Pending::default();
        assert_eq!(pending.push(Channel::Text, &"x".repeat(FLUSH_BYTES)), Then::Flush);
    }
}
