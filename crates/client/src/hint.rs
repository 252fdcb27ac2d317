//! Nodes announced before they run.

use crate::place::RunCore;
use std::borrow::Cow;
use wire::{Extra, GraphHint, HintNode, Kind, NodeId};

/// A node that may run; see [`RunBuilder::hint`](crate::RunBuilder::hint).
///
/// ```
/// use client::Hint;
///
/// # let session = client::Session::disabled();
/// let run = session
///     .run("triage")
///     .hint([Hint::new("llm", "classify"), Hint::new("chain", "reply"), Hint::new("llm", "draft").under("chain:reply")])
///     .start();
/// ```
#[derive(Clone, Debug)]
pub struct Hint {
    kind: Kind<'static>,
    name: String,
    id: NodeId,
    parent: Option<NodeId>,
}

impl Hint {
    /// A node whose id is `kind:name`, under the run's root.
    pub fn new(kind: impl Into<Kind<'static>>, name: impl Into<String>) -> Self {
        let (kind, name) = (kind.into(), name.into());
        let id = NodeId::from(format!("{kind}:{name}"));
        Self { kind, name, id, parent: None }
    }

    /// The id the node will run under, where it is not `kind:name`.
    pub fn id(mut self, id: impl Into<NodeId>) -> Self {
        self.id = id.into();
        self
    }

    /// The id of the node it belongs to.
    pub fn under(mut self, parent: impl Into<NodeId>) -> Self {
        self.parent = Some(parent.into());
        self
    }
}

impl RunCore {
    /// Announces `hints`; those without a parent belong to `root`.
    pub(crate) fn emit_hint(&self, hints: &[Hint], root: Option<&NodeId>) {
        if hints.is_empty() {
            return;
        }
        let nodes = hints.iter().map(|hint| HintNode {
            node_id: Cow::Borrowed(hint.id.as_str()),
            kind: Kind::from(hint.kind.as_str()),
            name: Cow::Borrowed(&hint.name),
            parent_id: hint.parent.as_ref().or(root).map(|id| Cow::Borrowed(id.as_str())),
            extra: Extra::default(),
        });
        let nodes = nodes.collect();
        self.shared.emit(&self.id, &GraphHint { nodes, extra: Extra::default() }.into());
    }
}
