//! The hub: who owns which run, what is stored, who sees it, and which answers reach an app.
//!
//! [`Hub::step`] takes one input and a time and appends what is to be done; it does no IO, reads no clock and draws no
//! random number, so that a session can be replayed in a test. Invariant: work per event does not grow with history,
//! with the number of runs or with that of apps.

mod catalog;
mod claim;
mod clock;
mod control;
mod debug;
mod event;
mod facts;
mod fanout;
mod imports;
mod io;
mod numbers;
mod records;
mod run;
mod session;
mod viewer;

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::sync::Arc;

use graph::RunKey;
use wire::viewer::{NoticeLevel, RunSummary};

use crate::config::Retention;
pub(crate) use catalog::Remembered;
pub(crate) use debug::Debug;
use facts::OpenHold;
pub(crate) use facts::{Effect, Facts};
pub(crate) use io::{ImportedRun, Input, Now, Output, ReadWhat, SessionId, ViewerId};
pub(crate) use records::{Fate, Receipt, Verdict};
pub(crate) use run::Run;
use session::{Identity, Session};
use viewer::Viewer;

/// What the hub is told once.
#[derive(Clone, Debug, Default)]
pub(crate) struct Settings {
    /// Where apps dial.
    pub(crate) ingest_url: String,
    /// The page, without its token.
    pub(crate) viewer_url: String,
    /// Where everything is kept, for people to read.
    pub(crate) data_dir: String,
    /// The demo can be started.
    pub(crate) demo: bool,
    /// Files can be imported.
    pub(crate) import: bool,
    /// Runs can be written for others.
    pub(crate) export: bool,
    /// How long an app may be away, in milliseconds.
    pub(crate) grace_ms: u64,
    /// What is deleted by itself.
    pub(crate) retention: Retention,
}

/// The state machine.
pub(crate) struct Hub {
    settings: Settings,
    sessions: BTreeMap<SessionId, Session>,
    identities: HashMap<Arc<str>, Identity>,
    runs: BTreeMap<RunKey, Run>,
    by_id: HashMap<String, Vec<RunKey>>,
    debug: Debug,
    viewers: BTreeMap<ViewerId, Viewer>,
    /// Runs whose summary changed in a way that is shown with the next tick.
    touched: BTreeSet<RunKey>,
    /// Runs whose summary is shown at the end of the turn.
    urgent: BTreeSet<RunKey>,
    /// Live runs nobody is connected for, by the time at which they count as abandoned.
    away: BTreeSet<(u64, RunKey)>,
    /// Live runs of KXM records.
    recorded: BTreeSet<RunKey>,
    /// Sockets that send records, with the runs they have told of.
    reporters: BTreeMap<SessionId, BTreeSet<RunKey>>,
    /// Runs with holds that are being let go by expressions.
    passing: BTreeSet<RunKey>,
    /// Runs whose state is behind its journal.
    behind: BTreeSet<RunKey>,
    /// Runs that wait to be frozen for viewers.
    wanted: BTreeSet<RunKey>,
    stats: clock::Stats,
    /// What every newcomer is told: what was wrong with the data directory, what retention has deleted.
    lasting: VecDeque<(NoticeLevel, String)>,
    /// Imports that take long.
    imports: imports::Imports,
    now: Now,
}

impl Hub {
    pub(crate) fn new(settings: Settings, debug: Debug) -> Self {
        Self {
            settings,
            sessions: BTreeMap::new(),
            identities: HashMap::new(),
            runs: BTreeMap::new(),
            by_id: HashMap::new(),
            debug,
            viewers: BTreeMap::new(),
            touched: BTreeSet::new(),
            urgent: BTreeSet::new(),
            away: BTreeSet::new(),
            recorded: BTreeSet::new(),
            reporters: BTreeMap::new(),
            passing: BTreeSet::new(),
            behind: BTreeSet::new(),
            wanted: BTreeSet::new(),
            stats: clock::Stats::default(),
            lasting: VecDeque::new(),
            imports: imports::Imports::default(),
            now: Now::default(),
        }
    }

