//! The steps of one trajectory as spans.

use std::collections::BTreeMap;

use wire::Raw;

use crate::attributes::{count, opened};
use crate::read::{either, list, text};
use crate::span::{Span, SpanUsage};
use crate::time::time_ms;

/// A result that names another trajectory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Reference {
    /// The span whose result it is.
    pub call: String,
    /// What it calls the other: ids first, then the file.
    pub names: Vec<String>,
}

/// Steps as they are read.
pub(super) struct Steps {
    root: String,
    model: Option<String>,
    pub spans: Vec<Span>,
    pub references: Vec<Reference>,
    /// Results without a call, and steps that only repeat.
    pub strays: u64,
    pub copied: u64,
    /// Whether any step has a time.
    pub clocked: bool,
    now: f64,
    first: Option<f64>,
    steps: usize,
}

impl Steps {
    pub(super) fn new(root: &str, model: Option<String>) -> Self {
        Self {
            root: root.to_owned(),
            model,
            spans: Vec::new(),
            references: Vec::new(),
            strays: 0,
            copied: 0,
            clocked: false,
            now: 0.0,
            first: None,
            steps: 0,
        }
    }

    /// First and last moment.
    pub(super) fn life(&self) -> (Option<f64>, Option<f64>) {
        (self.first, self.first.map(|_| self.now))
    }

    /// Input and output tokens of all steps.
    pub(super) fn tokens(&self) -> (u64, u64) {
        let sums = self.spans.iter().filter_map(|span| span.usage.as_ref()).map(SpanUsage::sum);
        sums.fold((0, 0), |all, one| (all.0.saturating_add(one.0), all.1.saturating_add(one.1)))
    }

    pub(super) fn step(&mut self, raw: Raw<'_>) {
        let before = self.now;
        let stamp = either(raw, &["timestamp"]).and_then(time_ms);
        if let (Some(stamp), false) = (stamp, self.clocked) {
            // What came before the first stamp happened then at the latest.
            self.clocked = true;
            self.spans.iter_mut().for_each(|span| (span.start_ms, span.end_ms) = (Some(stamp), Some(stamp)));
            self.first = self.first.map(|_| stamp);
        }
        self.now = match stamp {
            Some(stamp) if self.first.is_none() => stamp,
            Some(stamp) => stamp.max(before),
            None if self.clocked => before,
            None => before + 1.0,
        };
        let start = self.first.map_or(self.now, |_| before.max(self.first.unwrap_or(before)));
        self.first.get_or_insert(self.now);
        self.steps += 1;
        let number =
            either(raw, &["step_id"]).map_or_else(|| self.steps.to_string(), |id| id.get().replace('"', ""));
        let id = format!("{}/step-{number}", self.root);
        if text(raw, &["source"]).as_deref() == Some("agent") {
            self.agent(id, raw, start);
        } else {
            self.heard(id, raw);
        }
    }

    fn agent(&mut self, id: String, raw: Raw<'_>, start: f64) {
        let now = self.now;
        let copied = either(raw, &["is_copied_context"]).and_then(Raw::as_bool) == Some(true);
        self.copied += u64::from(copied);
        // A step that made no call of a model is bookkeeping of the agent.
        let silent = either(raw, &["llm_call_count"]).and_then(Raw::as_u64) == Some(0);
        let calls: Vec<Raw<'_>> = list(raw, &["tool_calls"]).into_iter().flat_map(Raw::items).collect();
        let place = self.spans.len();
        self.spans.push(Span {
            id: id.clone(),
            parent: Some(self.root.clone()),
            kind: if silent { "custom" } else { "llm" }.to_owned(),
            name: "assistant".to_owned(),
            start_ms: Some(start),
            end_ms: Some(now),
            output: either(raw, &["message"]).map(|message| message.get().to_owned()),
            reasoning: text(raw, &["reasoning_content"]),
            model: text(raw, &["model_name"]).or_else(|| self.model.clone()).filter(|_| !silent),
            usage: either(raw, &["metrics"]).filter(|_| !copied).and_then(usage),
            extra: kept(raw, &["extra", "reasoning_effort", "is_copied_context"]),
            ..Span::default()
        });
        for call in calls {
            let called =
                text(call, &["tool_call_id"]).unwrap_or_else(|| format!("call-{}", self.spans.len()));
            self.spans.push(Span {
                id: format!("{id}/{called}"),
                parent: Some(id.clone()),
                kind: "tool".to_owned(),
                name: text(call, &["function_name"]).unwrap_or_else(|| "tool".to_owned()),
                start_ms: Some(now),
                end_ms: Some(now),
                input: either(call, &["arguments"]).map(opened),
                ..Span::default()
            });
        }
        self.observed(raw, place);
    }

