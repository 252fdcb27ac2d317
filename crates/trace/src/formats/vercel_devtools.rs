//! The Vercel AI SDK's DevTools file: `{runs, steps}`, rewritten whole at every change.
//!
//! A run is an agent, a step a call of its model. A run started by a tool of another run hangs under that run's
//! step; the outermost of them names the trace. Bodies are JSON inside texts. A step without a duration is running
//! or crashed. Tool results stand in the answer itself or in the prompt of the next step.

use std::collections::BTreeMap;

use wire::Raw;

use crate::adapter::{Adapter, Item, Out};
use crate::attributes::{count, opened};
use crate::detect::Format;
use crate::read::{body, either, list, text};
use crate::span::{Span, SpanError, SpanUsage, Spans};
use crate::time::time_ms;

pub(crate) const FORMATS: &[Format] = &[Format {
    name: "Vercel AI SDK DevTools",
    recognises: |look| {
        let run = |name: &str| look.first(name).is_some_and(|first| first.has(&["started_at"]));
        look.has(&["runs", "steps"]) && (run("runs") || run("steps"))
            || (look.has(&["runs"])
                && look.first("runs").is_some_and(|run| run.has(&["parent_step_id", "started_at"])))
    },
    adapter: || Box::new(DevTools::default()),
}];

/// Ancestors looked up before a chain of runs counts as a circle.
const ANCESTORS_MAX: usize = 1000;

#[derive(Default)]
struct DevTools {
    /// Runs by id: parent run, and the run as a span.
    runs: BTreeMap<String, (Option<String>, Span)>,
    /// Steps and tools, with the run that they belong to.
    leaves: BTreeMap<String, (String, Span)>,
    orphans: u64,
}

impl Adapter for DevTools {
    fn take(&mut self, item: Item<'_>, out: &mut Out<'_>) -> Result<(), String> {
        for raw in list(item.raw, &["runs"]).into_iter().flat_map(Raw::items) {
            match run(raw) {
                Some((parent, span)) => {
                    self.runs.insert(span.id.clone(), (parent, span));
                    out.report.used();
                }
                None => out.report.skip(item.line, "a run without an id"),
            }
        }
        for raw in list(item.raw, &["steps"]).into_iter().flat_map(Raw::items) {
            match text(raw, &["run_id"]).zip(step(raw)) {
                Some((run, span)) => {
                    self.tools(&run, raw, &span);
                    self.leaves.insert(span.id.clone(), (run, span));
                    out.report.used();
                }
                None => out.report.skip(item.line, "a step without an id or a run"),
            }
        }
        Ok(())
    }

    fn finish(&mut self, out: &mut Out<'_>) {
        self.close_runs();
        let mut spans = Spans::default();
        let leaves = std::mem::take(&mut self.leaves);
        for (run, span) in leaves.into_values() {
            self.orphans += u64::from(!self.runs.contains_key(&run));
            spans.run(&self.trace_of(&run)).spans.push(span);
        }
        for (id, (_, span)) in &self.runs {
            let trace = spans.run(&self.trace_of(id));
            trace.facts.app = trace.facts.app.take().or_else(|| Some(span.name.clone()));
            trace.spans.push(span.clone());
        }
        out.report.note_times("a step names a run that is not in the file", self.orphans);
        spans.finish("Vercel AI SDK", out);
    }
}

impl DevTools {
    fn trace_of(&self, run: &str) -> String {
        let mut id = run;
        for _ in 0..ANCESTORS_MAX {
            match self.runs.get(id) {
                Some((Some(parent), _)) if self.runs.contains_key(parent) => id = parent,
                _ => break,
            }
        }
        id.to_owned()
    }

    /// A run has no end of its own: it ends with the last of its steps, and not while one is open.
    fn close_runs(&mut self) {
        let mut ends: BTreeMap<&str, (f64, bool)> = BTreeMap::new();
        for (run, span) in self.leaves.values().filter(|(_, span)| span.kind == "llm") {
            let life = ends.entry(run).or_insert((f64::NEG_INFINITY, true));
            life.0 = life.0.max(span.end_ms.unwrap_or(f64::NEG_INFINITY));
            life.1 &= span.end_ms.is_some();
        }
        for (id, (_, span)) in &mut self.runs {
            span.end_ms = ends.get(id.as_str()).filter(|(_, closed)| *closed).map(|(end, _)| *end);
        }
    }

    /// The tool calls of a step's answer, and the results that its prompt brings of the steps before.
    fn tools(&mut self, run: &str, raw: Raw<'_>, step: &Span) {
        if let Some(input) = step.input.as_deref().and_then(|json| Raw::parse(json).ok()) {
            let messages = list(input, &["prompt", "messages"]).into_iter().flat_map(Raw::items);
            for part in messages.filter_map(|message| list(message, &["content"])).flat_map(Raw::items) {
                self.part(run, part, None, step.start_ms);
            }
        }
        let output = either(raw, &["output"]).map(opened);
        let output = output.as_deref().and_then(|json| Raw::parse(json).ok());
        for part in
            output.and_then(|output| list(output, &["content", "toolCalls"])).into_iter().flat_map(Raw::items)
        {
            self.part(run, part, Some(&step.id), step.end_ms);
        }
    }

