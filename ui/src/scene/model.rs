//! What the canvas paints: cards, boxes and edges, placed, with the words they show.
//!
//! Invariant: plain data in canvas coordinates (points at zoom 1), built only when the run, the layout, a fold or a
//! filter changed. Times that run on are kept as a start, so a frame never rebuilds a model to count seconds.

use std::sync::Arc;

use egui::{Pos2, Rect};

use crate::glyph::BreakpointMark;
use crate::theme::{NodeKind, Status};

/// Everything on the canvas.
#[derive(Clone, Debug, Default)]
pub struct CanvasModel {
    /// Key of the run; `None` when nothing is shown.
    pub run: Option<Arc<str>>,
    /// Boxes, outer ones before those in them.
    pub boxes: Vec<BoxModel>,
    /// Cards, in reading order.
    pub cards: Vec<CardModel>,
    /// Edges, in the order they are painted.
    pub edges: Vec<EdgeModel>,
    /// Round everything.
    pub bounds: Option<Rect>,
    /// Changes whenever anything above does.
    pub revision: u64,
}

/// What a click on a card or box acts on: the node, by the sender's id.
pub type Target = Arc<str>;

/// A card.
#[derive(Clone, Debug)]
pub struct CardModel {
    /// Stable key, also the layout's.
    pub key: u64,
    /// What it stands for.
    pub target: Target,
    /// Where it stands.
    pub rect: Rect,
    /// What it is.
    pub kind: NodeKind,
    /// Its name.
    pub name: Arc<str>,
    /// How often it was called; shown from 2 on.
    pub count: u64,
    /// State.
    pub status: Status,
    /// Instead of the state's word, such as "211 ok".
    pub word: Option<Arc<str>>,
    /// After the word, such as "412 ms · 2,318 tok".
    pub detail: Arc<str>,
    /// A second word in the colour of failures, such as "3 failed".
    pub failed: Option<Arc<str>>,
    /// Start of what still runs, in milliseconds of the program's clock.
    pub since_ms: Option<f64>,
    /// Last words of its stream.
    pub stream: Option<Arc<str>>,
    /// Keeps room for stream lines from the start.
    pub model_call: bool,
    /// The hold, if it is held.
    pub hold: Option<HoldModel>,
    /// The breakpoint on it.
    pub breakpoint: Option<BreakpointMark>,
    /// Stands for a stack of siblings.
    pub stack: bool,
    /// The filter does not match it.
    pub dim: bool,
    /// What a comparison says of it.
    pub diff: Option<DiffMark>,
    /// Level of the box around it, 0 for none: decides the surface behind it.
    pub depth: u32,
    /// The card or box that called it, as a key.
    pub parent: Option<u64>,
}

impl CardModel {
    /// The rectangle that is painted: held cards hang a strip of actions into the gap below.
    pub fn painted(&self) -> Rect {
        let mut rect = self.rect;
        if self.hold.is_some() {
            rect.max.y = rect.max.y.max(rect.min.y + Self::HEIGHT_TALL);
        }
        rect
    }

    /// Width of every card.
    pub const WIDTH: f32 = 184.0;
    /// Height of a card.
    pub const HEIGHT: f32 = 56.0;
    /// Height of a model call, and of any card while it is held.
    pub const HEIGHT_TALL: f32 = 88.0;
}

/// A hold, as its card shows it.
#[derive(Clone, Debug, PartialEq)]
pub struct HoldModel {
    /// The hold's id.
    pub pause: Arc<str>,
    /// When it began, in milliseconds of the program's clock; `None` in the past, where nothing counts on.
    pub since_ms: Option<f64>,
    /// "at error", "before" or "after".
    pub place: &'static str,
    /// Whether its arguments may be edited.
    pub editable: bool,
    /// How many further holds wait on the same node.
    pub more: u32,
}

/// What can be done to a hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HoldVerb {
    /// Go on.
    Continue,
    /// Go on to the next gate.
    Step,
    /// Call it again.
    Retry,
    /// Put a value in its place; opens the editor.
    Inject,
    /// Change its arguments; opens the editor.
    Edit,
    /// End the run; needs a second press.
    Abort,
}

