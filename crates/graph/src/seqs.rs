//! Which sequence numbers have been seen: a set of closed ranges.
//!
//! Decides whether a number is new, and where the holes are. Invariant: ranges never touch or
//! overlap, and `last` lies above every range in `older`. In-order insertion is O(1), any other
//! O(log ranges); memory grows with the holes, never with the numbers.
//! Does not know what a number stands for, nor whose it is.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// A set of sequence numbers kept as closed ranges.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Vec<(u64, u64)>", into = "Vec<(u64, u64)>")]
pub struct SeqSet {
    last: Option<(u64, u64)>,
    older: BTreeMap<u64, u64>,
}

impl SeqSet {
    /// Adds one number; false when it was there already.
    pub fn insert(&mut self, seq: u64) -> bool {
        match &mut self.last {
            None => self.last = Some((seq, seq)),
            Some((_, end)) if seq > *end && seq - *end == 1 => *end = seq,
            Some((_, end)) if seq > *end => self.open_range(seq, seq),
            Some((start, _)) if seq >= *start => return false,
            Some(_) => return self.insert_older(seq),
        }
        true
    }

    /// Adds every number from `from` to `to`, both included; nothing when `from > to`.
    pub fn insert_range(&mut self, from: u64, to: u64) {
        if from > to {
            return;
        }
        if self.last.is_none_or(|(_, end)| from > end) {
            match &mut self.last {
                Some((_, end)) if from - *end == 1 => *end = to,
                _ => self.open_range(from, to),
            }
            return;
        }
        self.merge(from, to);
    }

    /// True when the number is in the set.
    pub fn contains(&self, seq: u64) -> bool {
        if self.last.is_some_and(|(start, end)| (start..=end).contains(&seq)) {
            return true;
        }
        self.older.range(..=seq).next_back().is_some_and(|(_, end)| *end >= seq)
    }

    /// The end of the range that holds `seq`, or none when `seq` is not in the set.
    pub fn range_end(&self, seq: u64) -> Option<u64> {
        if let Some((start, end)) = self.last
            && (start..=end).contains(&seq)
        {
            return Some(end);
        }
        let (_, end) = self.older.range(..=seq).next_back()?;
        (*end >= seq).then_some(*end)
    }

    /// The lowest number above `seq`.
    pub fn next_after(&self, seq: u64) -> Option<u64> {
        let next = seq.checked_add(1)?;
        if self.contains(next) {
            return Some(next);
        }
        let older = self.older.range(next..).next().map(|(start, _)| *start);
        older.or(self.last.map(|(start, _)| start).filter(|start| *start > seq))
    }

    /// The highest number below `seq`.
    pub fn last_before(&self, seq: u64) -> Option<u64> {
        let before = seq.checked_sub(1)?;
        if let Some((start, end)) = self.last
            && start <= before
        {
            return Some(end.min(before));
        }
        self.older.range(..=before).next_back().map(|(_, end)| (*end).min(before))
    }

    /// Lowest number.
    pub fn min(&self) -> Option<u64> {
        self.older.keys().next().copied().or(self.last.map(|(start, _)| start))
    }

    /// Highest number.
    pub fn max(&self) -> Option<u64> {
        self.last.map(|(_, end)| end)
    }

    /// The ranges in ascending order, both ends included.
    pub fn ranges(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        self.older.iter().map(|(start, end)| (*start, *end)).chain(self.last)
    }

