//! One span: an execution from its start until it is written.

use wire::{JsonKind, Kind, Raw};

use super::attributes::Attributes;
use super::{event_json, exception, word};
use crate::export::ids::nanos;
use crate::export::story::{End, Error, Outcome, Start, Usage};

/// An execution.
#[derive(Debug)]
pub(super) struct Span {
    id: String,
    parent: Option<String>,
    kind: Kind<'static>,
    name: String,
    start_ms: f64,
    about: Attributes,
    events: Vec<String>,
    streamed: u64,
    /// When it failed, and the words for it.
    failed: Option<(f64, String)>,
    outcome: Option<Outcome>,
}

impl Span {
    pub(super) fn new(id: String, parent: Option<String>, ts: f64, start: &Start<'_>) -> Self {
        let mut about = Attributes::default();
        let (kind, name) = (start.kind.clone().into_owned(), start.name.to_string());
        if let Some(operation) = operation(&kind) {
            about.text("gen_ai.operation.name", operation);
        }
        match kind {
            Kind::Tool => {
                about.text("gen_ai.tool.name", &name);
                if let Some(instance) = &start.at.instance {
                    about.text("gen_ai.tool.call.id", instance);
                }
            }
            Kind::Agent => {
                about.text("gen_ai.agent.name", &name);
            }
            _ => {}
        }
        if let Some(provider) = &start.provider {
            about.text("gen_ai.provider.name", provider);
        }
        if let Some(model) = &start.model {
            about.text("gen_ai.request.model", model);
        }
        about.text("holdpoint.node.id", &start.at.node);
        about.text("holdpoint.node.kind", kind.as_str()).text("holdpoint.node.name", &name);
        if let Some(instance) = &start.at.instance {
            about.text("holdpoint.instance.id", instance);
        }
        let (tool, messages, other) = ("gen_ai.tool.call.arguments", "gen_ai.input.messages", "input.value");
        body(&mut about, &kind, start.input, [tool, messages, other]);
        let (events, failed) = (Vec::new(), None);
        Self { id, parent, kind, name, start_ms: ts, about, events, streamed: 0, failed, outcome: None }
    }

    pub(super) fn failed(&self) -> bool {
        self.failed.is_some()
    }

    pub(super) fn event(&mut self, ts: f64, name: &str, about: &[(&str, &str)]) {
        let mut attributes = Attributes::default();
        for (key, text) in about {
            attributes.text(key, text);
        }
        self.events.push(event_json(ts, name, &attributes));
    }

    pub(super) fn streamed(&mut self, ts: f64, bytes: u64) {
        if self.streamed == 0 {
            self.event(ts, "gen_ai.first_token", &[]);
        }
        self.streamed += bytes;
    }

    pub(super) fn fail(&mut self, ts: f64, error: &Error<'_>) {
        self.events.push(exception(ts, error));
        self.failed = Some((ts, error.message.to_string()));
    }

    pub(super) fn end(&mut self, ts: f64, end: End<'_>) {
        self.outcome = Some(end.outcome);
        if let Some(error) = &end.error {
            self.fail(ts, error);
        }
        if let Some(first) = end.first_token_ms.filter(|_| self.streamed == 0) {
            self.event(first, "gen_ai.first_token", &[]);
        }
        let (tool, messages, other) = ("gen_ai.tool.call.result", "gen_ai.output.messages", "output.value");
        body(&mut self.about, &self.kind, end.output, [tool, messages, other]);
        if let Some(usage) = &end.usage {
            figures(&mut self.about, usage);
        }
    }

    /// Appends the span; without an end it ended where it failed, or not at all.
    pub(super) fn write(mut self, end_ms: Option<f64>, trace: &str, out: &mut String) {
        let unfinished_failure = self.failed.as_ref().filter(|_| self.outcome.is_none());
        let end = end_ms.or(unfinished_failure.map(|(ts, _)| *ts));
        let error = self.outcome.map_or(self.failed.is_some(), |outcome| outcome == Outcome::Error);
        if let Some(outcome) = self.outcome {
            self.about.text("holdpoint.status", word(outcome));
        }
        if self.streamed > 0 {
            self.about.count("holdpoint.stream.bytes", self.streamed);
        }
        let message = self.failed.as_ref().map_or("", |(_, message)| message);
        let status = match (error, self.outcome) {
            (true, _) => serde_json::json!({ "code": 2, "message": message }),
            (false, Some(Outcome::Ok)) => serde_json::json!({ "code": 1 }),
            (false, _) => serde_json::json!({}),
        };
        if !out.is_empty() {
            out.push(',');
        }
        out.push_str(&format!("{{\"traceId\":\"{trace}\",\"spanId\":\"{}\"", self.id));
        if let Some(parent) = &self.parent {
            out.push_str(&format!(",\"parentSpanId\":{}", serde_json::json!(parent)));
        }
        let kind = if self.kind == Kind::Llm { 3 } else { 1 };
        let name = serde_json::json!(self.name);
        out.push_str(&format!(",\"name\":{name},\"kind\":{kind}"));
        out.push_str(&format!(",\"startTimeUnixNano\":\"{}\"", nanos(self.start_ms)));
        if let Some(end) = end {
            out.push_str(&format!(",\"endTimeUnixNano\":\"{}\"", nanos(end)));
        }
        out.push_str(&format!(
            ",\"attributes\":{},\"events\":[{}],\"status\":{status}}}",
            self.about.list(),
            self.events.join(",")
        ));
    }
}

/// The conventions' word for what a node of this kind does.
fn operation(kind: &Kind<'_>) -> Option<&'static str> {
    Some(match kind {
        Kind::Agent => "invoke_agent",
        Kind::Llm => "chat",
        Kind::Tool => "execute_tool",
        Kind::Chain => "invoke_workflow",
        Kind::Retriever => "retrieval",
        kind if kind.as_str() == "embedding" => "embeddings",
        _ => return None,
    })
}

/// A body under the name that its kind of node gives it: of a tool, of a model's messages, of anything.
fn body(about: &mut Attributes, kind: &Kind<'_>, raw: Option<Raw<'_>>, [tool, messages, other]: [&str; 3]) {
    let Some(raw) = raw else { return };
    let is_messages = || raw.items().next().is_some_and(|first| first.member("role").is_some());
    let name = match kind {
        Kind::Tool => tool,
        Kind::Llm if is_messages() => messages,
        _ => other,
    };
    about.json(name, raw);
    if name == other && matches!(raw.kind(), JsonKind::Object | JsonKind::Array) {
        about.text(&other.replace("value", "mime_type"), "application/json");
    }
}

/// Tokens and money of a call; the input includes what came from a cache, as the conventions have it.
fn figures(about: &mut Attributes, usage: &Usage) {
    let tokens = &usage.tokens;
    about.count("gen_ai.usage.input_tokens", tokens.input());
    about.count("gen_ai.usage.output_tokens", tokens.output);
    about.count("gen_ai.usage.total_tokens", tokens.total);
    let parts = [
        ("gen_ai.usage.cache_read.input_tokens", tokens.cache_read),
        ("gen_ai.usage.cache_creation.input_tokens", tokens.cache_write),
        ("gen_ai.usage.reasoning.output_tokens", tokens.reasoning),
    ];
    for (name, count) in parts.into_iter().filter(|(_, count)| *count > 0) {
        about.count(name, count);
    }
    if let Some(cost) = usage.cost {
        about.number("gen_ai.usage.cost", cost);
    }
    if let Some(currency) = &usage.currency {
        about.text("holdpoint.usage.currency", currency);
    }
}
