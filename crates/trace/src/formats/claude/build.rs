//! From the lines of a session to its spans.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::line::{Block, Line, Message};
use crate::report::Report;
use crate::span::{Span, SpanError, SpanUsage, Spans};

/// Tools that spawn a sub-agent.
const SPAWNS: &[&str] = &["Task", "Agent"];

/// The lines of one session.
pub(super) struct Session {
    id: String,
    ordinal: bool,
    /// Lines and when they were written: a line without a time follows the one before it.
    lines: Vec<(f64, Line)>,
    uuids: BTreeSet<String>,
    repeated: u64,
}

/// A writer of lines: the main agent or a sub-agent.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Writer {
    Main,
    Sub(String),
}

/// A call of the model, over all its lines.
struct Call {
    writer: Writer,
    start_ms: f64,
    end_ms: f64,
    model: Option<String>,
    usage: Option<SpanUsage>,
    output: Vec<String>,
    thinking: String,
}

/// A tool call.
struct Tool {
    message: String,
    name: String,
    input: String,
    start_ms: f64,
    result: Option<(f64, String, bool)>,
    spawned: Option<String>,
}

impl Session {
    pub(super) fn new(id: String, ordinal: bool) -> Self {
        Self { id, ordinal, lines: Vec::new(), uuids: BTreeSet::new(), repeated: 0 }
    }

    pub(super) fn take(&mut self, line: Line) {
        let new = line.uuid.as_ref().is_none_or(|uuid| self.uuids.insert(uuid.clone()));
        if new {
            let before = self.lines.last().map_or(f64::NEG_INFINITY, |(at, _)| *at);
            let at = line.ts_ms.filter(|_| !self.ordinal).unwrap_or(before);
            self.lines.push((at, line));
        } else {
            self.repeated += 1;
        }
    }

    pub(super) fn finish(self, side_cars: &BTreeMap<String, String>, spans: &mut Spans, report: &mut Report) {
        let mut build = Build::default();
        report.note_times("a line that stands in several files was counted once", self.repeated);
        let mut lines = self.lines;
        // Main lines first: a message that a sub-agent's file repeats belongs to the main agent.
        // Then by time: files are read in any order.
        lines.sort_by(|a, b| a.1.side.cmp(&b.1.side).then_with(|| a.0.total_cmp(&b.0)));
        let mut writers: HashMap<String, Writer> = HashMap::new();
        for (number, (_, line)) in lines.into_iter().enumerate() {
            let writer = writer_of(&line, &writers);
            if let Some(uuid) = &line.uuid {
                writers.insert(uuid.clone(), writer.clone());
            }
            build.line(line, writer, number, self.ordinal);
        }
        let run = spans.run(&self.id);
        run.facts.app = Some("Claude Code".to_owned());
        run.facts.ordinal = self.ordinal;
        build.finish(&self.id, side_cars, &mut run.spans, report);
    }
}

/// Who wrote a line: its agent id, the call it names, or the chain of lines it stands in.
fn writer_of(line: &Line, writers: &HashMap<String, Writer>) -> Writer {
    if !line.side {
        return Writer::Main;
    }
    if let Some(id) = line.agent.as_ref().or(line.parent_call.as_ref()) {
        return Writer::Sub(id.clone());
    }
    match line.parent_uuid.as_ref().and_then(|parent| writers.get(parent)) {
        Some(Writer::Sub(id)) => Writer::Sub(id.clone()),
        _ => Writer::Sub(line.uuid.clone().unwrap_or_default()),
    }
}

#[derive(Default)]
struct Build {
    calls: BTreeMap<String, Call>,
    /// Ids of the calls in order of appearance.
    order: Vec<String>,
    tools: BTreeMap<String, Tool>,
    prompts: Vec<(Writer, f64, String)>,
    /// First and last moment of each writer.
    life: BTreeMap<Writer, (f64, f64)>,
    /// Calls that spawned a writer, where its lines say so.
    named: BTreeMap<String, String>,
    outcome: Option<(bool, String)>,
    replays: u64,
    /// Results of calls that no line makes.
    strays: u64,
    without_time: u64,
    compactions: u64,
}

impl Build {
    fn line(&mut self, line: Line, writer: Writer, number: usize, ordinal: bool) {
        let before = self.life.get(&writer).map(|(_, last)| *last);
        #[expect(clippy::cast_precision_loss, reason = "lines of one file are far below 2^53")]
        let ts = if ordinal { Some(number as f64) } else { line.ts_ms };
        let spoken = line.message.is_some();
        self.without_time += u64::from(ts.is_none() && spoken);
        self.compactions += u64::from(line.compacted);
        let Some(ts) = ts.or(before).or(spoken.then_some(0.0)) else { return };
        let life = self.life.entry(writer.clone()).or_insert((ts, ts));
        *life = (life.0.min(ts), life.1.max(ts));
        if let (Writer::Sub(id), Some(call)) = (&writer, &line.parent_call) {
            self.named.insert(id.clone(), call.clone());
        }
        self.outcome = line.outcome.or(self.outcome.take());
        let Some(message) = line.message else { return };
        match line.kind.as_str() {
            "assistant" => {
                let id = message.id.clone().or(line.uuid).unwrap_or_else(|| format!("message-{number}"));
                self.spoke(id, writer, message, before.unwrap_or(ts), ts);
            }
            _ => self.heard(writer, message, line.result_of, ts),
        }
    }

