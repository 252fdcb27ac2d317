//! What the views look at: models that only the verbs change. Each part decides one thing and has its own file.

pub mod bodies;
pub mod compare;
pub mod diff;
pub mod editor;
pub mod encoded;
pub mod events;
pub mod export;
pub mod family;
pub mod find;
pub mod format;
pub mod imports;
pub mod json;
pub mod life;
pub mod markdown;
pub mod moments;
pub mod narrow;
pub mod panes;
pub mod pending;
pub mod place;
pub mod prices;
pub mod reading;
pub mod report;
pub mod rows;
pub mod selection;
pub mod state;
pub mod steps;
pub mod streams;
pub mod toasts;

pub use bodies::{BodyAsk, BodyKey};
pub use panes::{Pane, Panes, Side};
pub use selection::{DockTab, InspectorTab, Layout, Panel, Selection, TimePosition};
pub use state::State;

/// Everything a view may read during a pass.
#[derive(Clone, Copy, Debug)]
pub struct Model<'a> {
    /// The window's state.
    pub state: &'a State,
    /// The shown run, once its snapshot is here.
    pub run: Option<&'a graph::Run>,
    /// The first of two runs that are compared, once its snapshot is here; the shown run is the second.
    pub other: Option<&'a graph::Run>,
    /// The run at the moment that is looked at; `None` while that is the end.
    pub at: Option<&'a graph::project::At>,
    /// Nodes that match the search and what the graph is narrowed to; `None` when nothing is looked for.
    pub matches: Option<&'a graph::project::Matches>,
    /// Wall clock, milliseconds since 1970.
    pub now_ms: f64,
    /// The window's own clock, seconds.
    pub time_s: f64,
    /// Motion is unwelcome.
    pub reduced_motion: bool,
}

impl<'a> Model<'a> {
    /// The selected node of the shown run.
    pub fn node(&self) -> Option<(graph::NodeIx, &'a graph::Node)> {
        let run = self.run?;
        let ix = run.find_node(self.state.selection.node.as_deref()?)?;
        Some((ix, run.node(ix)))
    }

    /// The selected instance, else the newest of the selected node.
    pub fn instance(&self) -> Option<(graph::InstanceIx, &'a graph::Instance)> {
        let run = self.run?;
        let (ix, node) = self.node()?;
        let named = self.state.selection.instance.as_deref().and_then(|id| run.find_instance(ix, id));
        let newest = || match self.at {
            Some(at) => at.node(ix).latest,
            None => node.instances.last().copied(),
        };
        let ix = named.or_else(newest)?;
        Some((ix, run.instance(ix)))
    }

    /// Whether an event lies behind the moment that is looked at, and so has not happened yet.
    pub fn is_later(&self, seq: u64) -> bool {
        self.at.is_some_and(|at| seq > at.seq())
    }
}
