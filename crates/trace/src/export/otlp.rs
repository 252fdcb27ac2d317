//! Spans for OpenTelemetry: one a node execution, with the GenAI semantic conventions, as OTLP JSON.
//!
//! Each line is one request, as collectors write them to files; a run of usual size is one line. A trace is a run, a span an
//! execution, its id made from theirs. What the conventions have no word for stands under `holdpoint.`; what
//! fits nowhere is counted. A parent that has not been seen keeps its place: its first execution takes the id
//! that its children name.

mod attributes;
mod span;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::io::{self, Write};

use super::ids::{digest, is_hex, nanos};
use super::open::Open;
use super::story::{At, End, Error, Outcome, Start, Told, told};
use super::{Notes, Source};
use attributes::Attributes;
use span::Span;

/// Bytes of finished spans that wait for one request.
const REQUEST_BYTES: usize = 4 * 1024 * 1024;

pub(super) fn write(source: &mut Source<'_>, out: &mut dyn Write) -> io::Result<Vec<String>> {
    let mut otlp = Otlp { redacts: source.redactor.is_some(), ..Otlp::default() };
    source.each(&mut |envelope, replaced| {
        otlp.replaced = replaced;
        otlp.take(envelope);
        if otlp.waiting > REQUEST_BYTES { otlp.flush(out) } else { Ok(()) }
    })?;
    otlp.finish();
    otlp.flush(out)?;
    Ok(otlp.notes.into_list())
}

#[derive(Default)]
struct Otlp {
    runs: BTreeMap<String, Run>,
    /// How often an id was used by a run that had ended.
    ended: HashMap<String, u32>,
    waiting: usize,
    redacts: bool,
    replaced: u64,
    notes: Notes,
}

/// A run that is being read.
#[derive(Default)]
struct Run {
    id: String,
    trace: String,
    app: String,
    sdk: Option<(String, String)>,
    outcome: Option<&'static str>,
    open: Open<Span>,
    /// The execution of a node that children without a parent's name belong to.
    newest: HashMap<String, String>,
    /// Ids that children have named for parents not seen yet, by node.
    promised: HashSet<String>,
    used: HashMap<(String, String), u32>,
    holds: HashMap<String, (String, Option<String>)>,
    spans: String,
}

impl Otlp {
    fn take(&mut self, envelope: &str) {
        let Some((header, all)) = told(envelope) else { return };
        if header.run_id == wire::WILDCARD_RUN_ID {
            return;
        }
        for told in all {
            let run_id = &*header.run_id;
            let again = self.runs.get(run_id).is_some_and(|run| run.outcome.is_some());
            if again && matches!(told, Told::RunStarted { .. }) {
                self.retire(run_id);
            }
            let times = self.ended.get(run_id).copied().unwrap_or(0);
            let run = self.runs.entry(run_id.to_owned()).or_insert_with(|| Run::new(run_id, times));
            let before = run.spans.len();
            run.take(header.ts, told, &mut self.notes);
            self.waiting += run.spans.len() - before;
        }
    }

    /// A run id is used again: what it was before stands under its own name.
    fn retire(&mut self, run_id: &str) {
        let times = self.ended.entry(run_id.to_owned()).or_insert(0);
        *times += 1;
        if let Some(run) = self.runs.remove(run_id) {
            self.runs.insert(format!("{run_id}\u{0}{times}"), run);
        }
    }

    fn finish(&mut self) {
        for run in self.runs.values_mut() {
            for span in std::mem::take(&mut run.open).rest() {
                self.notes
                    .count("executions without an end are spans without one", u64::from(!span.failed()));
                span.write(None, &run.trace, &mut run.spans);
            }
        }
    }

    /// One request with every span that waits.
    fn flush(&mut self, out: &mut dyn Write) -> io::Result<()> {
        let mut resources = Vec::new();
        for run in self.runs.values_mut().filter(|run| !run.spans.is_empty()) {
            resources.push(run.resource(self.redacts.then_some(self.replaced)));
            run.spans.clear();
        }
        self.waiting = 0;
        if resources.is_empty() {
            return Ok(());
        }
        writeln!(out, "{{\"resourceSpans\":[{}]}}", resources.join(","))
    }
}

impl Run {
    fn new(id: &str, times: u32) -> Self {
        let trace = match times {
            0 if is_hex(id, 16) => id.to_owned(),
            _ => digest(&["run", id, &times.to_string()], 16),
        };
        Self { id: id.to_owned(), trace, ..Self::default() }
    }

    fn resource(&self, replaced: Option<u64>) -> String {
        let mut about = Attributes::default();
        about.text("service.name", if self.app.is_empty() { "agent" } else { &self.app });
        about.text("holdpoint.run.id", &self.id);
        if let Some(outcome) = self.outcome {
            about.text("holdpoint.run.status", outcome);
        }
        if let Some(replaced) = replaced {
            about.count("holdpoint.redaction.values_replaced", replaced);
        }
        let (name, version) = self.sdk.as_ref().map_or(("holdpoint", ""), |(name, version)| (name, version));
        let scope = serde_json::json!({ "name": name, "version": version });
        format!(
            "{{\"resource\":{{\"attributes\":{}}},\"scopeSpans\":[{{\"scope\":{scope},\"spans\":[{}]}}]}}",
            about.list(),
            self.spans
        )
    }

