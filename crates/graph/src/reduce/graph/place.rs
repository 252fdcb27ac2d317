//! Where in the graph an event belongs.

use stream::{Context, segment_node};

use crate::{Change, NamespaceIx, NodeIx, Run};
use wire::Kind;

/// Where in the graph an event belongs.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(in crate::reduce) struct Place {
    /// Node names from the outermost graph down; tasks left out.
    pub(super) path: Vec<Box<str>>,
    pub(in crate::reduce) namespace: NamespaceIx,
    /// The node that embeds the namespace.
    pub(super) owner: Option<NodeIx>,
    pub(in crate::reduce) step: Option<u64>,
    pub(super) task: Option<Box<str>>,
    pub(super) node: Option<Box<str>>,
}

/// Longest path kept. Deeper ones are cut here; the recording has the rest.
const PATH_MAX: usize = 4096;

impl Run {
    /// The place of a graph event, the boxes on the way made.
    pub(super) fn place(&mut self, seq: u64, context: &Context) -> Place {
        let segments = context.namespace.iter().take(PATH_MAX);
        let path: Vec<Box<str>> = segments.map(|segment| segment_node(segment).into()).collect();
        let owner = self.containers(seq, &path);
        Place {
            namespace: self.intern_namespace(&path),
            owner,
            path,
            step: context.step.map(|step| step as u64),
            task: context.task_id.as_ref().map(|task| task.as_str().into()),
            node: context.node.as_ref().map(|node| node.as_str().into()),
        }
    }

    /// The place of a harness event, where it names one.
    pub(in crate::reduce) fn place_of(&mut self, seq: u64, extra: &wire::Extra<'_>) -> Option<Place> {
        let context = Context::read(extra.get(stream::GRAPH_MEMBER)?).ok()?;
        Some(self.place(seq, &context))
    }

    /// The node of the task that a place names.
    pub(in crate::reduce) fn task_node(&mut self, seq: u64, place: &Place) -> Option<NodeIx> {
        let name = place.node.as_deref()?;
        Some(self.graph_node(seq, place, name))
    }

    /// The nodes that embed each level of a path; the innermost.
    fn containers(&mut self, seq: u64, path: &[Box<str>]) -> Option<NodeIx> {
        let ix = *self.index.namespaces.get(path).unwrap_or(&NamespaceIx(0));
        if ix.0 > 0
            && let Some(owner) = self.data.owners[ix.at()]
            && self.data.nodes[owner.at()].first_seq <= seq
        {
            return Some(owner);
        }
        let mut owner = None;
        for depth in 0..path.len() {
            let place = Place {
                namespace: self.intern_namespace(&path[..depth]),
                owner,
                path: path[..depth].to_vec(),
                ..Place::default()
            };
            let node = self.graph_node(seq, &place, &path[depth]);
            self.data.nodes[node.at()].is_container = true;
            let inner = self.intern_namespace(&path[..=depth]);
            self.data.owners[inner.at()] = Some(node);
            owner = Some(node);
        }
        owner
    }

    /// The node of a name in a place. What its own events say of it wins.
    pub(super) fn graph_node(&mut self, seq: u64, place: &Place, name: &str) -> NodeIx {
        let ix = match place.path.as_slice() {
            [] => self.intern_node(name, seq),
            path => self.intern_node(&format!("{}/{name}", path.join("/")), seq),
        };
        let (namespace, owner) = (place.namespace, place.owner);
        let node = &mut self.data.nodes[ix.at()];
        if !std::mem::replace(&mut node.in_graph, true) {
            node.namespace = namespace;
            if !node.started {
                node.name = name.into();
                node.parent = owner;
                node.kind = if node.is_agent { Kind::Agent } else { Kind::Chain };
            }
        }
        ix
    }

    /// The node that embeds a node's namespace.
    pub(super) fn owner_of(&self, ix: NodeIx) -> Option<NodeIx> {
        self.data.owners[self.data.nodes[ix.at()].namespace.at()]
    }

    /// A node is an agent, whatever runs in it.
    pub(super) fn mark_agent(&mut self, ix: NodeIx, change: &mut Change) {
        let node = &mut self.data.nodes[ix.at()];
        node.is_agent = true;
        if !node.started {
            node.kind = Kind::Agent;
        }
        change.structure = true;
    }
}
