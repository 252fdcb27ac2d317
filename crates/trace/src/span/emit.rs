//! From the spans of one run to its envelopes.
//!
//! A logical node is a kind and a name under a parent node, unless the format names its own. Starts and ends go out
//! in the order of their times; where two are equal, ends of earlier spans come first and parents enclose children.

use std::collections::HashMap;

use wire::json::write_string;

use super::order::{Tree, tree};
use super::{RunSpans, Span, SpanError};
use crate::adapter::{ObjectWriter, Out, RunWriter};

/// Id of the node that stands for a missing parent.
const GHOST: &str = "span:";

pub(crate) fn run(id: &str, format: &str, run: RunSpans, out: &mut Out<'_>) {
    let RunSpans { facts, mut spans } = run;
    super::merge::merge(&mut spans, &mut out.report);
    let tree = tree(&mut spans);
    let clamped = times(&mut spans, &tree);
    note(&tree, clamped, facts.ordinal, out);
    let nodes = Nodes::name(&spans, &tree);
    let repeats = repeats(&spans, &tree);
    out.report
        .note_times("a parent's token figures repeat its children's: shown apart, not added", repeats.count);
    let mut writer = RunWriter::new(id);
    let start = spans.first().and_then(|span| span.start_ms).unwrap_or(0.0);
    writer.raw(start, "run.started", &started(format, &facts, &spans), out);
    for event in events(&spans, &tree) {
        if out.cancelled() {
            return;
        }
        let span = &spans[event.at];
        let node = &nodes.ids[nodes.of[event.at]];
        match event.phase {
            Phase::Start => {
                let payload = node_started(span, node, nodes.parent_of(event.at, &spans, &tree).as_deref());
                writer.raw(event.ts, "node.started", &payload, out);
                if let Some(text) = &span.reasoning {
                    writer.raw(event.ts, "node.token", &reasoning(span, node, text), out);
                }
            }
            Phase::End | Phase::EndAtStart => {
                ended(span, node, repeats.of[event.at], event.ts, &mut writer, out)
            }
        }
    }
    finished(&spans, &tree, &mut writer, out);
}

/// Gives every span a start, and no end before it. Returns how many ends were moved.
fn times(spans: &mut [Span], tree: &Tree) -> u64 {
    let mut clamped = 0;
    let first = spans.iter().filter_map(|span| span.start_ms).fold(f64::INFINITY, f64::min);
    for &at in &tree.walk {
        let from_parent = tree.placed[at].parent.and_then(|parent| spans[parent].start_ms);
        let span = &mut spans[at];
        let start =
            *span.start_ms.get_or_insert(from_parent.unwrap_or(if first.is_finite() { first } else { 0.0 }));
        if span.end_ms.is_some_and(|end| end < start) {
            span.end_ms = Some(start);
            span.extra.push(("clamped".to_owned(), "true".to_owned()));
            clamped += 1;
        }
    }
    clamped
}

fn note(tree: &Tree, clamped: u64, ordinal: bool, out: &mut Out<'_>) {
    let report = &mut out.report;
    report.note_times(
        "a span names a parent that is not in the file: shown under a ghost",
        tree.orphans.len() as u64,
    );
    report.note_times("a span is its own ancestor: shown as a root", tree.cycles);
    report.note_times("an end before its start was moved to the start", clamped);
    if ordinal {
        report.note("the format has no clock: the time axis counts events");
    }
}

/// The logical nodes of a run.
struct Nodes {
    ids: Vec<String>,
    /// The node of each span.
    of: Vec<usize>,
}