    /// The parts of the ranges that lie between `from` and `to`, ascending.
    pub fn ranges_within(&self, from: u64, to: u64) -> impl Iterator<Item = (u64, u64)> + '_ {
        let before = self.older.range(..from).next_back();
        let older = before.into_iter().chain(self.older.range(from..)).map(|(start, end)| (*start, *end));
        let clip = move |(start, end): (u64, u64)| (start.max(from), end.min(to));
        older
            .chain(self.last)
            .take_while(move |(start, _)| *start <= to)
            .map(clip)
            .filter(|(start, end)| start <= end)
    }

    /// How many ranges there are (one more than the holes).
    pub fn range_count(&self) -> usize {
        self.older.len() + usize::from(self.last.is_some())
    }

    /// The holes between the lowest and the highest number, ascending.
    pub fn holes(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        let mut before: Option<u64> = None;
        self.ranges().filter_map(move |(start, end)| {
            let hole = before.map(|b| (b + 1, start - 1));
            before = Some(end);
            hole
        })
    }

    fn open_range(&mut self, from: u64, to: u64) {
        if let Some((start, end)) = self.last.replace((from, to)) {
            self.older.insert(start, end);
        }
    }

    fn insert_older(&mut self, seq: u64) -> bool {
        if self.older.range(..=seq).next_back().is_some_and(|(_, end)| *end >= seq) {
            return false;
        }
        self.merge(seq, seq);
        true
    }

    /// Joins `from..=to` with every range it touches. The slow path: late numbers only.
    fn merge(&mut self, mut from: u64, mut to: u64) {
        if let Some((start, end)) = self.older.range(..=from).next_back().map(|(s, e)| (*s, *e))
            && end.saturating_add(1) >= from
        {
            self.older.remove(&start);
            (from, to) = (start, to.max(end));
        }
        while let Some((start, end)) = self.older.range(from..).next().map(|(s, e)| (*s, *e))
            && start <= to.saturating_add(1)
        {
            self.older.remove(&start);
            to = to.max(end);
        }
        match self.last {
            Some((start, end)) if start <= to.saturating_add(1) && from <= end.saturating_add(1) => {
                self.last = Some((from.min(start), to.max(end)));
            }
            Some((_, end)) if from > end => self.open_range(from, to),
            Some(_) => {
                self.older.insert(from, to);
            }
            None => self.last = Some((from, to)),
        }
    }
}

impl From<Vec<(u64, u64)>> for SeqSet {
    fn from(ranges: Vec<(u64, u64)>) -> Self {
        let mut set = Self::default();
        for (from, to) in ranges {
            set.insert_range(from, to);
        }
        set
    }
}

impl From<SeqSet> for Vec<(u64, u64)> {
    fn from(set: SeqSet) -> Self {
        set.ranges().collect()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_seq_set_agrees_with_a_plain_set(ops in proptest::collection::vec((0u64..60, 0u64..4), 0..80)) {
            let mut plain = BTreeSet::new();
            let mut set = SeqSet::default();
            for (from, len) in ops {
                if len == 0 {
                    prop_assert_eq!(set.insert(from), plain.insert(from));
                } else {
                    set.insert_range(from, from + len);
                    plain.extend(from..=from + len);
                }
                let listed: Vec<u64> = set.ranges().flat_map(|(a, b)| a..=b).collect();
                prop_assert_eq!(&listed, &plain.iter().copied().collect::<Vec<_>>());
                prop_assert!(set.ranges().zip(set.ranges().skip(1)).all(|(a, b)| a.1 + 1 < b.0));
                prop_assert_eq!(set.max(), plain.last().copied());
                prop_assert_eq!(set.min(), plain.first().copied());
            }
            for n in 0..70 {
                prop_assert_eq!(set.next_after(n), plain.range(n + 1..).next().copied());
                prop_assert_eq!(set.last_before(n), plain.range(..n).next_back().copied());
                prop_assert_eq!(set.contains(n), plain.contains(&n));
            }
            let back: SeqSet = Vec::from(set.clone()).into();
            prop_assert_eq!(back, set);
        }
    }

    #[test]
    fn holes_lie_between_the_lowest_and_the_highest_number() {
        let set: SeqSet = vec![(1, 10), (14, 14), (20, 21)].into();
        assert_eq!(set.holes().collect::<Vec<_>>(), vec![(11, 13), (15, 19)]);
    }

    #[test]
    fn the_largest_number_is_no_special_case() {
        let mut set = SeqSet::default();
        set.insert(u64::MAX);
        assert!(!set.insert(u64::MAX));
        set.insert_range(0, u64::MAX);
        assert_eq!(set.ranges().collect::<Vec<_>>(), vec![(0, u64::MAX)]);
    }
}
