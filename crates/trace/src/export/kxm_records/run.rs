//! The records of one run that is none of KXM's own.

use serde_json::{Map, Value, json};
use wire::{Kind, Raw};

use super::names::{identifier, opaque};
use super::record::{Draft, timestamp};
use crate::export::Notes;
use crate::export::open::Open;
use crate::export::story::{At, End, Error, Outcome, Start, Told, Usage};

/// Longest time a record can name, in milliseconds.
const DURATION_MS_MAX: f64 = 31_536_000_000.0;
/// Greatest count that every reader holds.
const COUNT_MAX: u64 = (1 << 53) - 1;

/// What an execution is for KXM.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    Assignment,
    Attempt,
    Effect,
    Step,
}

/// An execution that is open.
#[derive(Debug)]
struct Doing {
    role: Role,
    /// Its own id: opaque, of a step its identifier.
    id: String,
    name: (String, bool),
    assignment: Option<String>,
    start_ms: f64,
    model: Option<Value>,
    deltas: u64,
    delta_bytes: u64,
    error: Option<Value>,
}

#[derive(Debug)]
pub(super) struct Run {
    id: String,
    app: String,
    sequence: u64,
    open: Open<Doing>,
    /// Assignments by their node, the newest.
    assignments: std::collections::HashMap<String, String>,
    times: std::collections::HashMap<String, u64>,
}

impl Run {
    pub(super) fn new(id: &str) -> Self {
        Self {
            id: id.to_owned(),
            app: String::new(),
            sequence: 0,
            open: Open::default(),
            assignments: std::collections::HashMap::new(),
            times: std::collections::HashMap::new(),
        }
    }

    /// The record that an envelope becomes, if it says something that KXM has a word for.
    pub(super) fn take(&mut self, ts: f64, told: &Told<'_>, notes: &mut Notes) -> Option<String> {
        let mut draft = Draft::default();
        let event = match told {
            Told::RunStarted { app, .. } => self.created(app, &mut draft),
            Told::RunEnded { outcome, error } => run_ended(*outcome, error.as_ref(), &mut draft),
            Told::Started(start) => self.started(ts, start, &mut draft),
            Told::Ended(end) => match self.open.end(&end.at) {
                Some(doing) => ended(ts, doing, end, &mut draft),
                None => {
                    notes.count("ends have no start", 1);
                    return None;
                }
            },
            Told::Streamed { at, bytes } => {
                if let Some(doing) = self.open.find(at) {
                    doing.deltas += 1;
                    doing.delta_bytes += bytes;
                }
                return None;
            }
            Told::Failed { at, error } => {
                if let Some(doing) = self.open.find(at) {
                    doing.error = Some(summary(error, &doing.name.0));
                }
                return None;
            }
            Told::Held { at, point, .. } => self.held(at, point, &mut draft),
            Told::Released { action, .. } => released(action, &mut draft),
            Told::Routed { from, to } => {
                draft.name("fromStepId", identifier(from, "step")).name("toStepId", identifier(to, "step"));
                draft.put("outcome", "routed");
                "step.transitioned"
            }
            Told::Other(kind) => {
                notes.count(&format!("events of type {kind} have no record"), 1);
                return None;
            }
        };
        self.sequence += 1;
        Some(draft.record(event, &self.id, &self.app, self.sequence, ts))
    }

