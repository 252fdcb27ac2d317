//! Long values of two runs: a run knows their size and beginning, only the events hold the rest.

use graph::project::{Diff, Difference, Pairing};
use graph::{InstanceIx, Run};
use serde_json::value::RawValue;
use std::collections::HashMap;
use wire::{Body, Raw};

/// Most executions of a node whose values are compared, as many as their beginnings are.
const EXECUTIONS_MAX: usize = 100;

/// Two long values of equal size and beginning.
pub(super) struct Doubt {
    row: usize,
    ordinal: u32,
    is_input: bool,
    preview: String,
    /// Numbers of the events that hold them.
    seqs: (u64, u64),
}

/// Every pair of values that may differ behind its beginning.
pub(super) fn doubts(first: &Run, second: &Run, compared: &Diff) -> Vec<Doubt> {
    let mut doubts = Vec::new();
    for (row, compared) in compared.rows.iter().enumerate() {
        let Pairing::Both(a, b) = compared.pairing else { continue };
        let pairs = first.node(a).instances.iter().zip(&second.node(b).instances).take(EXECUTIONS_MAX);
        for (ordinal, (a, b)) in (0..).zip(pairs) {
            doubts.extend(doubt(row, ordinal, true, Run::input, (first, *a), (second, *b)));
            doubts.extend(doubt(row, ordinal, false, Run::output, (first, *a), (second, *b)));
        }
    }
    doubts
}

type Read = for<'r> fn(&'r Run, InstanceIx) -> Option<(&'r Body, u64)>;

fn doubt(
    row: usize,
    ordinal: u32,
    is_input: bool,
    read: Read,
    a: (&Run, InstanceIx),
    b: (&Run, InstanceIx),
) -> Option<Doubt> {
    let ((body, seq), (other, other_seq)) = (read(a.0, a.1)?, read(b.0, b.1)?);
    let long = body == other && !body.whole;
    long.then(|| Doubt { row, ordinal, is_input, preview: body.preview.to_string(), seqs: (seq, other_seq) })
}

/// Adds what really differs; how many values no event shows where a node's value stands.
pub(super) fn settle(
    doubts: &[Doubt],
    first: &[Box<RawValue>],
    second: &[Box<RawValue>],
    compared: &mut Diff,
) -> usize {
    let (first, second) = (by_number(first), by_number(second));
    let mut unread = 0;
    for doubt in doubts {
        let pointer = if doubt.is_input { "/payload/input" } else { "/payload/output" };
        let value =
            |events: &HashMap<u64, Raw<'_>>, seq| Some(events.get(&seq)?.pointer(pointer)?.get().to_owned());
        match (value(&first, doubt.seqs.0), value(&second, doubt.seqs.1)) {
            (Some(a), Some(b)) if a == b => {}
            (Some(_), Some(_)) => {
                let previews = (doubt.preview.clone(), doubt.preview.clone());
                compared.rows[doubt.row].differences.push(if doubt.is_input {
                    Difference::Input(doubt.ordinal, previews.0, previews.1)
                } else {
                    Difference::Output(doubt.ordinal, previews.0, previews.1)
                });
            }
            _ => unread += 1,
        }
    }
    unread
}

fn by_number(events: &[Box<RawValue>]) -> HashMap<u64, Raw<'_>> {
    let number = |event: &RawValue| wire::decode(event.get()).header().map(|header| header.seq);
    events.iter().filter_map(|event| Some((number(event)?, Raw::from(&**event)))).collect()
}
