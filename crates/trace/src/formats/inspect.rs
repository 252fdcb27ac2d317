//! Inspect evaluation logs: one JSON document, or the members of an `.eval` archive one by one.
//!
//! Ids are unique only within a sample, so each epoch of a sample is a run of its own. Old logs nest events inside
//! tools and bracket them with steps, newer ones have spans: both give one tree. Long texts stand apart as
//! attachments, repeated messages in a pool; they are put back as far as that does not blow the sample up.

mod events;
mod expand;
mod messages;

use wire::{JsonKind, Raw};

use crate::adapter::{Adapter, Item, Out};
use crate::attributes::{count, quoted};
use crate::detect::{Format, Look};
use crate::read::{either, list, text};
use crate::report::Report;
use crate::span::{Span, SpanError, SpanUsage, Spans};
use events::Transcript;
use expand::Expand;

pub(crate) const FORMATS: &[Format] = &[Format {
    name: "Inspect log",
    recognises: |look| is_log(look) || is_sample(look) || is_summary(look) || is_reduction(look),
    adapter: || Box::new(Inspect::default()),
}];

fn is_log(look: &Look<'_>) -> bool {
    look.has(&["version", "eval"])
        && (look.has(&["plan"]) || look.has(&["samples"]) || look.has(&["stats"]) || look.has(&["status"]))
}

fn is_sample(look: &Look<'_>) -> bool {
    look.has(&["id", "epoch", "input"])
        && (look.has(&["messages"]) || look.has(&["events"]) || look.has(&["transcript"]))
}

/// The archive's list of samples, which repeats them in short.
fn is_summary(look: &Look<'_>) -> bool {
    look.has(&["id", "epoch", "target"]) && look.has(&["input"])
}

fn is_reduction(look: &Look<'_>) -> bool {
    look.has(&["scorer", "samples"])
        && look.first("samples").is_none_or(|sample| sample.has(&["value"]) || sample.has(&["sample_id"]))
}

#[derive(Default)]
struct Inspect {
    /// The log that samples belong to: the last whose header was read.
    log: Log,
    /// Tokens that the samples and the log itself report: input, output.
    counted: (u64, u64),
    stated: Option<(u64, u64)>,
    samples: u64,
    spans: Spans,
}

/// What a header says.
#[derive(Clone, Default)]
struct Log {
    id: Option<String>,
    task: String,
    header: String,
}

impl Adapter for Inspect {
    fn take(&mut self, item: Item<'_>, out: &mut Out<'_>) -> Result<(), String> {
        if item.raw.kind() != JsonKind::Object {
            return Err("not an object".to_owned());
        }
        let look = Look::new(item.raw);
        if is_log(&look) {
            self.header(&look);
            for sample in look.get("samples").into_iter().flat_map(Raw::items) {
                self.sample(&Look::new(sample), item.line, out);
            }
            out.report.used();
        } else if is_sample(&look) {
            self.sample(&look, item.line, out);
        } else {
            // Summaries and reductions repeat what samples say.
            out.report.used();
        }
        Ok(())
    }

    fn finish(&mut self, out: &mut Out<'_>) {
        if self.samples == 0 {
            out.report.note("the log has a header and no samples: there is nothing to draw");
        } else if let Some(stated) = self.stated.filter(|stated| *stated != self.counted) {
            let (counted, report) = (self.counted, &mut out.report);
            report.note(format!(
                "the log states {} input and {} output tokens; its model events have {} and {}",
                stated.0, stated.1, counted.0, counted.1
            ));
        }
        self.spans.finish("Inspect", out);
    }
}

impl Inspect {
    fn header(&mut self, look: &Look<'_>) {
        let Some(eval) = look.get("eval") else { return };
        let id = text(eval, &["eval_id"])
            .or_else(|| Some(format!("{}/{}", text(eval, &["run_id"])?, text(eval, &["task"])?)));
        let usage = look.get("stats").and_then(|stats| either(stats, &["model_usage"]));
        if let Some(usage) = usage.filter(|usage| usage.members().next().is_some()) {
            let at = |name: &str| {
                usage.members().filter_map(|(_, usage)| either(usage, &[name]).and_then(count)).sum::<u64>()
            };
            let known = self.stated.filter(|_| self.log.id != id).unwrap_or_default();
            self.stated = Some((known.0 + at("input_tokens"), known.1 + at("output_tokens")));
        }
        self.log = Log { id, task: text(eval, &["task"]).unwrap_or_default(), header: eval.get().to_owned() };
    }

