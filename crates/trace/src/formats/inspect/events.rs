//! The events of a sample as spans.
//!
//! Spans and steps are places, calls of models and tools are executions in them, everything else is a moment that
//! stays with the place it happened in. A tool's span and the event of its call are one execution.

use std::collections::{BTreeMap, HashMap, HashSet};

use wire::Raw;

use super::expand::Expand;
use super::{items, note_if, usage};
use crate::adapter::ObjectWriter;
use crate::read::{either, text};
use crate::report::Report;
use crate::span::{Span, SpanError, SpanUsage};
use crate::time::time_ms;

/// The transcript of one sample while its events come.
pub(super) struct Transcript {
    root: String,
    spans: Vec<Span>,
    /// Place of a span of the log, by its own id.
    known: HashMap<String, usize>,
    /// Steps that are open; they end by the order of their brackets alone.
    steps: Vec<usize>,
    /// Moments by the id of the span they happened in.
    moments: BTreeMap<String, Vec<String>>,
    /// First and last time.
    life: Option<(f64, f64)>,
    /// Spans of tools, to be joined with the events of their calls.
    tool_spans: Vec<usize>,
    pending: u64,
    unknown: u64,
}

impl Transcript {
    pub(super) fn new(root: &str) -> Self {
        Self {
            root: root.to_owned(),
            spans: Vec::new(),
            known: HashMap::new(),
            steps: Vec::new(),
            moments: BTreeMap::new(),
            life: None,
            tool_spans: Vec::new(),
            pending: 0,
            unknown: 0,
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.spans.is_empty()
    }

    pub(super) fn life(&self) -> (Option<f64>, Option<f64>) {
        (self.life.map(|life| life.0), self.life.map(|life| life.1))
    }

    /// Input and output tokens of its calls.
    pub(super) fn tokens(&self) -> (u64, u64) {
        let sums = self.spans.iter().filter_map(|span| span.usage.as_ref()).map(SpanUsage::sum);
        sums.fold((0, 0), |all, one| (all.0.saturating_add(one.0), all.1.saturating_add(one.1)))
    }

    pub(super) fn report(&self, report: &mut Report) {
        note_if(report, "a call was still running when the log was written", self.pending);
        note_if(report, "an event without a name was left out", self.unknown);
    }

    /// A span from elsewhere in the sample; its times are ordinals.
    pub(super) fn push(&mut self, span: Span) {
        for at in [span.start_ms, span.end_ms].into_iter().flatten() {
            let life = self.life.get_or_insert((at, at));
            *life = (life.0.min(at), life.1.max(at));
        }
        self.spans.push(span);
    }

    /// The span of a call that is known by its id.
    pub(super) fn call_mut(&mut self, id: &str) -> Option<&mut Span> {
        self.spans.iter_mut().rev().find(|span| span.id == id)
    }

    pub(super) fn root(&self) -> &str {
        &self.root
    }

    /// An event and, in old logs, the events inside it.
    pub(super) fn event(&mut self, raw: Raw<'_>, expand: &mut Expand<'_>) {
        let mut open = vec![(raw, None::<String>)];
        while let Some((raw, inside)) = open.pop() {
            let place = self.one(raw, inside, expand);
            let nested: Vec<_> = items(raw, "events").map(|event| (event, place.clone())).collect();
            open.extend(nested.into_iter().rev());
        }
    }

    /// Takes one event; what comes back is where events inside it belong.
    fn one(&mut self, raw: Raw<'_>, inside: Option<String>, expand: &mut Expand<'_>) -> Option<String> {
        let Some(word) = text(raw, &["event"]) else {
            self.unknown += 1;
            return inside;
        };
        let start = either(raw, &["timestamp"]).and_then(time_ms);
        let end = either(raw, &["completed"]).and_then(time_ms);
        for at in [start, end].into_iter().flatten() {
            let life = self.life.get_or_insert((at, at));
            *life = (life.0.min(at), life.1.max(at));
        }
        let parent = self.parent(raw, inside);
        match word.as_str() {
            "span_begin" => self.begin(raw, start),
            "span_end" => self.end(raw, start),
            "step" => self.step(raw, parent, start),
            "model" => self.call(raw, parent, (start, end), expand),
            "tool" => return Some(self.tool(raw, parent, (start, end), expand)),
            "subtask" => return Some(self.subtask(raw, parent, (start, end), expand)),
            "sandbox" => self.sandbox(raw, parent, (start, end)),
            "score" => self.score(raw, parent, start),
            _ => self.moment(&word, raw, parent, start, expand),
        }
        None
    }

    /// The id of the span that an event happened in.
    fn parent(&self, raw: Raw<'_>, inside: Option<String>) -> String {
        let spanned = || text(raw, &["span_id"]).map(|id| self.id_of(&id));
        let stepped = || self.steps.last().map(|step| self.spans[*step].id.clone());
        inside.or_else(spanned).or_else(stepped).unwrap_or_else(|| self.root.clone())
    }

    fn id_of(&self, span: &str) -> String {
        format!("{}/span/{span}", self.root)
    }

    /// An id that no other span of the sample has.
    fn fresh(&self, raw: Raw<'_>, word: &str) -> String {
        let own = text(raw, &["uuid"]);
        format!("{}/{}", self.root, own.unwrap_or_else(|| format!("{word}-{}", self.spans.len() + 1)))
    }

    fn begin(&mut self, raw: Raw<'_>, start_ms: Option<f64>) {
        let Some(id) = text(raw, &["id"]) else { return };
        let word = text(raw, &["type"]).unwrap_or_default();
        if word == "tool" {
            self.tool_spans.push(self.spans.len());
        }
        let parent = text(raw, &["parent_id"]).map_or_else(|| self.root.clone(), |id| self.id_of(&id));
        self.known.insert(id.clone(), self.spans.len());
        self.spans.push(Span {
            id: self.id_of(&id),
            kind: kind_of(&word).to_owned(),
            name: text(raw, &["name"]).unwrap_or(word),
            extra: kept(raw, &["metadata"]),
            ..inside(parent, start_ms, None)
        });
    }

    fn end(&mut self, raw: Raw<'_>, end_ms: Option<f64>) {
        if let Some(at) = text(raw, &["id"]).and_then(|id| self.known.get(&id)) {
            self.spans[*at].end_ms = end_ms;
        }
    }

    fn step(&mut self, raw: Raw<'_>, parent: String, at_ms: Option<f64>) {
        if text(raw, &["action"]).as_deref() == Some("end") {
            if let Some(step) = self.steps.pop() {
                self.spans[step].end_ms = at_ms;
            }
            return;
        }
        let word = text(raw, &["type"]).unwrap_or_default();
        self.steps.push(self.spans.len());
        self.spans.push(Span {
            id: self.fresh(raw, "step"),
            kind: kind_of(&word).to_owned(),
            name: text(raw, &["name"]).unwrap_or(word),
            ..inside(parent, at_ms, None)
        });
    }

    fn call(&mut self, raw: Raw<'_>, parent: String, (start_ms, end_ms): Times, expand: &mut Expand<'_>) {
        let output = either(raw, &["output"]);
        let seconds =
            || either(raw, &["working_time"]).or_else(|| either(output?, &["time"])).and_then(Raw::as_f64);
        let pending = either(raw, &["pending"]).and_then(Raw::as_bool) == Some(true);
        self.pending += u64::from(pending);
        let lasted = || Some(start_ms? + seconds().unwrap_or(0.0) * 1e3);
        let error = text(raw, &["error"]).or_else(|| text(output?, &["error"]));
        let aborted = error.as_deref().is_some_and(|error| error.starts_with("Cancelled by "));
        self.spans.push(Span {
            id: self.fresh(raw, "model"),
            kind: "llm".to_owned(),
            name: text(raw, &["role"]).unwrap_or_else(|| "generate".to_owned()),
            input: expand.input(raw),
            output: output
                .and_then(|output| either(output, &["choices", "completion"]))
                .map(|choices| expand.value(choices)),
            error: error.filter(|_| !aborted).map(|message| SpanError {
                name: "ModelError".to_owned(),
                message,
                stack: text(raw, &["traceback"]),
            }),
            aborted,
            model: text(raw, &["model"]),
            usage: output.and_then(|output| either(output, &["usage"])).and_then(usage),
            extra: kept(raw, &["config", "tools", "tool_choice", "cache", "retries"]),
            ..inside(parent, start_ms, end_ms.or_else(lasted).filter(|_| !pending))
        });
    }

    fn tool(
        &mut self,
        raw: Raw<'_>,
        parent: String,
        (start_ms, end_ms): Times,
        expand: &mut Expand<'_>,
    ) -> String {
        let error = either(raw, &["error"]);
        let word = error.and_then(|error| text(error, &["type"]));
        let aborted = word.as_deref() == Some("cancelled");
        let pending = either(raw, &["pending"]).and_then(Raw::as_bool) == Some(true);
        self.pending += u64::from(pending);
        let call = text(raw, &["id"]).unwrap_or_else(|| format!("tool-{}", self.spans.len() + 1));
        let mut id = format!("{}/{call}", self.root);
        if self.known.contains_key(&id) {
            id = self.fresh(raw, "tool");
        }
        self.known.insert(id.clone(), self.spans.len());
        self.spans.push(Span {
            id: id.clone(),
            kind: "tool".to_owned(),
            name: text(raw, &["function"]).unwrap_or_else(|| "tool".to_owned()),
            input: either(raw, &["arguments"]).map(|arguments| expand.value(arguments)),
            output: either(raw, &["result"]).map(|result| expand.value(result)),
            error: error.filter(|_| !aborted).map(|error| SpanError {
                name: word.unwrap_or_else(|| "ToolError".to_owned()),
                message: text(error, &["message"]).unwrap_or_default(),
                stack: None,
            }),
            aborted,
            extra: kept(raw, &["view", "truncated", "agent"]),
            ..inside(parent, start_ms, end_ms.or(start_ms).filter(|_| !pending))
        });
        id
    }

    fn subtask(
        &mut self,
        raw: Raw<'_>,
        parent: String,
        (start_ms, end_ms): Times,
        expand: &mut Expand<'_>,
    ) -> String {
        let id = self.fresh(raw, "subtask");
        self.spans.push(Span {
            id: id.clone(),
            kind: "chain".to_owned(),
            name: text(raw, &["name"]).unwrap_or_else(|| "subtask".to_owned()),
            input: either(raw, &["input"]).map(|input| expand.value(input)),
            output: either(raw, &["result"]).map(|result| expand.value(result)),
            ..inside(parent, start_ms, end_ms.or(start_ms))
        });
        id
    }

    /// What a tool did in its sandbox: plumbing.
    fn sandbox(&mut self, raw: Raw<'_>, parent: String, (start_ms, end_ms): Times) {
        let action = text(raw, &["action"]).unwrap_or_else(|| "exec".to_owned());
        let failed = either(raw, &["result"]).and_then(Raw::as_f64).filter(|code| *code != 0.0);
        self.spans.push(Span {
            id: self.fresh(raw, "sandbox"),
            kind: "custom".to_owned(),
            name: format!("sandbox {action}"),
            input: either(raw, &["cmd", "file"]).map(|command| command.get().to_owned()),
            output: either(raw, &["output"]).map(|output| output.get().to_owned()),
            extra: kept(raw, &["options", "input"])
                .into_iter()
                .chain(failed.map(|code| ("exitCode".to_owned(), code.to_string())))
                .collect(),
            noise: true,
            ..inside(parent, start_ms, end_ms.or(start_ms))
        });
    }

    fn score(&mut self, raw: Raw<'_>, parent: String, at_ms: Option<f64>) {
        self.spans.push(Span {
            id: self.fresh(raw, "score"),
            kind: "evaluator".to_owned(),
            name: "score".to_owned(),
            input: either(raw, &["target"]).map(|target| target.get().to_owned()),
            output: either(raw, &["score"]).map(|score| score.get().to_owned()),
            ..inside(parent, at_ms, at_ms)
        });
    }

    /// Anything else stays with the span it happened in.
    fn moment(
        &mut self,
        word: &str,
        raw: Raw<'_>,
        parent: String,
        at_ms: Option<f64>,
        expand: &mut Expand<'_>,
    ) {
        let mut object = ObjectWriter::new();
        object.text("name", word);
        if let Some(at) = at_ms {
            object.number("ts", at);
        }
        object.raw("attributes", &expand.value(raw));
        self.moments.entry(parent).or_default().push(object.finish());
    }

    /// The moments that happened in a span, as a JSON list.
    pub(super) fn moments_of(&mut self, id: &str) -> Option<String> {
        self.moments.remove(id).map(|moments| format!("[{}]", moments.join(",")))
    }

    /// The spans, tools joined with their calls.
    pub(super) fn finish(mut self) -> Vec<Span> {
        self.join_tools();
        for span in &mut self.spans {
            if let Some(moments) = self.moments.remove(&span.id) {
                span.extra.push(("events".to_owned(), format!("[{}]", moments.join(","))));
            }
        }
        self.spans
    }

    /// A tool's span goes, and what happened in it happened in its call: the first call of the same name in the same
    /// place that had begun by then.
    fn join_tools(&mut self) {
        let spans: HashSet<usize> = self.tool_spans.iter().copied().collect();
        let mut calls: HashMap<(String, String), Vec<usize>> = HashMap::new();
        for (at, span) in
            self.spans.iter().enumerate().filter(|(at, span)| span.kind == "tool" && !spans.contains(at))
        {
            calls.entry((span.parent.clone().unwrap_or_default(), span.name.clone())).or_default().push(at);
        }
        let mut moved: HashMap<String, String> = HashMap::new();
        let mut gone = vec![false; self.spans.len()];
        for &at in &self.tool_spans {
            let span = &self.spans[at];
            let key = (span.parent.clone().unwrap_or_default(), span.name.clone());
            let Some(open) = calls.get_mut(&key) else { continue };
            let begun = |call: &usize| self.spans[*call].start_ms <= span.start_ms;
            if let Some(place) = open.iter().position(begun) {
                moved.insert(span.id.clone(), self.spans[open.remove(place)].id.clone());
                gone[at] = true;
            }
        }
        for span in &mut self.spans {
            if let Some(call) = span.parent.as_ref().and_then(|parent| moved.get(parent)) {
                span.parent = Some(call.clone());
            }
        }
        for (span, call) in &moved {
            if let Some(mut moments) = self.moments.remove(span) {
                self.moments.entry(call.clone()).or_default().append(&mut moments);
            }
        }
        let mut gone = gone.into_iter();
        self.spans.retain(|_| !gone.next().unwrap_or(false));
    }
}

/// Start and end.
type Times = (Option<f64>, Option<f64>);

fn kept(raw: Raw<'_>, names: &[&str]) -> Vec<(String, String)> {
    names
        .iter()
        .filter_map(|name| Some(((*name).to_owned(), either(raw, &[name])?.get().to_owned())))
        .collect()
}

/// The frame of a span inside another: where and when.
fn inside(parent: String, start_ms: Option<f64>, end_ms: Option<f64>) -> Span {
    Span { parent: Some(parent), start_ms, end_ms, ..Span::default() }
}

fn kind_of(word: &str) -> &'static str {
    match word {
        "agent" => "agent",
        "tool" => "tool",
        "scorer" | "scorers" => "evaluator",
        _ => "chain",
    }
}