    /// A step of the person or the system: a moment with a text.
    fn heard(&mut self, id: String, raw: Raw<'_>) {
        let place = self.spans.len();
        self.spans.push(Span {
            id,
            parent: Some(self.root.clone()),
            kind: "prompt".to_owned(),
            name: text(raw, &["source"]).unwrap_or_else(|| "user".to_owned()),
            start_ms: Some(self.now),
            end_ms: Some(self.now),
            output: either(raw, &["message"]).map(|message| message.get().to_owned()),
            extra: kept(raw, &["extra"]),
            ..Span::default()
        });
        self.observed(raw, place);
    }

    /// Gives the results of a step, whose span stands at `place` with its calls after it, to whom they belong.
    fn observed(&mut self, raw: Raw<'_>, place: usize) {
        let results = either(raw, &["observation"]).and_then(|seen| list(seen, &["results"]));
        let step = self.spans[place].id.clone();
        let mut beside: BTreeMap<usize, Vec<&str>> = BTreeMap::new();
        for result in results.into_iter().flat_map(Raw::items) {
            let source = text(result, &["source_call_id"]);
            let named = source.as_ref().map(|call| format!("{step}/{call}"));
            let found = named.and_then(|id| self.spans[place..].iter().position(|span| span.id == id));
            self.strays += u64::from(source.is_some() && found.is_none());
            let at = place + found.unwrap_or(0);
            let content = either(result, &["content"]).map_or("null", Raw::get);
            let span = &mut self.spans[at];
            match found {
                Some(_) if span.output.is_none() => span.output = Some(content.to_owned()),
                _ => beside.entry(at).or_default().push(content),
            }
            let call = span.id.clone();
            for reference in list(result, &["subagent_trajectory_ref"]).into_iter().flat_map(Raw::items) {
                let path = text(reference, &["trajectory_path"]).map(|path| super::base(&path).to_owned());
                let ids = ["trajectory_id", "session_id"].iter().filter_map(|name| text(reference, &[name]));
                self.references.push(Reference { call: call.clone(), names: ids.chain(path).collect() });
            }
        }
        for (at, contents) in beside {
            self.spans[at].extra.push(("observations".to_owned(), format!("[{}]", contents.join(","))));
        }
    }
}

fn kept(raw: Raw<'_>, names: &[&str]) -> Vec<(String, String)> {
    names
        .iter()
        .filter_map(|name| Some(((*name).to_owned(), either(raw, &[name])?.get().to_owned())))
        .collect()
}

/// Prompt tokens include cached ones, completion tokens include reasoning: the format says so.
fn usage(raw: Raw<'_>) -> Option<SpanUsage> {
    let at = |name: &str| either(raw, &[name]).and_then(count);
    let extra = |name: &str| either(either(raw, &["extra"])?, &[name]).and_then(count);
    let usage = SpanUsage {
        input: at("prompt_tokens"),
        output: at("completion_tokens"),
        cache_read: at("cached_tokens"),
        cache_write: extra("cache_creation_input_tokens"),
        reasoning: extra("reasoning_tokens"),
        cost: either(raw, &["cost_usd"]).and_then(Raw::as_f64).map(|cost| (cost, "USD".to_owned())),
        inclusive: Some(true),
        output_inclusive: Some(true),
        own: true,
        source: Some("metrics".to_owned()),
        ..SpanUsage::default()
    };
    (!usage.is_empty()).then_some(usage)
}
