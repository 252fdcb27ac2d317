//! What a caller asks for: items with sizes, edges between them, and the spacing to keep.
//!
//! Keys are opaque: two requests that differ only in the numbers used as keys have the same geometry. A `Request`
//! is `PartialEq`, so it is its own cache key. This module knows nothing of where anything is put.

use crate::geometry::Size;

/// An item's name. Opaque: only equality is ever used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Key(pub u64);

impl From<u64> for Key {
    fn from(raw: u64) -> Self {
        Key(raw)
    }
}

/// A card, a folded box or an open box.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Item {
    /// Unique in the request; of two items with one key the first counts.
    pub key: Key,
    /// The box it stands in. Unknown parents and parents in a circle count as none; a parent that is a card passes
    /// its children on to the box around it.
    pub parent: Option<Key>,
    /// Outer size in points. For an open box: the least outer size.
    pub size: Size,
    /// An open box: drawn round its children, with a header. A folded box is a card with a size.
    pub container: bool,
    /// May gain children soon (a running agent): a box keeps [`Metrics::slack`] free to its right and below, a card
    /// to its right only, so that it can open where it is.
    pub grows: bool,
    /// May become a box one day (an announced task): a card keeps room to its right for a few boxes in it.
    pub opens: bool,
}

impl Item {
    /// A card, or a folded box.
    #[must_use]
    pub fn card(key: impl Into<Key>, parent: Option<Key>, size: Size) -> Self {
        Self { key: key.into(), parent, size, container: false, grows: false, opens: false }
    }

    /// An open box, as large as what is in it.
    #[must_use]
    pub fn open_box(key: impl Into<Key>, parent: Option<Key>) -> Self {
        Self {
            key: key.into(),
            parent,
            size: Size::new(184.0, 72.0),
            container: true,
            grows: false,
            opens: false,
        }
    }

    /// The same item, expected to gain children.
    #[must_use]
    pub fn growing(mut self) -> Self {
        self.grows = true;
        self
    }
}

/// A line from one item to another. Several with the same ends share one route.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Edge {
    /// Where it leaves.
    pub from: Key,
    /// Where its arrow ends.
    pub to: Key,
    /// Whether `to` belongs below `from` (calls, flow, routes). Hand-offs and links are only drawn.
    pub ranks: bool,
}

impl Edge {
    /// An edge that puts `to` below `from`.
    #[must_use]
    pub fn down(from: impl Into<Key>, to: impl Into<Key>) -> Self {
        Self { from: from.into(), to: to.into(), ranks: true }
    }

    /// An edge that is only drawn.
    #[must_use]
    pub fn aside(from: impl Into<Key>, to: impl Into<Key>) -> Self {
        Self { from: from.into(), to: to.into(), ranks: false }
    }
}

/// Distances in points. The defaults are the design tokens.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Metrics {
    /// Between two cards of a row.
    pub column_gap: f32,
    /// Between two rows: the channel edges run through.
    pub row_gap: f32,
    /// Between a box and what is in it.
    pub padding: f32,
    /// Height of a box's header.
    pub header: f32,
    /// Extra room on the left of a box whose edges bend back.
    pub loop_lane: f32,
    /// A row wider than this becomes a grid.
    pub wrap_width: f32,
    /// Kept free beside and below an item that grows.
    pub slack: Size,
}

impl Default for Metrics {
    fn default() -> Self {
        Self {
            column_gap: 16.0,
            row_gap: 36.0,
            padding: 16.0,
            header: 32.0,
            loop_lane: 56.0,
            wrap_width: 1600.0,
            slack: Size::new(200.0, 92.0),
        }
    }
}

/// Everything a layout depends on.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Request {
    /// In the order they should be read: earlier ones stand further left and up where edges leave a choice.
    pub items: Vec<Item>,
    /// Edges whose ends are both items; others wait until their ends come.
    pub edges: Vec<Edge>,
    /// Spacing.
    pub metrics: Metrics,
}
