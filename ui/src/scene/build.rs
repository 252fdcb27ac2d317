//! Models from a projection and a layout.
//!
//! Invariant: what the layout has not placed is not painted; what is hidden in a stack or a folded box still counts
//! in its badges, and its hold is still shown.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use graph::project::{Inside, SceneCard, SceneEdge, inside};
use graph::{Counts, EdgeKind, NodeIx, NodeStatus};
use layout::Layout;

use super::facts::Facts;
use super::model::{BoxModel, CanvasModel, CardModel, EdgeLook, EdgeModel, Tally};
use super::place::{is_model_call, key, point, rect, segments};
use super::stack::Stacked;
use crate::model::format;
use crate::theme::Status;

/// From this level on a box says how deep it lies.
const DEEP: u32 = 3;

/// Fills the model anew, keeping its run and revision.
pub(super) fn build(facts: &Facts<'_>, shown: &Stacked, layout: &Layout, model: &mut CanvasModel) {
    let mut builder = Builder {
        facts,
        shown,
        layout,
        inside: inside(facts.run, facts.tree, facts.at),
        sums: sums(facts),
        depths: HashMap::new(),
    };
    let names = names(model);
    let bounds = rect(layout.bounds());
    model.boxes = builder.boxes(&names);
    model.cards = builder.cards(&names, &mut model.boxes);
    model.edges = builder.edges(model);
    model.bounds = (!model.cards.is_empty() || !model.boxes.is_empty()).then_some(bounds);
}

/// Names and ids of the model before, so that a refresh allocates only what is new.
fn names(model: &CanvasModel) -> HashMap<u64, (Arc<str>, Arc<str>)> {
    let cards = model.cards.iter().map(|card| (card.key, (card.target.clone(), card.name.clone())));
    let boxes = model.boxes.iter().map(|b| (b.key, (b.target.clone(), b.name.clone())));
    cards.chain(boxes).collect()
}

/// Calls and nodes that ended well below each node, at any depth.
fn sums(facts: &Facts<'_>) -> Vec<(u64, u64)> {
    let mut sums = vec![(0, 0); facts.tree.len()];
    for ix in facts.tree.order().iter().rev() {
        let Some(parent) = facts.tree.parent(*ix) else { continue };
        let card = facts.card(*ix);
        let own: (u64, u64) = sums[ix.at()];
        let sum = &mut sums[parent.at()];
        sum.0 += own.0 + u64::from(card.counts.total);
        sum.1 += own.1 + u64::from(card.status == NodeStatus::Ok);
    }
    sums
}

struct Builder<'a> {
    facts: &'a Facts<'a>,
    shown: &'a Stacked,
    layout: &'a Layout,
    inside: Vec<Inside>,
    sums: Vec<(u64, u64)>,
    depths: HashMap<u64, u32>,
}

type Names = HashMap<u64, (Arc<str>, Arc<str>)>;