    fn take(&mut self, ts: f64, told: Told<'_>, notes: &mut Notes) {
        match told {
            Told::RunStarted { app, sdk } => {
                if self.app.is_empty() {
                    self.app = app.into_owned();
                    self.sdk = sdk.map(|(name, version)| (name.into_owned(), version.into_owned()));
                }
            }
            Told::RunEnded { outcome, .. } => self.outcome = Some(word(outcome)),
            Told::Started(start) => self.start(ts, &start, notes),
            Told::Streamed { at, bytes } => match self.open.find(&at) {
                Some(span) => span.streamed(ts, bytes),
                None => notes.count("streamed pieces belong to no open execution", 1),
            },
            Told::Ended(end) => self.end(ts, *end, notes),
            Told::Failed { at, error } => match self.open.find(&at) {
                Some(span) => span.fail(ts, &error),
                None => notes.count("errors belong to no open execution", 1),
            },
            Told::Held { pause, at, point } => {
                if let Some(span) = self.open.find(&at) {
                    span.event(
                        ts,
                        "holdpoint.held",
                        &[("holdpoint.pause.id", &pause), ("holdpoint.point", point)],
                    );
                    let instance = at.instance.map(|instance| instance.into_owned());
                    self.holds.insert(pause.into_owned(), (at.node.into_owned(), instance));
                }
            }
            Told::Released { pause, action } => self.release(ts, &pause, &action),
            Told::Routed { .. } => notes.count("routes between nodes have no place in a span", 1),
            Told::Other(kind) => notes.count(&format!("events of type {kind} have no place in a span"), 1),
        }
    }

    fn start(&mut self, ts: f64, start: &Start<'_>, notes: &mut Notes) {
        notes.count("members beyond the contract's stay in recordings only", start.more as u64);
        let (node, instance) = (&*start.at.node, start.at.instance.as_deref().unwrap_or_default());
        if self.open.has(node, instance) {
            if let Some(span) = self.open.find(&start.at) {
                span.event(ts, "holdpoint.retried", &[]);
            }
            return;
        }
        let parent = start.parent.as_deref().filter(|parent| *parent != node);
        let parent = match (parent, start.parent_instance.as_deref()) {
            (_, Some(instance)) if is_hex(instance, 8) => Some(instance.to_owned()),
            (Some(parent), Some(instance)) => Some(self.id_of(parent, instance, 0)),
            (Some(parent), None) => Some(self.parent(parent)),
            (None, _) => None,
        };
        let id = self.id_of_start(node, instance);
        self.newest.insert(node.to_owned(), id.clone());
        self.open.begin(&start.at, Span::new(id, parent, ts, start));
    }

    /// The execution of a parent that a child belongs to: its newest, or the one that is still to come.
    fn parent(&mut self, node: &str) -> String {
        if let Some(id) = self.newest.get(node) {
            return id.clone();
        }
        self.promised.insert(node.to_owned());
        self.promise(node)
    }

    fn promise(&self, node: &str) -> String {
        digest(&["first of", &self.trace, node], 8)
    }

    fn id_of_start(&mut self, node: &str, instance: &str) -> String {
        let times = self.used.entry((node.to_owned(), instance.to_owned())).or_insert(0);
        *times += 1;
        let times = *times - 1;
        if self.promised.remove(node) { self.promise(node) } else { self.id_of(node, instance, times) }
    }

    fn id_of(&self, node: &str, instance: &str, times: u32) -> String {
        if times == 0 && is_hex(instance, 8) {
            return instance.to_owned();
        }
        digest(&["span", &self.trace, node, instance, &times.to_string()], 8)
    }

    fn end(&mut self, ts: f64, end: End<'_>, notes: &mut Notes) {
        notes.count("members beyond the contract's stay in recordings only", end.more as u64);
        match self.open.end(&end.at) {
            Some(mut span) => {
                span.end(ts, end);
                span.write(Some(ts), &self.trace, &mut self.spans);
            }
            None => notes.count("ends have no start", 1),
        }
    }

    fn release(&mut self, ts: f64, pause: &str, action: &str) {
        let Some((node, instance)) = self.holds.remove(pause) else { return };
        let at = At { node: node.into(), instance: instance.map(Into::into) };
        if let Some(span) = self.open.find(&at) {
            span.event(
                ts,
                "holdpoint.released",
                &[("holdpoint.pause.id", pause), ("holdpoint.action", action)],
            );
        }
    }
}

fn word(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Ok => "ok",
        Outcome::Error => "error",
        Outcome::Aborted => "aborted",
    }
}

/// An exception as the conventions write it.
fn exception(ts: f64, error: &Error<'_>) -> String {
    let mut about = Attributes::default();
    about.text("exception.type", &error.name).text("exception.message", &error.message);
    if let Some(stack) = &error.stack {
        about.text("exception.stacktrace", stack);
    }
    event_json(ts, "exception", &about)
}

fn event_json(ts: f64, name: &str, about: &Attributes) -> String {
    format!(
        "{{\"timeUnixNano\":\"{}\",\"name\":{},\"attributes\":{}}}",
        nanos(ts),
        serde_json::json!(name),
        about.list()
    )
}
