//! Langfuse exports: a trace and its observations.
//!
//! Inputs, outputs and metadata are JSON inside texts, sometimes twice over; each is opened until it is a value.

use wire::Raw;

use crate::adapter::{Adapter, Item, Out};
use crate::attributes::{opened, usage_details};
use crate::detect::Format;
use crate::read::{either, list, text};
use crate::span::{Span, SpanError, SpanUsage, Spans};
use crate::time::time_ms;

pub(crate) const FORMATS: &[Format] = &[Format {
    name: "Langfuse export",
    recognises: |look| look.has(&["trace", "observations"]) || look.has(&["id", "observations", "timestamp"]),
    adapter: || Box::new(Langfuse(Spans::default())),
}];

struct Langfuse(Spans);

impl Adapter for Langfuse {
    fn take(&mut self, item: Item<'_>, out: &mut Out<'_>) -> Result<(), String> {
        let trace = either(item.raw, &["trace"]).unwrap_or(item.raw);
        let observations = list(item.raw, &["observations"]).ok_or("no list of observations")?;
        let first = observations.items().next();
        let run_id = text(trace, &["id"])
            .or_else(|| text(first?, &["traceId", "trace_id"]))
            .ok_or("a trace without an id")?;
        let run = self.0.run(&run_id);
        run.facts.app = text(trace, &["name"]);
        for raw in observations.items() {
            match observation(raw) {
                Some(span) => {
                    run.spans.push(span);
                    out.report.used();
                }
                None => out.report.skip(item.line, "an observation without an id"),
            }
        }
        Ok(())
    }

    fn finish(&mut self, out: &mut Out<'_>) {
        self.0.finish("Langfuse", out);
    }
}

fn observation(raw: Raw<'_>) -> Option<Span> {
    let kind = text(raw, &["type"]).unwrap_or_default().to_ascii_uppercase();
    let start_ms = either(raw, &["startTime", "start_time"]).and_then(time_ms);
    let level = text(raw, &["level"]).unwrap_or_default();
    let status = text(raw, &["statusMessage", "status_message"]);
    // An event is a moment: it has no end of its own.
    let end_ms =
        either(raw, &["endTime", "end_time"]).and_then(time_ms).or(start_ms.filter(|_| kind == "EVENT"));
    Some(Span {
        id: text(raw, &["id"])?,
        parent: text(raw, &["parentObservationId", "parent_observation_id"]),
        kind: kind_of(&kind).to_owned(),
        name: text(raw, &["name"]).unwrap_or_else(|| kind.to_ascii_lowercase()),
        start_ms,
        end_ms,
        input: twice_opened(raw, "input"),
        output: twice_opened(raw, "output"),
        error: (level == "ERROR").then(|| SpanError {
            name: "Error".to_owned(),
            message: status.clone().unwrap_or_default(),
            stack: None,
        }),
        model: text(raw, &["model", "providedModelName"]),
        usage: usage(raw),
        first_token_ms: either(raw, &["completionStartTime", "completion_start_time"]).and_then(time_ms),
        noise: level == "DEBUG",
        extra: twice_opened(raw, "metadata").map(|json| ("metadata".to_owned(), json)).into_iter().collect(),
        ..Span::default()
    })
}

fn kind_of(kind: &str) -> &'static str {
    match kind {
        "GENERATION" => "llm",
        "AGENT" => "agent",
        "TOOL" => "tool",
        "RETRIEVER" => "retriever",
        "EMBEDDING" => "embedding",
        "GUARDRAIL" => "guardrail",
        "EVALUATOR" => "evaluator",
        "CHAIN" | "SPAN" => "chain",
        _ => "custom",
    }
}

fn twice_opened(raw: Raw<'_>, name: &str) -> Option<String> {
    let once = opened(either(raw, &[name])?);
    // A text of a text: the outer one was opened by its writer's own JSON layer.
    let inner = Raw::parse(&once).ok()?.as_str().and_then(|text| {
        let raw = Raw::parse(text.trim()).ok()?;
        (raw.kind() == wire::JsonKind::String).then(|| opened(raw))
    });
    Some(inner.unwrap_or(once))
}

fn usage(raw: Raw<'_>) -> Option<SpanUsage> {
    let open = |name: &str| either(raw, &[name]).map(opened);
    let object = open("usageDetails").or_else(|| open("usage_details")).or_else(|| open("usage"))?;
    let mut usage = usage_details(Raw::parse(&object).ok()?);
    let cost = open("costDetails").or_else(|| open("cost_details"));
    let total = cost.as_deref().and_then(|text| Raw::parse(text).ok()?.member("total")?.as_f64());
    usage.cost = total.map(|amount| (amount, "USD".to_owned()));
    usage.source = Some("usageDetails".to_owned());
    (!usage.is_empty()).then_some(usage)
}
