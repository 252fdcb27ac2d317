//! Everything the window knows beside the runs themselves. Changed only by the three verbs; read by every view.

use std::sync::Arc;

use wire::viewer::{BreakpointState, DebugState, HoldSummary, RunSummary};

use super::bodies::Bodies;
use super::editor::Editor;
use super::events::Events;
use super::export::Export;
use super::imports::Import;
use super::pending::Pending;
use super::prices::Prices;
use super::selection::{InspectorTab, Layout, Selection, TimePosition};
use super::streams::Streams;
use super::toasts::Toasts;
use crate::transport::Link;

/// What the server said about itself.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Server {
    /// Its version.
    pub version: String,
    /// Where programs connect, as a WebSocket URL.
    pub ingest_url: String,
    /// Where a browser finds the page.
    pub viewer_url: String,
    /// Folder of journals and settings.
    pub data_dir: String,
    /// It can start the demo.
    pub demo: bool,
    /// It can read recordings.
    pub import: bool,
    /// It can write runs for others.
    pub export: bool,
}

/// Figures of the server, about once a second.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Stats {
    /// Events a second, all runs.
    pub events_per_s: f64,
    /// Frames dropped on slow viewers.
    pub dropped: u64,
    /// Numbers that never came.
    pub gaps: u64,
    /// Programs attached.
    pub connections: u32,
    /// Memory of the server's process.
    pub memory_bytes: u64,
}

/// Abort was pressed once.
#[derive(Clone, Debug, PartialEq)]
pub struct ArmedAbort {
    /// The hold.
    pub pause: Arc<str>,
    /// Until when, seconds of the window's clock.
    pub until_s: f64,
}

/// Which overlay is open; at most one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Overlay {
    /// None.
    #[default]
    None,
    /// Everything by name.
    Palette,
    /// All keys.
    Keys,
    /// Settings, versions and paths.
    Settings,
    /// What models cost.
    Prices,
    /// The report of an import, by its place.
    Report(usize),
    /// A run on its way out.
    Export(Export),
}

/// The window's state.
#[derive(Debug)]
pub struct State {
    /// The connection.
    pub link: Link,
    /// Host and port of the server.
    pub address: String,
    /// `None` until the server said hello.
    pub server: Option<Server>,
    /// Why what is shown may be wrong: page and server are of different versions.
    pub mismatch: Option<String>,
    /// Newest first.
    pub runs: Vec<RunSummary>,
    /// Counts the changes of `runs`.
    pub runs_revision: u64,
    /// Imports that take long.
    pub imports: Vec<Import>,
    /// Mode, pause on error, breakpoints.
    pub debug: DebugState,
    /// The last figures.
    pub stats: Option<Stats>,
    /// The run on screen.
    pub shown: Option<Arc<str>>,
    /// The person chose it, so a new run does not replace it.
    pub chosen: bool,
    /// The one selection.
    pub selection: Selection,
    /// The one time position.
    pub time: TimePosition,
    /// Two runs that are compared.
    pub compare: Option<super::compare::Compare>,
    /// A recording that plays.
    pub play: Option<super::steps::Play>,
    /// Shown inspector tab.
    pub tab: InspectorTab,
    /// Panels, sizes and theme.
    pub layout: Layout,
    /// What is searched for.
    pub search: String,
    /// What the graph is narrowed to; its words are `search`.
    pub narrowed: graph::project::Filter,
    /// What models cost, and what the shown run did.
    pub prices: Prices,
    /// Asks under way.
    pub pending: Pending,
    /// Bodies that were looked at.
    pub bodies: Bodies,
    /// A body that goes to the clipboard once all of it is here.
    pub copying: Option<super::BodyKey>,
    /// Events of the shown run.
    pub events: Events,
    /// Streams that were opened.
    pub streams: Streams,
    /// Inject or edit.
    pub editor: Option<Editor>,
    /// Messages.
    pub toasts: Toasts,
    /// First press of an abort.
    pub armed: Option<ArmedAbort>,
    /// Reports of imports, oldest first.
    pub reports: std::collections::VecDeque<super::report::Report>,
    /// Palette, keys or settings.
    pub overlay: Overlay,
    /// A file is dragged over the window.
    pub dragging: bool,
    /// The demo was asked for and has not appeared yet.
    pub demo_asked: bool,
    /// Whether the shell hosts the page.
    pub in_shell: bool,
}

