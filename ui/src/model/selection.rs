//! What is looked at: one selection, one time position, one tab each, and which panels are open. Ids and not
//! indices, so that a new snapshot of the run changes nothing for the person.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::theme::Appearance;

/// The one selection of canvas, outline, timeline, events and inspector.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// The node's id.
    pub node: Option<Arc<str>>,
    /// One of its instances; `None` is the newest.
    pub instance: Option<Arc<str>>,
    /// An event, by number.
    pub seq: Option<u64>,
}

impl Selection {
    /// A node with its newest instance.
    pub fn node(id: impl Into<Arc<str>>) -> Self {
        Self { node: Some(id.into()), ..Self::default() }
    }

    /// One instance of a node.
    pub fn instance(node: impl Into<Arc<str>>, instance: impl Into<Arc<str>>) -> Self {
        Self { node: Some(node.into()), instance: Some(instance.into()), seq: None }
    }
}

/// Where in time the window is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TimePosition {
    /// At the end, moving with it.
    #[default]
    Live,
    /// After the event with this number.
    At(u64),
}

/// Tabs of the inspector.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum InspectorTab {
    /// Arguments of the call.
    #[default]
    Input,
    /// Its result.
    Output,
    /// Its error.
    Error,
    /// Text that arrived piece by piece.
    Stream,
    /// All executions of the node.
    Instances,
    /// Envelopes as received.
    Raw,
}

impl InspectorTab {
    /// In the order shown.
    pub const ALL: [Self; 6] =
        [Self::Input, Self::Output, Self::Error, Self::Stream, Self::Instances, Self::Raw];

    /// The word on the tab.
    pub fn word(self) -> &'static str {
        match self {
            Self::Input => "Input",
            Self::Output => "Output",
            Self::Error => "Error",
            Self::Stream => "Stream",
            Self::Instances => "Instances",
            Self::Raw => "Raw",
        }
    }
}

/// Tabs of the dock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum DockTab {
    /// Bars over time.
    #[default]
    Timeline,
    /// Every event in order.
    Events,
    /// Texts that arrive.
    Streams,
    /// Checkpoints, values of the state and other moments of a graph.
    State,
    /// What the window and the server noticed.
    Console,
}

impl DockTab {
    /// In the order shown.
    pub const ALL: [Self; 5] = [Self::Timeline, Self::Events, Self::Streams, Self::State, Self::Console];

    /// The word on the tab.
    pub fn word(self) -> &'static str {
        match self {
            Self::Timeline => "Timeline",
            Self::Events => "Events",
            Self::Streams => "Streams",
            Self::State => "State",
            Self::Console => "Console",
        }
    }
}

/// Panels that can be hidden.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Panel {
    /// Runs, holds, breakpoints and outline.
    Rail,
    /// Details of the selection.
    Inspector,
    /// Timeline, events, streams and console.
    Dock,
}

/// What is remembered between launches.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Layout {
    /// Left rail open.
    pub rail: bool,
    /// Inspector open.
    pub inspector: bool,
    /// Dock open.
    pub dock: bool,
    /// Tabs of the dock that are hidden.
    pub closed: Vec<DockTab>,
    /// Open sections of the rail: runs, holds, breakpoints, outline.
    pub sections: [bool; 4],
    /// Dark, light or the system's.
    pub theme: Appearance,
}

impl Layout {
    /// Whether a pane is to be seen; an empty window has nothing to inspect.
    pub fn shows(&self, pane: super::Pane, empty: bool) -> bool {
        match pane {
            super::Pane::Rail => self.rail,
            super::Pane::Canvas => true,
            super::Pane::Inspector => self.inspector && !empty,
            super::Pane::Dock(tab) => self.dock && !empty && !self.closed.contains(&tab),
        }
    }
}

impl Default for Layout {
    fn default() -> Self {
        Self {
            rail: true,
            inspector: true,
            dock: true,
            closed: Vec::new(),
            sections: [true; 4],
            theme: Appearance::System,
        }
    }
}
