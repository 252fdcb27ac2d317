//! What one card says.

use crate::project::{At, Tree};
use crate::{Counts, HoldIx, InstanceIx, NodeIx, NodeStatus, Run};

/// What one card says.
#[derive(Debug, Clone, PartialEq)]
pub struct Card<'a> {
    /// The node.
    pub node: NodeIx,
    /// The sender's id.
    pub id: &'a str,
    /// What it is; empty for a ghost.
    pub kind: &'a str,
    /// Its name.
    pub name: &'a str,
    /// How it stands.
    pub status: NodeStatus,
    /// Its instances.
    pub counts: Counts,
    /// The instance that started last.
    pub latest: Option<InstanceIx>,
    /// Run time of the instance that ended last, without time at gates, in milliseconds.
    pub run_ms: Option<f64>,
    /// Time at gates of that instance, in milliseconds.
    pub held_ms: Option<f64>,
    /// Tokens of all its instances.
    pub tokens: u64,
    /// The hold to show on the card: the oldest open one.
    pub hold: Option<HoldIx>,
    /// Deltas that belong to no instance were seen.
    pub unattributed: bool,
}

impl Card<'_> {
    /// The failure badge, for example `1/12 failed`; none when nothing failed.
    pub fn badge(&self) -> Option<String> {
        (self.counts.error > 0).then(|| format!("{}/{} failed", self.counts.error, self.counts.total))
    }

    /// The retry remark, for example `retried once`; none when nothing was.
    pub fn retried(&self) -> Option<String> {
        match self.counts.retried {
            0 => None,
            1 => Some("retried once".to_owned()),
            n => Some(format!("retried {n} times")),
        }
    }
}

/// What a node's card says, now or at a moment.
pub fn card<'a>(run: &'a Run, ix: NodeIx, at: Option<&At>) -> Card<'a> {
    let node = run.node(ix);
    let latest = at.map_or(node.derived.newest, |at| at.node(ix).latest);
    let timed = node.derived.last_ended.filter(|_| at.is_none()).or(latest);
    let timed = timed.filter(|i| at.is_none_or(|at| at.has_ended(run, *i))).map(|i| run.instance(i));
    Card {
        node: ix,
        id: node.id.as_str(),
        kind: node.kind.as_str(),
        name: &node.name,
        status: at.map_or_else(|| run.node_status(ix), |at| at.node(ix).status),
        counts: at.map_or_else(|| run.counts(ix), |at| at.node(ix).counts),
        latest,
        run_ms: timed.and_then(crate::Instance::run_ms),
        held_ms: timed.and_then(|i| i.held_ms),
        tokens: node.usage.total,
        hold: first_hold(run, ix, at),
        unattributed: !node.unattributed.is_empty(),
    }
}

fn first_hold(run: &Run, ix: NodeIx, at: Option<&At>) -> Option<HoldIx> {
    let holds = &run.node(ix).holds;
    match at {
        None if run.counts(ix).held == 0 => None,
        None => holds
            .iter()
            .copied()
            .filter(|h| run.is_held(run.hold(*h)))
            .min_by_key(|h| run.hold(*h).paused.seq),
        Some(at) => {
            holds.iter().copied().filter(|h| at.is_held(run, *h)).min_by_key(|h| run.hold(*h).paused.seq)
        }
    }
}

/// What is inside a folded box.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Inside {
    /// Nodes below, at any depth.
    pub nodes: u32,
    /// Of those: with a running instance.
    pub running: u32,
    /// Of those: with a failed instance that counts.
    pub failed: u32,
    /// Of those: with a gate that holds.
    pub held: u32,
}

/// What is inside each node, indexed by node. One pass over all nodes.
pub fn inside(run: &Run, tree: &Tree, at: Option<&At>) -> Vec<Inside> {
    let mut sums = vec![Inside::default(); tree.len()];
    for ix in tree.order().iter().rev() {
        let Some(parent) = tree.parent(*ix) else { continue };
        let status = at.map_or_else(|| run.node_status(*ix), |at| at.node(*ix).status);
        let own = sums[ix.at()];
        let sum = &mut sums[parent.at()];
        sum.nodes += own.nodes + 1;
        sum.running += own.running + u32::from(status == NodeStatus::Running);
        sum.failed += own.failed + u32::from(status == NodeStatus::Error);
        sum.held += own.held + u32::from(status == NodeStatus::Held);
    }
    sums
}
