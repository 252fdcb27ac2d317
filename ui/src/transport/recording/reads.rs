//! Reads from the envelopes of one run: a range of a value, a page, a stream. No answer cuts a character.

use std::collections::BTreeMap;
use std::ops::Range;

use serde_json::value::RawValue;
use wire::{Channel, Decoded, Message, Raw};

/// Envelopes of one page at most.
const PAGE_MAX: usize = 10_000;

/// Where the envelopes of a run stand in the recording's text, by number.
#[derive(Debug, Default)]
pub(super) struct Lines(BTreeMap<u64, Range<usize>>);

impl Lines {
    pub(super) fn insert(&mut self, seq: u64, range: Range<usize>) {
        self.0.insert(seq, range);
    }

    /// A part of the value at `pointer`: where it really begins, the length of the whole, the part.
    pub(super) fn body(
        &self,
        text: &str,
        seq: u64,
        pointer: &str,
        offset: u64,
        limit: u64,
    ) -> Result<(u64, u64, String), String> {
        let line = self.0.get(&seq).ok_or_else(|| format!("The run has no event {seq}"))?;
        let whole = Raw::parse(&text[line.clone()]).map_err(|fault| fault.to_string())?;
        let value =
            whole.pointer(pointer).ok_or_else(|| format!("Event {seq} has nothing at {pointer:?}"))?;
        let value = value.get();
        let bytes = |count: u64| usize::try_from(count).unwrap_or(usize::MAX).min(value.len());
        let start = value.floor_char_boundary(bytes(offset));
        let mut end = value.floor_char_boundary(bytes(offset.saturating_add(limit)));
        if end <= start && limit > 0 {
            end = value.ceil_char_boundary((start + 1).min(value.len()));
        }
        Ok((start as u64, value.len() as u64, value[start..end.max(start)].to_owned()))
    }

    /// Slim envelopes behind a number: how many there are in all, the page, where the next begins.
    pub(super) fn page(
        &self,
        text: &str,
        after: Option<u64>,
        limit: u64,
    ) -> (u64, Vec<Box<RawValue>>, Option<u64>) {
        let limit = usize::try_from(limit).unwrap_or(usize::MAX).min(PAGE_MAX);
        let mut rest = self.0.range(after.map_or(0, |after| after.saturating_add(1))..);
        let page: Vec<(&u64, &Range<usize>)> = rest.by_ref().take(limit).collect();
        let last = page.last().map(|(seq, _)| **seq);
        let slim = |line: &Range<usize>| wire::slim(&text[line.clone()]).into_owned();
        let events = page.iter().filter_map(|(_, line)| RawValue::from_string(slim(line)).ok()).collect();
        (self.0.len() as u64, events, last.filter(|_| rest.next().is_some()))
    }

    /// What a node, or one instance of it, has streamed: text, reasoning, tool arguments.
    pub(super) fn stream(&self, text: &str, node: &str, instance: Option<&str>) -> [String; 3] {
        let mut texts = [String::new(), String::new(), String::new()];
        let mut open = instance.is_none();
        for line in self.0.values() {
            let line = &text[line.clone()];
            if !line.contains("node.") {
                continue;
            }
            let Decoded::Ok(envelope) = wire::decode(line) else { continue };
            match envelope.message {
                Message::NodeStarted(started) if started.node_id == node => {
                    open |= instance == Some(&*started.instance_id);
                }
                Message::NodeFinished(finished) if finished.node_id == node && instance.is_some() => {
                    open &= finished.instance_id.as_deref() != instance;
                }
                Message::NodeToken(token) if token.node_id == node => {
                    let named = token.instance_id.as_deref();
                    let own = if named.is_some() && instance.is_some() { named == instance } else { open };
                    for delta in token.deltas.into_iter().filter(|_| own) {
                        let into = match delta.t {
                            Channel::Reasoning => 1,
                            Channel::ToolArgs => 2,
                            Channel::Text | Channel::Other(_) => 0,
                        };
                        texts[into].push_str(&delta.v);
                    }
                }
                _ => {}
            }
        }
        texts
    }
}
