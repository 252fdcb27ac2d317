//! From what is shown to what the layout is asked, and back to rectangles.
//!
//! Invariant: a card's size depends on its kind and on whether it is folded, never on its state, so that nothing moves
//! when something starts, is held or ends.

use std::collections::BTreeSet;

use graph::project::{self, Scene};
use graph::{EdgeKind, NodeIx, NodeStatus, Run};
use layout::{Edge, Item, Key, Metrics, Request, Size};

use super::model::{CardModel, EdgeSegment};

/// A folded box with the glyph of its kind.
const FOLDED: Size = Size::new(192.0, 72.0);

pub(super) fn key(ix: NodeIx) -> u64 {
    u64::from(ix.0)
}

pub(super) fn request(run: &Run, scene: &Scene, grew: &mut BTreeSet<u64>) -> Request {
    let parent = |ix: Option<NodeIx>| ix.map(|ix| Key(key(ix)));
    let mut items: Vec<(NodeIx, Item)> = Vec::with_capacity(scene.boxes.len() + scene.cards.len());
    for b in &scene.boxes {
        let item = Item::open_box(key(b.node), parent(b.parent));
        items.push((b.node, Item { grows: grows(run, b.node, grew), ..item }));
    }
    for card in &scene.cards {
        let size = match card.folded {
            true => FOLDED,
            false if is_model_call(run, card.node) => Size::new(CardModel::WIDTH, CardModel::HEIGHT_TALL),
            false => Size::new(CardModel::WIDTH, CardModel::HEIGHT),
        };
        let item = Item::card(key(card.node), parent(card.parent), size);
        // An agent that has called nothing yet is a card; with its first call it opens where it stands.
        let grows = !card.folded && project::may_open(run, card.node) && grows(run, card.node, grew);
        items.push((card.node, Item { grows, ..item }));
    }
    items.sort_by_key(|(ix, _)| *ix);
    let edges = scene.edges.iter().map(|edge| Edge {
        from: Key(key(edge.from)),
        to: Key(key(edge.to)),
        ranks: !matches!(edge.kind, EdgeKind::Handoff | EdgeKind::Link),
    });
    Request {
        items: items.into_iter().map(|(_, item)| item).collect(),
        edges: edges.collect(),
        metrics: Metrics::default(),
    }
}

/// Whether room is kept beside a node. What grew once keeps it: its end is no reason to lay anything out again.
fn grows(run: &Run, ix: NodeIx, grew: &mut BTreeSet<u64>) -> bool {
    if run.is_live() && run.node_status(ix) == NodeStatus::Running {
        grew.insert(key(ix));
    }
    grew.contains(&key(ix))
}

pub(super) fn is_model_call(run: &Run, ix: NodeIx) -> bool {
    run.node(ix).kind.as_str() == "llm"
}

pub(super) fn rect(rect: layout::Rect) -> egui::Rect {
    egui::Rect::from_min_size(egui::pos2(rect.x, rect.y), egui::vec2(rect.w, rect.h))
}

pub(super) fn point(point: layout::Point) -> egui::Pos2 {
    egui::pos2(point.x, point.y)
}

pub(super) fn segments(segments: &[layout::Segment]) -> std::sync::Arc<[EdgeSegment]> {
    let segment = |segment: &layout::Segment| match *segment {
        layout::Segment::Line { to } => EdgeSegment::Line(point(to)),
        layout::Segment::Cubic { c1, c2, to } => EdgeSegment::Cubic(point(c1), point(c2), point(to)),
    };
    segments.iter().map(segment).collect()
}