    fn created(&mut self, app: &str, draft: &mut Draft) -> &'static str {
        app.clone_into(&mut self.app);
        draft.name("workflowId", identifier(app, "workflow")).put("status", "created");
        draft.omit("payload.sdk").omit("payload.meta");
        "run.created"
    }

    fn started(&mut self, ts: f64, start: &Start<'_>, draft: &mut Draft) -> &'static str {
        let times = self.times.entry(format!("{}\u{0}{}", start.at.node, instance(&start.at))).or_insert(0);
        *times += 1;
        let parts = [&*self.id, &*start.at.node, instance(&start.at), &times.to_string()];
        let role = role(&start.kind);
        let assignment = start.parent.as_deref().and_then(|parent| self.assignments.get(parent)).cloned();
        let (prefix, kind) = match role {
            Role::Assignment => ("asg", "agent"),
            Role::Attempt => ("att", "model"),
            Role::Effect => ("eff", "tool"),
            Role::Step => ("stp", "step"),
        };
        let id = opaque(prefix, &parts);
        let name = identifier(&start.name, kind);
        // What runs below an execution belongs to the same assignment.
        let below = if role == Role::Assignment { Some(id.clone()) } else { assignment.clone() };
        if let Some(below) = below {
            self.assignments.insert(start.at.node.to_string(), below);
        }
        let doing = Doing {
            role,
            id,
            name,
            assignment,
            start_ms: ts,
            model: model(start),
            deltas: 0,
            delta_bytes: 0,
            error: None,
        };
        if let Some(input) = start.input {
            draft.omit("payload.input").put("counts", json!({ "input_bytes": size(input) }));
        }
        if start.more > 0 {
            draft.omit("payload.extra");
        }
        let event = begun(&doing, *times, draft);
        self.open.begin(&start.at, doing);
        event
    }

    fn held(&mut self, at: &At<'_>, point: &str, draft: &mut Draft) -> &'static str {
        draft.put("status", "waiting").put("previousStatus", "running");
        draft.put("counts", json!({ (format!("held_{point}")): 1 }));
        if let Some(assignment) = self.open.find(at).and_then(|doing| doing.assignment.clone()) {
            draft.put("assignmentId", assignment);
        }
        "run.status_changed"
    }
}

fn instance<'a>(at: &'a At<'_>) -> &'a str {
    at.instance.as_deref().unwrap_or_default()
}

fn role(kind: &Kind<'_>) -> Role {
    match kind {
        Kind::Agent => Role::Assignment,
        Kind::Llm => Role::Attempt,
        Kind::Tool | Kind::Retriever | Kind::Server | Kind::Resource => Role::Effect,
        _ => Role::Step,
    }
}

fn effect(id: &str) -> Value {
    json!({ "id": id, "policy": { "class": "unknown", "sharedMutable": false } })
}

/// Names an execution in a record; the event that says that it began.
fn begun(doing: &Doing, times: u64, draft: &mut Draft) -> &'static str {
    named(doing, draft);
    match doing.role {
        Role::Assignment => {
            draft.put("status", "created");
            "assignment.created"
        }
        Role::Attempt => {
            draft.put("status", "created");
            "attempt.created"
        }
        Role::Effect => {
            draft.put("status", "intent_recorded");
            "effect.intent_recorded"
        }
        Role::Step => {
            draft.put("status", "running").put("stepAttempt", times);
            "step.entered"
        }
    }
}

fn named(doing: &Doing, draft: &mut Draft) {
    if let Some(assignment) = &doing.assignment {
        draft.put("assignmentId", assignment.clone());
    }
    match doing.role {
        Role::Assignment => {
            draft.put("assignmentId", doing.id.clone()).name("agentId", doing.name.clone());
        }
        Role::Attempt => {
            draft.put("attemptId", doing.id.clone());
            if let Some(model) = &doing.model {
                draft.put("model", model.clone());
            }
        }
        Role::Effect => {
            draft.put("effect", effect(&doing.id)).name("stepId", doing.name.clone());
        }
        Role::Step => {
            draft.name("stepId", doing.name.clone());
        }
    }
}