impl Builder<'_> {
    fn name(&self, ix: NodeIx, names: &Names) -> (Arc<str>, Arc<str>) {
        let node = self.facts.run.node(ix);
        match names.get(&key(ix)) {
            Some((id, name)) if **name == *node.name => (id.clone(), name.clone()),
            _ => (node.id.as_str().into(), Arc::from(&*node.name)),
        }
    }

    fn tally(&self, ix: NodeIx) -> Tally {
        let (inside, (calls, ok)) = (self.inside[ix.at()], self.sums[ix.at()]);
        Tally {
            nodes: u64::from(inside.nodes),
            calls,
            running: u64::from(inside.running),
            held: u64::from(inside.held),
            failed: u64::from(inside.failed),
            ok,
        }
    }

    fn boxes(&mut self, names: &Names) -> Vec<BoxModel> {
        let mut parts: BTreeMap<u64, Vec<layout::Placed>> = BTreeMap::new();
        for placed in self.layout.placed().filter(|placed| placed.container) {
            parts.entry(placed.key.0).or_default().push(placed);
        }
        let mut boxes = Vec::with_capacity(self.shown.scene.boxes.len());
        for b in &self.shown.scene.boxes {
            self.depths.insert(key(b.node), b.depth + 1);
            for placed in parts.get(&key(b.node)).into_iter().flatten() {
                let at = (rect(placed.rect), placed.part);
                boxes.push(self.boxed(b.node, b.parent, b.depth + 1, false, at, names));
            }
        }
        boxes
    }

    fn boxed(
        &self,
        ix: NodeIx,
        parent: Option<NodeIx>,
        level: u32,
        folded: bool,
        (rect, part): (egui::Rect, u32),
        names: &Names,
    ) -> BoxModel {
        let card = self.facts.card(ix);
        let (target, name) = self.name(ix, names);
        let kind = self.facts.kind(ix);
        let node = self.facts.run.node(ix);
        let caption = match (kind, level) {
            // Spoken of by what is inside, not seen itself.
            _ if node.kind.as_str().is_empty() && node.is_container => "namespace".into(),
            _ if node.kind.as_str().is_empty() => "".into(),
            (crate::theme::NodeKind::Agent, 2..) => "sub-agent".into(),
            _ => kind.label().to_lowercase().into(),
        };
        let caption: Arc<str> = match level {
            DEEP.. => format!("{caption} \u{B7} depth {level}").into(),
            _ => caption,
        };
        BoxModel {
            key: key(ix),
            target,
            rect,
            level,
            name,
            caption,
            kind,
            status: self.facts.status(&card),
            tally: self.tally(ix),
            folded,
            part,
            hold: card.hold.map(|hold| self.facts.hold(hold)),
            breakpoint: self.facts.breakpoint(&card),
            dim: self.facts.dim(ix),
            parent: parent.map(key),
        }
    }

    fn cards(&mut self, names: &Names, boxes: &mut Vec<BoxModel>) -> Vec<CardModel> {
        let callers = self.callers();
        let mut cards = Vec::with_capacity(self.shown.scene.cards.len());
        for shown in &self.shown.scene.cards {
            let Some(at) = self.layout.rect(layout::Key(key(shown.node))) else { continue };
            let depth = shown.parent.and_then(|parent| self.depths.get(&key(parent)).copied()).unwrap_or(0);
            self.depths.insert(key(shown.node), depth);
            if shown.folded {
                boxes.push(self.boxed(shown.node, shown.parent, depth + 1, true, (rect(at), 0), names));
            } else {
                let mut card = self.card(shown, rect(at), depth, names);
                card.parent = callers.get(&card.key).copied().or(card.parent);
                cards.push(card);
            }
        }
        cards
    }

    /// Who called a card that stands beside its caller.
    fn callers(&self) -> HashMap<u64, u64> {
        let calls = self.shown.scene.edges.iter().filter(|edge| edge.kind == EdgeKind::Call);
        calls.map(|edge| (key(edge.to), key(edge.from))).collect()
    }

    fn card(&self, shown: &SceneCard, rect: egui::Rect, depth: u32, names: &Names) -> CardModel {
        let facts = self.facts;
        let ix = shown.node;
        let members = self.shown.members.get(&ix);
        let card = facts.card(ix);
        let status = facts.status(&card);
        let (target, name) = self.name(ix, names);
        let mut model = CardModel {
            key: key(ix),
            target,
            rect,
            kind: facts.kind(ix),
            name,
            count: u64::from(card.counts.total),
            status,
            word: None,
            detail: facts.detail(&card, status).into(),
            failed: None,
            since_ms: facts.since(&card, status),
            stream: facts.stream(&card),
            model_call: is_model_call(facts.run, ix),
            hold: card.hold.map(|hold| facts.hold(hold)),
            breakpoint: facts.breakpoint(&card),
            stack: members.is_some(),
            dim: facts.dim(ix),
            diff: None,
            depth,
            parent: shown.parent.map(key),
        };
        if let Some(members) = members {
            self.sum_up(&mut model, members);
        }
        model
    }

    /// The front card of a stack says what all of them did.
    fn sum_up(&self, model: &mut CardModel, members: &[NodeIx]) {
        let mut counts = Counts::default();
        for member in members {
            let card = self.facts.card(*member);
            counts.merge(&card.counts);
            if model.hold.is_none() {
                model.hold = card.hold.map(|hold| self.facts.hold(hold));
            }
        }
        let words = |n: u32, word: &str| format!("{} {word}", format::count(u64::from(n)));
        model.count = members.len() as u64;
        model.dim = members.iter().all(|member| self.facts.dim(*member));
        model.since_ms = None;
        model.detail = "".into();
        model.failed = (counts.error > 0).then(|| words(counts.error, "failed").into());
        (model.status, model.word) = match counts {
            counts if counts.running > 0 => (Status::Running, Some(words(counts.running, "running").into())),
            counts if counts.ok > 0 => (Status::Ok, Some(words(counts.ok, "ok").into())),
            counts if counts.error > 0 => (Status::Failed, None),
            _ => (model.status, None),
        };
    }

    fn edges(&self, model: &CanvasModel) -> Vec<EdgeModel> {
        let running: BTreeSet<u64> = model
            .cards
            .iter()
            .filter(|card| card.status == Status::Running && card.hold.is_none())
            .map(|card| card.key)
            .collect();
        let dim: BTreeSet<u64> = model.cards.iter().filter(|card| card.dim).map(|card| card.key).collect();
        let mut pairs: BTreeMap<(u64, u64), (EdgeLook, u64)> = BTreeMap::new();
        for edge in &self.shown.scene.edges {
            let next = (look(edge, running.contains(&key(edge.to))), u64::from(edge.count));
            let pair = pairs.entry((key(edge.from), key(edge.to))).or_insert(next);
            if rank(next.0) > rank(pair.0) {
                *pair = (next.0, next.1.max(pair.1));
            }
        }
        let mut edges: Vec<EdgeModel> = self
            .layout
            .routes()
            .filter_map(|route| {
                let (look, count) = *pairs.get(&(route.from.0, route.to.0))?;
                let dim = dim.contains(&route.from.0) || dim.contains(&route.to.0);
                Some(self.edge(&route, look, count, dim))
            })
            .collect();
        edges.sort_by_key(|edge| rank(edge.look));
        edges
    }

    fn edge(&self, route: &layout::Route<'_>, look: EdgeLook, count: u64, dim: bool) -> EdgeModel {
        let depth = |key: u64| self.depths.get(&key).copied().unwrap_or(0);
        EdgeModel {
            from: route.from.0,
            to: route.to.0,
            look,
            count,
            start: point(route.start),
            segments: segments(route.segments),
            pill: point(route.pill),
            bounds: rect(route.bounds),
            depth: depth(route.from.0).min(depth(route.to.0)),
            dim,
        }
    }
}

fn look(edge: &SceneEdge, to_runs: bool) -> EdgeLook {
    match (edge.kind, edge.count) {
        (EdgeKind::Call, _) => EdgeLook::Call,
        (EdgeKind::Flow | EdgeKind::Route, 1..) if to_runs => EdgeLook::Active,
        (EdgeKind::Flow | EdgeKind::Route, 1..) => EdgeLook::Taken,
        (EdgeKind::Flow | EdgeKind::Route, _) => EdgeLook::Possible,
        (EdgeKind::Handoff, 1..) => EdgeLook::Handoff,
        (EdgeKind::Handoff, 0) => EdgeLook::HandoffPossible,
        (EdgeKind::Link, _) => EdgeLook::Link,
    }
}

/// Of several lines between two cards the one that says most is drawn; and lines that say more lie above.
fn rank(look: EdgeLook) -> u8 {
    match look {
        EdgeLook::Link => 0,
        EdgeLook::Possible => 1,
        EdgeLook::HandoffPossible => 2,
        EdgeLook::Call => 3,
        EdgeLook::Handoff => 4,
        EdgeLook::Taken => 5,
        EdgeLook::Active => 6,
    }
}
