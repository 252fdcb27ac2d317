//! What a sample keeps apart: long texts as attachments, repeated messages in a pool.
//!
//! Every call of a model repeats the conversation before it, so putting all of it back would grow with the square of
//! the sample. Invariant: what is put back is at most [`BYTES_FREE`] or [`GROWTH_MAX`] times what the sample holds;
//! beyond that references stay, and the report says how many.

use std::collections::HashMap;

use wire::{JsonKind, Raw};

use super::{items, note_if};
use crate::detect::Look;
use crate::read::either;
use crate::report::Report;

/// Bytes that may always be put back.
const BYTES_FREE: usize = 16 * 1024 * 1024;
/// How many times the bytes that are kept apart may be put back beyond that.
const GROWTH_MAX: usize = 4;
const SCHEME: &str = "attachment://";

/// The parts of one sample that stand apart.
pub(super) struct Expand<'a> {
    /// Values by their hash, as JSON texts.
    attachments: HashMap<String, &'a str>,
    messages: Vec<Raw<'a>>,
    left_bytes: usize,
    missing: u64,
    kept: u64,
}

impl<'a> Expand<'a> {
    pub(super) fn new(look: &Look<'a>) -> Self {
        let old = look.get("transcript").and_then(|transcript| either(transcript, &["content"]));
        let attachments: HashMap<String, &str> = look
            .get("attachments")
            .or(old)
            .into_iter()
            .flat_map(Raw::members)
            .map(|(hash, text)| (hash.name().into_owned(), text.get()))
            .collect();
        let pool = look
            .get("events_data")
            .and_then(|data| either(data, &["messages"]))
            .or_else(|| look.get("message_pool"));
        let messages: Vec<Raw<'a>> = pool.into_iter().flat_map(Raw::items).collect();
        let apart = attachments.values().map(|text| text.len()).sum::<usize>()
            + messages.iter().map(|message| message.get().len()).sum::<usize>();
        let left_bytes = BYTES_FREE.max(apart.saturating_mul(GROWTH_MAX));
        Self { attachments, messages, left_bytes, missing: 0, kept: 0 }
    }

    pub(super) fn report(&self, report: &mut Report) {
        note_if(report, "an attachment is not in the sample: its reference is shown", self.missing);
        note_if(report, "a value would repeat too much of the sample: its references are shown", self.kept);
    }

    /// A value with the texts that it refers to.
    pub(super) fn value(&mut self, raw: Raw<'_>) -> String {
        let text = raw.get();
        if !text.contains(SCHEME) {
            return text.to_owned();
        }
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        // A reference is a whole string: the quotes around it go with it.
        while let Some(at) = rest.find(SCHEME) {
            let end = rest[at..].find('"').map_or(rest.len(), |len| at + len);
            let hash = &rest[at + SCHEME.len()..end];
            let whole = rest[..at].ends_with('"') && end < rest.len();
            match self.attachments.get(hash) {
                Some(value) if whole && value.len() <= self.left_bytes => {
                    self.left_bytes -= value.len();
                    out.push_str(&rest[..at - 1]);
                    out.push_str(value);
                    rest = &rest[end + 1..];
                    continue;
                }
                Some(_) if whole => self.kept += 1,
                // Inside a longer text it may be anybody's words.
                None if whole => self.missing += 1,
                _ => {}
            }
            out.push_str(&rest[..end]);
            rest = &rest[end..];
        }
        out.push_str(rest);
        out
    }

    /// The input of a call: its own messages, or those of the pool that it names as ranges.
    pub(super) fn input(&mut self, event: Raw<'_>) -> Option<String> {
        let own = either(event, &["input"]);
        let ranges: Vec<(usize, usize)> = items(event, "input_refs").filter_map(range).collect();
        if ranges.is_empty() {
            return own.map(|own| self.value(own));
        }
        let picked: Vec<Raw<'a>> = ranges
            .into_iter()
            .flat_map(|(from, to)| {
                self.messages.get(from..to.min(self.messages.len())).unwrap_or_default().to_vec()
            })
            .collect();
        let size: usize = picked.iter().map(|message| message.get().len()).sum();
        if size > self.left_bytes {
            self.kept += 1;
            return either(event, &["input_refs"]).map(|refs| refs.get().to_owned());
        }
        self.left_bytes -= size;
        let mut messages: Vec<String> =
            own.into_iter().flat_map(Raw::items).map(|message| self.value(message)).collect();
        messages.extend(picked.into_iter().map(|message| self.value(message)));
        Some(format!("[{}]", messages.join(",")))
    }
}

fn range(raw: Raw<'_>) -> Option<(usize, usize)> {
    if raw.kind() != JsonKind::Array {
        return None;
    }
    let mut ends = raw.items().filter_map(|end| usize::try_from(end.as_u64()?).ok());
    Some((ends.next()?, ends.next()?))
}
