//! A run as a snapshot and back.
//!
//! Decides that a snapshot carries the arenas and no look-up table, and that one whose positions point outside
//! its arenas is refused with a word instead of met later. Invariant: restoring what was written gives the same
//! digest, and the same again after any further event.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

use super::{Index, Run, RunData};
use crate::facts::Fact;

impl Serialize for Run {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.data.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Run {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let data = RunData::deserialize(deserializer)?;
        data.check().map_err(|what| D::Error::custom(format!("snapshot of a run: {what} points outside")))?;
        Ok(Self { index: Index::build(&data), data })
    }
}

impl RunData {
    /// Every position lies inside its arena; else what does not.
    fn check(&self) -> Result<(), &'static str> {
        let node = |ix: crate::NodeIx| ix.at() < self.nodes.len();
        let instance = |ix: crate::InstanceIx| ix.at() < self.instances.len();
        let hold = |ix: crate::HoldIx| ix.at() < self.holds.len();
        let start = |ix: u32| (ix as usize) < self.starts.len();
        let end = |ix: u32| (ix as usize) < self.ends.len();
        let fact = |fact: &Fact| match *fact {
            Fact::Start(ix) => start(ix),
            Fact::End(ix) => end(ix),
            Fact::Pause(ix) => hold(ix),
            Fact::Again(ix) => (ix as usize) < self.agains.len(),
        };
        let nodes = self.nodes.iter().all(|n| {
            n.namespace.at() < self.namespaces.len()
                && n.parent.is_none_or(node)
                && n.instances.iter().all(|i| instance(*i))
                && n.holds.iter().all(|h| hold(*h))
                && n.facts.iter().all(fact)
                && n.groups.iter().all(|g| (*g as usize) < self.groups.len())
                && n.segments.iter().all(|s| s.target.is_none_or(instance))
                && n.derived.newest.is_none_or(instance)
                && n.derived.last_ended.is_none_or(instance)
                && n.derived.retrying.iter().chain(&n.derived.unnamed).all(|i| instance(*i))
                && (n.derived.open != 1 || (n.derived.open_xor as usize) < self.instances.len())
        });
        let instances = self.instances.iter().all(|i| {
            node(i.node)
                && i.first_start.is_none_or(start)
                && i.last_start.is_none_or(start)
                && i.finish.is_none_or(end)
                && i.error.is_none_or(end)
                && i.counted.is_none_or(end)
        });
        let edge = |e: &crate::Edge| node(e.from) && node(e.to);
        let checks = [
            (nodes, "a node"),
            (instances, "an instance"),
            (self.starts.iter().all(|s| instance(s.instance) && s.parent.is_none_or(node)), "a start"),
            (self.ends.iter().all(|e| e.named.or(e.resolved).is_none_or(instance)), "an end"),
            (
                self.holds.iter().all(|h| node(h.node) && h.instance.or(h.named).is_none_or(instance)),
                "a hold",
            ),
            (self.agains.iter().all(|a| a.named.is_none_or(instance)), "a retry"),
            (
                self.ticks
                    .iter()
                    .all(|t| t.node.is_none_or(node) && t.namespace.at() < self.namespaces.len()),
                "a tick",
            ),
            (self.kxm.check(self.instances.len(), self.starts.len()), "a KXM record's thing"),
            (self.messages.iter().all(|m| node(m.0)), "a message"),
            (self.pauses.iter().all(|p| p.holds.iter().all(|h| hold(*h))), "a pause"),
            (self.edges.iter().chain(&self.triggers).all(edge), "an edge"),
            (self.links.iter().all(|link| node(link.to)), "a link"),
            (self.groups.iter().all(|g| g.check(self.nodes.len())), "a group"),
            (self.dirty_nodes.iter().all(|n| node(*n)), "a late node"),
            (self.dirty_groups.iter().all(|g| (*g as usize) < self.groups.len()), "a late group"),
            (!self.namespaces.is_empty() && self.owners.len() == self.namespaces.len(), "a namespace"),
            (self.owners.iter().flatten().all(|n| node(*n)), "an embedding node"),
        ];
        checks.into_iter().try_for_each(|(good, what)| if good { Ok(()) } else { Err(what) })
    }
}