    /// A line of a model's message.
    fn spoke(&mut self, id: String, writer: Writer, message: Message, before: f64, ts: f64) {
        if self.calls.get(&id).is_some_and(|call| call.writer != writer) {
            self.replays += 1;
            return;
        }
        if !self.calls.contains_key(&id) {
            self.order.push(id.clone());
        }
        let call = self.calls.entry(id.clone()).or_insert(Call {
            writer,
            start_ms: before.min(ts),
            end_ms: ts,
            model: None,
            usage: None,
            output: Vec::new(),
            thinking: String::new(),
        });
        call.end_ms = call.end_ms.max(ts);
        call.model = message.model.or(call.model.take());
        call.usage = later(call.usage.take(), message.usage);
        let mut results = Vec::new();
        for block in message.blocks {
            match block {
                Block::Text(text) => call.output.push(text),
                Block::Thinking(text) => call.thinking.push_str(&text),
                Block::Other(json) => call.output.push(json),
                Block::Call { id: tool, name, input } => {
                    let message = id.clone();
                    let fresh = Tool { message, name, input, start_ms: ts, result: None, spawned: None };
                    self.tools.entry(tool).or_insert(fresh);
                }
                Block::Result { id, content, failed } => results.push((id, content, failed)),
            }
        }
        for (id, content, failed) in results {
            self.answer(&id, (ts, content, failed), None);
        }
    }

    /// A line of the person or of the tools.
    fn heard(&mut self, writer: Writer, message: Message, result_of: Option<String>, ts: f64) {
        for block in message.blocks {
            match block {
                Block::Result { id, content, failed } => {
                    self.answer(&id, (ts, content, failed), result_of.clone());
                }
                Block::Text(text) | Block::Other(text) => self.prompts.push((writer.clone(), ts, text)),
                Block::Thinking(_) | Block::Call { .. } => {}
            }
        }
    }

    /// A tool's first answer holds; the sub-agent that gave it is remembered.
    fn answer(&mut self, id: &str, result: (f64, String, bool), agent: Option<String>) {
        match self.tools.get_mut(id) {
            Some(tool) => {
                tool.result.get_or_insert(result);
                tool.spawned = tool.spawned.take().or(agent);
            }
            None => self.strays += 1,
        }
    }

    /// The call that spawned a sub-agent: its side-car's, the one its lines name, the one whose result names it, or
    /// the one whose prompt it was given.
    fn spawner(&self, agent: &str, side_cars: &BTreeMap<String, String>) -> Option<String> {
        let known = |id: &&String| self.tools.contains_key(*id);
        let by_result =
            || self.tools.iter().find(|(_, tool)| tool.spawned.as_deref() == Some(agent)).map(|(id, _)| id);
        let by_prompt = || {
            let of = Writer::Sub(agent.to_owned());
            let (_, _, prompt) = self.prompts.iter().find(|(writer, _, _)| *writer == of)?;
            let asks = |tool: &Tool| {
                let input = wire::Raw::parse(&tool.input).ok()?.member("prompt")?;
                (input.get() == prompt).then_some(())
            };
            self.tools.iter().find(|(_, tool)| asks(tool).is_some()).map(|(id, _)| id)
        };
        let stated = side_cars.get(agent).filter(known).or_else(|| self.named.get(agent).filter(known));
        stated.or_else(by_result).or_else(by_prompt).cloned()
    }

    fn finish(
        mut self,
        id: &str,
        side_cars: &BTreeMap<String, String>,
        spans: &mut Vec<Span>,
        report: &mut Report,
    ) {
        report.note_times("a sub-agent's file repeats a message of its parent: counted once", self.replays);
        report.note_times("a tool's result has no call in the file: left out", self.strays);
        report.note_times("a line has no time: placed at the line before", self.without_time);
        report.note_times("the conversation was compacted", self.compactions);
        self.life.entry(Writer::Main).or_insert((0.0, 0.0));
        let whole = self
            .life
            .values()
            .fold((f64::INFINITY, f64::NEG_INFINITY), |all, life| (all.0.min(life.0), all.1.max(life.1)));
        let mut joined = BTreeSet::new();
        for (writer, life) in &self.life {
            spans.push(match writer {
                Writer::Main => self.main(id, whole),
                Writer::Sub(agent) => {
                    let call = self.spawner(agent, side_cars);
                    joined.extend(call.clone());
                    self.sub(agent, call, *life, id, report)
                }
            });
        }
        self.missing(&joined, report);
        self.leaves(id, spans);
    }

