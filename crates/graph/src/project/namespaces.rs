//! Nested graphs: as a list with depth, and the way from the outermost down to one.

use crate::project::Tree;
use crate::{NamespaceIx, NodeIx, Run};

/// A nested graph on the way down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Crumb<'a> {
    /// The namespace.
    pub namespace: NamespaceIx,
    /// The node that embeds it: what to enter. None for the root.
    pub node: Option<NodeIx>,
    /// Its last segment; the program's name for the root.
    pub name: &'a str,
}

/// The way from the root down to a namespace, both included.
pub fn crumbs(run: &Run, to: NamespaceIx) -> Vec<Crumb<'_>> {
    let path = run.namespace(to);
    let root = Crumb { namespace: NamespaceIx(0), node: None, name: run.app() };
    let below = path.iter().enumerate().filter_map(|(i, segment)| {
        let namespace = run.find_namespace(&path[..=i])?;
        Some(Crumb { namespace, node: run.owner(namespace), name: segment })
    });
    std::iter::once(root).chain(below).collect()
}

/// The way from the outermost node down to one, it included: what a person has entered, whatever embeds what.
pub fn way_to(tree: &Tree, node: NodeIx) -> Vec<NodeIx> {
    let mut way: Vec<NodeIx> = std::iter::once(node).chain(tree.ancestors(node)).collect();
    way.reverse();
    way
}

/// A nested graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NamespaceRow<'a> {
    /// The namespace.
    pub namespace: NamespaceIx,
    /// The node that embeds it.
    pub node: Option<NodeIx>,
    /// Its last segment.
    pub name: &'a str,
    /// How many namespaces stand above it, the root not counted.
    pub depth: usize,
    /// How many nodes stand in it itself.
    pub nodes: u32,
}

/// All nested graphs but the root, each before those inside it.
pub fn namespaces(run: &Run) -> Vec<NamespaceRow<'_>> {
    let mut nodes = vec![0u32; run.namespaces().len()];
    for node in run.nodes().iter().filter(|node| !node.is_vacant()) {
        nodes[node.namespace.at()] += 1;
    }
    let mut order: Vec<usize> = (1..run.namespaces().len()).collect();
    order.sort_by(|a, b| run.namespaces()[*a].cmp(&run.namespaces()[*b]));
    let row = |i: usize| {
        let path = &run.namespaces()[i];
        let name = path.last().map_or("", |segment| segment);
        let namespace = NamespaceIx::from(i);
        NamespaceRow { namespace, node: run.owner(namespace), name, depth: path.len() - 1, nodes: nodes[i] }
    };
    order.into_iter().map(row).collect()
}
