//! Secrets out of envelopes: by the names of members, by the look of values, in strings and in JSON inside strings.
//!
//! Invariants: what comes out is JSON wherever it was; every byte that is no secret stays; cleaning twice changes
//! nothing more. A secret that lies across several deltas of one stream is found, because streams are read whole
//! before anything is written. What a secret is, is decided by `kxm`, for every export alike.

mod edit;
mod streams;
mod text;
mod walk;

use std::borrow::Cow;

use edit::applied;
use streams::Streams;

/// Replaces secrets in the envelopes of a recording.
#[derive(Debug, Default)]
pub struct Redactor {
    streams: Streams,
    replaced: u64,
}

impl Redactor {
    /// Reads an envelope for the text that it streams; every envelope first, before any is cleaned.
    pub fn look(&mut self, envelope: &str) {
        self.streams.look(envelope);
    }

    /// Every envelope was looked at.
    pub fn looked(&mut self) {
        self.streams.settle();
    }

    /// The envelope without secrets.
    pub fn clean<'a>(&mut self, envelope: &'a str) -> Cow<'a, str> {
        let mut edits = walk::edits(envelope);
        let pieces = self.streams.pieces(envelope);
        // A delta is judged as a part of its stream, never by itself.
        edits.retain(|edit| {
            let behind = pieces.partition_point(|piece| piece.range.end <= edit.range.start);
            pieces.get(behind).is_none_or(|piece| edit.range.end <= piece.range.start)
        });
        self.replaced += edits.len() as u64;
        for piece in pieces {
            self.replaced += piece.edits.iter().filter(|edit| !edit.text.is_empty()).count() as u64;
            edits.extend(piece.edits);
        }
        edits.sort_by_key(|edit| edit.range.start);
        applied(envelope, &edits)
    }

    /// Values replaced so far.
    #[must_use]
    pub fn replaced(&self) -> u64 {
        self.replaced
    }
}
