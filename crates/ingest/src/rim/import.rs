//! Imports: a host's importer reads, its envelopes become runs with journals of their own.
//!
//! Invariant: an import that fails or is cancelled leaves nothing behind; runs of one file are told apart by the same
//! reducer that shows them.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use graph::{RunKey, Store};

use super::handle::WeakHandle;
use crate::config::{ImportError, ImportFile, ImportProgress, Imported, Importer};
use crate::hub::{Facts, ImportedRun, Input, ViewerId};
use crate::journal::{Journal, Line};
use crate::limits::{IMPORT_LINES_MAX, IMPORT_TOLD_EVERY};

/// What an import came to, for an HTTP answer.
#[derive(Clone, Debug, Default)]
pub(crate) struct ImportOutcome {
    /// Keys of the runs it made.
    pub(crate) runs: Vec<String>,
    /// The report, if there is one.
    pub(crate) report: Option<String>,
    /// Why it failed.
    pub(crate) error: Option<String>,
}

struct Intake<'a> {
    journal: &'a Journal,
    hub: &'a WeakHandle,
    store: Store,
    runs: BTreeMap<RunKey, Taken>,
    trouble: Option<String>,
    buffer: Vec<u8>,
}

struct Taken {
    key: RunKey,
    facts: Facts,
    lines: Vec<Line>,
}

/// Runs an import to its end. Blocks.
pub(crate) fn import(
    importer: &dyn Importer,
    journal: &Journal,
    hub: &WeakHandle,
    name: String,
    files: Vec<ImportFile>,
    req: Option<(ViewerId, u64)>,
) -> ImportOutcome {
    let mut intake = Intake {
        journal,
        hub,
        store: Store::new(),
        runs: BTreeMap::new(),
        trouble: None,
        buffer: Vec::new(),
    };
    let told = Told::new(hub, &name);
    let read = importer.import(
        files,
        &mut |envelope| {
            told.borrow_mut().one_more().map_or_else(|| intake.take(envelope), ControlFlow::Break)
        },
        &mut |progress| told.borrow_mut().so_far(progress),
    );
    intake.flush_all();
    if told.into_inner().over() {
        intake.trouble = Some("it was cancelled; nothing of it is kept".to_owned());
    }
    let outcome = match (intake.trouble.take(), read) {
        (Some(message), Ok(Imported { report, .. })) => Err(ImportError { message, report: Some(report) }),
        (Some(message), Err(error)) => Err(ImportError { message, ..error }),
        (None, Err(error)) => Err(error),
        (None, Ok(imported)) if intake.runs.is_empty() => {
            Err(ImportError { message: "it contains no run".to_owned(), report: Some(imported.report) })
        }
        (None, Ok(imported)) => Ok(imported),
    };
    match outcome {
        Ok(imported) => intake.finish(imported, name, req),
        Err(error) => intake.undo(error, name, req),
    }
}

/// What viewers are told of an import that takes long, and their wish to stop it.
struct Told<'a> {
    hub: &'a WeakHandle,
    name: &'a str,
    /// The hub's number for it, once it was told.
    id: Option<u64>,
    stop: Arc<AtomicBool>,
    since: Instant,
    events: u64,
    read: ImportProgress,
}

impl<'a> Told<'a> {
    fn new(hub: &'a WeakHandle, name: &'a str) -> RefCell<Self> {
        let (stop, since) = (Arc::default(), Instant::now());
        RefCell::new(Self { hub, name, id: None, stop, since, events: 0, read: ImportProgress::default() })
    }

    /// Counts an event; `Some` when there should be no more.
    fn one_more(&mut self) -> Option<()> {
        self.events += 1;
        // The clock is looked at now and then: asking it for each event would cost more than counting.
        if self.events.is_multiple_of(1_024) {
            self.tell();
        }
        self.stop.load(Ordering::Relaxed).then_some(())
    }

