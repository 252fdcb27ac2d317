//! Supersteps of graph runs: when each began and ended, and what ran in it.
//!
//! Invariant: one row a step that was begun or in which something ran, by namespace and number, in order of appearance.

use std::collections::BTreeMap;

use crate::{NamespaceIx, NodeIx, Run, Stamp, TickKind};

/// A superstep.
#[derive(Debug, Clone, PartialEq)]
pub struct Superstep {
    /// In which nested graph.
    pub namespace: NamespaceIx,
    /// Its number.
    pub step: u64,
    /// When it began: as reported, else with its first task.
    pub from: Stamp,
    /// When it ended: as reported, else with its last task; none while one runs.
    pub to: Option<Stamp>,
    /// The nodes whose tasks ran in it, in order of their first start; several ran side by side.
    pub nodes: Vec<NodeIx>,
    /// How many tasks ran in it.
    pub tasks: u32,
    /// How many of them were answered from a cache.
    pub cached: u32,
    /// How many of them were tried more than once.
    pub retried: u32,
}

/// All supersteps.
pub fn supersteps(run: &Run) -> Vec<Superstep> {
    let mut rows: BTreeMap<(NamespaceIx, u64), Superstep> = BTreeMap::new();
    let mut ended = BTreeMap::new();
    for tick in run.ticks() {
        let Some(step) = tick.step else { continue };
        match tick.kind {
            TickKind::Step => {
                let row =
                    rows.entry((tick.namespace, step)).or_insert_with(|| new(tick.namespace, step, tick.at));
                row.from = tick.at.earlier(Some(row.from));
            }
            TickKind::StepEnd => {
                ended.insert((tick.namespace, step), tick.at);
            }
            _ => {}
        }
    }
    add_tasks(run, &mut rows);
    for (key, row) in &mut rows {
        row.to = ended.get(key).copied().or(row.to);
    }
    let mut rows: Vec<Superstep> = rows.into_values().collect();
    rows.sort_by_key(|row| (row.from.seq, row.namespace, row.step));
    rows
}

fn add_tasks(run: &Run, rows: &mut BTreeMap<(NamespaceIx, u64), Superstep>) {
    let mut order: Vec<usize> = (0..run.instances().len()).collect();
    order.sort_by_key(|i| run.instances()[*i].first_seq);
    let mut open = Vec::new();
    for i in order {
        let instance = &run.instances()[i];
        let (Some(step), Some(start)) = (run.step(i.into()), instance.started) else { continue };
        let namespace = run.node(instance.node).namespace;
        let row = rows.entry((namespace, step)).or_insert_with(|| new(namespace, step, start));
        row.tasks += 1;
        row.cached += u32::from(instance.flags.cached);
        row.retried += u32::from(instance.retried > 0);
        if !row.nodes.contains(&instance.node) {
            row.nodes.push(instance.node);
        }
        match instance.ended {
            Some(end) => row.to = Some(end.later(row.to)),
            None => open.push((namespace, step)),
        }
    }
    for key in open {
        if let Some(row) = rows.get_mut(&key) {
            row.to = None;
        }
    }
}

fn new(namespace: NamespaceIx, step: u64, from: Stamp) -> Superstep {
    Superstep { namespace, step, from, to: None, nodes: Vec::new(), tasks: 0, cached: 0, retried: 0 }
}
