//! Lines between nodes.
//!
//! Invariant: one edge for each (from, to, kind); an edge never leads from a node to itself, except a `flow`
//! or `route` that is a loop. Does not know where anything is drawn.

use serde::{Deserialize, Serialize};

use crate::NodeIx;

/// What a line between two nodes means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EdgeKind {
    /// Parent to child.
    Call,
    /// One after the other under one parent; inferred from the order of ends and starts.
    Flow,
    /// Stated by the program: taken.
    Route,
    /// One agent hands over to another, or says that it could: then `count` is 0.
    Handoff,
    /// Related, without nesting.
    Link,
}

impl EdgeKind {
    /// The word in JSON and on screen.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Call => "call",
            Self::Flow => "flow",
            Self::Route => "route",
            Self::Handoff => "handoff",
            Self::Link => "link",
        }
    }
}

/// A line between two nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Edge {
    /// Where it starts.
    pub from: NodeIx,
    /// Where it ends.
    pub to: NodeIx,
    /// What it means.
    pub kind: EdgeKind,
    /// How often; 0 for one that was announced and not taken.
    pub count: u32,
    /// Lowest sequence that showed it.
    pub first_seq: u64,
}
