//! LangSmith runs: exports, one a line or in a list, and ingest batches of posts and patches.
//!
//! A patch is merged into its run by id, later members over earlier ones. Depth comes from `dotted_order` where the
//! parent's id is missing.

use std::collections::BTreeMap;

use wire::Raw;

use crate::adapter::{Adapter, Item, Out};
use crate::attributes::count;
use crate::detect::Format;
use crate::read::{body, either, list, text};
use crate::span::{Span, SpanError, SpanUsage, Spans};
use crate::time::time_ms;

pub(crate) const FORMATS: &[Format] = &[
    Format {
        name: "LangSmith runs",
        recognises: |look| {
            look.has(&["run_type"])
                && (look.has(&["dotted_order"]) || look.has(&["trace_id"]) || look.has(&["id", "start_time"]))
                || look.first("runs").is_some_and(|run| run.has(&["run_type"]))
        },
        adapter: || Box::new(LangSmith::default()),
    },
    Format {
        name: "LangSmith ingest batch",
        recognises: |look| {
            ["post", "patch"].iter().any(|name| look.first(name).is_some_and(|run| run.has(&["id"])))
        },
        adapter: || Box::new(LangSmith::default()),
    },
];

/// Members of a run by name, as JSON texts.
type Members = BTreeMap<String, String>;

#[derive(Default)]
struct LangSmith {
    runs: BTreeMap<String, Members>,
}

impl Adapter for LangSmith {
    fn take(&mut self, item: Item<'_>, out: &mut Out<'_>) -> Result<(), String> {
        let lists: Vec<Raw<'_>> =
            ["post", "patch", "runs"].iter().filter_map(|name| list(item.raw, &[name])).collect();
        if lists.is_empty() {
            self.merge(item.line, item.raw, out);
        }
        for raw in lists.into_iter().flat_map(Raw::items) {
            self.merge(item.line, raw, out);
        }
        Ok(())
    }

    fn finish(&mut self, out: &mut Out<'_>) {
        let mut spans = Spans::default();
        for members in std::mem::take(&mut self.runs).into_values() {
            let mut json = crate::adapter::ObjectWriter::new();
            for (name, value) in &members {
                json.raw(name, value);
            }
            let json = json.finish();
            if let Some((run, span)) = Raw::parse(&json).ok().and_then(span) {
                spans.run(&run).spans.push(span);
            }
        }
        spans.finish("LangSmith", out);
    }
}

impl LangSmith {
    fn merge(&mut self, line: u64, raw: Raw<'_>, out: &mut Out<'_>) {
        // A patch may name its run only by its place in the order.
        let placed = || order_id(text(raw, &["dotted_order"])?.rsplit('.').next()?);
        let Some(id) = text(raw, &["id"]).or_else(placed) else {
            return out.report.skip(line, "a run without an id");
        };
        let known = self.runs.entry(id.clone()).or_default();
        known.entry("id".to_owned()).or_insert_with(|| crate::attributes::quoted(&id));
        for (key, value) in raw.members() {
            if value.get() != "null" || !known.contains_key(key.name().as_ref()) {
                known.insert(key.name().into_owned(), value.get().to_owned());
            }
        }
        out.report.used();
    }
}

fn span(raw: Raw<'_>) -> Option<(String, Span)> {
    let id = text(raw, &["id"])?;
    let order = text(raw, &["dotted_order"]).unwrap_or_default();
    let run =
        text(raw, &["trace_id"]).or_else(|| order_id(order.split('.').next()?)).unwrap_or_else(|| id.clone());
    let parent = text(raw, &["parent_run_id"]).or_else(|| order_id(order.rsplit('.').nth(1)?));
    let run_type = text(raw, &["run_type"]).unwrap_or_default();
    let error = text(raw, &["error"]);
    let extra = either(raw, &["extra"]);
    let metadata = extra.and_then(|extra| either(extra, &["metadata"]));
    Some((
        run,
        Span {
            parent: parent.filter(|parent| *parent != id),
            id,
            kind: kind_of(&run_type).to_owned(),
            name: text(raw, &["name"]).unwrap_or(run_type),
            start_ms: either(raw, &["start_time"]).and_then(time_ms),
            end_ms: either(raw, &["end_time"]).and_then(time_ms),
            input: body(raw, &["inputs"]),
            output: body(raw, &["outputs"]),
            error: error.map(|text| SpanError {
                name: text
                    .split(['(', ':'])
                    .next()
                    .filter(|name| !name.contains(' '))
                    .unwrap_or("Error")
                    .to_owned(),
                message: text.lines().next().unwrap_or_default().to_owned(),
                stack: text.contains('\n').then_some(text),
            }),
            model: metadata.and_then(|metadata| text(metadata, &["ls_model_name"])),
            usage: usage(raw),
            first_token_ms: either(raw, &["first_token_time"]).and_then(time_ms),
            extra: extra.map(|extra| ("metadata".to_owned(), extra.get().to_owned())).into_iter().collect(),
            ..Span::default()
        },
    ))
}

/// The id in one segment of a dotted order: what follows the time.
fn order_id(segment: &str) -> Option<String> {
    segment.split_once('Z').map(|(_, id)| id.to_owned()).filter(|id| !id.is_empty())
}

fn kind_of(run_type: &str) -> &'static str {
    match run_type {
        "llm" => "llm",
        "tool" => "tool",
        "retriever" => "retriever",
        "prompt" => "prompt",
        "embedding" => "embedding",
        "chain" | "parser" => "chain",
        _ => "custom",
    }
}

fn usage(raw: Raw<'_>) -> Option<SpanUsage> {
    let outputs = either(raw, &["outputs"]);
    let metadata = outputs.and_then(|outputs| either(outputs, &["usage_metadata"]));
    let first = |names: &[&str]| {
        metadata.and_then(|object| either(object, names)).or_else(|| either(raw, names)).and_then(count)
    };
    let detail = |object: &str, names: &[&str]| {
        let details = either(metadata.unwrap_or(raw), &[object])?;
        either(details, names).and_then(count)
    };
    let cost =
        either(raw, &["total_cost"]).and_then(|cost| cost.as_f64().or_else(|| cost.as_str()?.parse().ok()));
    let usage = SpanUsage {
        input: first(&["input_tokens", "prompt_tokens"]),
        output: first(&["output_tokens", "completion_tokens"]),
        total: first(&["total_tokens"]),
        cache_read: detail("input_token_details", &["cache_read"])
            .or_else(|| detail("prompt_token_details", &["cache_read"])),
        cache_write: detail("input_token_details", &["cache_creation"]),
        reasoning: detail("output_token_details", &["reasoning"])
            .or_else(|| detail("completion_token_details", &["reasoning"])),
        cost: cost.map(|amount| (amount, "USD".to_owned())),
        inclusive: metadata.map(|_| true),
        output_inclusive: metadata.map(|_| true),
        source: Some(if metadata.is_some() { "usage_metadata" } else { "prompt_tokens" }.to_owned()),
        ..SpanUsage::default()
    };
    (!usage.is_empty()).then_some(usage)
}
