//! AutoGen replay caches: the calls of a model in the order they were made, each with its messages and its answer.
//!
//! There is no clock and no id: calls are numbered. A tool's result stands in the messages of a later call; it is
//! joined by the call's id. A file is a run.

use std::collections::BTreeMap;

use wire::{JsonKind, Raw};

use crate::adapter::{Adapter, Item, Out};
use crate::attributes::{count, opened};
use crate::detect::Format;
use crate::read::{either, list, text};
use crate::span::{Span, SpanError, SpanUsage, Spans};

pub(crate) const FORMATS: &[Format] = &[Format {
    name: "AutoGen replay cache",
    recognises: |look| {
        look.text("mode").is_some_and(|mode| mode == "create" || mode == "create_stream")
            && look.has(&["messages", "response"])
    },
    adapter: || Box::new(AutoGen::default()),
}];

#[derive(Default)]
struct AutoGen {
    /// One for each file, by its name, in the order of opening.
    runs: Vec<(String, Replay)>,
}

impl Adapter for AutoGen {
    fn take(&mut self, item: Item<'_>, out: &mut Out<'_>) -> Result<(), String> {
        if item.raw.kind() != JsonKind::Object {
            return Err("not an object".to_owned());
        }
        if self.runs.last().is_none_or(|(file, _)| file != item.file) {
            self.runs.push((item.file.to_owned(), Replay::default()));
        }
        if let Some((_, replay)) = self.runs.last_mut() {
            replay.record(item.raw);
        }
        out.report.used();
        Ok(())
    }

    fn finish(&mut self, out: &mut Out<'_>) {
        let mut spans = Spans::default();
        let many = self.runs.len() > 1;
        for (number, (_, replay)) in std::mem::take(&mut self.runs).into_iter().enumerate() {
            let id = if many { format!("autogen-{}", number + 1) } else { "autogen".to_owned() };
            out.report.note_times("a tool's result has no call in the file", replay.strays);
            let run = spans.run(&id);
            run.facts.app = Some("AutoGen".to_owned());
            run.facts.ordinal = true;
            run.spans = replay.finish(&id);
        }
        spans.finish("AutoGen", out);
    }
}

#[derive(Default)]
struct Replay {
    now: f64,
    calls: Vec<Span>,
    /// Tool calls by id.
    tools: BTreeMap<String, Span>,
    /// Results seen, which later calls repeat.
    answered: BTreeMap<String, ()>,
    strays: u64,
}

impl Replay {
    fn tick(&mut self) -> f64 {
        self.now += 1.0;
        self.now
    }

    fn record(&mut self, raw: Raw<'_>) {
        for message in list(raw, &["messages"]).into_iter().flat_map(Raw::items) {
            if text(message, &["type"]).as_deref() == Some("FunctionExecutionResultMessage") {
                list(message, &["content"])
                    .into_iter()
                    .flat_map(Raw::items)
                    .for_each(|result| self.result(result));
            }
        }
        // A streamed answer stands whole at the end of its pieces.
        let whole = either(raw, &["response"]).filter(|response| response.member("content").is_some());
        let streamed = || {
            let pieces = list(raw, &["stream"])?.items().filter(|piece| piece.kind() == JsonKind::Object);
            pieces.filter(|piece| piece.member("content").is_some()).last()
        };
        let response = whole.or_else(streamed);
        let id = format!("call-{}", self.calls.len() + 1);
        let start = self.tick();
        let content = response.and_then(|response| either(response, &["content"]));
        for call in
            content.filter(|content| content.kind() == JsonKind::Array).into_iter().flat_map(Raw::items)
        {
            self.called(&id, call);
        }
        let end = self.tick();
        self.calls.push(Span {
            id,
            kind: "llm".to_owned(),
            name: "create".to_owned(),
            start_ms: Some(start),
            end_ms: response.map(|_| end),
            input: either(raw, &["messages"]).map(|messages| messages.get().to_owned()),
            output: content.map(|content| content.get().to_owned()),
            reasoning: response.and_then(|response| text(response, &["thought"])),
            usage: response.and_then(usage),
            extra: response
                .into_iter()
                .flat_map(|response| {
                    [("finishReason", "finish_reason"), ("cached", "cached")].into_iter().filter_map(
                        move |(name, member)| {
                            Some((name.to_owned(), either(response, &[member])?.get().to_owned()))
                        },
                    )
                })
                .collect(),
            ..Span::default()
        });
    }

    fn called(&mut self, parent: &str, raw: Raw<'_>) {
        let Some(id) = text(raw, &["id"]) else { return };
        let start = self.tick();
        let span = Span {
            id: id.clone(),
            parent: Some(parent.to_owned()),
            kind: "tool".to_owned(),
            name: text(raw, &["name"]).unwrap_or_else(|| "tool".to_owned()),
            start_ms: Some(start),
            input: either(raw, &["arguments"]).map(opened),
            ..Span::default()
        };
        self.tools.entry(id).or_insert(span);
    }

    fn result(&mut self, raw: Raw<'_>) {
        let Some(id) = text(raw, &["call_id"]) else { return };
        if self.answered.insert(id.clone(), ()).is_some() {
            return;
        }
        let end = self.tick();
        let Some(tool) = self.tools.get_mut(&id) else {
            self.strays += 1;
            return;
        };
        let content = either(raw, &["content"]);
        let failed = either(raw, &["is_error"]).and_then(Raw::as_bool) == Some(true);
        tool.end_ms = Some(end);
        tool.output = content.map(opened);
        tool.error = failed.then(|| SpanError {
            name: "ToolError".to_owned(),
            message: content.and_then(Raw::as_str).unwrap_or_default().into_owned(),
            stack: None,
        });
    }

    fn finish(self, root: &str) -> Vec<Span> {
        let ended = self.calls.iter().all(|call| call.end_ms.is_some());
        let mut spans = vec![Span {
            id: root.to_owned(),
            kind: "agent".to_owned(),
            name: "replay".to_owned(),
            start_ms: Some(0.0),
            end_ms: ended.then_some(self.now + 1.0),
            ..Span::default()
        }];
        spans.extend(self.calls.into_iter().map(|call| Span { parent: Some(root.to_owned()), ..call }));
        spans.extend(self.tools.into_values());
        spans
    }
}

fn usage(response: Raw<'_>) -> Option<SpanUsage> {
    let raw = either(response, &["usage"])?;
    let usage = SpanUsage {
        input: either(raw, &["prompt_tokens"]).and_then(count),
        output: either(raw, &["completion_tokens"]).and_then(count),
        inclusive: Some(true),
        own: true,
        source: Some("response.usage".to_owned()),
        ..SpanUsage::default()
    };
    (!usage.is_empty()).then_some(usage)
}
