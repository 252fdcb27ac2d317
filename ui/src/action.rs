//! Everything a person can ask for, as data. Buttons, keys, the palette and the cards push the same values; only the
//! dispatcher acts on them, after the pass's views are done. Deliberately knows nothing of how it is carried out.

use std::sync::Arc;

use wire::Matcher;
use wire::viewer::BreakpointSpec;

use crate::model::export::Export;
use crate::model::state::Overlay;
use crate::model::{DockTab, InspectorTab, Pane, Panel, Selection, Side, TimePosition};

/// What to do, in the words of a person at the window.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Show this run and watch it.
    OpenRun(Arc<str>),
    /// Remove a run and its journal; asked twice by the view.
    DeleteRun(Arc<str>),
    /// Make this the one selection of canvas, outline, timeline, events and inspector.
    Select(Selection),
    /// Bring the selection into view on the canvas.
    Reveal(Arc<str>),
    /// Fold or unfold the box of this node.
    ToggleFold(Arc<str>),
    /// Show the siblings that a stack stands for.
    OpenStack(Arc<str>),
    /// Zoom to a box; `None` is the whole run.
    Enter(Option<Arc<str>>),
    /// Compare this run with the shown one; `None` goes back to one run.
    Compare(Option<Arc<str>>),
    /// The next (`true`) or previous difference of two runs.
    StepDifference(bool),
    /// Let the two compared runs change places.
    SwapCompare,
    /// Move the canvas.
    Camera(Camera),
    /// Show an inspector tab.
    Inspect(InspectorTab),
    /// Show a dock tab.
    Dock(DockTab),
    /// Show or hide a panel.
    TogglePanel(Panel),
    /// Look at another moment of the run.
    Time(TimePosition),
    /// One event on (`true`) or back.
    StepEvent(bool),
    /// A step through what has happened.
    Step(crate::model::steps::Step),
    /// Play the recording from where the window looks at this many times its pace, or stop (`None`).
    Play(Option<f64>),
    /// Filter text for nodes and values.
    Search(String),
    /// Narrow the graph to something, or no longer.
    Narrow(crate::model::narrow::Narrow),
    /// Narrow it to nothing but the words of the search.
    Widen,
    /// Put the keyboard into the search field.
    FocusSearch,
    /// Answer a hold.
    Control(Control),
    /// Open the editor for a hold.
    Edit(EditorAsk),
    /// The editor's text was typed in.
    EditorText(String),
    /// The keyboard is in the editor now.
    EditorFocused,
    /// Send what is in the editor.
    SendEditor,
    /// Close the editor, keeping nothing.
    CloseEditor,
    /// Continue every hold of the shown run, or of all runs.
    ContinueAll {
        /// Only this run; `None` is every run.
        run: Option<Arc<str>>,
    },
    /// Hold everything at its next gate.
    PauseAll,
    /// Hold at every gate (`true`) or only at breakpoints.
    StepMode(bool),
    /// Hold at errors, or do not.
    PauseOnError(bool),
    /// Add a breakpoint, or change its condition, count, log or switch.
    SetBreakpoint(BreakpointSpec),
    /// Remove the breakpoint with exactly this matcher.
    ClearBreakpoint(Matcher),
    /// Set one on this node if there is none, else remove it (the gutter, F9).
    ToggleBreakpoint(Arc<str>),
    /// Start the bundled demo agent.
    StartDemo,
    /// Ask the system for a file.
    OpenDialog,
    /// Open this path on the server's machine (shell only).
    OpenPath(String),
    /// Write a run for others.
    Export(Export),
    /// Put a link to what is shown on the clipboard.
    CopyLink,
    /// Ask the browser to let holds be told to the system.
    AllowNotifications,
    /// Stop an import.
    CancelImport(u64),
    /// What models cost from now on.
    SetPrices(graph::PriceTable),
    /// Load the page anew.
    Reload,
    /// Put text on the clipboard and say so.
    Copy {
        /// What lands on the clipboard.
        text: String,
        /// What to call it in the message.
        what: &'static str,
    },
    /// Put all of a body on the clipboard, reading what is not here yet.
    CopyBody(crate::model::BodyKey),
    /// Find words in the body that the inspector shows; without one, nodes and values of the run.
    Find,
    /// Show the palette, the keys or the settings, or none of them.
    Overlay(Overlay),
    /// Send a pane to an edge of the window or among the tabs of the dock.
    Place(Pane, Side),
    /// Hide a pane until it is asked for by name.
    Hide(Pane),
    /// Panels as they were at the first start.
    ResetLayout,
    /// The panes were arranged by hand: remember them.
    Arranged,
    /// Fold or unfold a section of the rail.
    Section(usize),
    /// Dark, light or the system's choice.
    Theme(crate::theme::Appearance),
    /// Close a message.
    CloseToast(u64),
    /// Ask for part of a body.
    FetchBody(crate::model::BodyAsk),
    /// These ranks of the event list are in view: ask for what is missing of them.
    SeeEvents {
        /// First rank.
        from: u64,
        /// Rank behind the last.
        to: u64,
    },
    /// Ask for the whole text of a stream.
    FetchStream {
        /// The node.
        node: Arc<str>,
        /// Its instance, if known.
        instance: Option<Arc<str>>,
    },
    /// Arm, or disarm, the two-press abort.
    ArmAbort(Option<Arc<str>>),
    /// Reconnect now.
    Reconnect,
}

