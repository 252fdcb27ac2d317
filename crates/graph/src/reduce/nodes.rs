//! Events about one node.

use wire::{Body, NodeError, NodeFinished, NodeStarted, Raw};

use super::graph::Place;
use super::runs::{failure_of, status_of};
use crate::derive::Step;
use crate::facts::{End, Fact, Spent, Start};
use crate::flow::Move;
use crate::run::{Handoff, Link, position, push_tight};
use crate::{Change, Cost, EdgeKind, Money, NamespaceIx, NodeIx, Reported, Run, Stamp, Status, Usage};

/// Longest model name kept, in bytes.
const MODEL_BYTES_MAX: usize = 250;

/// Longest member without a type of its own that a slim envelope leaves alone, as JSON.
const LIST_BYTES_MAX: usize = 256;

impl Run {
    pub(super) fn node_started(&mut self, at: Stamp, payload: &NodeStarted<'_>, change: &mut Change) {
        let ix = self.intern_node(&payload.node_id, at.seq);
        let place = self.place_of(at.seq, &payload.extra);
        let parent = self.parent_named(at, payload, place.as_ref());
        self.related(at, ix, payload);
        let instance = self.intern_instance(ix, &payload.instance_id);
        let renamed = self.describe(ix, at, payload, parent);
        if !self.data.nodes[ix.at()].in_graph && self.data.nodes[ix.at()].desc_seq == at.seq {
            self.data.nodes[ix.at()].namespace =
                place.as_ref().map_or(NamespaceIx(0), |place| place.namespace);
        }
        let start = Start {
            at,
            instance,
            parent,
            step: place.as_ref().and_then(|place| place.step),
            unnamed: false,
            model: payload.model.and_then(model_of),
            input: payload.input.map(Body::from),
        };
        (change.node, change.status) = (Some(ix), true);
        change.structure |= self.add_start(ix, start) | renamed;
    }

    /// Other calls that a start names as related, and agents that it hands or could hand over to.
    fn related(&mut self, at: Stamp, to: NodeIx, payload: &NodeStarted<'_>) {
        let extra = &payload.extra;
        let (links, others, handoff) = (extra.get("links"), extra.get("handoffs"), extra.get("handoff"));
        let handoff = handoff.filter(|raw| raw.get().len() <= LIST_BYTES_MAX);
        for from in self.texts(links) {
            self.data.links.push(Link { from, to, seq: at.seq });
        }
        for to in self.texts(others) {
            let from = payload.name.as_ref().into();
            self.data.handoffs.push(Handoff { from, to, seq: at.seq, taken: false });
        }
        let end = |name: &str| handoff?.member(name)?.as_str().map(|agent| Box::from(agent.as_ref()));
        if let (Some(from), Some(to)) = (end("from"), end("to")) {
            self.data.handoffs.push(Handoff { from, to, seq: at.seq, taken: true });
        }
    }

    /// A list of texts, where it is short enough that a slim envelope carries it too; else it is counted.
    fn texts(&mut self, raw: Option<Raw<'_>>) -> Vec<Box<str>> {
        let Some(raw) = raw else { return Vec::new() };
        if raw.get().len() > LIST_BYTES_MAX || raw.kind() == wire::JsonKind::Object {
            self.data.long_links += 1;
            return Vec::new();
        }
        raw.items().filter_map(|item| Some(item.as_str()?.as_ref().into())).collect()
    }

    /// The parent an event names; inside a graph task, that task's node instead of the run's outermost agent.
    fn parent_named(
        &mut self,
        at: Stamp,
        payload: &NodeStarted<'_>,
        place: Option<&Place>,
    ) -> Option<NodeIx> {
        let own = payload.parent_id.as_ref().filter(|parent| **parent != payload.node_id);
        if own.is_none() && payload.parent_id.is_some() {
            self.data.self_parents += 1;
        }
        let task = place.and_then(|place| self.task_node(at.seq, place));
        let task = task.filter(|ix| self.data.nodes[ix.at()].id.as_str() != payload.node_id);
        match own {
            Some(parent) if task.is_none() || !parent.starts_with("agent:") => {
                Some(self.intern_node(parent, at.seq))
            }
            Some(_) | None => task,
        }
    }

    /// Kind and name of the last start count, the parent of the first. True when what is drawn changed.
    fn describe(&mut self, ix: NodeIx, at: Stamp, payload: &NodeStarted<'_>, parent: Option<NodeIx>) -> bool {
        let node = &mut self.data.nodes[ix.at()];
        let mut changed = !node.started;
        if !node.started || at.seq > node.desc_seq {
            node.desc_seq = at.seq;
            node.collapsed = payload.collapsed.unwrap_or(false);
            if node.kind != payload.kind || *node.name != *payload.name {
                node.kind = payload.kind.clone().into_owned();
                node.name = payload.name.as_ref().into();
                changed = true;
            }
        }
        if !node.started || at.seq < node.parent_seq {
            changed |= node.parent != parent;
            (node.parent, node.parent_seq) = (parent, at.seq);
        }
        node.started = true;
        changed
    }

