//! Codex rollouts: a line an item, with turns, model answers and tool calls.
//!
//! The same text stands twice (`event_msg` and `response_item`): items count, messages only say when turns begin and
//! end. Token counts are cumulative and repeated: a call's tokens are the difference from the count before. Lines are
//! kept until the session is whole and read by their time; one that stands twice counts once.

use std::collections::{BTreeMap, HashSet};

use wire::{JsonKind, Raw};

use crate::adapter::{Adapter, Item, Out};
use crate::attributes::{count, opened};
use crate::detect::Format;
use crate::read::{body, either, text};
use crate::span::{Span, SpanError, SpanUsage, Spans};
use crate::time::time_ms;

pub(crate) const FORMATS: &[Format] = &[Format {
    name: "Codex rollout",
    recognises: |look| {
        let word = look.text("type").unwrap_or_default();
        let wrapped = matches!(
            word.as_str(),
            "session_meta" | "response_item" | "event_msg" | "turn_context" | "compacted"
        );
        (wrapped && look.has(&["payload"])) || look.has(&["id", "timestamp", "instructions"])
    },
    adapter: || Box::new(Codex::default()),
}];

#[derive(Default)]
struct Codex {
    /// In the order they were first seen.
    sessions: Vec<Kept>,
}

/// A session while its lines come.
#[derive(Default)]
struct Kept {
    file: String,
    id: Option<String>,
    /// When, and the text.
    lines: Vec<(f64, String)>,
}

impl Adapter for Codex {
    fn take(&mut self, item: Item<'_>, out: &mut Out<'_>) -> Result<(), String> {
        if item.raw.kind() != JsonKind::Object {
            return Err("not an object".to_owned());
        }
        let word = text(item.raw, &["type"]).unwrap_or_default();
        let payload = payload(item.raw);
        // The head need not come first: a file without one so far is named by it.
        let head = word == "session_meta" || (word.is_empty() && text(payload, &["id"]).is_some());
        let id = text(payload, &["id"]).filter(|_| head);
        if head && id.is_none() {
            return Err("session_meta without an id".to_owned());
        }
        let fits =
            |last: &Kept| last.file == item.file && (id.is_none() || last.id.is_none() || last.id == id);
        if !self.sessions.last().is_some_and(fits) {
            self.sessions.push(Kept { file: item.file.to_owned(), ..Kept::default() });
        }
        if let Some(kept) = self.sessions.last_mut() {
            kept.id = kept.id.take().or(id);
            let before = kept.lines.last().map_or(f64::NEG_INFINITY, |(at, _)| *at);
            let at = either(item.raw, &["timestamp"]).and_then(time_ms).unwrap_or(before);
            kept.lines.push((at, item.raw.get().to_owned()));
        }
        out.report.used();
        Ok(())
    }

    fn finish(&mut self, out: &mut Out<'_>) {
        let mut spans = Spans::default();
        for Kept { id, lines, .. } in std::mem::take(&mut self.sessions) {
            let session = read(id.unwrap_or_else(|| "rollout".to_owned()), lines, out);
            out.report.note_times("a token count repeats the one before: counted once", session.repeats);
            let run = spans.run(&session.id.clone());
            run.facts.app = Some("Codex".to_owned());
            run.facts.ordinal = !session.clocked;
            run.spans.extend(session.finish());
        }
        spans.finish("Codex", out);
    }
}

