//! Which format a file is in, decided by the structure of its first values, never by its name.
//!
//! The table is ordered: the first format that recognises a value wins. What is recognised but is no trace is named
//! as what it is. Invariant: looking costs one pass over the value, whatever it holds.

use wire::{JsonKind, Raw};

use crate::adapter::Adapter;
use crate::formats;

/// A value seen from outside: its kind and the members of an object, or of a list's first object.
pub(crate) struct Look<'a> {
    /// The value.
    pub raw: Raw<'a>,
    names: Vec<(String, Raw<'a>)>,
}

impl<'a> Look<'a> {
    pub(crate) fn new(raw: Raw<'a>) -> Self {
        let names = raw.members().map(|(key, value)| (key.name().into_owned(), value)).collect();
        Self { raw, names }
    }

    /// The value of a member.
    pub(crate) fn get(&self, name: &str) -> Option<Raw<'a>> {
        self.names.iter().rev().find(|(known, _)| known == name).map(|(_, value)| *value)
    }

    /// Whether it has all of these members.
    pub(crate) fn has(&self, names: &[&str]) -> bool {
        names.iter().all(|name| self.get(name).is_some())
    }

    /// The text of a member.
    pub(crate) fn text(&self, name: &str) -> Option<String> {
        self.get(name)?.as_str().map(|text| text.into_owned())
    }

    /// The kind of a member's value.
    pub(crate) fn kind(&self, name: &str) -> Option<JsonKind> {
        self.get(name).map(Raw::kind)
    }

    /// The first item of a list member.
    pub(crate) fn first(&self, name: &str) -> Option<Look<'a>> {
        self.get(name)?.items().next().map(Look::new)
    }
}

/// A format of the table.
pub(crate) struct Format {
    /// What people call it.
    pub name: &'static str,
    /// Whether a value is of this format.
    pub recognises: fn(&Look<'_>) -> bool,
    /// A fresh adapter.
    pub adapter: fn() -> Box<dyn Adapter>,
}

/// Something that is known and is no trace.
struct Known {
    what: &'static str,
    advice: &'static str,
    recognises: fn(&Look<'_>) -> bool,
}

/// What a look at a value says.
pub(crate) enum Verdict {
    /// A trace.
    Format(&'static Format),
    /// Something else: what it is, and what to do.
    NoTrace(&'static str, &'static str),
    /// Nothing that is known.
    Unknown,
}

const KNOWN: &[Known] = &[
    Known {
        what: "OpenTelemetry logs",
        advice: "export the traces of the same program",
        recognises: |look| look.has(&["resourceLogs"]) || look.has(&["resource_logs"]),
    },
    Known {
        what: "OpenTelemetry metrics",
        advice: "export the traces of the same program",
        recognises: |look| look.has(&["resourceMetrics"]) || look.has(&["resource_metrics"]),
    },
    Known {
        what: "an OpenTelemetry log record",
        advice: "export the traces of the same program",
        recognises: |look| {
            look.has(&["body", "severity_text"])
                || look.has(&["body", "severityText"])
                || look.has(&["body", "severity_number"])
        },
    },
    Known {
        what: "a list of chat messages",
        advice: "export the run that they belong to, which knows calls and times",
        recognises: |look| look.has(&["role", "content"]),
    },
    Known {
        what: "a serialised LangChain message",
        advice: "export the run that it belongs to",
        recognises: |look| look.has(&["lc", "type", "id"]) || look.has(&["__type"]),
    },
];

/// What the value is.
pub(crate) fn detect(raw: Raw<'_>) -> Verdict {
    let look = Look::new(raw);
    if let Some(format) =
        formats::ALL.iter().flat_map(|group| group.iter()).find(|format| (format.recognises)(&look))
    {
        return Verdict::Format(format);
    }
    match KNOWN.iter().find(|known| (known.recognises)(&look)) {
        Some(known) => Verdict::NoTrace(known.what, known.advice),
        None => Verdict::Unknown,
    }
}
