//! OpenAI Agents traces: exported objects, and the event log of a tracing processor.
//!
//! A span's kind, name and bodies stand in `span_data`. In the event log a span's end has only its id.

use std::collections::BTreeMap;

use wire::Raw;

use crate::adapter::{Adapter, Item, ObjectWriter, Out};
use crate::attributes::count;
use crate::detect::Format;
use crate::read::{body, either, list, text};
use crate::span::{Span, SpanError, SpanUsage, Spans};
use crate::time::time_ms;

pub(crate) const FORMATS: &[Format] = &[
    Format {
        name: "OpenAI Agents trace",
        recognises: |look| {
            look.text("object").is_some_and(|object| object == "trace" || object == "trace.span")
                || look.first("data").is_some_and(|first| {
                    first.text("object").is_some_and(|object| object.starts_with("trace"))
                })
        },
        adapter: || Box::new(Agents::default()),
    },
    Format {
        name: "OpenAI Agents event log",
        recognises: |look| {
            ["event", "type"]
                .iter()
                .filter_map(|name| look.text(name))
                .any(|word| matches!(word.as_str(), "trace_start" | "trace_end" | "span_start" | "span_end"))
        },
        adapter: || Box::new(Agents::default()),
    },
];

#[derive(Default)]
struct Agents {
    spans: Spans,
    /// Spans of an event log: run, where a line has named it, and span by id.
    open: BTreeMap<String, (Option<String>, Span)>,
    /// The last trace that was named.
    trace: Option<String>,
}

impl Adapter for Agents {
    fn take(&mut self, item: Item<'_>, out: &mut Out<'_>) -> Result<(), String> {
        if let Some(data) = list(item.raw, &["data"]) {
            for raw in data.items() {
                match self.object(raw) {
                    Ok(()) => out.report.used(),
                    Err(reason) => out.report.skip(item.line, reason),
                }
            }
            return Ok(());
        }
        let word = text(item.raw, &["event", "type"]).unwrap_or_default();
        match word.as_str() {
            "span_start" | "span_end" => self.log_line(item.raw, word == "span_end")?,
            "trace_start" | "trace_end" => self.trace(item.raw),
            _ => self.object(item.raw)?,
        }
        out.report.used();
        Ok(())
    }

    fn finish(&mut self, out: &mut Out<'_>) {
        for (run, span) in std::mem::take(&mut self.open).into_values() {
            match run.or_else(|| self.trace.clone()) {
                Some(run) => self.spans.run(&run).spans.push(span),
                None => out.report.note("a span of no trace was left out"),
            }
        }
        self.spans.finish("OpenAI Agents", out);
    }
}

impl Agents {
    fn trace(&mut self, raw: Raw<'_>) {
        if let Some(id) = text(raw, &["id", "trace_id"]) {
            self.trace = Some(id.clone());
            let facts = &mut self.spans.run(&id).facts;
            facts.app = facts.app.take().or_else(|| text(raw, &["workflow_name", "name"]));
        }
    }

    fn object(&mut self, raw: Raw<'_>) -> Result<(), String> {
        if text(raw, &["object"]).as_deref() == Some("trace") {
            self.trace(raw);
            return Ok(());
        }
        let run = text(raw, &["trace_id"]).ok_or("a span without trace_id")?;
        let span = span(raw).ok_or("a span without an id")?;
        self.spans.run(&run).spans.push(span);
        Ok(())
    }

