//! Payload bodies that were looked at, fetched by range and kept within a budget. Text arrives in order from the
//! start, so a body is always a prefix of the whole; the oldest looked-at bodies go first when room is short.

use std::collections::BTreeMap;
use std::sync::Arc;

/// Which body.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BodyKey {
    /// Key of the run.
    pub run: Arc<str>,
    /// Number of the event that carries it.
    pub seq: u64,
    /// JSON pointer into the envelope; empty is the envelope itself.
    pub pointer: Arc<str>,
}

/// A wish for more of a body.
#[derive(Clone, Debug, PartialEq)]
pub struct BodyAsk {
    /// Which.
    pub key: BodyKey,
    /// Bytes wanted beyond those that are here.
    pub limit: u64,
}

/// What is known of one body.
#[derive(Clone, Debug, Default)]
pub struct Text {
    /// The beginning of the body, as JSON text.
    pub text: Arc<str>,
    /// Bytes of the whole; 0 while unknown.
    pub total_bytes: u64,
    /// A request is under way.
    pub waiting: bool,
    /// Why it could not be read.
    pub failed: Option<String>,
    used: u64,
}

impl Text {
    /// Whether all of it is here.
    pub fn complete(&self) -> bool {
        self.total_bytes > 0 && self.text.len() as u64 >= self.total_bytes
    }
}

/// Bodies by key.
#[derive(Debug, Default)]
pub struct Bodies {
    texts: BTreeMap<BodyKey, Text>,
    requests: BTreeMap<u64, BodyKey>,
    clock: u64,
}

impl Bodies {
    /// All texts together stay below this many bytes, the newest one excepted.
    pub const BUDGET_BYTES: usize = 64 << 20;

    /// What is known of a body.
    pub fn get(&self, key: &BodyKey) -> Option<&Text> {
        self.texts.get(key)
    }

    /// Begins a request; returns the offset to ask for, or `None` when there is nothing to ask.
    pub fn begin(&mut self, key: &BodyKey, req: u64) -> Option<u64> {
        self.clock += 1;
        let text = self.texts.entry(key.clone()).or_default();
        text.used = self.clock;
        if text.waiting || text.complete() || text.failed.is_some() {
            return None;
        }
        text.waiting = true;
        self.requests.insert(req, key.clone());
        Some(text.text.len() as u64)
    }

    /// A piece arrived.
    pub fn arrived(&mut self, req: u64, offset: u64, total_bytes: u64, piece: &str) -> bool {
        let Some(key) = self.requests.remove(&req) else { return false };
        let Some(text) = self.texts.get_mut(&key) else { return false };
        text.waiting = false;
        text.total_bytes = total_bytes;
        if offset == text.text.len() as u64 {
            text.text = if offset == 0 { piece.into() } else { format!("{}{piece}", text.text).into() };
        }
        if piece.is_empty() && !text.complete() {
            text.failed = Some("The server sent nothing more of it.".to_owned());
        }
        self.trim(&key);
        true
    }

    /// A request failed; `false` when it was none of these.
    pub fn failed(&mut self, req: u64, reason: &str) -> bool {
        let Some(key) = self.requests.remove(&req) else { return false };
        let text = self.texts.entry(key).or_default();
        text.waiting = false;
        text.failed = Some(reason.to_owned());
        true
    }

    /// Forgets what was under way, since the connection is gone; texts stay.
    pub fn lost(&mut self) {
        self.requests.clear();
        for text in self.texts.values_mut() {
            text.waiting = false;
        }
    }

    /// Forgets all bodies of a run.
    pub fn forget(&mut self, run: &str) {
        self.texts.retain(|key, _| &*key.run != run);
    }

    fn trim(&mut self, keep: &BodyKey) {
        let mut total: usize = self.texts.values().map(|text| text.text.len()).sum();
        while total > Self::BUDGET_BYTES {
            let oldest = self.texts.iter().filter(|(key, _)| *key != keep).min_by_key(|(_, text)| text.used);
            let Some((key, size)) = oldest.map(|(key, text)| (key.clone(), text.text.len())) else { break };
            self.texts.remove(&key);
            total -= size;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(seq: u64) -> BodyKey {
        BodyKey { run: "r".into(), seq, pointer: "/payload/input".into() }
    }

    #[test]
    fn a_body_grows_by_ranges_until_it_is_whole() {
        let mut bodies = Bodies::default();
        assert_eq!(bodies.begin(&key(1), 7), Some(0));
        assert_eq!(bodies.begin(&key(1), 8), None, "one request at a time");
        assert!(bodies.arrived(7, 0, 6, "abc"));
        assert_eq!(bodies.begin(&key(1), 9), Some(3));
        assert!(bodies.arrived(9, 3, 6, "def"));
        assert_eq!(bodies.get(&key(1)).map(|t| (&*t.text, t.complete())), Some(("abcdef", true)));
        assert_eq!(bodies.begin(&key(1), 10), None);
    }

    #[test]
    fn the_least_recently_opened_bodies_leave_first() {
        let mut bodies = Bodies::default();
        let half = "x".repeat(Bodies::BUDGET_BYTES / 2);
        for seq in 1..=3 {
            bodies.begin(&key(seq), seq);
            bodies.arrived(seq, 0, half.len() as u64, &half);
        }
        assert!(bodies.get(&key(1)).is_none());
        assert!(bodies.get(&key(2)).is_some() && bodies.get(&key(3)).is_some());
    }

    #[test]
    fn a_failure_is_kept_as_a_sentence() {
        let mut bodies = Bodies::default();
        bodies.begin(&key(1), 1);
        assert!(bodies.failed(1, "No such event."));
        assert_eq!(bodies.get(&key(1)).and_then(|t| t.failed.as_deref()), Some("No such event."));
    }
}