impl Nodes {
    fn name(spans: &[Span], tree: &Tree) -> Self {
        let mut known: HashMap<(Option<usize>, &str, &str), usize> = HashMap::new();
        let mut own: HashMap<&str, usize> = HashMap::new();
        let mut taken: HashMap<String, usize> = HashMap::new();
        let mut nodes = Self { ids: Vec::new(), of: vec![0; spans.len()] };
        for &at in &tree.walk {
            let span = &spans[at];
            let parent = tree.placed[at].parent.map(|parent| nodes.of[parent]);
            // A call of itself is another execution of the same node, not a node inside it.
            let parent = parent.filter(|_| span.node.is_none());
            let found = match &span.node {
                Some(node) => own.get(node.as_str()).copied(),
                None => known.get(&(parent, span.kind.as_str(), span.name.as_str())).copied(),
            };
            nodes.of[at] = found.unwrap_or_else(|| {
                let id = span
                    .node
                    .clone()
                    .unwrap_or_else(|| unique(format!("{}:{}", span.kind, span.name), &mut taken));
                nodes.ids.push(id);
                nodes.ids.len() - 1
            });
            match &span.node {
                Some(node) => own.insert(node, nodes.of[at]),
                None => known.insert((parent, &span.kind, &span.name), nodes.of[at]),
            };
        }
        nodes
    }

    fn parent_of(&self, at: usize, spans: &[Span], tree: &Tree) -> Option<String> {
        match tree.placed[at].parent {
            Some(parent) => Some(self.ids[self.of[parent]].clone()),
            None => {
                let missing = spans[at].parent.as_deref().filter(|parent| *parent != spans[at].id)?;
                tree.orphans.binary_search(&at).is_ok().then(|| format!("{GHOST}{missing}"))
            }
        }
    }
}

fn unique(base: String, taken: &mut HashMap<String, usize>) -> String {
    let count = taken.entry(base.clone()).or_insert(0);
    *count += 1;
    if *count == 1 { base } else { format!("{base}#{count}") }
}

struct Repeats {
    of: Vec<bool>,
    count: u64,
}

