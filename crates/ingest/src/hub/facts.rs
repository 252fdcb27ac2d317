//! What the hub itself keeps of a run: enough for the run list, claims, deduplication and holds.
//!
//! Invariant: the same events give the same facts whether they come from a socket or from a journal; size grows with
//! open holds and holes in the numbering, never with events. Nodes and bodies are not known here.

use graph::SeqSet;
use serde::{Deserialize, Serialize};
use wire::viewer::HoldSummary;
use wire::{Decoded, Header, Message, Opaque, Raw, RunOutcome};

/// Released pause ids that are remembered, so that a hold which arrives after its release does not stay.
const RELEASED_MAX: usize = 64;
/// Events of a run in which the run above it is looked for: its sender says so from the first on, or never.
const LINEAGE_EVENTS: u64 = 16;

/// The facts of one run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Facts {
    /// The key in the run list.
    pub(crate) key: String,
    /// The sender's id.
    pub(crate) run_id: String,
    /// Where it came from: `live`, `recording`, or the name of a format.
    pub(crate) source: String,
    /// The sender's id of the run above it.
    pub(crate) parent: Option<String>,
    /// The program's name.
    pub(crate) app: String,
    /// The client library, name and version.
    pub(crate) sdk: Option<String>,
    /// Sequence number and time of its `run.started`.
    pub(crate) started: Option<(u64, f64)>,
    /// How it ended, if it said so, and when.
    pub(crate) outcome: Option<(RunOutcome, f64)>,
    /// Different events.
    pub(crate) events: u64,
    /// Earliest and latest time seen, milliseconds since 1970.
    pub(crate) span_ms: Option<(f64, f64)>,
    /// Bytes of its envelopes.
    pub(crate) bytes: u64,
    /// It consists of KXM records.
    pub(crate) records: bool,
    /// Numbers that its sender says are lost.
    pub(crate) lost: SeqSet,
    /// Numbers seen.
    pub(crate) seen: SeqSet,
    /// Holds without a release.
    pub(crate) holds: Vec<OpenHold>,
    /// Lines of the journal that are no envelopes.
    pub(crate) bad_lines: u64,
    /// Length of the incomplete last line found when the journal was last opened.
    pub(crate) torn_bytes: u64,
    released: Vec<(String, u64)>,
}

/// A gate that holds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct OpenHold {
    /// The event that said so.
    pub(crate) seq: u64,
    /// What viewers are told.
    pub(crate) summary: HoldSummary,
}

/// What an event did to the facts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    /// Seen before, nothing changed.
    Duplicate,
    /// Counted; nothing a run list shows at once.
    Counted,
    /// Start, end or holds changed.
    Changed,
}

impl Facts {
    /// Facts of a run that has no events yet.
    pub(crate) fn new(key: &str, run_id: &str, source: &str) -> Self {
        Self { key: key.to_owned(), run_id: run_id.to_owned(), source: source.to_owned(), ..Self::default() }
    }

    /// Takes one event of this run.
    pub(crate) fn apply(&mut self, header: &Header<'_>, decoded: &Decoded<'_>) -> Effect {
        if !self.seen.insert(header.seq) {
            return Effect::Duplicate;
        }
        self.events += 1;
        self.bytes += match decoded {
            Decoded::Ok(envelope) => envelope.raw.len() as u64 + 1,
            Decoded::UnknownType(opaque) => opaque.raw.len() as u64 + 1,
            Decoded::VersionMismatch { .. } | Decoded::Invalid(_) => 0,
        };
        let ts = header.ts;
        self.span_ms = Some(self.span_ms.map_or((ts, ts), |(from, to)| (from.min(ts), to.max(ts))));
        let envelope = match decoded {
            Decoded::Ok(envelope) => envelope,
            Decoded::UnknownType(opaque) => return self.foreign(header, opaque),
            Decoded::VersionMismatch { .. } | Decoded::Invalid(_) => return Effect::Counted,
        };
        match &envelope.message {
            Message::RunStarted(start) => {
                self.app = start.app.to_string();
                self.sdk = Some(format!("{} {}", start.sdk.name, start.sdk.version));
                self.started = Some((header.seq, ts));
            }
            Message::RunFinished(end) => {
                self.outcome = Some((end.status, ts));
                self.holds.clear();
            }
            Message::Gap(gap) => {
                gap.range().into_iter().for_each(|(from, to)| self.lost.insert_range(from, to));
                return Effect::Counted;
            }
            Message::ExecPaused(paused) => self.paused(header, paused),
            Message::ExecResumed(resumed) => self.resumed(header.seq, &resumed.pause_id),
            _ => return Effect::Counted,
        }
        Effect::Changed
    }