    /// An end may lack everything but the id, and may come before its children's, or before its own start.
    fn log_line(&mut self, raw: Raw<'_>, end: bool) -> Result<(), String> {
        let inner = either(raw, &["span"]).unwrap_or(raw);
        let seen = span(inner).ok_or("a span without an id")?;
        let at = either(raw, &["timestamp", "ended_at", "started_at"]).and_then(time_ms);
        let run = text(inner, &["trace_id"]).or_else(|| text(raw, &["trace_id"]));
        let (known_run, known) = self.open.entry(seen.id.clone()).or_default();
        *known_run = known_run.take().or(run);
        if known.kind.is_empty() || either(inner, &["span_data"]).is_some() {
            (known.kind, known.name, known.extra) = (seen.kind, seen.name, seen.extra);
        }
        // A line may stand twice: what is known already stays.
        known.id = seen.id;
        known.parent = known.parent.take().or(seen.parent);
        known.start_ms = known.start_ms.or(seen.start_ms).or(at.filter(|_| !end));
        known.end_ms = known.end_ms.or(seen.end_ms).or(at.filter(|_| end));
        known.input = known.input.take().or(seen.input);
        known.output = seen.output.or(known.output.take());
        known.model = known.model.take().or(seen.model);
        known.usage = seen.usage.or(known.usage.take());
        known.error = known.error.take().or(seen.error);
        Ok(())
    }
}

fn span(raw: Raw<'_>) -> Option<Span> {
    let data = either(raw, &["span_data"]).unwrap_or(raw);
    let kind = text(data, &["type"]).unwrap_or_default();
    let error = either(raw, &["error"]);
    Some(Span {
        id: text(raw, &["id", "span_id"])?,
        parent: text(raw, &["parent_id"]),
        name: name(data, &kind),
        kind: kind_of(&kind).to_owned(),
        start_ms: either(raw, &["started_at"]).and_then(time_ms),
        end_ms: either(raw, &["ended_at"]).and_then(time_ms),
        input: body(data, &["input", "mcp_data"]),
        output: body(data, &["output", "triggered", "result", "response_id"]),
        error: error.map(|error| SpanError {
            name: "Error".to_owned(),
            message: text(error, &["message"]).unwrap_or_else(|| error.get().to_owned()),
            stack: either(error, &["data"]).map(|data| data.get().to_owned()),
        }),
        model: text(data, &["model"]),
        usage: either(data, &["usage"])
            .or_else(|| either(either(data, &["response"])?, &["usage"]))
            .and_then(usage),
        extra: extra(data),
        ..Span::default()
    })
}

/// The span's own data whole, and beside it, under short names, what the graph draws as hand-offs.
fn extra(data: Raw<'_>) -> Vec<(String, String)> {
    let mut extra = vec![("spanData".to_owned(), data.get().to_owned())];
    if let (Some(from), Some(to)) = (text(data, &["from_agent"]), text(data, &["to_agent"])) {
        let mut handoff = ObjectWriter::new();
        handoff.text("from", &from).text("to", &to);
        extra.push(("handoff".to_owned(), handoff.finish()));
    }
    if let Some(others) = data.member("handoffs").filter(|others| others.items().next().is_some()) {
        extra.push(("handoffs".to_owned(), others.get().to_owned()));
    }
    extra
}

fn name(data: Raw<'_>, kind: &str) -> String {
    match (kind, text(data, &["from_agent"]), text(data, &["to_agent"])) {
        ("handoff", Some(from), Some(to)) => format!("{from} → {to}"),
        _ => text(data, &["name", "server"]).unwrap_or_else(|| kind.to_owned()),
    }
}

fn kind_of(kind: &str) -> &str {
    match kind {
        "agent" => "agent",
        "generation" | "response" => "llm",
        "function" => "tool",
        "mcp_tools" => "server",
        "" => "custom",
        other => other,
    }
}

fn usage(raw: Raw<'_>) -> Option<SpanUsage> {
    let detail = |object: &str, name: &str| either(either(raw, &[object])?, &[name]).and_then(count);
    let usage = SpanUsage {
        input: either(raw, &["input_tokens", "prompt_tokens"]).and_then(count),
        output: either(raw, &["output_tokens", "completion_tokens"]).and_then(count),
        total: either(raw, &["total_tokens"]).and_then(count),
        cache_read: detail("input_tokens_details", "cached_tokens")
            .or_else(|| detail("prompt_tokens_details", "cached_tokens")),
        reasoning: detail("output_tokens_details", "reasoning_tokens"),
        inclusive: Some(true),
        output_inclusive: Some(true),
        source: Some("usage".to_owned()),
        ..SpanUsage::default()
    };
    (!usage.is_empty()).then_some(usage)
}
