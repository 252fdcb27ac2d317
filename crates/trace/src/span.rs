//! Spans: what most trace formats are made of, in one shape, and the run that they make.
//!
//! An adapter fills [`Span`]s; [`Spans::finish`] decides parents, ghosts, logical nodes, order and numbers, the same
//! for every format. Invariants: no recursion over depth; the events of a run do not depend on the order in which
//! its spans stood in the file; a call's own usage is written once, a parent's repeat of its children's apart.

mod emit;
mod merge;
mod order;
mod usage;

use std::collections::BTreeMap;

pub(crate) use usage::SpanUsage;

use crate::adapter::Out;

/// One execution of something.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Span {
    /// Its id, unique in its run.
    pub id: String,
    /// Id of the span it ran in.
    pub parent: Option<String>,
    /// Kind of its node: one of the contract's, or the format's own word.
    pub kind: String,
    /// Name of its node, without what differs from call to call.
    pub name: String,
    /// Id of its node, where the format has nodes of its own.
    pub node: Option<String>,
    /// Start, in milliseconds since 1970 or on an ordinal axis; unknown is at its parent's start.
    pub start_ms: Option<f64>,
    /// End; unknown is unfinished.
    pub end_ms: Option<f64>,
    /// Input, as JSON text.
    pub input: Option<String>,
    /// Output, as JSON text.
    pub output: Option<String>,
    /// How it failed.
    pub error: Option<SpanError>,
    /// Stopped by someone.
    pub aborted: bool,
    /// The model that answered.
    pub model: Option<String>,
    /// Tokens of this call.
    pub usage: Option<SpanUsage>,
    /// Streamed text, as far as the format has it apart from the output.
    pub reasoning: Option<String>,
    /// When the first token came.
    pub first_token_ms: Option<f64>,
    /// Spans it is linked to without having run in them.
    pub links: Vec<String>,
    /// Members that the viewer shows as they are: name and JSON text.
    pub extra: Vec<(String, String)>,
    /// Plumbing, opened folded.
    pub noise: bool,
}

/// An error of a span.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct SpanError {
    pub name: String,
    pub message: String,
    pub stack: Option<String>,
}

/// What is known of a run besides its spans.
#[derive(Debug, Clone, Default)]
pub(crate) struct RunFacts {
    /// Name of the program.
    pub app: Option<String>,
    /// The library that wrote the trace.
    pub sdk: Option<(String, String)>,
    /// Members of `meta`: name and JSON text.
    pub meta: Vec<(String, String)>,
    /// The format has no clock: times are ordinals.
    pub ordinal: bool,
}

/// The spans of any number of runs.
#[derive(Debug, Default)]
pub(crate) struct Spans {
    runs: BTreeMap<String, RunSpans>,
    /// Runs in the order they were first seen.
    order: Vec<String>,
}

#[derive(Debug, Default)]
pub(crate) struct RunSpans {
    pub facts: RunFacts,
    pub spans: Vec<Span>,
}

impl Spans {
    /// The run called `id`, made at first sight.
    pub(crate) fn run(&mut self, id: &str) -> &mut RunSpans {
        if !self.runs.contains_key(id) {
            self.order.push(id.to_owned());
        }
        self.runs.entry(id.to_owned()).or_default()
    }

    /// Whether the run called `id` has been seen.
    pub(crate) fn has(&self, id: &str) -> bool {
        self.runs.contains_key(id)
    }

    /// Writes every run and forgets it.
    pub(crate) fn finish(&mut self, format: &str, out: &mut Out<'_>) {
        for id in std::mem::take(&mut self.order) {
            if let Some(run) = self.runs.remove(&id) {
                emit::run(&id, format, run, out);
            }
        }
    }
}
