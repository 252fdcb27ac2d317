//! A sparse index of one journal: for each block of lines its place and the sequence numbers it holds.
//!
//! Invariant: blocks cover the file in order without overlap; memory is a few bytes per hundred lines.
//! It does not know the lines themselves, so a lookup names blocks to read.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::limits::{INDEX_EVERY, INDEX_EVERY_BYTES};

/// Some neighbouring lines of a journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Block {
    offset: u64,
    lines: u32,
    seq_min: u64,
    seq_max: u64,
}

/// Where which sequence numbers are.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Index {
    blocks: Vec<Block>,
    lines: u64,
}

impl Index {
    /// Notes the line that starts at `offset`; offsets only grow.
    pub(crate) fn push(&mut self, seq: u64, offset: u64) {
        self.lines += 1;
        match self.blocks.last_mut() {
            Some(block) if block.lines < INDEX_EVERY && offset - block.offset < INDEX_EVERY_BYTES => {
                block.lines += 1;
                block.seq_min = block.seq_min.min(seq);
                block.seq_max = block.seq_max.max(seq);
            }
            _ => self.blocks.push(Block { offset, lines: 1, seq_min: seq, seq_max: seq }),
        }
    }

    /// How many lines there are.
    pub(crate) fn lines(&self) -> u64 {
        self.lines
    }

    /// The byte ranges that may hold `seq`, first to last.
    pub(crate) fn places(&self, seq: u64, end: u64) -> Vec<Range<u64>> {
        let holds = |at: &usize| (self.blocks[*at].seq_min..=self.blocks[*at].seq_max).contains(&seq);
        (0..self.blocks.len()).filter(holds).map(|at| self.range(at, end)).collect()
    }

    /// The byte ranges that hold numbers above `seq`, each with the lowest number in the ranges after it.
    pub(crate) fn after(&self, seq: Option<u64>, end: u64) -> Vec<(Range<u64>, u64)> {
        let mut lowest = u64::MAX;
        let mut found = Vec::new();
        for at in (0..self.blocks.len()).rev() {
            let block = &self.blocks[at];
            if seq.is_none_or(|seq| block.seq_max > seq) {
                found.push((self.range(at, end), lowest));
                lowest = lowest.min(block.seq_min);
            }
        }
        found.reverse();
        found
    }

    /// Where the block that byte `at` falls into ends; at most `end`.
    pub(crate) fn block_end(&self, at: u64, end: u64) -> u64 {
        let next = self.blocks.partition_point(|block| block.offset < at);
        self.blocks.get(next).map_or(end, |block| block.offset.min(end))
    }

    fn range(&self, at: usize, end: u64) -> Range<u64> {
        self.blocks[at].offset..self.blocks.get(at + 1).map_or(end, |next| next.offset)
    }
}