impl Default for State {
    fn default() -> Self {
        Self {
            link: Link::Connecting,
            address: String::new(),
            server: None,
            mismatch: None,
            runs: Vec::new(),
            runs_revision: 0,
            imports: Vec::new(),
            debug: DebugState::default(),
            stats: None,
            shown: None,
            chosen: false,
            selection: Selection::default(),
            time: TimePosition::Live,
            compare: None,
            play: None,
            tab: InspectorTab::Input,
            layout: Layout::default(),
            search: String::new(),
            narrowed: graph::project::Filter::default(),
            prices: Prices::default(),
            pending: Pending::default(),
            bodies: Bodies::default(),
            copying: None,
            events: Events::default(),
            streams: Streams::default(),
            editor: None,
            toasts: Toasts::default(),
            armed: None,
            reports: std::collections::VecDeque::new(),
            overlay: Overlay::None,
            dragging: false,
            demo_asked: false,
            in_shell: false,
        }
    }
}

impl State {
    /// Whether asking the server for something has a chance.
    pub fn online(&self) -> bool {
        self.link == Link::Open && self.server.is_some()
    }

    /// The run that an export without more words means: the shown one, where the server can write it.
    pub fn exportable(&self) -> Option<Arc<str>> {
        self.shown
            .clone()
            .filter(|_| self.online() && self.server.as_ref().is_some_and(|server| server.export))
    }

    /// What nodes have to match: the words of the search and what the graph is narrowed to.
    pub fn filter(&self) -> graph::project::Filter {
        graph::project::Filter { text: self.search.clone(), ..self.narrowed.clone() }
    }

    /// Whether the window looks at what has happened, so that steps lead through the past and hold nothing.
    pub fn looks_back(&self) -> bool {
        self.time != TimePosition::Live || self.shown_run().is_some_and(|run| !run.live)
    }

    /// The summary of a run.
    pub fn run(&self, key: &str) -> Option<&RunSummary> {
        self.runs.iter().find(|run| run.run == key)
    }

    /// The newest run with this id of its sender.
    pub fn run_named(&self, run_id: &str) -> Option<&RunSummary> {
        self.runs.iter().find(|run| run.run_id == run_id)
    }

    /// The summary of the shown run.
    pub fn shown_run(&self) -> Option<&RunSummary> {
        self.run(self.shown.as_deref()?)
    }

    /// All holds, those of the shown run first, oldest first within a run.
    pub fn holds(&self) -> impl Iterator<Item = &HoldSummary> {
        let shown = self.shown.as_deref();
        let (first, rest): (Vec<_>, Vec<_>) =
            self.runs.iter().partition(|run| shown == Some(run.run.as_str()));
        first.into_iter().chain(rest).flat_map(|run| &run.holds)
    }

    /// How many holds there are.
    pub fn hold_count(&self) -> usize {
        self.runs.iter().map(|run| run.holds.len()).sum()
    }

    /// The hold that keys and the control bar speak to: that of the selection, else the first of the shown run.
    pub fn current_hold(&self) -> Option<&HoldSummary> {
        let holds = &self.shown_run()?.holds;
        let node = self.selection.node.as_deref();
        let instance = self.selection.instance.as_deref();
        let exact =
            holds.iter().find(|h| Some(h.node_id.as_str()) == node && h.instance_id.as_deref() == instance);
        exact.or_else(|| holds.iter().find(|h| Some(h.node_id.as_str()) == node)).or_else(|| holds.first())
    }

    /// A hold by run and pause.
    pub fn hold(&self, run: &str, pause: &str) -> Option<&HoldSummary> {
        self.run(run)?.holds.iter().find(|hold| hold.pause_id == pause)
    }

    /// Breakpoints that a person set: pause on error has a switch of its own.
    pub fn breakpoints(&self) -> impl Iterator<Item = &BreakpointState> {
        self.debug.breakpoints.iter().filter(|known| !is_pause_on_error(known))
    }

    /// The breakpoint that a node's gutter shows: the one that names it, else one of its kind.
    pub fn breakpoint_of(&self, kind: &str, name: &str) -> Option<&BreakpointState> {
        let by_name = |known: &&BreakpointState| {
            let matcher = &known.spec.matcher;
            matcher.name.as_deref() == Some(name) && matcher.kind.as_deref().is_none_or(|k| k == kind)
        };
        let by_kind = |known: &&BreakpointState| {
            let matcher = &known.spec.matcher;
            matcher.name.is_none() && matcher.kind.as_deref() == Some(kind)
        };
        self.breakpoints().find(by_name).or_else(|| self.breakpoints().find(by_kind))
    }

    /// Adds or replaces a run's summary, keeping the newest first.
    pub fn put_run(&mut self, run: RunSummary) {
        self.runs_revision += 1;
        match self.runs.iter_mut().find(|known| known.run == run.run) {
            Some(known) => *known = run,
            None => {
                let at = self.runs.partition_point(|known| known.started_ms > run.started_ms);
                self.runs.insert(at, run);
            }
        }
    }
}

/// Whether this is the matcher that pause on error arms.
fn is_pause_on_error(known: &BreakpointState) -> bool {
    known.spec.matcher == wire::Matcher::on_error()
        && known.spec.condition.is_none()
        && known.spec.log.is_none()
}
