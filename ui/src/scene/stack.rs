//! Hundreds of siblings as one stack: cards of one name and kind in one box, each called on its own.
//!
//! Invariant: the first sibling stands for all, so the stack's place does not depend on who comes later; lines to any
//! of them lead to the stack. What is held is never hidden: its hold is shown on the stack.

use std::collections::{BTreeMap, BTreeSet};

use graph::project::{Scene, SceneEdge};
use graph::{EdgeKind, NodeIx, Run};

/// From how many siblings on they are stacked.
const STACK_FROM: usize = 8;

/// A projection in which siblings are stacked.
#[derive(Debug, Default)]
pub(super) struct Stacked {
    pub(super) scene: Scene,
    /// By the one that stands for them: all of them, it included.
    pub(super) members: BTreeMap<NodeIx, Vec<NodeIx>>,
}

pub(super) fn stack(run: &Run, mut scene: Scene, unstacked: &BTreeSet<NodeIx>) -> Stacked {
    let callers: BTreeSet<NodeIx> =
        scene.edges.iter().filter(|edge| edge.kind == EdgeKind::Call).map(|edge| edge.from).collect();
    let mut groups: BTreeMap<(Option<NodeIx>, &str, &str), Vec<NodeIx>> = BTreeMap::new();
    for card in scene.cards.iter().filter(|card| !card.folded && !callers.contains(&card.node)) {
        let node = run.node(card.node);
        groups.entry((card.parent, node.kind.as_str(), &node.name)).or_default().push(card.node);
    }
    let members: BTreeMap<NodeIx, Vec<NodeIx>> = groups
        .into_values()
        .filter(|group| group.len() >= STACK_FROM && !unstacked.contains(&group[0]))
        .map(|group| (group[0], group))
        .collect();
    let hidden: BTreeMap<NodeIx, NodeIx> = members
        .iter()
        .flat_map(|(first, group)| group.iter().skip(1).map(|member| (*member, *first)))
        .collect();
    if !hidden.is_empty() {
        scene.cards.retain(|card| !hidden.contains_key(&card.node));
        scene.edges = lead_to_stacks(&scene.edges, &hidden);
    }
    Stacked { scene, members }
}

fn lead_to_stacks(edges: &[SceneEdge], hidden: &BTreeMap<NodeIx, NodeIx>) -> Vec<SceneEdge> {
    let shown = |ix: NodeIx| hidden.get(&ix).copied().unwrap_or(ix);
    let mut sums: BTreeMap<(NodeIx, NodeIx, EdgeKind), u32> = BTreeMap::new();
    for edge in edges {
        let (from, to) = (shown(edge.from), shown(edge.to));
        let within = from == to && edge.from != edge.to;
        if !within {
            let sum = sums.entry((from, to, edge.kind)).or_default();
            *sum = sum.saturating_add(edge.count);
        }
    }
    sums.into_iter().map(|((from, to, kind), count)| SceneEdge { from, to, kind, count }).collect()
}