    fn so_far(&mut self, read: ImportProgress) -> ControlFlow<()> {
        self.read = read;
        self.tell();
        if self.stop.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn tell(&mut self) {
        if self.since.elapsed() < IMPORT_TOLD_EVERY {
            return;
        }
        self.since = Instant::now();
        if self.id.is_none() {
            let (name, stop) = (self.name.to_owned(), Arc::clone(&self.stop));
            self.id = self.hub.ask(move |hub, _| hub.import_begins(name, stop));
        }
        if let Some(id) = self.id {
            self.hub.tell(Input::Importing { id, events: self.events, read: self.read });
        }
    }

    /// The importer has returned; true if it was told to.
    fn over(self) -> bool {
        if let Some(id) = self.id {
            self.hub.tell(Input::ImportOver { id });
        }
        self.stop.load(Ordering::Relaxed)
    }
}

impl Intake<'_> {
    fn take(&mut self, envelope: &str) -> ControlFlow<()> {
        let decoded = wire::decode(envelope);
        let change = self.store.apply(&decoded);
        let (Some(local), Some(header)) = (change.run, decoded.header()) else {
            return ControlFlow::Continue(());
        };
        if change.duplicate {
            return ControlFlow::Continue(());
        }
        if !self.runs.contains_key(&local) {
            let run_id = header.run_id.to_string();
            // Reserved without a source; it is set when the importer has said what the file is.
            let Some(key) = self.hub.ask(move |hub, _| hub.reserve(&run_id, "")) else {
                self.trouble = Some("the server is stopping".to_owned());
                return ControlFlow::Break(());
            };
            let facts = Facts::new(key.as_str(), &header.run_id, "");
            self.runs.insert(local.clone(), Taken { key, facts, lines: Vec::new() });
        }
        let Some(run) = self.runs.get_mut(&local) else { return ControlFlow::Continue(()) };
        run.facts.apply(header, &decoded);
        run.lines.push(Line { seq: header.seq, text: envelope.into() });
        if run.lines.len() >= IMPORT_LINES_MAX {
            self.trouble = flush(self.journal, run, &mut self.buffer).err();
        }
        if self.trouble.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn flush_all(&mut self) {
        for run in self.runs.values_mut() {
            if let Err(trouble) = flush(self.journal, run, &mut self.buffer) {
                self.trouble = Some(trouble);
            }
        }
    }

    fn finish(mut self, imported: Imported, name: String, req: Option<(ViewerId, u64)>) -> ImportOutcome {
        self.store.settle();
        let mut runs = Vec::new();
        for (local, mut taken) in std::mem::take(&mut self.runs) {
            taken.facts.source.clone_from(&imported.source);
            self.store.set_source(&local, &imported.source);
            let run = self.store.remove(&local).filter(|_| local == taken.key);
            let store = run.map(|run| {
                let mut store = Store::with_source(&imported.source);
                store.insert(run);
                Box::new(store)
            });
            runs.push(ImportedRun { key: taken.key, facts: taken.facts, store });
        }
        let keys = runs.iter().map(|run| run.key.to_string()).collect();
        let report = imported.report.clone();
        self.hub.tell(Input::Imported { req, name, runs, report: imported.report });
        ImportOutcome { runs: keys, report: Some(report), error: None }
    }

    fn undo(mut self, error: ImportError, name: String, req: Option<(ViewerId, u64)>) -> ImportOutcome {
        for taken in std::mem::take(&mut self.runs).into_values() {
            let _ = self.journal.remove(taken.key.as_str());
            let _: Option<()> = self.hub.ask(move |hub, _| hub.release(&taken.key));
        }
        let (reason, report) = (error.message.clone(), error.report.clone());
        self.hub.tell(Input::ImportFailed { req, name, reason, report });
        ImportOutcome { runs: Vec::new(), report: error.report, error: Some(error.message) }
    }
}

fn flush(journal: &Journal, run: &mut Taken, buffer: &mut Vec<u8>) -> Result<(), String> {
    let lines = std::mem::take(&mut run.lines);
    if lines.is_empty() {
        return Ok(());
    }
    journal
        .append(run.key.as_str(), &lines, buffer)
        .map_err(|error| format!("run {} cannot be stored: {error}", run.key))
}
