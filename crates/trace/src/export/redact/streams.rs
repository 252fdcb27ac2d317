//! Secrets that lie across the deltas of a stream.
//!
//! The texts of every stream are put together in the order of their numbers and judged whole; what is found is handed
//! back to the deltas it lies in: the first holds the mark, the others lose their part.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use wire::{Decoded, Message, Raw};

use super::edit::{Edit, offset_in, outward};
use super::text;

/// Run, node, instance and channel.
type Key = (String, String, String, String);

#[derive(Debug, Default)]
pub(super) struct Streams {
    /// Deltas by the number of their envelope and their place in it.
    texts: HashMap<Key, BTreeMap<(u64, usize), String>>,
    /// Edits of deltas, by run, number and place.
    edits: HashMap<(String, u64, usize), Vec<Edit>>,
}

/// One delta of an envelope.
pub(super) struct Piece {
    /// Its characters, in the envelope's text.
    pub(super) range: Range<usize>,
    /// What is replaced in it.
    pub(super) edits: Vec<Edit>,
}

impl Streams {
    pub(super) fn look(&mut self, envelope: &str) {
        let Some(Decoded::Ok(decoded)) = tokens(envelope) else { return };
        let Message::NodeToken(token) = &decoded.message else { return };
        for (place, delta) in token.deltas.iter().enumerate() {
            let key = (
                decoded.header.run_id.to_string(),
                token.node_id.to_string(),
                token.instance_id.as_deref().unwrap_or_default().to_owned(),
                delta.t.as_str().to_owned(),
            );
            self.texts.entry(key).or_default().insert((decoded.header.seq, place), delta.v.to_string());
        }
    }

    /// Judges every stream and forgets its text.
    pub(super) fn settle(&mut self) {
        for ((run, ..), deltas) in std::mem::take(&mut self.texts) {
            let whole: String = deltas.values().map(String::as_str).collect();
            let found = text::of_text(&whole, 0);
            let mut found = found.iter().peekable();
            let mut start = 0;
            for ((seq, place), delta) in deltas {
                let end = start + delta.len();
                let mut edits = Vec::new();
                while let Some(edit) = found.peek().filter(|edit| edit.range.start < end) {
                    let begins = edit.range.start >= start;
                    let text = if begins { edit.text.clone() } else { String::new() };
                    edits.push(Edit {
                        range: edit.range.start.max(start) - start..edit.range.end.min(end) - start,
                        text,
                    });
                    if edit.range.end > end {
                        break;
                    }
                    found.next();
                }
                if !edits.is_empty() {
                    self.edits.insert((run.clone(), seq, place), edits);
                }
                start = end;
            }
        }
    }

    /// The deltas of an envelope with what is replaced in them.
    pub(super) fn pieces(&self, envelope: &str) -> Vec<Piece> {
        let Some(Decoded::Ok(decoded)) = tokens(envelope) else { return Vec::new() };
        if !matches!(decoded.message, Message::NodeToken(_)) {
            return Vec::new();
        }
        let deltas = Raw::parse(envelope).ok().and_then(|raw| raw.member("payload")?.member("deltas"));
        let mut pieces = Vec::new();
        for (place, delta) in deltas.into_iter().flat_map(Raw::items).enumerate() {
            let Some(value) = delta.member("v").map(Raw::get) else { continue };
            let inside = &value[1..value.len() - 1];
            let base = offset_in(envelope, inside);
            let key = (decoded.header.run_id.to_string(), decoded.header.seq, place);
            let edits = self.edits.get(&key).cloned().unwrap_or_default();
            let edits = outward(inside, inside.contains('\\'), base, edits);
            pieces.push(Piece { range: base..base + inside.len(), edits });
        }
        pieces
    }
}

/// The envelope, if it may be one with deltas.
fn tokens(envelope: &str) -> Option<Decoded<'_>> {
    envelope.contains("node.token").then(|| wire::decode(envelope))
}