impl HoldVerb {
    /// In the order of the strip.
    pub const ALL: [Self; 6] =
        [Self::Continue, Self::Step, Self::Retry, Self::Inject, Self::Edit, Self::Abort];

    /// The word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Continue => "Continue",
            Self::Step => "Step",
            Self::Retry => "Retry",
            Self::Inject => "Inject",
            Self::Edit => "Edit",
            Self::Abort => "Abort",
        }
    }

    /// The key.
    pub fn key(self) -> &'static str {
        match self {
            Self::Continue => "C",
            Self::Step => "S",
            Self::Retry => "R",
            Self::Inject => "I",
            Self::Edit => "E",
            Self::Abort => "Shift+F5",
        }
    }

    /// The glyph; that of what will come of it where there is one.
    pub fn glyph(self) -> crate::glyph::Glyph {
        use crate::glyph::Glyph;
        match self {
            Self::Continue => Glyph::Run,
            Self::Step => Glyph::Step,
            Self::Retry => Glyph::Retried,
            Self::Inject => Glyph::Injected,
            Self::Edit => Glyph::Edit,
            Self::Abort => Glyph::Aborted,
        }
    }
}

/// What a comparison says of a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DiffMark {
    /// In both, and different.
    Changed,
    /// Only on this side, and added.
    Added,
    /// Only on this side, and removed.
    Removed,
    /// Not on this side.
    Missing,
}

/// How many of what is in a box.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Nodes, at any depth.
    pub nodes: u64,
    /// Calls of them.
    pub calls: u64,
    /// Running now.
    pub running: u64,
    /// Held now.
    pub held: u64,
    /// Nodes whose last call failed.
    pub failed: u64,
    /// Nodes that ended well.
    pub ok: u64,
}

/// A box: a caller with what it called.
#[derive(Clone, Debug)]
pub struct BoxModel {
    /// Stable key, also the layout's.
    pub key: u64,
    /// What it stands for.
    pub target: Target,
    /// Where it stands.
    pub rect: Rect,
    /// 1 for an outermost box.
    pub level: u32,
    /// Its name.
    pub name: Arc<str>,
    /// After the name, such as "iteration 3" or "sub-agent".
    pub caption: Arc<str>,
    /// Kind of the caller.
    pub kind: NodeKind,
    /// State of the caller.
    pub status: Status,
    /// What is in it.
    pub tally: Tally,
    /// Folded to a card.
    pub folded: bool,
    /// A further part of a box that could not grow in place.
    pub part: u32,
    /// The hold on the caller itself.
    pub hold: Option<HoldModel>,
    /// The breakpoint on the caller.
    pub breakpoint: Option<BreakpointMark>,
    /// The filter matches nothing in it.
    pub dim: bool,
    /// The box around it, as a key.
    pub parent: Option<u64>,
}

/// How an edge is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EdgeLook {
    /// Taken.
    Taken,
    /// Being taken.
    Active,
    /// Announced, not taken.
    Possible,
    /// A call: a quiet line.
    Call,
    /// A hand-off that happened.
    Handoff,
    /// A hand-off that could happen.
    HandoffPossible,
    /// Related.
    Link,
}

impl EdgeLook {
    /// Whether it ends in an arrow.
    pub fn arrow(self) -> bool {
        matches!(self, Self::Taken | Self::Active | Self::Handoff | Self::HandoffPossible)
    }
}

/// An edge.
#[derive(Clone, Debug)]
pub struct EdgeModel {
    /// Key of the card or box it leaves.
    pub from: u64,
    /// Key of the card or box it ends at.
    pub to: u64,
    /// How it is drawn.
    pub look: EdgeLook,
    /// How often; the pill is left out below 2.
    pub count: u64,
    /// First point.
    pub start: Pos2,
    /// Its pieces.
    pub segments: Arc<[EdgeSegment]>,
    /// Middle of the pill.
    pub pill: Pos2,
    /// Round all of it.
    pub bounds: Rect,
    /// Surface under the pill: level of the box around it.
    pub depth: u32,
    /// One of its ends is dimmed.
    pub dim: bool,
}

/// A piece of an edge, from where the piece before ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum EdgeSegment {
    /// Straight.
    Line(Pos2),
    /// A cubic curve: two control points and the end.
    Cubic(Pos2, Pos2, Pos2),
}
