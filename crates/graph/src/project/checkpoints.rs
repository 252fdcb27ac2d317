//! Saved states of a graph run: as a list in time, and as a tree in which a state continued twice is a fork.
//!
//! Decides that a checkpoint continues the one it names, else the one saved last in its namespace, or restored there
//! after that. Invariant: a forest; rows stand in order of their events; built in linear time, without recursion.

use std::collections::HashMap;

use crate::{NamespaceIx, Run, Stamp, TickKind};

/// A saved state.
#[derive(Debug, Clone, PartialEq)]
pub struct Checkpoint<'a> {
    /// The id its runtime gave it; may be empty.
    pub id: &'a str,
    /// When it was saved; the event of this number carries it.
    pub at: Stamp,
    /// In which nested graph.
    pub namespace: NamespaceIx,
    /// The superstep, where one is named.
    pub step: Option<u64>,
    /// The row it continues.
    pub parent: Option<usize>,
    /// How many rows continue it: with more than one it is a fork.
    pub children: u32,
    /// How many rows stand above it in the tree.
    pub depth: u32,
    /// When it was restored.
    pub restored: Vec<Stamp>,
}

impl Checkpoint<'_> {
    /// True when more than one state continues it.
    pub fn is_fork(&self) -> bool {
        self.children > 1
    }
}

/// All saved states. One that is reported again under its id is the same row.
pub fn checkpoints(run: &Run) -> Vec<Checkpoint<'_>> {
    let mut rows: Vec<Checkpoint<'_>> = Vec::new();
    let mut known: HashMap<(NamespaceIx, &str), usize> = HashMap::new();
    let mut last: HashMap<NamespaceIx, usize> = HashMap::new();
    for tick in run.ticks() {
        let key = (tick.namespace, &*tick.label);
        match tick.kind {
            TickKind::Checkpoint if tick.label.is_empty() || !known.contains_key(&key) => {
                let named = tick.from.as_deref().and_then(|from| known.get(&(tick.namespace, from)));
                let follows = tick.from.is_none().then(|| last.get(&tick.namespace)).flatten();
                let parent = named.or(follows).copied();
                let depth = parent.map_or(0, |parent| rows[parent].depth + 1);
                if let Some(parent) = parent {
                    rows[parent].children += 1;
                }
                known.insert(key, rows.len());
                last.insert(tick.namespace, rows.len());
                rows.push(Checkpoint {
                    id: &tick.label,
                    at: tick.at,
                    namespace: tick.namespace,
                    step: tick.step,
                    parent,
                    children: 0,
                    depth,
                    restored: Vec::new(),
                });
            }
            TickKind::Checkpoint | TickKind::Restored => {
                let Some(row) = known.get(&key).copied() else { continue };
                if tick.kind == TickKind::Restored {
                    rows[row].restored.push(tick.at);
                }
                last.insert(tick.namespace, row);
            }
            _ => {}
        }
    }
    rows
}
