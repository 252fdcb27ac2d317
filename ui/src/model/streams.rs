//! Whole texts of streams that were opened. The store keeps only the last words; these come from the server on
//! demand and grow with live events only by asking again.

use std::collections::BTreeMap;
use std::sync::Arc;

/// Which stream: run, node, instance.
pub type StreamKey = (Arc<str>, Arc<str>, Option<Arc<str>>);

/// What is known of a stream.
#[derive(Clone, Debug, Default)]
pub struct StreamText {
    /// The answer.
    pub text: Arc<str>,
    /// The model's reasoning.
    pub reasoning: Arc<str>,
    /// Arguments of tool calls.
    pub tool_args: Arc<str>,
    /// Bytes of all three.
    pub total_bytes: u64,
    /// How many pieces the store knew when this was asked for.
    pub pieces: u64,
    /// A request is under way.
    pub waiting: bool,
    /// Why it could not be read.
    pub failed: Option<String>,
}

/// Streams by key; the oldest beyond [`Streams::KEPT`] are forgotten.
#[derive(Debug, Default)]
pub struct Streams {
    texts: BTreeMap<StreamKey, StreamText>,
    requests: BTreeMap<u64, StreamKey>,
    order: Vec<StreamKey>,
}

impl Streams {
    /// Streams kept.
    pub const KEPT: usize = 16;

    /// What is known.
    pub fn get(&self, key: &StreamKey) -> Option<&StreamText> {
        self.texts.get(key)
    }

    /// Begins a request if the store knows more pieces than were read; `false` when there is nothing to ask.
    pub fn begin(&mut self, key: &StreamKey, pieces: u64, req: u64) -> bool {
        let known = self.texts.get(key);
        if known.is_some_and(|text| text.waiting || text.pieces >= pieces.max(1) || text.failed.is_some()) {
            return false;
        }
        let text = self.texts.entry(key.clone()).or_default();
        text.waiting = true;
        text.pieces = pieces.max(1);
        self.requests.insert(req, key.clone());
        self.order.retain(|known| known != key);
        self.order.push(key.clone());
        if self.order.len() > Self::KEPT {
            let oldest = self.order.remove(0);
            self.texts.remove(&oldest);
        }
        true
    }

    /// A text arrived; `false` when it was not asked for here.
    pub fn arrived(
        &mut self,
        req: u64,
        text: &str,
        reasoning: &str,
        tool_args: &str,
        total_bytes: u64,
    ) -> bool {
        let Some(known) = self.requests.remove(&req).and_then(|key| self.texts.get_mut(&key)) else {
            return false;
        };
        known.waiting = false;
        known.text = text.into();
        known.reasoning = reasoning.into();
        known.tool_args = tool_args.into();
        known.total_bytes = total_bytes;
        true
    }

    /// A request failed; `false` when it was none of these.
    pub fn failed(&mut self, req: u64, reason: &str) -> bool {
        let Some(known) = self.requests.remove(&req).and_then(|key| self.texts.get_mut(&key)) else {
            return false;
        };
        known.waiting = false;
        known.failed = Some(reason.to_owned());
        true
    }

    /// Forgets requests, since the connection is gone.
    pub fn lost(&mut self) {
        self.requests.clear();
        for text in self.texts.values_mut() {
            text.waiting = false;
            text.pieces = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stream_is_read_again_only_when_it_grew() {
        let key: StreamKey = ("r".into(), "llm".into(), None);
        let mut streams = Streams::default();
        assert!(streams.begin(&key, 3, 1));
        assert!(!streams.begin(&key, 3, 2));
        assert!(streams.arrived(1, "abc", "", "", 3));
        assert!(!streams.begin(&key, 3, 3));
        assert!(streams.begin(&key, 4, 4));
        assert_eq!(streams.get(&key).map(|s| &*s.text), Some("abc"));
    }
}
