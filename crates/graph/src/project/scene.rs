//! Which cards, boxes and lines a canvas has.
//!
//! Decides that a node with others under it is a box, unless it is a leaf kind (llm, tool, retriever, resource,
//! prompt), which stays a card with call lines to its children; that folding a box hides what is inside; and that a
//! line to something hidden leads to the box that hides it. A key is the node's index: stable while the run lives,
//! so that what is placed stays. Does not know positions or sizes.

use std::collections::{BTreeMap, BTreeSet};

use crate::project::{At, Tree};
use crate::{Edge, EdgeKind, NodeIx, Run};

/// What a canvas is asked to show.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct View {
    /// Boxes that are folded although their sender did not ask for it.
    pub folded: BTreeSet<NodeIx>,
    /// Boxes that are open although their sender asked for them folded.
    pub opened: BTreeSet<NodeIx>,
    /// The box that was entered: only what is inside is shown.
    pub inside: Option<NodeIx>,
}

impl View {
    /// Whether a box is folded.
    pub fn is_folded(&self, run: &Run, ix: NodeIx) -> bool {
        self.folded.contains(&ix) || (run.node(ix).collapsed && !self.opened.contains(&ix))
    }
}

/// Which cards, boxes and lines a canvas has.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Scene {
    /// Boxes, each before those inside it.
    pub boxes: Vec<SceneBox>,
    /// Cards in order of appearance.
    pub cards: Vec<SceneCard>,
    /// Lines between what is shown.
    pub edges: Vec<SceneEdge>,
}

/// A box.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SceneBox {
    /// The node, which is the key too.
    pub node: NodeIx,
    /// The box it stands in.
    pub parent: Option<NodeIx>,
    /// How many boxes stand around it.
    pub depth: u32,
}

/// A card.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SceneCard {
    /// The node, which is the key too.
    pub node: NodeIx,
    /// The box it stands in.
    pub parent: Option<NodeIx>,
    /// It is a box that is folded.
    pub folded: bool,
}

/// A line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SceneEdge {
    /// Card or box it starts at.
    pub from: NodeIx,
    /// Card or box it ends at.
    pub to: NodeIx,
    /// What it means.
    pub kind: EdgeKind,
    /// How often; 0 for one that was announced and not taken.
    pub count: u32,
}

/// Which cards, boxes and lines a canvas has, now or at a moment.
pub fn scene(run: &Run, tree: &Tree, view: &View, at: Option<&At>) -> Scene {
    let mut scene = Scene::default();
    let mut shown: Vec<Option<NodeIx>> = vec![None; tree.len()];
    let mut places: Vec<Place> = vec![Place::default(); tree.len()];
    for ix in tree.order() {
        let above = tree.parent(*ix).map_or(Place::root(view), |parent| places[parent.at()]);
        let place = step(run, tree, view, at, *ix, above, &mut scene);
        shown[ix.at()] = place.shown;
        places[ix.at()] = place;
    }
    scene.edges = edges(run, tree, at, &shown);
    scene
}

/// What a node leaves to those under it.
#[derive(Debug, Clone, Copy, Default)]
struct Place {
    /// The box its children stand in.
    container: Option<NodeIx>,
    depth: u32,
    /// Its children are shown on their own.
    open: bool,
    /// What stands for it on the canvas.
    shown: Option<NodeIx>,
}

impl Place {
    fn root(view: &View) -> Self {
        Self { open: view.inside.is_none(), ..Self::default() }
    }
}

fn step(
    run: &Run,
    tree: &Tree,
    view: &View,
    at: Option<&At>,
    ix: NodeIx,
    above: Place,
    scene: &mut Scene,
) -> Place {
    if view.inside == Some(ix) {
        return Place { container: None, depth: 0, open: true, shown: None };
    }
    if !above.open || at.is_some_and(|at| !at.is_drawn(run, ix)) {
        return above;
    }
    let is_box = is_box(run, tree, ix);
    if is_box && !view.is_folded(run, ix) {
        scene.boxes.push(SceneBox { node: ix, parent: above.container, depth: above.depth });
        return Place { container: Some(ix), depth: above.depth + 1, open: true, shown: Some(ix) };
    }
    scene.cards.push(SceneCard { node: ix, parent: above.container, folded: is_box });
    Place { open: !is_box, shown: Some(ix), ..above }
}

/// Whether a node is drawn as a box around those under it.
fn is_box(run: &Run, tree: &Tree, ix: NodeIx) -> bool {
    !tree.children(ix).is_empty() && may_open(run, ix)
}

/// Whether a node becomes a box with its first child: all kinds but those that stay cards with call edges, and every
/// node that a graph is nested in.
pub fn may_open(run: &Run, ix: NodeIx) -> bool {
    let node = run.node(ix);
    node.is_container || !matches!(node.kind.as_str(), "llm" | "tool" | "retriever" | "resource" | "prompt")
}

/// Lines between what is shown, summed where folding brings several together.
fn edges(run: &Run, tree: &Tree, at: Option<&At>, shown: &[Option<NodeIx>]) -> Vec<SceneEdge> {
    let mut sums: BTreeMap<(NodeIx, NodeIx, EdgeKind), u32> = BTreeMap::new();
    let drawn = run.edges().filter(|edge| at.is_none_or(|at| edge.count == 0 || edge.first_seq <= at.seq()));
    for edge in drawn {
        let (Some(from), Some(to)) = (shown[edge.from.at()], shown[edge.to.at()]) else { continue };
        let folded_loop = from == to && edge.from != edge.to;
        if folded_loop || is_containment(run, tree, &edge) {
            continue;
        }
        let sum = sums.entry((from, to, edge.kind)).or_default();
        *sum = sum.saturating_add(edge.count);
    }
    sums.into_iter().map(|((from, to, kind), count)| SceneEdge { from, to, kind, count }).collect()
}

/// A call that the box already says.
fn is_containment(run: &Run, tree: &Tree, edge: &Edge) -> bool {
    edge.kind == EdgeKind::Call && is_box(run, tree, edge.from) && tree.parent(edge.to) == Some(edge.from)
}