/// The six things that can be done at a hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verb {
    /// Go on to the next breakpoint.
    Continue,
    /// Go on to the next gate.
    Step,
    /// Run the call again.
    Retry,
    /// Put a result in its place.
    Inject,
    /// Change its arguments.
    Edit,
    /// End the run.
    Abort,
}

impl Verb {
    /// In the order of the buttons.
    pub const ALL: [Self; 6] =
        [Self::Continue, Self::Step, Self::Retry, Self::Inject, Self::Edit, Self::Abort];

    /// The word on the button, which is its accessible name.
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

    /// The letter that does the same while something is held.
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
}

/// An answer to one hold.
#[derive(Clone, Debug, PartialEq)]
pub struct Control {
    /// Key of the run.
    pub run: Arc<str>,
    /// The hold.
    pub pause: Arc<str>,
    /// What to do. Inject and Edit need a value; without one they open the editor.
    pub verb: Verb,
    /// JSON text of the result or of the arguments.
    pub value: Option<String>,
}

impl Control {
    /// An answer without a value.
    pub fn plain(run: &Arc<str>, pause: &Arc<str>, verb: Verb) -> Self {
        Self { run: Arc::clone(run), pause: Arc::clone(pause), verb, value: None }
    }
}

/// Which editor to open on a hold.
#[derive(Clone, Debug, PartialEq)]
pub struct EditorAsk {
    /// Key of the run.
    pub run: Arc<str>,
    /// The hold.
    pub pause: Arc<str>,
    /// A result in place of the call (or its error), or new arguments for it.
    pub what: EditorKind,
}

/// What the editor's text will become.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EditorKind {
    /// The call's result.
    Inject,
    /// The call's arguments.
    Edit,
}

/// A movement of the canvas.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Camera {
    /// Everything in view.
    Fit,
    /// One step nearer.
    ZoomIn,
    /// One step away.
    ZoomOut,
    /// Scale 1.
    Actual,
    /// Keep what runs in view, or stop.
    ToggleFollow,
    /// Lay the graph out anew.
    Tidy,
    /// Select the neighbour in this direction.
    Walk(Walk),
}

/// A direction in the graph, not on the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Walk {
    /// The caller.
    Parent,
    /// The first call.
    Child,
    /// The sibling before.
    Previous,
    /// The sibling after.
    Next,
}

/// Actions of one pass, in the order they were asked for.
#[derive(Debug, Default)]
pub struct Actions(Vec<Action>);

impl Actions {
    /// Adds one.
    pub fn push(&mut self, action: Action) {
        self.0.push(action);
    }

    /// Takes all of them.
    pub fn take(&mut self) -> Vec<Action> {
        std::mem::take(&mut self.0)
    }

    /// Whether nothing was asked.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
