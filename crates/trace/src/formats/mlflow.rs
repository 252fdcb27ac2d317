//! MLflow traces: `info` and `data.spans`, whose attribute values are JSON inside texts.

use wire::Raw;

use crate::adapter::{Adapter, Item, Out};
use crate::attributes::{Attributes, count, opened};
use crate::detect::Format;
use crate::read::{either, list, text};
use crate::span::{Span, SpanError, SpanUsage, Spans};

pub(crate) const FORMATS: &[Format] = &[Format {
    name: "MLflow trace",
    recognises: |look| {
        (look.has(&["info"]) || look.has(&["trace_info"]))
            && (look.has(&["data"]) || look.has(&["trace_data"]))
            && !look.has(&["trajectory"])
    },
    adapter: || Box::new(MlFlow(Spans::default())),
}];

struct MlFlow(Spans);

impl Adapter for MlFlow {
    fn take(&mut self, item: Item<'_>, out: &mut Out<'_>) -> Result<(), String> {
        let info = either(item.raw, &["info", "trace_info"]).ok_or("no info")?;
        let data = either(item.raw, &["data", "trace_data"]).map(opened).ok_or("no data")?;
        let data = Raw::parse(&data).map_err(|fault| format!("data is no JSON: {fault}"))?;
        let spans = list(data, &["spans"]).ok_or("no list of spans in data")?;
        let run = text(info, &["trace_id", "request_id"]).ok_or("a trace without an id")?;
        let run = self.0.run(&run);
        for raw in spans.items() {
            match span(raw) {
                Some(span) => {
                    run.spans.push(span);
                    out.report.used();
                }
                None => out.report.skip(item.line, "a span without an id"),
            }
        }
        Ok(())
    }

    fn finish(&mut self, out: &mut Out<'_>) {
        self.0.finish("MLflow", out);
    }
}

fn span(raw: Raw<'_>) -> Option<Span> {
    let context = either(raw, &["context"]).unwrap_or(raw);
    let attributes = either(raw, &["attributes"]);
    let attribute = |name: &str| attributes.and_then(|attributes| attributes.member(name)).map(opened);
    let plain = |name: &str| {
        let json = attribute(name)?;
        let once = Raw::parse(&json).ok()?.as_str()?.into_owned();
        // The value is a JSON text inside a text.
        Some(
            Raw::parse(&once).ok().and_then(|raw| raw.as_str().map(|text| text.into_owned())).unwrap_or(once),
        )
    };
    let status = either(raw, &["status"]);
    let code = text(raw, &["status_code"]).or_else(|| text(status?, &["code", "status_code"]));
    let failed = code.is_some_and(|code| code.contains("ERROR"));
    let message = text(raw, &["status_message"]).or_else(|| text(status?, &["message", "description"]));
    let kind = plain("mlflow.spanType").unwrap_or_default();
    Some(Span {
        id: text(context, &["span_id"])?,
        parent: text(raw, &["parent_id", "parent_span_id"]),
        name: text(raw, &["name"]).unwrap_or_default(),
        kind: kind_of(&kind).to_owned(),
        start_ms: time_ms(raw, &["start_time", "start_time_unix_nano", "start_time_ns"]),
        end_ms: time_ms(raw, &["end_time", "end_time_unix_nano", "end_time_ns"]),
        input: attribute("mlflow.spanInputs"),
        output: attribute("mlflow.spanOutputs"),
        error: failed.then(|| SpanError {
            name: "Error".to_owned(),
            message: message.unwrap_or_default(),
            stack: None,
        }),
        model: plain("mlflow.llm.model"),
        usage: attribute("mlflow.chat.tokenUsage").and_then(|json| usage(&json)),
        extra: attributes
            .map(|all| ("attributes".to_owned(), Attributes::from_object(all).to_json()))
            .into_iter()
            .collect(),
        ..Span::default()
    })
}

/// Nanoseconds, which a double does not hold: read as an integer first.
fn time_ms(raw: Raw<'_>, names: &[&str]) -> Option<f64> {
    let value = either(raw, names)?;
    let text = value.as_str();
    let ns: i128 = text.as_deref().unwrap_or(value.get()).trim().parse().ok()?;
    (ns > 0).then(|| (ns / 1_000_000) as f64 + (ns % 1_000_000) as f64 / 1e6)
}

fn kind_of(kind: &str) -> &'static str {
    match kind {
        "LLM" | "CHAT_MODEL" => "llm",
        "AGENT" => "agent",
        "TOOL" => "tool",
        "RETRIEVER" => "retriever",
        "EMBEDDING" => "embedding",
        "RERANKER" => "reranker",
        "CHAIN" | "PARSER" => "chain",
        _ => "custom",
    }
}

fn usage(json: &str) -> Option<SpanUsage> {
    let raw = Raw::parse(json).ok()?;
    let usage = SpanUsage {
        input: either(raw, &["input_tokens"]).and_then(count),
        output: either(raw, &["output_tokens"]).and_then(count),
        total: either(raw, &["total_tokens"]).and_then(count),
        cache_read: either(raw, &["cache_read_input_tokens", "cached_input_tokens"]).and_then(count),
        cache_write: either(raw, &["cache_creation_input_tokens"]).and_then(count),
        source: Some("mlflow.chat.tokenUsage".to_owned()),
        ..SpanUsage::default()
    };
    (!usage.is_empty()).then_some(usage)
}
