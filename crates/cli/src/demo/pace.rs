//! How fast the demo goes: at a pace a person can watch, or at once.

use client::Node;
use std::time::Duration;

/// See the module's documentation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pace {
    fast: bool,
}

impl Pace {
    pub(crate) fn new(fast: bool) -> Self {
        Self { fast }
    }

    /// Works for about so many milliseconds.
    pub(crate) async fn work(self, time_ms: u64) {
        let time_ms = if self.fast { 1 } else { time_ms };
        tokio::time::sleep(Duration::from_millis(time_ms)).await;
    }

    /// Says `words` one by one, as a model does.
    pub(crate) async fn say(self, node: &Node, words: &str) {
        self.speak(node, words, |word| node.text(word)).await;
    }

    /// Thinks aloud.
    pub(crate) async fn think(self, node: &Node, words: &str) {
        self.speak(node, words, |word| node.reasoning(word)).await;
    }

    /// Stops in mid-sentence when a person aborts the run.
    async fn speak(self, node: &Node, words: &str, each: impl Fn(&str)) {
        for (index, word) in words.split_inclusive(' ').enumerate() {
            if node.is_aborted() {
                return;
            }
            each(word);
            // Uneven, as models are, and the same every time.
            self.work(60 + (index as u64 * 37) % 90).await;
        }
    }
}