/// A span repeats its descendants' usage where its figures equal their sum and it is no call of its own kind below
/// which nothing else happened: the sum runs over the nearest descendants that report any.
fn repeats(spans: &[Span], tree: &Tree) -> Repeats {
    let mut below = vec![(0_u64, 0_u64); spans.len()];
    let mut repeats = Repeats { of: vec![false; spans.len()], count: 0 };
    for &at in tree.walk.iter().rev() {
        let own = spans[at].usage.as_ref().map(super::SpanUsage::sum).filter(|sum| *sum != (0, 0));
        let certain = spans[at].usage.as_ref().is_some_and(|usage| usage.own);
        let mut total = own.unwrap_or(below[at]);
        if certain {
            total = (total.0 + below[at].0, total.1 + below[at].1);
        } else if own.is_some_and(|own| own == below[at]) {
            repeats.of[at] = true;
            repeats.count += 1;
        }
        if let Some(parent) = tree.placed[at].parent {
            below[parent].0 += total.0;
            below[parent].1 += total.1;
        }
    }
    repeats
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Phase {
    End,
    Start,
    /// The end of a span that took no time: after every start of that moment.
    EndAtStart,
}

struct Event {
    ts: f64,
    phase: Phase,
    at: usize,
}

fn events(spans: &[Span], tree: &Tree) -> Vec<Event> {
    let mut events = Vec::with_capacity(spans.len() * 2);
    for (at, span) in spans.iter().enumerate() {
        let start = span.start_ms.unwrap_or(0.0);
        events.push(Event { ts: start, phase: Phase::Start, at });
        if let Some(end) = span.end_ms {
            let phase = if end > start { Phase::End } else { Phase::EndAtStart };
            events.push(Event { ts: end, phase, at });
        }
    }
    let rank = |event: &Event| {
        let rank = tree.placed[event.at].rank;
        if event.phase == Phase::Start { rank } else { usize::MAX - rank }
    };
    events.sort_by(|a, b| {
        a.ts.total_cmp(&b.ts).then(a.phase.cmp(&b.phase)).then_with(|| rank(a).cmp(&rank(b)))
    });
    events
}

fn started(format: &str, facts: &super::RunFacts, spans: &[Span]) -> String {
    let app = facts.app.as_deref().or_else(|| spans.first().map(|span| span.name.as_str())).unwrap_or(format);
    let (name, version) =
        facts.sdk.as_ref().map_or((format, ""), |(name, version)| (name.as_str(), version.as_str()));
    let mut sdk = ObjectWriter::new();
    sdk.text("name", name).text("version", version);
    let mut meta = ObjectWriter::new();
    meta.text("format", format);
    if facts.ordinal {
        meta.raw("ordinalTime", "true");
    }
    for (name, json) in &facts.meta {
        meta.raw(name, json);
    }
    let mut payload = ObjectWriter::new();
    payload.text("app", app).raw("sdk", &sdk.finish()).raw("meta", &meta.finish());
    payload.finish()
}

fn node_started(span: &Span, node: &str, parent: Option<&str>) -> String {
    let mut payload = ObjectWriter::new();
    payload.text("nodeId", node);
    if let Some(parent) = parent {
        payload.text("parentId", parent);
    }
    payload.text("kind", &span.kind).text("name", &span.name).text("instanceId", &span.id);
    payload.raw("input", span.input.as_deref().unwrap_or("null"));
    if let Some(parent) = &span.parent {
        payload.text("parentInstanceId", parent);
    }
    if let Some(model) = &span.model {
        payload.text("model", model);
    }
    if span.noise {
        payload.raw("collapsed", "true");
    }
    if !span.links.is_empty() {
        payload.raw("links", &texts(&span.links));
    }
    for (name, json) in &span.extra {
        payload.raw(name, json);
    }
    payload.finish()
}

fn texts(list: &[String]) -> String {
    let mut json = "[".to_owned();
    for (index, text) in list.iter().enumerate() {
        if index > 0 {
            json.push(',');
        }
        write_string(text, &mut json);
    }
    json.push(']');
    json
}

fn reasoning(span: &Span, node: &str, text: &str) -> String {
    let mut delta = ObjectWriter::new();
    delta.text("t", "reasoning").text("v", text);
    let mut payload = ObjectWriter::new();
    payload.text("nodeId", node).text("instanceId", &span.id).raw("deltas", &format!("[{}]", delta.finish()));
    payload.finish()
}

fn error_json(error: &SpanError) -> String {
    let mut json = ObjectWriter::new();
    json.text("name", &error.name).text("message", &error.message);
    if let Some(stack) = &error.stack {
        json.text("stack", stack);
    }
    json.finish()
}

fn ended(span: &Span, node: &str, repeat: bool, ts: f64, writer: &mut RunWriter, out: &mut Out<'_>) {
    if let Some(error) = &span.error {
        let mut payload = ObjectWriter::new();
        payload.text("nodeId", node).text("instanceId", &span.id).raw("error", &error_json(error));
        writer.raw(ts, "node.error", &payload.finish(), out);
    }
    let status = match (&span.error, span.aborted) {
        (_, true) => "aborted",
        (Some(_), false) => "error",
        (None, false) => "ok",
    };
    let mut payload = ObjectWriter::new();
    payload.text("nodeId", node).text("instanceId", &span.id);
    payload.raw("output", span.output.as_deref().unwrap_or("null"));
    if let Some(usage) = span.usage.as_ref().filter(|usage| !usage.is_empty()) {
        payload.raw(if repeat { "usageRepeated" } else { "usage" }, &usage.to_json());
    }
    payload.number("durationMs", ts - span.start_ms.unwrap_or(ts)).text("status", status);
    if let Some(first) = span.first_token_ms {
        payload.number("firstTokenMs", first);
    }
    writer.raw(ts, "node.finished", &payload.finish(), out);
}

/// A run ends where its roots have; it failed where one of them did.
fn finished(spans: &[Span], tree: &Tree, writer: &mut RunWriter, out: &mut Out<'_>) {
    let roots =
        || spans.iter().enumerate().filter(|(at, _)| tree.placed[*at].parent.is_none()).map(|(_, span)| span);
    if spans.is_empty() || roots().any(|root| root.end_ms.is_none()) {
        out.report.note("the run has no end: what is open in it is shown as abandoned");
        return;
    }
    let end = spans.iter().filter_map(|span| span.end_ms).fold(f64::NEG_INFINITY, f64::max);
    let mut payload = ObjectWriter::new();
    match roots().find_map(|root| root.error.as_ref()) {
        Some(error) => payload.text("status", "error").raw("error", &error_json(error)),
        None if roots().any(|root| root.aborted) => payload.text("status", "aborted"),
        None => payload.text("status", "ok"),
    };
    writer.raw(end, "run.finished", &payload.finish(), out);
}
