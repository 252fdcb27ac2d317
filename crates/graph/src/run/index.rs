//! Look-up tables over a run's arenas.
//!
//! Invariant: everything here can be rebuilt from `RunData`; nothing iterates over these tables, so their order
//! cannot show.

use std::collections::{BTreeSet, HashMap, HashSet};

use wire::{InstanceId, NodeId, PauseId};

use super::RunData;
use crate::{EdgeKind, HoldIx, InstanceIx, NamespaceIx, NodeIx};

/// Look-up tables over a run's arenas.
#[derive(Debug, Clone, Default)]
pub(crate) struct Index {
    pub(crate) nodes: HashMap<NodeId, NodeIx>,
    instances: HashMap<(NodeIx, InstanceId), InstanceIx>,
    pub(crate) pauses: HashMap<PauseId, u32>,
    pub(crate) edges: HashMap<(NodeIx, NodeIx, EdgeKind), u32>,
    pub(crate) flows: HashMap<(u32, NodeIx, NodeIx), u32>,
    pub(crate) groups: HashMap<Option<NodeIx>, u32>,
    pub(crate) triggers: HashMap<(NodeIx, NodeIx), u32>,
    /// Nodes whose predecessors are stated.
    pub(crate) stated: HashSet<NodeIx>,
    pub(crate) messages: HashMap<(NodeIx, Box<str>), u32>,
    pub(crate) namespaces: HashMap<Vec<Box<str>>, NamespaceIx>,
    /// Holds that no answer and no passing has ended.
    pub(crate) open_holds: BTreeSet<HoldIx>,
}

impl Index {
    /// The tables of these arenas.
    pub(crate) fn build(data: &RunData) -> Self {
        let mut index = Self::default();
        for (i, node) in data.nodes.iter().enumerate() {
            index.nodes.insert(node.id.clone(), i.into());
        }
        for (i, instance) in data.instances.iter().enumerate() {
            index.instances.insert((instance.node, instance.id.clone()), i.into());
        }
        for (i, pause) in data.pauses.iter().enumerate() {
            index.pauses.insert(pause.id.clone(), position(i));
        }
        for (i, edge) in data.edges.iter().enumerate() {
            index.edges.insert((edge.from, edge.to, edge.kind), position(i));
            index.note_stated(edge.to, edge.kind);
        }
        for (i, edge) in data.triggers.iter().enumerate() {
            index.triggers.insert((edge.from, edge.to), position(i));
            index.note_stated(edge.to, edge.kind);
        }
        for (g, group) in data.groups.iter().enumerate() {
            index.groups.insert(group.parent, position(g));
            for (i, edge) in group.edges.iter().enumerate() {
                index.flows.insert((position(g), edge.from, edge.to), position(i));
            }
        }
        for (i, path) in data.namespaces.iter().enumerate() {
            index.namespaces.insert(path.clone(), i.into());
        }
        for (i, (node, id, _)) in data.messages.iter().enumerate() {
            index.messages.insert((*node, id.clone()), position(i));
        }
        let open = data.holds.iter().enumerate().filter(|(_, hold)| hold.open);
        index.open_holds = open.map(|(i, _)| HoldIx::from(i)).collect();
        index
    }

    pub(crate) fn note_stated(&mut self, to: NodeIx, kind: EdgeKind) {
        if kind == EdgeKind::Route {
            self.stated.insert(to);
        }
    }

    pub(crate) fn find_instance(&self, node: NodeIx, id: &str) -> Option<InstanceIx> {
        self.instances.get(&(node, InstanceId::from(id))).copied()
    }

    pub(crate) fn put_instance(&mut self, node: NodeIx, id: InstanceId, ix: InstanceIx) {
        self.instances.insert((node, id), ix);
    }
}

/// Puts a value at the end of an arena that holds one for each instance: it grows by an eighth, not to twice its size.
pub(crate) fn push_tight<T>(arena: &mut Vec<T>, value: T) {
    if arena.len() == arena.capacity() {
        arena.reserve_exact(arena.len() / 8 + 4);
    }
    arena.push(value);
}

/// A position as it is stored; arenas past `u32::MAX` entries cannot occur.
pub(crate) fn position(i: usize) -> u32 {
    u32::try_from(i).unwrap_or(u32::MAX)
}
