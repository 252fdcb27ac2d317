//! SWE-agent trajectories: thought, action and observation of each step, and what the whole run cost.
//!
//! There is no clock: steps are numbered, and the time a command took stands beside it. The tokens are known for the
//! whole run only. Files with one environment are told apart by what is in them.

use wire::Raw;

use crate::adapter::{Adapter, Item, Out};
use crate::attributes::{count, opened, quoted};
use crate::detect::Format;
use crate::read::{either, list, text};
use crate::span::{Span, SpanError, SpanUsage, Spans};

pub(crate) const FORMATS: &[Format] = &[Format {
    name: "SWE-agent trajectory",
    recognises: |look| look.has(&["trajectory", "history"]) || look.has(&["trajectory", "info"]),
    adapter: || Box::new(SweAgent(Spans::default())),
}];

struct SweAgent(Spans);

impl Adapter for SweAgent {
    fn take(&mut self, item: Item<'_>, out: &mut Out<'_>) -> Result<(), String> {
        let steps = list(item.raw, &["trajectory"]).ok_or("no list of steps")?;
        let info = either(item.raw, &["info"]);
        let environment = text(item.raw, &["environment"]).unwrap_or_else(|| "swe-agent".to_owned());
        let run_id = format!("{environment}-{:08x}", fnv(item.raw.get()) & 0xffff_ffff);
        if self.0.has(&run_id) {
            out.report.note("a file stands twice: read once");
            out.report.used();
            return Ok(());
        }
        let run = self.0.run(&run_id);
        run.facts.app = Some(environment);
        run.facts.ordinal = true;
        let mut now = 0.0;
        for (number, step) in steps.items().enumerate() {
            run.spans.extend(read_step(&run_id, number + 1, step, &mut now));
            out.report.used();
        }
        run.spans.push(root(&run_id, info, now + 1.0));
        if item.raw.member("history").is_some() {
            out.report.note("the history repeats the steps and is not shown");
        }
        Ok(())
    }

    fn finish(&mut self, out: &mut Out<'_>) {
        self.0.finish("SWE-agent", out);
    }
}

/// FNV-1a: the same file gives the same id on every machine and in every version.
fn fnv(text: &str) -> u64 {
    text.bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}

fn root(id: &str, info: Option<Raw<'_>>, end: f64) -> Span {
    let status = info.and_then(|info| text(info, &["exit_status"]));
    let failed = status.as_ref().filter(|status| !status.starts_with("submitted"));
    Span {
        id: id.to_owned(),
        kind: "agent".to_owned(),
        name: "SWE-agent".to_owned(),
        start_ms: Some(0.0),
        // Without a word on how it ended it was cut off.
        end_ms: status.is_some().then_some(end),
        output: info.and_then(|info| either(info, &["submission"])).map(|text| text.get().to_owned()),
        error: failed.map(|status| SpanError { name: status.clone(), message: status.clone(), stack: None }),
        usage: info.and_then(|info| either(info, &["model_stats"])).and_then(usage),
        extra: info.map(|info| ("info".to_owned(), info.get().to_owned())).into_iter().collect(),
        ..Span::default()
    }
}

fn read_step(run: &str, number: usize, raw: Raw<'_>, now: &mut f64) -> Vec<Span> {
    let mut tick = || {
        *now += 1.0;
        Some(*now)
    };
    let id = format!("{run}/step-{number}");
    let thought = text(raw, &["thought"]);
    let call = Span {
        id: id.clone(),
        parent: Some(run.to_owned()),
        kind: "llm".to_owned(),
        name: "assistant".to_owned(),
        start_ms: tick(),
        end_ms: tick(),
        input: either(raw, &["query", "messages"]).map(|query| query.get().to_owned()),
        output: either(raw, &["response"]).map(opened),
        reasoning: thought
            .filter(|thought| text(raw, &["response"]).is_none_or(|said| !said.contains(thought.trim()))),
        extra: either(raw, &["state"]).map(|state| ("state".to_owned(), opened(state))).into_iter().collect(),
        ..Span::default()
    };
    let Some(action) = text(raw, &["action"]) else { return vec![call] };
    let seconds = either(raw, &["execution_time"]).and_then(Raw::as_f64);
    let tool = Span {
        id: format!("{id}/action"),
        parent: Some(id),
        kind: "tool".to_owned(),
        name: action.split_whitespace().next().unwrap_or("action").to_owned(),
        start_ms: tick(),
        end_ms: tick(),
        input: Some(quoted(&action)),
        output: either(raw, &["observation"]).map(|seen| seen.get().to_owned()),
        extra: seconds
            .map(|seconds| ("executionTimeMs".to_owned(), (seconds * 1e3).to_string()))
            .into_iter()
            .collect(),
        ..Span::default()
    };
    vec![call, tool]
}

fn usage(raw: Raw<'_>) -> Option<SpanUsage> {
    let at = |name: &str| either(raw, &[name]).and_then(count);
    let cost = either(raw, &["instance_cost", "total_cost"]).and_then(Raw::as_f64).filter(|cost| *cost > 0.0);
    let usage = SpanUsage {
        input: at("tokens_sent"),
        output: at("tokens_received"),
        cost: cost.map(|amount| (amount, "USD".to_owned())),
        inclusive: Some(true),
        own: true,
        source: Some("info.model_stats".to_owned()),
        ..SpanUsage::default()
    };
    (!usage.is_empty()).then_some(usage)
}