fn ended(ts: f64, mut doing: Doing, end: &End<'_>, draft: &mut Draft) -> &'static str {
    named(&doing, draft);
    let (status, word) = match end.outcome {
        Outcome::Ok => ("completed", "ok"),
        Outcome::Error => ("failed", "error"),
        Outcome::Aborted => ("cancelled", "aborted"),
    };
    draft.put("timing", timing(doing.start_ms, ts));
    let error = end.error.as_ref().map(|error| summary(error, &doing.name.0)).or(doing.error.take());
    if let Some(error) = error {
        draft.put("error", error).omit("payload.error.message").omit("payload.error.stack");
    }
    if let Some(usage) = &end.usage {
        draft.put("usage", figures(usage));
    }
    let mut counts = Map::new();
    if let Some(output) = end.output {
        draft.omit("payload.output");
        counts.insert("output_bytes".to_owned(), size(output).into());
    }
    if doing.deltas > 0 {
        draft.omit("payload.deltas");
        counts.insert("stream_deltas".to_owned(), doing.deltas.into());
        counts.insert("stream_bytes".to_owned(), doing.delta_bytes.into());
    }
    if !counts.is_empty() {
        draft.put("counts", counts);
    }
    if end.more > 0 {
        draft.omit("payload.extra");
    }
    match doing.role {
        Role::Assignment => {
            draft.put("status", status).put("outcome", word);
            "assignment.terminal"
        }
        Role::Attempt => {
            draft.put("status", status);
            "attempt.status_changed"
        }
        Role::Effect => {
            draft
                .put("status", if end.outcome == Outcome::Ok { "settled" } else { status })
                .put("outcome", word);
            "effect.settled"
        }
        Role::Step => {
            draft.put("status", status).put("previousStatus", "running");
            "step.status_changed"
        }
    }
}

fn run_ended(outcome: Outcome, error: Option<&Error<'_>>, draft: &mut Draft) -> &'static str {
    let status = match outcome {
        Outcome::Ok => "completed",
        Outcome::Error => "failed",
        Outcome::Aborted => "cancelled",
    };
    draft.put("status", status).put("previousStatus", "running");
    if let Some(error) = error {
        draft.put("error", summary(error, "run")).omit("payload.error.message").omit("payload.error.stack");
    }
    "run.status_changed"
}

fn released(action: &str, draft: &mut Draft) -> &'static str {
    draft.put("actor", json!({ "kind": "human", "id": "holdpoint" }));
    draft.name("outcome", identifier(action, "action")).put("suppliedRefs", json!([]));
    draft.omit("payload.edited").omit("payload.principal");
    "approval.recorded"
}

/// The class of an error and where it happened; its words stay here.
fn summary(error: &Error<'_>, component: &str) -> Value {
    json!({ "class": identifier(&error.name, "error").0, "component": component, "retryable": false })
}

fn model(start: &Start<'_>) -> Option<Value> {
    let model = start.model.as_deref().filter(|model| !model.is_empty())?;
    let clean = kxm::clean(model);
    let model: String = clean.text.chars().take(200).collect();
    let provider =
        start.provider.as_deref().map_or_else(|| "unknown".to_owned(), |p| identifier(p, "provider").0);
    Some(json!({ "provider": provider, "model": model }))
}

fn figures(usage: &Usage) -> Value {
    let mut figures = Map::new();
    let tokens = &usage.tokens;
    let cached = [("cacheReadTokens", tokens.cache_read), ("cacheWriteTokens", tokens.cache_write)];
    let counts = [("inputTokens", tokens.input()), ("outputTokens", tokens.output)];
    for (name, count) in counts.into_iter().chain(cached.into_iter().filter(|(_, count)| *count > 0)) {
        figures.insert(name.to_owned(), count.min(COUNT_MAX).into());
    }
    if let Some(cost) = usage.cost.filter(|cost| *cost >= 0.0) {
        figures.insert("cost".to_owned(), cost.into());
        figures.insert("costKind".to_owned(), "reported".into());
        let known =
            usage.currency.as_ref().filter(|c| c.len() == 3 && c.bytes().all(|b| b.is_ascii_uppercase()));
        if let Some(currency) = known {
            figures.insert("currency".to_owned(), currency.clone().into());
        }
    }
    Value::Object(figures)
}

fn timing(start_ms: f64, end_ms: f64) -> Value {
    let taken = end_ms - start_ms;
    let taken = if taken.is_finite() { taken.clamp(0.0, DURATION_MS_MAX).round() } else { 0.0 };
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the range was just clamped")]
    let duration = taken as u64;
    json!({ "durationMs": duration, "startedAt": timestamp(start_ms), "finishedAt": timestamp(end_ms) })
}

fn size(body: Raw<'_>) -> u64 {
    body.get().len() as u64
}