/// Old rollouts have bare items: the line is its own payload.
fn payload(line: Raw<'_>) -> Raw<'_> {
    either(line, &["payload"]).filter(|payload| payload.kind() == JsonKind::Object).unwrap_or(line)
}

/// Reads the lines of a session by their time, each once.
fn read(id: String, mut lines: Vec<(f64, String)>, out: &mut Out<'_>) -> Session {
    lines.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut session = Session::new(id);
    let mut seen = HashSet::new();
    for (_, line) in &lines {
        let Ok(raw) = Raw::parse(line) else { continue };
        let stamp = either(raw, &["timestamp"]).and_then(time_ms);
        if stamp.is_some() && !seen.insert(line.as_str()) {
            out.report.note("a line stands twice: read once");
            continue;
        }
        let word = text(raw, &["type"]).unwrap_or_default();
        session.line(&word, payload(raw), stamp, out);
    }
    session
}

/// Totals of a session so far.
#[derive(Clone, Copy, Default, PartialEq)]
struct Totals {
    input: u64,
    output: u64,
    cached: u64,
    reasoning: u64,
}

struct Session {
    id: String,
    now_ms: f64,
    first_ms: Option<f64>,
    clocked: bool,
    turn: Option<Span>,
    turns: u64,
    call: Option<Span>,
    calls: u64,
    tools: BTreeMap<String, Span>,
    done: Vec<Span>,
    model: Option<String>,
    totals: Totals,
    repeats: u64,
}

impl Session {
    fn new(id: String) -> Self {
        Self {
            id,
            now_ms: 0.0,
            first_ms: None,
            clocked: false,
            turn: None,
            turns: 0,
            call: None,
            calls: 0,
            tools: BTreeMap::new(),
            done: Vec::new(),
            model: None,
            totals: Totals::default(),
            repeats: 0,
        }
    }

    fn line(&mut self, word: &str, payload: Raw<'_>, ts_ms: Option<f64>, out: &mut Out<'_>) {
        let before = self.now_ms;
        self.clocked |= ts_ms.is_some();
        self.now_ms = ts_ms.unwrap_or(if self.clocked { before } else { before + 1.0 });
        self.first_ms.get_or_insert(self.now_ms);
        let kind = text(payload, &["type"]).unwrap_or_default();
        match (word, kind.as_str()) {
            ("turn_context", _) => {
                self.model = text(payload, &["model"]).or(self.model.take());
                self.open_turn();
            }
            ("event_msg", "task_started" | "turn_started") => self.open_turn(),
            ("event_msg", "task_complete" | "turn_complete") => self.close_turn(false),
            ("event_msg", "turn_aborted") => self.close_turn(true),
            ("event_msg", "token_count") => self.tokens(payload),
            ("event_msg", "context_compacted") | ("compacted", _) => {
                out.report.note("the conversation was compacted")
            }
            ("event_msg" | "session_meta", _) => {}
            (_, "message") => self.message(payload, before),
            (_, "reasoning") => self.reasoning(payload, before),
            (_, "function_call" | "custom_tool_call" | "local_shell_call" | "web_search_call") => {
                self.called(payload, &kind, before)
            }
            (_, "function_call_output" | "custom_tool_call_output") => self.answered(payload),
            ("", _) => {}
            (_, other) => out.report.note(format!("an item of type {other:?} is kept in no node")),
        }
    }

    fn parent(&self) -> String {
        self.turn.as_ref().map_or_else(|| self.id.clone(), |turn| turn.id.clone())
    }

    fn open_turn(&mut self) {
        if self.turn.is_some() {
            return;
        }
        self.turns += 1;
        self.turn = Some(Span {
            id: format!("{}/turn-{}", self.id, self.turns),
            parent: Some(self.id.clone()),
            kind: "chain".to_owned(),
            name: "turn".to_owned(),
            start_ms: Some(self.now_ms),
            ..Span::default()
        });
    }

    fn close_turn(&mut self, aborted: bool) {
        self.close_call();
        if let Some(turn) = self.turn.take() {
            self.done.push(Span { end_ms: Some(self.now_ms), aborted, ..turn });
        }
    }

    /// The model's answer that is being read; it began where the line before ended.
    fn call(&mut self, before_ms: f64) -> &mut Span {
        let (parent, model) = (self.parent(), self.model.clone());
        let start = if self.first_ms == Some(self.now_ms) { self.now_ms } else { before_ms };
        if self.call.is_none() {
            self.calls += 1;
        }
        let id = format!("{}/call-{}", self.id, self.calls);
        self.call.get_or_insert_with(|| Span {
            id,
            parent: Some(parent),
            kind: "llm".to_owned(),
            name: "assistant".to_owned(),
            start_ms: Some(start),
            model,
            ..Span::default()
        })
    }

    fn close_call(&mut self) {
        if let Some(call) = self.call.take() {
            let end_ms = call.end_ms.or(Some(self.now_ms));
            self.done.push(Span { end_ms, ..call });
        }
    }

    fn message(&mut self, payload: Raw<'_>, before_ms: f64) {
        let content = body(payload, &["content"]);
        if text(payload, &["role"]).as_deref() == Some("assistant") {
            let now = self.now_ms;
            let call = self.call(before_ms);
            call.output = content;
            call.end_ms = Some(now);
            return;
        }
        self.close_call();
        let number = self.done.len();
        self.done.push(Span {
            id: format!("{}/prompt-{number}", self.id),
            parent: Some(self.parent()),
            kind: "prompt".to_owned(),
            name: text(payload, &["role"]).unwrap_or_else(|| "user".to_owned()),
            start_ms: Some(self.now_ms),
            end_ms: Some(self.now_ms),
            output: content,
            ..Span::default()
        });
    }

    fn reasoning(&mut self, payload: Raw<'_>, before_ms: f64) {
        let summary = either(payload, &["summary"]).into_iter().flat_map(Raw::items);
        let words: Vec<String> = summary.filter_map(|part| text(part, &["text"])).collect();
        let now = self.now_ms;
        let call = self.call(before_ms);
        call.end_ms = Some(now);
        if !words.is_empty() {
            call.reasoning = Some(words.join("\n"));
        }
    }

    fn called(&mut self, payload: Raw<'_>, kind: &str, before_ms: f64) {
        let now = self.now_ms;
        let message = {
            let call = self.call(before_ms);
            call.end_ms = Some(now);
            call.id.clone()
        };
        let id = text(payload, &["call_id", "id"])
            .unwrap_or_else(|| format!("{message}/tool-{}", self.tools.len()));
        let span = Span {
            id: id.clone(),
            parent: Some(message),
            kind: "tool".to_owned(),
            name: text(payload, &["name"]).unwrap_or_else(|| kind.trim_end_matches("_call").to_owned()),
            start_ms: Some(now),
            // A search is answered by the service itself: no output line follows.
            end_ms: (kind == "web_search_call").then_some(now),
            input: either(payload, &["arguments", "input", "action"]).map(opened),
            ..Span::default()
        };
        self.tools.insert(id, span);
    }

    fn answered(&mut self, payload: Raw<'_>) {
        self.close_call();
        let Some(tool) = text(payload, &["call_id"]).and_then(|id| self.tools.get_mut(&id)) else { return };
        let output = either(payload, &["output"]).map(opened);
        let code = output
            .as_deref()
            .and_then(|json| Raw::parse(json).ok()?.pointer("/metadata/exit_code")?.as_f64());
        tool.end_ms = Some(self.now_ms);
        tool.error = code.filter(|code| *code != 0.0).map(|code| SpanError {
            name: "ExitCode".to_owned(),
            message: format!("exit code {code}"),
            stack: None,
        });
        tool.output = output;
    }

    fn tokens(&mut self, payload: Raw<'_>) {
        let Some(total) = either(payload, &["info"]).and_then(|info| either(info, &["total_token_usage"]))
        else {
            return;
        };
        let at = |name: &str| either(total, &[name]).and_then(count).unwrap_or(0);
        let now = Totals {
            input: at("input_tokens"),
            output: at("output_tokens"),
            cached: at("cached_input_tokens"),
            reasoning: at("reasoning_output_tokens"),
        };
        if now == self.totals {
            self.repeats += 1;
            return;
        }
        let before = std::mem::replace(&mut self.totals, now);
        let usage = SpanUsage {
            input: Some(now.input.saturating_sub(before.input)),
            output: Some(now.output.saturating_sub(before.output)),
            cache_read: Some(now.cached.saturating_sub(before.cached)),
            reasoning: Some(now.reasoning.saturating_sub(before.reasoning)),
            inclusive: Some(true),
            output_inclusive: Some(true),
            own: true,
            source: Some("total_token_usage".to_owned()),
            ..SpanUsage::default()
        };
        let number = self.calls;
        let last = format!("{}/call-{number}", self.id);
        let target = match &mut self.call {
            Some(call) => Some(call),
            None => self.done.iter_mut().rev().find(|span| span.id == last && span.usage.is_none()),
        };
        match target {
            Some(call) => call.usage = Some(usage),
            None => {
                let start = self.now_ms;
                self.call(start).usage = Some(usage);
            }
        }
        self.close_call();
    }

    fn finish(mut self) -> Vec<Span> {
        self.close_turn(false);
        let mut spans = self.done;
        spans.extend(self.tools.into_values());
        spans.push(Span {
            id: self.id,
            kind: "agent".to_owned(),
            name: "session".to_owned(),
            start_ms: self.first_ms,
            end_ms: Some(self.now_ms),
            ..Span::default()
        });
        spans
    }
}
