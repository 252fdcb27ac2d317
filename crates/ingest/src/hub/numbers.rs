//! Which sequence numbers one sender has used, over all its runs and hellos.
//!
//! Invariant: ranges never touch or overlap; a number that follows the last one costs no search. Whose number it was is
//! not known here.

use std::collections::BTreeMap;

/// A set of numbers that can be asked for a stretch of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Numbers {
    /// First to last of each range but the highest.
    older: BTreeMap<u64, u64>,
    highest: Option<(u64, u64)>,
}

impl Numbers {
    /// The highest number.
    pub(crate) fn max(&self) -> Option<u64> {
        self.highest.map(|(_, last)| last)
    }

    /// Adds `from..=to`.
    pub(crate) fn insert(&mut self, from: u64, to: u64) {
        match &mut self.highest {
            Some((_, last)) if from == last.saturating_add(1) => *last = to.max(*last),
            Some((first, last)) if from >= *first && to <= *last => {}
            _ => self.merge(from, to),
        }
    }

    fn merge(&mut self, mut from: u64, mut to: u64) {
        if let Some((first, last)) = self.highest.take() {
            self.older.insert(first, last);
        }
        if let Some((&first, &last)) = self.older.range(..=from).next_back()
            && last.saturating_add(1) >= from
        {
            self.older.remove(&first);
            (from, to) = (first, to.max(last));
        }
        while let Some((&first, &last)) = self.older.range(from..).next()
            && first <= to.saturating_add(1)
        {
            self.older.remove(&first);
            to = to.max(last);
        }
        self.older.insert(from, to);
        self.highest = self.older.pop_last();
    }

    /// The parts of `from..=to` that are in the set, ascending.
    pub(crate) fn within(&self, from: u64, to: u64) -> Vec<(u64, u64)> {
        if from > to {
            return Vec::new();
        }
        let before = self.older.range(..=from).next_back().filter(|(_, last)| **last >= from);
        let start = before.map_or(from, |(first, _)| *first);
        let ranges = self.older.range(start..=to).map(|(first, last)| (*first, *last));
        let top = self.highest.filter(|(first, last)| *first <= to && *last >= from);
        ranges.chain(top).map(|(first, last)| (first.max(from), last.min(to))).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn the_set_agrees_with_a_plain_set() {
        // A small linear congruence is as good as any dice here and repeats itself exactly.
        let mut dice = 7u64;
        let mut roll = |sides: u64| {
            dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (dice >> 33) % sides
        };
        for _ in 0..500 {
            let (mut plain, mut set) = (BTreeSet::new(), Numbers::default());
            for _ in 0..roll(12) {
                let (from, length) = (roll(40), roll(4));
                plain.extend(from..=from + length);
                set.insert(from, from + length);
            }
            let (from, to) = (roll(45), roll(45));
            let listed: Vec<u64> = set.within(from, to).into_iter().flat_map(|(a, b)| a..=b).collect();
            let expect: Vec<u64> = plain.iter().copied().filter(|n| (from..=to).contains(n)).collect();
            assert_eq!(listed, expect, "{set:?} within {from}..={to}");
            assert_eq!(set.max(), plain.last().copied());
        }
    }
}
