//! Streamed text in figures, and its last words.
//!
//! Decides what of a stream is remembered: how much came, when the first and the last delta came, and the
//! shortest run of whole deltas at its end that holds `TAIL_BYTES` (a single longer delta is cut to that).
//! Invariant: both are functions of the set of deltas, not of their arrival. The whole text stays in the
//! recording. Does not know whose text it is.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use crate::Stamp;
use wire::Raw;

/// Bytes of streamed text kept for showing the last words.
pub const TAIL_BYTES: usize = 512;

/// Which of the three streams a delta belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Channel {
    /// The answer.
    Text,
    /// Reasoning.
    Reasoning,
    /// Arguments of a tool call.
    ToolArgs,
    /// A channel this version does not know.
    Other,
}

/// How much text streamed, and when.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct TextStats {
    /// Deltas, all channels.
    pub deltas: u64,
    /// Bytes of answer text.
    pub text_bytes: u64,
    /// Bytes of reasoning.
    pub reasoning_bytes: u64,
    /// Bytes of tool arguments.
    pub tool_args_bytes: u64,
    /// The first event that carried a delta.
    pub first: Option<Stamp>,
    /// The last event that carried a delta.
    pub last: Option<Stamp>,
}

impl TextStats {
    /// True when nothing streamed.
    pub fn is_empty(&self) -> bool {
        self.deltas == 0
    }

    pub(crate) fn of(at: Stamp) -> Self {
        Self { first: Some(at), last: Some(at), ..Self::default() }
    }

    pub(crate) fn count(&mut self, channel: Channel, bytes: usize) {
        self.deltas += 1;
        match channel {
            Channel::Text | Channel::Other => self.text_bytes += bytes as u64,
            Channel::Reasoning => self.reasoning_bytes += bytes as u64,
            Channel::ToolArgs => self.tool_args_bytes += bytes as u64,
        }
    }

    /// Adds every figure of `other`; commutative.
    pub(crate) fn merge(&mut self, other: &TextStats) {
        self.deltas += other.deltas;
        self.text_bytes += other.text_bytes;
        self.reasoning_bytes += other.reasoning_bytes;
        self.tool_args_bytes += other.tool_args_bytes;
        if let Some(first) = other.first {
            self.first = Some(first.earlier(self.first));
        }
        if let Some(last) = other.last {
            self.last = Some(last.later(self.last));
        }
    }
}

/// The text of one instance: what named it, and what could only be its own.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(crate) struct InstanceText {
    pub(crate) named: Option<Box<NamedText>>,
    pub(crate) implied: TextStats,
}

/// The text that named its instance.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(crate) struct NamedText {
    pub(crate) stats: TextStats,
    pub(crate) tail: Tail,
}

impl InstanceText {
    pub(crate) fn stats(&self) -> TextStats {
        let mut sum = self.implied;
        if let Some(named) = &self.named {
            sum.merge(&named.stats);
        }
        sum
    }
}

/// The last words of a stream.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(from = "Vec<OwnedChunk>", into = "Vec<OwnedChunk>")]
pub(crate) struct Tail {
    /// The kept text, behind `skip` bytes that no longer count.
    text: String,
    skip: usize,
    /// Ascending by event and place in it.
    chunks: VecDeque<Chunk>,
}

/// One delta of a tail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Chunk {
    seq: u64,
    part: u32,
    channel: Channel,
    bytes: u16,
}

/// A delta as a snapshot carries it.
type OwnedChunk = (u64, u32, Channel, String);

impl Tail {
    /// Takes one delta in at its place.
    pub(crate) fn push(&mut self, seq: u64, part: u32, channel: Channel, text: &str) {
        let text = last_bytes(text, TAIL_BYTES);
        let chunk = Chunk { seq, part, channel, bytes: text.len() as u16 };
        if self.chunks.back().is_none_or(|last| (last.seq, last.part) < (seq, part)) {
            if !text.is_empty() {
                self.text.push_str(text);
                self.chunks.push_back(chunk);
            }
        } else if !self.insert(chunk, text) {
            return;
        }
        self.trim();
    }

    /// The late path. False when the delta lies before what is kept.
    fn insert(&mut self, chunk: Chunk, text: &str) -> bool {
        let place = self.chunks.partition_point(|other| (other.seq, other.part) < (chunk.seq, chunk.part));
        if text.is_empty() || (place == 0 && self.kept() >= TAIL_BYTES) {
            return false;
        }
        let before: usize = self.chunks.iter().take(place).map(|chunk| usize::from(chunk.bytes)).sum();
        self.text.insert_str(self.skip + before, text);
        self.chunks.insert(place, chunk);
        true
    }

    fn kept(&self) -> usize {
        self.text.len() - self.skip
    }

    /// Leaves the shortest run of whole deltas that holds `TAIL_BYTES`.
    fn trim(&mut self) {
        while let Some(first) = self.chunks.front().map(|chunk| usize::from(chunk.bytes))
            && self.kept() - first >= TAIL_BYTES
        {
            self.skip += first;
            self.chunks.pop_front();
        }
        if self.skip > 2 * TAIL_BYTES {
            self.text.drain(..self.skip);
            self.skip = 0;
        }
    }

    /// Event, channel and text of each delta, oldest first.
    pub(crate) fn chunks(&self) -> impl Iterator<Item = (u64, Channel, &str)> {
        let mut at = self.skip;
        self.chunks.iter().map(move |chunk| {
            let from = at;
            at += usize::from(chunk.bytes);
            (chunk.seq, chunk.channel, &self.text[from..at])
        })
    }

    /// Forgets the text.
    pub(crate) fn clear(&mut self) {
        *self = Self::default();
    }
}

impl From<Vec<OwnedChunk>> for Tail {
    fn from(chunks: Vec<OwnedChunk>) -> Self {
        let mut tail = Self::default();
        for (seq, part, channel, text) in chunks {
            tail.push(seq, part, channel, &text);
        }
        tail
    }
}

impl From<Tail> for Vec<OwnedChunk> {
    fn from(tail: Tail) -> Self {
        let parts = tail.chunks.iter().map(|chunk| chunk.part);
        tail.chunks()
            .zip(parts)
            .map(|((seq, channel, text), part)| (seq, part, channel, text.to_owned()))
            .collect()
    }
}

/// The end of `text`, at most `limit` bytes, cut at a character boundary.
pub(crate) fn last_bytes(text: &str, limit: usize) -> &str {
    let mut from = text.len().saturating_sub(limit);
    while !text.is_char_boundary(from) {
        from += 1;
    }
    &text[from..]
}

/// Longest text that a slim envelope leaves alone in a payload we have no type for, as JSON.
const TEXT_BYTES_MAX: usize = 4096;

/// Whether a slim envelope carries a stub in the place of this text.
pub(crate) fn is_long(raw: Raw<'_>) -> bool {
    raw.get().len() > TEXT_BYTES_MAX || raw.kind() == wire::JsonKind::Object
}

/// A text, or the beginning of a long one: the same from the full and from the slim envelope.
pub(crate) fn text_of(raw: Raw<'_>) -> String {
    if is_long(raw) {
        return wire::Body::from(raw).preview.trim_start_matches('"').to_owned();
    }
    raw.as_str().map_or_else(|| raw.get().to_owned(), std::borrow::Cow::into_owned)
}
