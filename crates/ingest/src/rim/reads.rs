//! Answers that come from a journal: bodies by range, pages, whole streams.
//!
//! Invariant: no answer is larger than its limit says, and a text is never cut inside a character.

use std::io;

use graph::RunKey;
use serde_json::value::RawValue;
use wire::viewer::ServerFrame;
use wire::{Channel, Decoded, Message, Raw};

use crate::hub::ReadWhat;
use crate::journal::{Page, RunFile, scan};
use crate::limits::{BODY_BYTES_MAX, PAGE_BYTES_MAX, PAGE_EVENTS_MAX};

/// A part of a value's JSON text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    /// Where it really begins: at the character that `offset` falls into.
    pub(crate) offset: u64,
    /// Length of the whole text in bytes.
    pub(crate) total_bytes: u64,
    /// The part.
    pub(crate) text: String,
}

/// The text of the value at `pointer` in the envelope with this number, from `offset`, at most `limit` bytes.
pub(crate) fn body(file: &RunFile, seq: u64, pointer: &str, offset: u64, limit: u64) -> Result<Part, String> {
    let line = file.line(seq).map_err(|error| error.to_string())?;
    let line = line.ok_or_else(|| format!("the run has no event {seq}"))?;
    let whole = Raw::parse(&line).map_err(|fault| fault.to_string())?;
    let value = whole.pointer(pointer).ok_or_else(|| format!("event {seq} has nothing at {pointer:?}"))?;
    let text = value.get();
    let start = text.floor_char_boundary(usize::try_from(offset).unwrap_or(usize::MAX).min(text.len()));
    let limit = usize::try_from(limit).unwrap_or(usize::MAX).min(BODY_BYTES_MAX);
    // At least one character, so that reading on always gets on.
    let mut end = text.floor_char_boundary(start.saturating_add(limit).min(text.len()));
    if end == start && start < text.len() && limit > 0 {
        end = text.ceil_char_boundary(start + 1);
    }
    Ok(Part { offset: start as u64, total_bytes: text.len() as u64, text: text[start..end].to_owned() })
}

/// A page of envelopes as received.
pub(crate) fn page(file: &RunFile, after: Option<u64>, limit: u64) -> io::Result<Page> {
    let limit = usize::try_from(limit).unwrap_or(usize::MAX).min(PAGE_EVENTS_MAX);
    file.page(after, limit, PAGE_BYTES_MAX)
}

/// Reads for a viewer.
pub(super) fn answer(req: u64, key: &RunKey, file: Option<&RunFile>, what: &ReadWhat) -> ServerFrame {
    let failed = |reason: String| ServerFrame::Failed { req, reason };
    let Some(file) = file else { return failed(format!("run {key} has no journal")) };
    let run = key.to_string();
    match what {
        ReadWhat::Body { seq, pointer, offset, limit } => match body(file, *seq, pointer, *offset, *limit) {
            Ok(Part { offset, total_bytes, text }) => {
                ServerFrame::Body { req, run, seq: *seq, pointer: pointer.clone(), offset, total_bytes, text }
            }
            Err(reason) => failed(reason),
        },
        ReadWhat::Page { after, limit } => match page(file, *after, *limit) {
            Ok(Page { total, events, next }) => {
                let slim = |line: String| RawValue::from_string(wire::slim(&line).into_owned()).ok();
                let events = events.into_iter().filter_map(slim).collect();
                ServerFrame::EventPage { req, run, total, events, next_after_seq: next }
            }
            Err(error) => failed(error.to_string()),
        },
        ReadWhat::Stream { node_id, instance_id } => match stream(file, node_id, instance_id.as_deref()) {
            Ok(Texts { text, reasoning, tool_args, total_bytes }) => {
                ServerFrame::StreamText { req, run, text, reasoning, tool_args, total_bytes }
            }
            Err(error) => failed(error.to_string()),
        },
    }
}

#[derive(Default)]
struct Texts {
    text: String,
    reasoning: String,
    tool_args: String,
    total_bytes: u64,
}

/// Everything a node (or one instance of it) has streamed, by channel, in the order of the numbers.
fn stream(file: &RunFile, node_id: &str, instance_id: Option<&str>) -> io::Result<Texts> {
    let (len, _) = file.size();
    let mut pieces: Vec<(u64, Vec<(Channel<'static>, String)>)> = Vec::new();
    let mut open: Option<(u64, u64)> = None;
    scan(file.path(), 0, Some(len), |line, _| {
        // Most lines of most runs are tokens of other nodes; decoding them all would be the whole cost.
        if !line.contains("node.") {
            return true;
        }
        let Decoded::Ok(envelope) = wire::decode(line) else { return true };
        let seq = envelope.header.seq;
        match envelope.message {
            Message::NodeStarted(started)
                if started.node_id == node_id && instance_id.is_some_and(|id| started.instance_id == id) =>
            {
                open = Some((seq, open.map_or(u64::MAX, |(_, end)| end)));
            }
            Message::NodeFinished(finished) if finished.node_id == node_id => {
                if finished.instance_id.as_deref() == instance_id
                    && let Some((_, end)) = &mut open
                {
                    *end = seq;
                }
            }
            Message::NodeToken(token) if token.node_id == node_id => {
                let named = token.instance_id.as_deref();
                if named.is_none() || instance_id.is_none() || named == instance_id {
                    let own =
                        token.deltas.into_iter().map(|delta| (delta.t.into_owned(), delta.v.into_owned()));
                    pieces.push((seq, own.collect()));
                }
            }
            _ => {}
        }
        true
    })?;
    if let (Some(_), Some((start, end))) = (instance_id, open) {
        pieces.retain(|(seq, _)| (start..=end).contains(seq));
    }
    pieces.sort_by_key(|(seq, _)| *seq);
    let mut texts = Texts::default();
    for (channel, piece) in pieces.into_iter().flat_map(|(_, deltas)| deltas) {
        texts.total_bytes += piece.len() as u64;
        let into = match channel {
            Channel::Reasoning => &mut texts.reasoning,
            Channel::ToolArgs => &mut texts.tool_args,
            Channel::Text | Channel::Other(_) => &mut texts.text,
        };
        if into.len() + piece.len() <= BODY_BYTES_MAX {
            into.push_str(&piece);
        }
    }
    Ok(texts)
}