    /// Takes one input; appends what is to be done.
    pub(crate) fn step(&mut self, now: Now, input: Input, out: &mut Vec<Output>) {
        self.now = now;
        match input {
            Input::SessionOpened { session, token } => self.session_opened(session, token),
            Input::Frames { session, frames } => self.frames(session, &frames, out),
            Input::Records { from, records, receipt } => self.records(from, &records, receipt, out),
            Input::ReporterClosed { session } => self.reporter_closed(session),
            Input::SessionFault { session, what } => self.session_fault(session, &what, out),
            Input::SessionClosed { session } => self.session_closed(session),
            Input::ViewerOpened { viewer } => self.viewer_opened(viewer, out),
            Input::ViewerFrame { viewer, text } => self.viewer_frame(viewer, &text, out),
            Input::ViewerClosed { viewer } => self.viewer_closed(viewer),
            Input::Delivered { viewer, req } => self.delivered(viewer, req, out),
            Input::Tick { connections, memory_bytes } => self.tick(connections, memory_bytes, out),
            Input::Loaded { key, store } => self.loaded(&key, *store, out),
            Input::LoadFailed { key, reason } => self.load_failed(&key, &reason, out),
            Input::SnapshotReady { key, text } => self.snapshot_ready(&key, &text, out),
            Input::Imported { req, name, runs, report } => self.imported(req, &name, runs, report, out),
            Input::ImportFailed { req, name, reason, report } => {
                self.import_failed(req, &name, &reason, report, out);
            }
            Input::Importing { id, events, read } => self.importing(id, events, read, out),
            Input::ImportOver { id } => self.import_over(id, out),
            Input::AppendFailed { key, events, reason } => self.append_failed(&key, events, &reason, out),
            Input::Trouble { what } => self.say(NoticeLevel::Error, &what, out),
        }
    }

    /// Ends a turn of several inputs: what came together is shown together.
    pub(crate) fn finish_turn(&mut self, out: &mut Vec<Output>) {
        self.catch_up();
        self.serve_wanted(out);
        self.show_urgent(out);
        self.flush_viewers(out);
    }

    /// True when the hub has work of its own left that a further turn does.
    pub(crate) fn has_work(&self) -> bool {
        !self.behind.is_empty()
    }

    /// The run list by key; a run that is still being imported is not in it.
    pub(crate) fn summaries(&self) -> Vec<RunSummary> {
        let told = self.runs.iter().filter(|(_, run)| run.facts.events > 0);
        told.map(|(key, run)| self.summary(key, run)).collect()
    }

    /// One run, by its key or else by its sender's id (the latest one).
    pub(crate) fn find(&self, name: &str) -> Option<(RunKey, RunSummary)> {
        let key = self.resolve(name)?;
        let run = self.runs.get(&key)?;
        Some((key.clone(), self.summary(&key, run)))
    }

    fn resolve(&self, name: &str) -> Option<RunKey> {
        if self.runs.contains_key(name) {
            return Some(name.into());
        }
        self.by_id.get(name)?.last().cloned()
    }

    fn summary(&self, key: &RunKey, run: &Run) -> RunSummary {
        let facts = &run.facts;
        let status = match (&facts.outcome, run.live) {
            (Some((outcome, _)), _) => outcome.as_str(),
            (None, true) => "running",
            (None, false) => "abandoned",
        };
        let (first, last) = facts.span_ms.unwrap_or_default();
        let shown = run.open_holds().filter(|hold| !run.passing.contains(&hold.summary.pause_id));
        let named = |hold: &OpenHold| {
            let mut summary = hold.summary.clone();
            if let Some((_, name)) = run.words.get(summary.node_id.as_str()) {
                summary.name = name.to_string();
            }
            summary
        };
        let over = facts.ended() || !run.live;
        RunSummary {
            run: key.to_string(),
            run_id: facts.run_id.clone(),
            parent: facts.parent.clone(),
            app: facts.app.clone(),
            source: facts.source.clone(),
            sdk: facts.sdk.clone(),
            status: status.to_owned(),
            events: facts.events,
            started_ms: first,
            ended_ms: over.then(|| facts.outcome.map_or(last, |(_, ts)| ts)),
            holds: shown.map(named).collect(),
            live: run.live,
            size_bytes: facts.bytes,
        }
    }
}
