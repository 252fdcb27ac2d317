//! Streamed text.

use wire::{Delta, NodeToken};

use crate::run::position;
use crate::text::Tail;
use crate::{Change, Channel, InstanceIx, Run, Stamp, TextStats};

impl Run {
    pub(super) fn node_token(&mut self, at: Stamp, payload: &NodeToken<'_>, change: &mut Change) {
        let ix = self.intern_node(&payload.node_id, at.seq);
        (change.node, change.stream) = (Some(ix), true);
        let named = payload.instance_id.as_ref().map(|id| self.intern_instance(ix, id));
        if payload.deltas.is_empty() {
            return;
        }
        let stats = stats_of(at, &payload.deltas);
        match named {
            Some(instance) => self.add_named_deltas(instance, at, &payload.deltas, &stats),
            None => {
                push_all(self.data.nodes[ix.at()].tail.get_or_insert_default(), at, &payload.deltas);
                self.apply_deltas(ix, at.seq, stats);
            }
        }
    }

    /// Deltas that name their instance need no fold. Last words are kept until a finish names the instance.
    fn add_named_deltas(&mut self, ix: InstanceIx, at: Stamp, deltas: &[Delta<'_>], stats: &TextStats) {
        let instance = &mut self.data.instances[ix.at()];
        let text = instance.text.get_or_insert_default().named.get_or_insert_default();
        text.stats.merge(stats);
        if !instance.ended_by_name {
            push_all(&mut text.tail, at, deltas);
        }
    }

    pub(super) fn forget_last_words(&mut self, ix: InstanceIx) {
        let instance = &mut self.data.instances[ix.at()];
        instance.ended_by_name = true;
        if let Some(text) = instance.text.as_mut().and_then(|text| text.named.as_mut()) {
            text.tail.clear();
        }
    }
}

fn push_all(tail: &mut Tail, at: Stamp, deltas: &[Delta<'_>]) {
    for (part, delta) in deltas.iter().enumerate() {
        tail.push(at.seq, position(part), channel_of(delta), &delta.v);
    }
}

fn stats_of(at: Stamp, deltas: &[Delta<'_>]) -> TextStats {
    let mut stats = TextStats::of(at);
    for delta in deltas {
        stats.count(channel_of(delta), delta.v.len());
    }
    stats
}

fn channel_of(delta: &Delta<'_>) -> Channel {
    match delta.t {
        wire::Channel::Text => Channel::Text,
        wire::Channel::Reasoning => Channel::Reasoning,
        wire::Channel::ToolArgs => Channel::ToolArgs,
        wire::Channel::Other(_) => Channel::Other,
    }
}
