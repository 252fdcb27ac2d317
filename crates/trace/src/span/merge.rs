//! Records of one span: the same one twice, or its start and its end apart.
//!
//! Invariant: the result does not depend on the order of the records.

use std::collections::HashMap;

use super::Span;
use crate::report::Report;

/// Leaves one span for each id: the fullest record of it, with what only the others know.
pub(super) fn merge(spans: &mut Vec<Span>, report: &mut Report) {
    // Equal records are found by their words, and the fullest comes first, so that their order says nothing.
    let mut groups: HashMap<&str, usize> = HashMap::with_capacity(spans.len());
    let doubled = spans.iter().any(|span| {
        let count = groups.entry(&span.id).or_default();
        *count += 1;
        *count > 1
    });
    drop(groups);
    if !doubled {
        return;
    }
    let mut records: Vec<((bool, usize, usize), String, Span)> =
        spans.drain(..).map(|span| (fullness(&span), format!("{span:?}"), span)).collect();
    records.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| b.1.cmp(&a.1)));
    let before = records.len();
    records.dedup_by(|a, b| a.1 == b.1);
    report.note_times("a span stands twice: read once", (before - records.len()) as u64);
    let mut places: HashMap<String, usize> = HashMap::with_capacity(records.len());
    let mut merged = 0;
    for (_, _, span) in records {
        match places.get(&span.id) {
            Some(&place) => {
                merged += 1;
                fill(&mut spans[place], span);
            }
            None => {
                places.insert(span.id.clone(), spans.len());
                spans.push(span);
            }
        }
    }
    report.note_times("two records of one span were put together", merged);
}

/// What a record knows: one that has ended knows more than one that has not.
fn fullness(span: &Span) -> (bool, usize, usize) {
    let parts = [span.input.is_some(), span.output.is_some(), span.error.is_some(), span.usage.is_some()];
    let size = span.extra.iter().map(|(_, json)| json.len()).sum();
    (span.end_ms.is_some(), parts.into_iter().filter(|part| *part).count(), size)
}

fn fill(span: &mut Span, other: Span) {
    span.parent = span.parent.take().or(other.parent);
    span.node = span.node.take().or(other.node);
    span.start_ms = span.start_ms.or(other.start_ms);
    span.end_ms = span.end_ms.or(other.end_ms);
    span.input = span.input.take().or(other.input);
    span.output = span.output.take().or(other.output);
    span.error = span.error.take().or(other.error);
    span.model = span.model.take().or(other.model);
    span.usage = span.usage.take().or(other.usage);
    span.reasoning = span.reasoning.take().or(other.reasoning);
    span.first_token_ms = span.first_token_ms.or(other.first_token_ms);
}