    fn sample(&mut self, look: &Look<'_>, line: u64, out: &mut Out<'_>) {
        let Some(id) = look.get("id") else { return out.report.skip(line, "a sample without an id") };
        let id = id.as_str().map_or_else(|| id.get().to_owned(), |text| text.into_owned());
        let epoch = look.get("epoch").map_or("1", Raw::get);
        let prefix = self.log.id.clone().or_else(|| look.text("uuid")).unwrap_or_else(|| "sample".to_owned());
        let run_id = format!("{prefix}/{id}/{epoch}");
        if self.spans.has(&run_id) {
            out.report.note("a sample stands twice: read once");
            out.report.used();
            return;
        }
        let mut expand = Expand::new(look);
        let old = look.get("transcript").and_then(|transcript| either(transcript, &["events"]));
        let mut transcript = Transcript::new(&run_id);
        for event in look.get("events").or(old).into_iter().flat_map(Raw::items) {
            transcript.event(event, &mut expand);
        }
        let told = transcript.is_empty() && messages::read(look, &mut transcript, &mut expand);
        transcript.report(&mut out.report);
        expand.report(&mut out.report);
        let mut root = root(&run_id, &self.log.task, look, &transcript, &mut expand);
        root.extra.extend(transcript.moments_of(&run_id).map(|moments| ("events".to_owned(), moments)));
        let own = root.usage.as_ref().map_or((0, 0), SpanUsage::sum);
        let (input, output) = transcript.tokens();
        self.counted = (self.counted.0 + input + own.0, self.counted.1 + output + own.1);
        self.samples += 1;
        let run = self.spans.run(&run_id);
        run.facts.app =
            Some(if self.log.task.is_empty() { "Inspect".to_owned() } else { self.log.task.clone() });
        run.facts.ordinal = told;
        run.facts.meta.push(("sample".to_owned(), quoted(&id)));
        run.facts.meta.push(("epoch".to_owned(), epoch.to_owned()));
        if !self.log.header.is_empty() {
            run.facts.meta.push(("eval".to_owned(), self.log.header.clone()));
        }
        run.spans.extend(transcript.finish());
        run.spans.push(root);
        out.report.used();
    }
}

/// The sample as the span that all others stand in.
fn root(id: &str, task: &str, look: &Look<'_>, transcript: &Transcript, expand: &mut Expand<'_>) -> Span {
    let error = look.get("error").filter(|error| error.kind() == JsonKind::Object);
    let (start_ms, end_ms) = transcript.life();
    let output = look
        .get("output")
        .and_then(|output| either(output, &["completion"]).or_else(|| either(output, &["choices"])));
    let kept =
        ["target", "scores", "metadata", "store", "limit", "total_time", "working_time", "error_retries"];
    Span {
        id: id.to_owned(),
        kind: "chain".to_owned(),
        name: if task.is_empty() { "sample".to_owned() } else { task.to_owned() },
        start_ms,
        end_ms,
        input: look.get("input").map(|input| expand.value(input)),
        output: output.map(|output| expand.value(output)),
        error: error.map(|error| SpanError {
            name: "SampleError".to_owned(),
            message: text(error, &["message"]).unwrap_or_default(),
            stack: text(error, &["traceback"]),
        }),
        // Where no event has them, the figures stand only here.
        usage: look
            .get("output")
            .filter(|_| transcript.tokens() == (0, 0))
            .and_then(|output| either(output, &["usage"]))
            .and_then(usage),
        extra: kept
            .iter()
            .filter_map(|name| Some(((*name).to_owned(), look.get(name)?.get().to_owned())))
            .collect(),
        ..Span::default()
    }
}

/// Whether input includes the cache differs between providers: the total decides.
fn usage(raw: Raw<'_>) -> Option<SpanUsage> {
    let at = |name: &str| either(raw, &[name]).and_then(count);
    let usage = SpanUsage {
        input: at("input_tokens"),
        output: at("output_tokens"),
        total: at("total_tokens"),
        cache_read: at("input_tokens_cache_read"),
        cache_write: at("input_tokens_cache_write"),
        reasoning: at("reasoning_tokens"),
        cost: either(raw, &["total_cost"]).and_then(Raw::as_f64).map(|cost| (cost, "USD".to_owned())),
        own: true,
        source: Some("output.usage".to_owned()),
        ..SpanUsage::default()
    };
    (!usage.is_empty()).then_some(usage)
}

/// The list of a member, also where it is missing.
fn items<'a>(raw: Raw<'a>, name: &str) -> impl Iterator<Item = Raw<'a>> {
    list(raw, &[name]).into_iter().flat_map(Raw::items)
}

/// Says once what was left out.
fn note_if(report: &mut Report, text: &str, times: u64) {
    report.note_times(text, times);
}
