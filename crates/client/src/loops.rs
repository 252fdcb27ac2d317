//! Notices an agent that makes the same tool call again and again, back to back.
//!
//! Invariant: one streak a run. Only starts of tools count; a model's step between two equal calls does not break the
//! streak, another tool call does. Each count holds at most once, so a retry of the held call runs on.

use std::hash::{DefaultHasher, Hash, Hasher};

/// What the debugger is told about a streak (contract: `exec.paused.loop`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LoopFacts {
    pub(crate) repeats: u32,
    pub(crate) first_seq: u64,
    pub(crate) last_seq: u64,
    pub(crate) fingerprint: String,
}

/// The streak of one run.
#[derive(Debug, Default)]
pub(crate) struct Streak {
    node_id: String,
    fingerprint: u64,
    count: u32,
    first_seq: u64,
}

impl Streak {
    /// Enters the start of a tool, whose input is `input` as JSON text; the facts once `repeats` (0: never) are
    /// reached.
    pub(crate) fn enter(&mut self, node_id: &str, input: &str, seq: u64, repeats: u32) -> Option<LoopFacts> {
        let mut hasher = DefaultHasher::new();
        (node_id, input).hash(&mut hasher);
        let fingerprint = hasher.finish();
        if self.count > 0 && self.fingerprint == fingerprint && self.node_id == node_id {
            self.count += 1;
        } else {
            *self = Self { node_id: node_id.to_owned(), fingerprint, count: 1, first_seq: seq };
        }
        (repeats > 0 && self.count >= repeats).then(|| LoopFacts {
            repeats: self.count,
            first_seq: self.first_seq,
            last_seq: seq,
            fingerprint: format!("{fingerprint:016x}"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(calls: &[(&str, &str)], expect: &[Option<(u32, u64)>]) {
        let mut streak = Streak::default();
        let seen: Vec<Option<(u32, u64)>> = calls
            .iter()
            .zip(10..)
            .map(|((node, input), seq)| {
                streak.enter(node, input, seq, 3).map(|facts| (facts.repeats, facts.first_seq))
            })
            .collect();
        assert_eq!(seen, expect, "{calls:?}");
    }

    #[test]
    fn the_third_equal_call_in_a_row_is_a_loop_and_so_is_the_fourth() {
        check(&[("a", "1"); 4], &[None, None, Some((3, 10)), Some((4, 10))]);
    }

    #[test]
    fn another_tool_or_another_input_breaks_the_streak() {
        check(&[("a", "1"), ("a", "1"), ("b", "1"), ("a", "1")], &[None; 4]);
        check(&[("a", "1"), ("a", "1"), ("a", "2"), ("a", "1")], &[None; 4]);
    }

    #[test]
    fn zero_repeats_turns_it_off() {
        let mut streak = Streak::default();
        assert!((0..9).all(|seq| streak.enter("a", "1", seq, 0).is_none()));
    }
}