    fn main(&self, id: &str, (start, end): (f64, f64)) -> Span {
        let failed = self.outcome.as_ref().filter(|(failed, _)| *failed);
        Span {
            id: id.to_owned(),
            kind: "agent".to_owned(),
            name: "session".to_owned(),
            start_ms: Some(start),
            end_ms: Some(end),
            error: failed.map(|(_, words)| SpanError {
                name: "Error".into(),
                message: words.clone(),
                stack: None,
            }),
            ..Span::default()
        }
    }

    fn sub(
        &self,
        agent: &str,
        call: Option<String>,
        life: (f64, f64),
        main: &str,
        report: &mut Report,
    ) -> Span {
        let input = call.as_ref().and_then(|call| wire::Raw::parse(&self.tools.get(call)?.input).ok());
        let name = input.and_then(|input| crate::read::text(input, &["subagent_type", "description"]));
        if call.is_none() {
            report.note(format!("sub-agent {agent}: the call that spawned it is not in the file"));
        }
        Span {
            id: sub_id(agent),
            parent: Some(call.unwrap_or_else(|| main.to_owned())),
            kind: "agent".to_owned(),
            name: name.unwrap_or_else(|| "sub-agent".to_owned()),
            start_ms: Some(life.0),
            end_ms: Some(life.1),
            ..Span::default()
        }
    }

    /// A spawn without its sub-agent's lines.
    fn missing(&self, joined: &BTreeSet<String>, report: &mut Report) {
        for (id, tool) in self.tools.iter().filter(|(_, tool)| SPAWNS.contains(&tool.name.as_str())) {
            if !joined.contains(id) {
                let agent = tool
                    .spawned
                    .as_deref()
                    .map_or_else(String::new, |agent| format!(" (agent-{agent}.jsonl)"));
                report.note(format!("call {id} spawned a sub-agent whose file is missing{agent}"));
            }
        }
    }

    fn leaves(self, main: &str, spans: &mut Vec<Span>) {
        let parent_of = |writer: &Writer| match writer {
            Writer::Main => main.to_owned(),
            Writer::Sub(agent) => sub_id(agent),
        };
        for (number, (writer, ts, text)) in self.prompts.into_iter().enumerate() {
            spans.push(Span {
                id: format!("{}/prompt-{number}", parent_of(&writer)),
                parent: Some(parent_of(&writer)),
                kind: "prompt".to_owned(),
                name: "user".to_owned(),
                start_ms: Some(ts),
                end_ms: Some(ts),
                output: Some(text),
                ..Span::default()
            });
        }
        for (id, tool) in self.tools {
            spans.push(tool.span(id));
        }
        for (id, call) in self.calls {
            let parent = parent_of(&call.writer);
            spans.push(call.span(id, parent));
        }
    }
}

fn sub_id(agent: &str) -> String {
    format!("agent:{agent}")
}

/// The last line's figures hold; a figure it lacks is the earlier one's.
fn later(before: Option<SpanUsage>, after: Option<SpanUsage>) -> Option<SpanUsage> {
    match (before, after) {
        (Some(before), Some(after)) => Some(SpanUsage {
            input: after.input.or(before.input),
            output: after.output.max(before.output),
            cache_read: after.cache_read.or(before.cache_read),
            cache_write: after.cache_write.or(before.cache_write),
            ..after
        }),
        (before, after) => after.or(before),
    }
}

impl Call {
    fn span(self, id: String, parent: String) -> Span {
        let output = match self.output.as_slice() {
            [] => None,
            [only] => Some(only.clone()),
            many => Some(format!("[{}]", many.join(","))),
        };
        Span {
            id,
            parent: Some(parent),
            kind: "llm".to_owned(),
            name: "assistant".to_owned(),
            start_ms: Some(self.start_ms),
            end_ms: Some(self.end_ms),
            output,
            model: self.model,
            usage: self.usage,
            reasoning: (!self.thinking.is_empty()).then_some(self.thinking),
            ..Span::default()
        }
    }
}

impl Tool {
    fn span(self, id: String) -> Span {
        let (end_ms, output, failed) = match self.result {
            Some((ts, content, failed)) => (Some(ts), Some(content), failed),
            None => (None, None, false),
        };
        let message = output
            .as_deref()
            .and_then(|json| wire::Raw::parse(json).ok()?.as_str().map(|text| text.into_owned()));
        Span {
            id,
            parent: Some(self.message),
            kind: "tool".to_owned(),
            name: self.name,
            start_ms: Some(self.start_ms),
            end_ms,
            input: Some(self.input),
            error: failed.then(|| SpanError {
                name: "ToolError".into(),
                message: message.unwrap_or_default(),
                stack: None,
            }),
            output,
            ..Span::default()
        }
    }
}
