//! The seam between the importer and a format.
//!
//! An adapter is given one top-level value at a time and hands out envelopes. Invariant: ids and times come from the
//! input alone; what an adapter cannot use it names; one adapter knows nothing of another.

use std::ops::ControlFlow;

use wire::Raw;

use crate::read::has_break;
use crate::report::Report;

/// One top-level value of the input.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Item<'a> {
    /// Name of the text it stands in; it joins files, it never decides a format.
    pub file: &'a str,
    /// Line on which it begins, from 1.
    pub line: u64,
    /// The value.
    pub raw: Raw<'a>,
}

/// Reads one format.
pub(crate) trait Adapter {
    /// Takes one value; `Err` is the reason why it could not be used, for the report.
    fn take(&mut self, item: Item<'_>, out: &mut Out<'_>) -> Result<(), String>;

    /// All input has been given: whatever was gathered goes out now.
    fn finish(&mut self, out: &mut Out<'_>);
}

/// Where envelopes go.
pub(crate) struct Out<'s> {
    sink: &'s mut dyn FnMut(&str) -> ControlFlow<()>,
    /// What people are told.
    pub report: Report,
    cancelled: bool,
}

impl<'s> Out<'s> {
    pub(crate) fn new(sink: &'s mut dyn FnMut(&str) -> ControlFlow<()>) -> Self {
        Self { sink, report: Report::default(), cancelled: false }
    }

    /// Whether a person stopped the import; an adapter may then return at once.
    pub(crate) fn cancelled(&self) -> bool {
        self.cancelled
    }

    /// Hands out an envelope that already is one, on one line.
    pub(crate) fn envelope(&mut self, text: &str) {
        if !self.cancelled {
            self.report.events += 1;
            self.cancelled = (self.sink)(text).is_break();
        }
    }
}

/// Writes the envelopes of one run, numbered from 1 as they come.
pub(crate) struct RunWriter {
    run_id: String,
    seq: u64,
}

impl RunWriter {
    pub(crate) fn new(run_id: impl Into<String>) -> Self {
        Self { run_id: run_id.into(), seq: 0 }
    }

    /// Any message by its type and the text of its payload, an object.
    pub(crate) fn raw(&mut self, ts_ms: f64, kind: &str, payload: &str, out: &mut Out<'_>) {
        self.seq += 1;
        let mut text = String::with_capacity(payload.len() + 128);
        text.push_str("{\"gm\":1,\"seq\":");
        text.push_str(&self.seq.to_string());
        text.push_str(",\"ts\":");
        wire::json::write_number(ts_ms, &mut text);
        text.push_str(",\"runId\":");
        wire::json::write_string(&self.run_id, &mut text);
        text.push_str(",\"type\":");
        wire::json::write_string(kind, &mut text);
        text.push_str(",\"payload\":");
        text.push_str(payload);
        text.push('}');
        out.envelope(&text);
    }
}

/// Writes one JSON object member by member.
pub(crate) struct ObjectWriter {
    text: String,
}

impl ObjectWriter {
    pub(crate) fn new() -> Self {
        Self { text: "{".to_owned() }
    }

    /// A member whose value is JSON text already.
    pub(crate) fn raw(&mut self, name: &str, json: &str) -> &mut Self {
        if self.text.len() > 1 {
            self.text.push(',');
        }
        wire::json::write_string(name, &mut self.text);
        self.text.push(':');
        // Values may come from text printed over lines; a line break never stands inside a JSON string.
        if has_break(json) {
            self.text.extend(json.chars().map(|c| if matches!(c, '\n' | '\r') { ' ' } else { c }));
        } else {
            self.text.push_str(json);
        }
        self
    }

    pub(crate) fn text(&mut self, name: &str, value: &str) -> &mut Self {
        let mut json = String::with_capacity(value.len() + 2);
        wire::json::write_string(value, &mut json);
        self.raw(name, &json)
    }

    pub(crate) fn number(&mut self, name: &str, value: f64) -> &mut Self {
        let mut json = String::new();
        wire::json::write_number(value, &mut json);
        self.raw(name, &json)
    }

    pub(crate) fn finish(mut self) -> String {
        self.text.push('}');
        self.text
    }
}
