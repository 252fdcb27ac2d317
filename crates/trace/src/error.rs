//! Why a whole file could not be opened.
//!
//! Invariant: the sentence names what was seen and what is accepted. A record that fails is no failure of the
//! file: it stands in the report.

use std::fmt;
use std::io;

use crate::report::Report;

/// What is accepted, for messages.
pub(crate) const ACCEPTED: &str = "accepted are recordings of agents as JSON or JSON lines (GraphMind, OpenTelemetry, \
    Phoenix, Jaeger, Zipkin, Langfuse, LangSmith, LangGraph, coding-agent transcripts, KXM and others), also \
    compressed with gzip, zstd or zip";

/// A file that gave nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// One or two sentences for people.
    pub message: String,
    /// What was read before it failed, where something was.
    pub report: Option<Box<Report>>,
    /// Whether a person stopped it.
    pub cancelled: bool,
    /// Whether it was refused for what it would cost, as a decompression bomb is.
    pub refused: bool,
}

impl Failure {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), report: None, cancelled: false, refused: false }
    }

    /// A file recognised as something else.
    pub(crate) fn named(name: &str, what: &str, advice: &str) -> Self {
        Self::new(format!("{name} is {what}, not a trace: {advice}; {ACCEPTED}."))
    }

    pub(crate) fn read(name: &str, error: &io::Error) -> Self {
        let message = format!("{name} cannot be read: {error}.");
        if error.kind() == crate::container::REFUSED { Self::refused(message) } else { Self::new(message) }
    }

    /// What would cost more than it is worth.
    pub(crate) fn refused(message: impl Into<String>) -> Self {
        Self { refused: true, ..Self::new(message) }
    }

    pub(crate) fn cancelled() -> Self {
        Self { cancelled: true, ..Self::new("Cancelled.") }
    }

    pub(crate) fn with(self, report: Report) -> Self {
        Self { report: Some(Box::new(report)), ..self }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Failure {}
