//! Streamed text in figures, and its last words.
//!
//! Decides what of a stream is remembered: how much came, when the first and the last delta came, and the
//! shortest run of whole deltas at its end that holds `TAIL_BYTES` (a single longer delta is cut to that).
//! Invariant: both are functions of the set of deltas, not of their arrival. The whole text stays in the
//! recording. Does not know whose text it is.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use crate::Stamp;

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
    pub(crate) named: TextStats,
    pub(crate) implied: TextStats,
    pub(crate) tail: Tail,
}

impl InstanceText {
    pub(crate) fn stats(&self) -> TextStats {
        let mut sum = self.named;
        sum.merge(&self.implied);
        sum
    }
}

/// The last words of a stream.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(crate) struct Tail {
    bytes: usize,
    /// Ascending by event and place in it.
    chunks: VecDeque<Chunk>,
}

/// One delta of a tail.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Chunk {
    pub(crate) seq: u64,
    pub(crate) part: u32,
    pub(crate) channel: Channel,
    pub(crate) text: Box<str>,
}

impl Tail {
    /// Takes one delta in at its place.
    pub(crate) fn push(&mut self, seq: u64, part: u32, channel: Channel, text: &str) {
        let key = (seq, part);
        let place = match self.chunks.back() {
            Some(last) if key < (last.seq, last.part) => {
                self.chunks.partition_point(|chunk| (chunk.seq, chunk.part) < key)
            }
            _ => self.chunks.len(),
        };
        if text.is_empty() || (place == 0 && self.bytes >= TAIL_BYTES) {
            return;
        }
        let text = last_bytes(text, TAIL_BYTES);
        self.bytes += text.len();
        self.chunks.insert(place, Chunk { seq, part, channel, text: text.into() });
        while let Some(first) = self.chunks.front()
            && self.bytes - first.text.len() >= TAIL_BYTES
        {
            self.bytes -= first.text.len();
            self.chunks.pop_front();
        }
    }

    /// The chunks, oldest first.
    pub(crate) fn chunks(&self) -> impl DoubleEndedIterator<Item = &Chunk> {
        self.chunks.iter()
    }

    /// Forgets the text.
    pub(crate) fn clear(&mut self) {
        *self = Self::default();
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
