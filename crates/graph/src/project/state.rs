//! How the state of a graph changed: which event carries each value, and which it is to be compared with.
//!
//! Values are not kept here: a row names the event that carries one, and the event of the value before it in the same
//! namespace, so that whoever looks at a step fetches two bodies and compares them.

use std::collections::HashMap;

use crate::{NamespaceIx, NodeIx, Run, Stamp, TickKind};

/// A change of state, or the whole state.
#[derive(Debug, Clone, PartialEq)]
pub struct StateRow {
    /// When; the event of this number carries the value.
    pub at: Stamp,
    /// In which nested graph.
    pub namespace: NamespaceIx,
    /// The superstep, where one is named.
    pub step: Option<u64>,
    /// The node that made the change; none for a whole state.
    pub node: Option<NodeIx>,
    /// The value is the whole state, else it is what one node changes.
    pub whole: bool,
    /// For a whole state: the event that carries the one before it in this namespace.
    pub previous: Option<u64>,
}

impl StateRow {
    /// JSON pointers under which the value stands in its event: the first that is there.
    pub fn pointers(&self) -> &'static [&'static str] {
        if self.whole {
            &["/payload/part/Values/data"]
        } else {
            &["/payload/event/StateUpdated/update", "/payload/part/Updates/data", "/payload/update"]
        }
    }
}

/// All changes of state, in order.
pub fn state_rows(run: &Run) -> Vec<StateRow> {
    let mut last: HashMap<NamespaceIx, u64> = HashMap::new();
    let told = run.ticks().iter().filter(|tick| matches!(tick.kind, TickKind::State | TickKind::Values));
    told.map(|tick| {
        let whole = tick.kind == TickKind::Values;
        let previous = if whole { last.insert(tick.namespace, tick.at.seq) } else { None };
        StateRow { at: tick.at, namespace: tick.namespace, step: tick.step, node: tick.node, whole, previous }
    })
    .collect()
}