    fn part(&mut self, run: &str, part: Raw<'_>, step: Option<&str>, at: Option<f64>) {
        let word = text(part, &["type"]).unwrap_or_default();
        let Some(id) = text(part, &["toolCallId"]).map(|call| format!("{run}/{call}")) else { return };
        match word.as_str() {
            // Only the step that made the call says whose it is.
            "tool-call" if step.is_some() => {
                let (_, span) = self
                    .leaves
                    .entry(id.clone())
                    .or_insert_with(|| (run.to_owned(), Span { id, ..Span::default() }));
                span.parent = step.map(str::to_owned);
                span.kind = "tool".to_owned();
                span.name = text(part, &["toolName"]).unwrap_or_else(|| "tool".to_owned());
                span.start_ms = at;
                span.input = body(part, &["input", "args"]);
            }
            "tool-result" | "tool-error" => {
                let (_, span) = self
                    .leaves
                    .entry(id.clone())
                    .or_insert_with(|| (run.to_owned(), Span { id, ..Span::default() }));
                span.kind = "tool".to_owned();
                if span.name.is_empty() {
                    span.name = text(part, &["toolName"]).unwrap_or_else(|| "tool".to_owned());
                    span.parent = Some(run.to_owned());
                }
                if span.output.is_none() {
                    span.output = body(part, &["output", "result", "error"]);
                    span.end_ms = at;
                    span.error = (word == "tool-error").then(|| SpanError {
                        name: "ToolError".to_owned(),
                        message: text(part, &["error"]).unwrap_or_default(),
                        stack: None,
                    });
                }
            }
            _ => {}
        }
    }
}

fn run(raw: Raw<'_>) -> Option<(Option<String>, Span)> {
    let parent = text(raw, &["parent_run_id"]);
    Some((
        parent.clone(),
        Span {
            id: text(raw, &["id"])?,
            parent: text(raw, &["parent_step_id"]).or(parent),
            kind: "agent".to_owned(),
            name: text(raw, &["function_id"]).unwrap_or_else(|| "run".to_owned()),
            start_ms: either(raw, &["started_at"]).and_then(time_ms),
            ..Span::default()
        },
    ))
}

fn step(raw: Raw<'_>) -> Option<Span> {
    let start_ms = either(raw, &["started_at"]).and_then(time_ms);
    let duration = either(raw, &["duration_ms"]).and_then(Raw::as_f64);
    let error = either(raw, &["error"])
        .map(|error| error.as_str().map_or_else(|| error.get().to_owned(), |text| text.into_owned()));
    let aborted = error.as_deref() == Some("Request aborted");
    let kept = ["provider", "step_number", "provider_options", "raw_request", "raw_response", "raw_chunks"];
    Some(Span {
        id: text(raw, &["id"])?,
        parent: text(raw, &["run_id"]),
        kind: "llm".to_owned(),
        name: text(raw, &["type"]).unwrap_or_else(|| "generate".to_owned()),
        start_ms,
        end_ms: start_ms.zip(duration).map(|(start, duration)| start + duration),
        input: body(raw, &["input"]),
        output: body(raw, &["output"]),
        error: error.filter(|_| !aborted).map(|message| SpanError {
            name: "Error".to_owned(),
            message,
            stack: None,
        }),
        aborted,
        model: text(raw, &["model_id"]),
        usage: either(raw, &["usage"]).map(opened).and_then(|json| usage(Raw::parse(&json).ok()?)),
        extra: kept.iter().filter_map(|name| Some(((*name).to_owned(), body(raw, &[name])?))).collect(),
        ..Span::default()
    })
}

/// Counters as numbers, as objects with parts, or with details beside them.
fn usage(raw: Raw<'_>) -> Option<SpanUsage> {
    let plain = |name: &str, part: &str| {
        let value = either(raw, &[name])?;
        count(value).or_else(|| count(either(value, &[part])?))
    };
    let detail = |object: &str, name: &str| count(either(either(raw, &[object])?, &[name])?);
    let usage = SpanUsage {
        input: plain("inputTokens", "total").or_else(|| plain("promptTokens", "total")),
        output: plain("outputTokens", "total").or_else(|| plain("completionTokens", "total")),
        total: plain("totalTokens", "total"),
        cache_read: detail("inputTokens", "cacheRead")
            .or_else(|| detail("inputTokenDetails", "cacheReadTokens"))
            .or_else(|| plain("cachedInputTokens", "total")),
        cache_write: detail("inputTokens", "cacheWrite")
            .or_else(|| detail("inputTokenDetails", "cacheWriteTokens")),
        reasoning: detail("outputTokens", "reasoning")
            .or_else(|| detail("outputTokenDetails", "reasoningTokens"))
            .or_else(|| plain("reasoningTokens", "total")),
        inclusive: Some(true),
        output_inclusive: Some(true),
        own: true,
        source: Some("usage".to_owned()),
        ..SpanUsage::default()
    };
    (!usage.is_empty()).then_some(usage)
}
