//! Which sequence numbers a run has used, so that a line that repeats one is counted: the reducer takes a number once.
//!
//! Kept as ranges: a recording in order costs one range a run, however long it is.

use std::collections::{BTreeMap, HashMap};

/// The numbers of every run of a file.
#[derive(Debug, Default)]
pub(super) struct Numbers(HashMap<Box<str>, Ranges>);

impl Numbers {
    /// Takes a number down; false where its run has used it before. What belongs to no run may repeat.
    pub(super) fn take(&mut self, run: &str, seq: u64) -> bool {
        if run == wire::WILDCARD_RUN_ID {
            return true;
        }
        match self.0.get_mut(run) {
            Some(ranges) => ranges.take(seq),
            None => self.0.entry(run.into()).or_default().take(seq),
        }
    }
}

/// First and last of each stretch.
#[derive(Debug, Default)]
struct Ranges(BTreeMap<u64, u64>);

impl Ranges {
    fn take(&mut self, seq: u64) -> bool {
        let before = self.0.range_mut(..=seq).next_back();
        let first = match before {
            Some((_, last)) if *last >= seq => return false,
            Some((first, last)) if last.saturating_add(1) == seq => {
                *last = seq;
                *first
            }
            _ => {
                self.0.insert(seq, seq);
                seq
            }
        };
        if let Some(end) = seq.checked_add(1).and_then(|next| self.0.remove(&next)) {
            self.0.insert(first, end);
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(seqs: &[u64], taken: &[bool], ranges: &[(u64, u64)]) {
        let mut seen = Ranges::default();
        let got: Vec<bool> = seqs.iter().map(|&seq| seen.take(seq)).collect();
        assert_eq!(got, taken, "{seqs:?}");
        assert_eq!(seen.0.into_iter().collect::<Vec<_>>(), ranges, "{seqs:?}");
    }

    #[test]
    fn a_number_counts_once_in_any_order() {
        check(&[1, 2, 3, 2], &[true, true, true, false], &[(1, 3)]);
        check(&[3, 1, 2, 3, 1], &[true, true, true, false, false], &[(1, 3)]);
        check(
            &[0, 9, 5, 0, u64::MAX, u64::MAX],
            &[true, true, true, false, true, false],
            &[(0, 0), (5, 5), (9, 9), (u64::MAX, u64::MAX)],
        );
    }

    #[test]
    fn runs_have_numbers_of_their_own_and_the_wildcard_has_none() {
        let mut numbers = Numbers::default();
        for (run, seq, fresh) in
            [("a", 1, true), ("b", 1, true), ("a", 1, false), ("*", 1, true), ("*", 1, true)]
        {
            assert_eq!(numbers.take(run, seq), fresh, "{run} {seq}");
        }
    }
}
