//! Which gates a breakpoint means. Source: GraphMind wire contract, "Breakpoint matcher semantics".
//!
//! Invariant: two matchers are the same only field by field as sent; an absent `point` is not `before` in that respect,
//! though it matches as `before`.
use crate::Point;
use serde::{Deserialize, Serialize};

/// A breakpoint's coarse condition. Empty matches every node before it runs.
///
/// ```
/// use wire::{Matcher, Point};
/// let any_tool = Matcher { kind: Some("tool".into()), ..Matcher::default() };
/// assert!(any_tool.matches("tool", "search", Point::Before));
/// assert!(!any_tool.matches("tool", "search", Point::Error));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Matcher {
    /// Kind of node, as on the wire.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub kind: Option<String>,
    /// Name of node.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub name: Option<String>,
    /// Gate; absent matches as [`Point::Before`].
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub point: Option<Point>,
}

impl Matcher {
    /// The debugger's default: hold at every error.
    pub fn on_error() -> Self {
        Self { point: Some(Point::Error), ..Self::default() }
    }

    /// Whether the gate `point` of a node is meant.
    pub fn matches(&self, kind: &str, name: &str, point: Point) -> bool {
        self.kind.as_deref().is_none_or(|wanted| wanted == kind)
            && self.name.as_deref().is_none_or(|wanted| wanted == name)
            && self.effective_point() == point
    }

    /// The gate it matches.
    pub fn effective_point(&self) -> Point {
        self.point.unwrap_or(Point::Before)
    }
}