    /// Records a start and takes it in; true when a line or a place came with it.
    pub(crate) fn add_start(&mut self, ix: NodeIx, start: Start) -> bool {
        let (seq, parent, instance, step) = (start.at.seq, start.parent, start.instance, start.step);
        let at = position(self.data.starts.len());
        push_tight(&mut self.data.starts, start);
        self.data.nodes[ix.at()].facts.push(Fact::Start(at));
        self.flow_inside(ix, seq);
        let new = self.join_group(ix, parent, seq);
        let taken = self.fold_in_order(ix, seq, Step::Start(at));
        if taken && self.data.instances[instance.at()].first_start == Some(at) {
            let group = self.intern_group(parent);
            return self.flow(group, seq, Move::Start { node: ix, step }) | new;
        }
        new
    }

    /// Notes that a node ran under a parent; true the first time.
    fn join_group(&mut self, ix: NodeIx, parent: Option<NodeIx>, seq: u64) -> bool {
        if let Some(parent) = parent {
            self.count_edge(parent, ix, EdgeKind::Call, 1, seq);
        }
        let at = self.intern_group(parent);
        let (node, group) = (&mut self.data.nodes[ix.at()], &mut self.data.groups[at as usize]);
        group.starts += 1;
        let new = !node.groups.contains(&at);
        if new {
            node.groups.push(at);
            group.nodes.push(ix);
        }
        new
    }

    pub(super) fn node_finished(&mut self, at: Stamp, payload: &NodeFinished<'_>, change: &mut Change) {
        let ix = self.intern_node(&payload.node_id, at.seq);
        let named = payload.instance_id.as_ref().map(|id| self.intern_instance(ix, id));
        let injected = payload.injected == Some(true);
        let end = End {
            at,
            named,
            resolved: None,
            step: None,
            start: None,
            status: status_of(payload.status),
            is_error: false,
            injected,
            cached: flag(&payload.extra, "cached"),
            duration_ms: (!injected).then_some(payload.duration_ms),
            held_ms: payload.held_ms,
            output: payload.output.map(Body::from),
            usage: spent_of(payload),
            failure: None,
        };
        (change.node, change.status) = (Some(ix), true);
        self.add_end(ix, end);
    }

    pub(super) fn node_error(&mut self, at: Stamp, payload: &NodeError<'_>, change: &mut Change) {
        let ix = self.intern_node(&payload.node_id, at.seq);
        let named = payload.instance_id.as_ref().map(|id| self.intern_instance(ix, id));
        let end = End {
            at,
            named,
            resolved: None,
            step: None,
            start: None,
            status: Status::Error,
            is_error: true,
            injected: false,
            cached: false,
            duration_ms: None,
            held_ms: payload.held_ms,
            output: None,
            usage: None,
            failure: Some(Box::new(failure_of(at, &payload.error))),
        };
        (change.node, change.status) = (Some(ix), true);
        self.add_end(ix, end);
    }

    /// Records an end and takes it in.
    pub(crate) fn add_end(&mut self, ix: NodeIx, end: End) {
        let seq = end.at.seq;
        if let Some(named) = end.named.filter(|_| !end.is_error) {
            self.forget_last_words(named);
        }
        let at = position(self.data.ends.len());
        push_tight(&mut self.data.ends, end);
        self.data.nodes[ix.at()].facts.push(Fact::End(at));
        if !self.fold_in_order(ix, seq, Step::End(at)) {
            return;
        }
        if let Some(start) = self.data.ends[at as usize].start {
            let start = &self.data.starts[start as usize];
            let (parent, ended) =
                (start.parent, Move::End { node: ix, step: start.step, start: start.at.seq });
            let group = self.intern_group(parent);
            self.flow(group, seq, ended);
        }
    }
}

/// A model's name: a string, or a member of an object that names it.
fn model_of(raw: Raw<'_>) -> Option<Box<str>> {
    let named = || ["id", "name", "model", "modelId"].iter().find_map(|name| raw.member(name)?.as_str());
    let name = raw.as_str().or_else(named)?;
    (!name.is_empty() && raw.get().len() <= MODEL_BYTES_MAX).then(|| name.as_ref().into())
}

/// What a finish says its call used up; a parent's figures that repeat its children's stand in `usageRepeated`.
fn spent_of(payload: &NodeFinished<'_>) -> Option<Box<Spent>> {
    let repeated = payload.extra.get("usageRepeated").and_then(Reported::of_json);
    if payload.usage.is_none() && repeated.is_none() {
        return None;
    }
    Some(Box::new(Spent {
        usage: payload.usage.as_ref().map(Usage::from_wire).unwrap_or_default(),
        repeated: repeated.map(|reported| Box::new(Usage::reckon(&reported))),
        money: Money::some(payload.usage.as_ref().and_then(Cost::of_usage)),
    }))
}

fn flag(extra: &wire::Extra<'_>, name: &str) -> bool {
    extra.get(name).and_then(Raw::as_bool).unwrap_or(false)
}