    /// Start and end as foreign events tell them: KXM records, and graphs of a program that sends no run of its own.
    fn foreign(&mut self, header: &Header<'_>, opaque: &Opaque<'_>) -> Effect {
        let text = |name: &str| opaque.payload.member(name).and_then(Raw::as_str).unwrap_or_default();
        if self.parent.is_none() && self.events <= LINEAGE_EVENTS && &*header.kind == "graph.event" {
            self.parent = run_above(header, opaque.payload);
            if self.parent.is_some() {
                self.ended_graph(header, opaque.payload);
                return Effect::Changed;
            }
        }
        match &*header.kind {
            "kxm.event" => {
                self.records |= self.events == 1;
                match &*text("eventType") {
                    "run.created" => {
                        let title = text("displayTitle");
                        self.app = if title.is_empty() { text("workflowId") } else { title }.into_owned();
                        self.started = Some((header.seq, header.ts));
                    }
                    "run.status_changed" => {
                        let outcome = outcome_of_status(&text("status"));
                        // Records may come late: the last word is the one that happened last.
                        let last = self.outcome.is_none_or(|(_, ts)| ts <= header.ts);
                        let Some(outcome) = outcome.filter(|_| last) else { return Effect::Counted };
                        self.outcome = Some((outcome, header.ts));
                    }
                    _ => return Effect::Counted,
                }
            }
            "graph.event" => {
                if !self.ended_graph(header, opaque.payload) {
                    return Effect::Counted;
                }
            }
            _ => return Effect::Counted,
        }
        Effect::Changed
    }

    /// Takes the end of a graph whose program sends no run of its own; true if this is it.
    fn ended_graph(&mut self, header: &Header<'_>, payload: Raw<'_>) -> bool {
        let outcome = if self.started.is_none() { graph_outcome(header, payload) } else { None };
        self.outcome = outcome.map(|outcome| (outcome, header.ts)).or(self.outcome);
        outcome.is_some()
    }

    fn paused(&mut self, header: &Header<'_>, paused: &wire::ExecPaused<'_>) {
        let over = |(id, seq): &(String, u64)| *id == paused.pause_id && *seq > header.seq;
        if self.outcome.is_some() || self.released.iter().any(over) {
            return;
        }
        let summary = HoldSummary {
            pause_id: paused.pause_id.to_string(),
            run: self.key.clone(),
            node_id: paused.node_id.to_string(),
            name: paused.node_id.to_string(),
            instance_id: paused.instance_id.as_ref().map(ToString::to_string),
            point: paused.point,
            reason: paused.reason.as_ref().map(|reason| reason.as_str().to_owned()),
            since_ms: header.ts,
            editable: paused.editable == Some(true),
        };
        self.holds.push(OpenHold { seq: header.seq, summary });
    }

    fn resumed(&mut self, seq: u64, pause_id: &str) {
        self.holds.retain(|hold| hold.summary.pause_id != pause_id || hold.seq > seq);
        if self.released.len() >= RELEASED_MAX {
            self.released.remove(0);
        }
        self.released.push((pause_id.to_owned(), seq));
    }

    /// The open holds under one pause id.
    pub(crate) fn held(&self, pause_id: &str) -> impl Iterator<Item = &OpenHold> {
        self.holds.iter().filter(move |hold| hold.summary.pause_id == pause_id)
    }

    /// True when the run has said how it ended.
    pub(crate) fn ended(&self) -> bool {
        self.outcome.is_some()
    }
}

/// The end that a status of a KXM run means, if it is one; the reducer reads the same words.
fn outcome_of_status(status: &str) -> Option<RunOutcome> {
    match status {
        "completed" | "passed" | "skipped" | "settled" | "delivered" | "acknowledged" | "closed" => {
            Some(RunOutcome::Ok)
        }
        "failed" | "expired" | "declined" | "rejected" => Some(RunOutcome::Error),
        "cancelled" | "omitted" => Some(RunOutcome::Aborted),
        _ => None,
    }
}

/// The run that started this one as a graph event tells it, else the outermost one.
fn run_above(header: &Header<'_>, payload: Raw<'_>) -> Option<String> {
    let context = stream::Context::read(payload).ok()?;
    let named = [context.parent_run_id, context.root_run_id].into_iter().flatten();
    named.into_iter().map(|id| id.to_string()).find(|id| *id != *header.run_id)
}

/// How a graph ended, if the event says that the run itself has.
fn graph_outcome(header: &Header<'_>, payload: Raw<'_>) -> Option<RunOutcome> {
    // Looked for as text first: of a million events of a run one is its end.
    if !payload.get().contains("\"Run") {
        return None;
    }
    let event = payload.member("event")?;
    let (outcome, end) = match (event.member("RunCompleted"), event.member("RunFailed")) {
        (Some(end), _) => (RunOutcome::Ok, end),
        (None, end) => (RunOutcome::Error, end?),
    };
    let own =
        end.member("run_id").and_then(Raw::as_str).is_none_or(|id| id.is_empty() || id == header.run_id);
    own.then_some(outcome)
}
