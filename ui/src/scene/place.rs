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

/// Beside which nodes room is kept. What has once got room keeps it: the end of a call, or its start, is no reason to
/// lay anything out again.
#[derive(Debug, Default)]
pub(super) struct Rooms {
    grew: BTreeSet<NodeIx>,
    announced: BTreeSet<NodeIx>,
}

impl Rooms {
    /// Running now, or once: more may come into it soon.
    fn grows(&mut self, run: &Run, ix: NodeIx) -> bool {
        if run.is_live() && run.node_status(ix) == NodeStatus::Running {
            self.grew.insert(ix);
        }
        self.grew.contains(&ix)
    }

    /// Announced as something that may hold a graph of its own.
    fn opens(&mut self, run: &Run, ix: NodeIx) -> bool {
        let node = run.node(ix);
        let may_hold = node.in_graph || node.routed || node.kind.as_str() == "agent";
        if may_hold && run.is_live() && node.is_unreached() {
            self.announced.insert(ix);
        }
        self.announced.contains(&ix)
    }
}

pub(super) fn request(run: &Run, scene: &Scene, rooms: &mut Rooms) -> Request {
    let parent = |ix: Option<NodeIx>| ix.map(|ix| Key(key(ix)));
    let mut items: Vec<(NodeIx, Item)> = Vec::with_capacity(scene.boxes.len() + scene.cards.len());
    for b in &scene.boxes {
        let item = Item::open_box(key(b.node), parent(b.parent));
        items.push((b.node, Item { grows: rooms.grows(run, b.node), ..item }));
    }
    for card in &scene.cards {
        let size = match card.folded {
            true => FOLDED,
            false if is_model_call(run, card.node) => Size::new(CardModel::WIDTH, CardModel::HEIGHT_TALL),
            false => Size::new(CardModel::WIDTH, CardModel::HEIGHT),
        };
        let item = Item::card(key(card.node), parent(card.parent), size);
        // An agent that has called nothing yet is a card; with its first call it opens where it stands.
        let may_open = !card.folded && project::may_open(run, card.node);
        let grows = may_open && rooms.grows(run, card.node);
        let opens = may_open && rooms.opens(run, card.node);
        items.push((card.node, Item { grows, opens, ..item }));
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
