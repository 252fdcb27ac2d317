//! Runs on their way out: the forms a run can be kept in, what was asked, and what came of it.

use std::sync::Arc;

/// A form a run can be written in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// One page with the viewer inside.
    #[default]
    Page,
    /// The recording itself.
    Recording,
    /// The recording, compressed.
    Compressed,
    /// Spans for other tools.
    Spans,
    /// Sync-safe KXM records.
    Records,
}

impl Form {
    /// All of them, the one that most people want first.
    pub const ALL: [Self; 5] = [Self::Page, Self::Recording, Self::Compressed, Self::Spans, Self::Records];

    /// What the server calls it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Page => "html",
            Self::Recording => "ndjson",
            Self::Compressed => "zst",
            Self::Spans => "otlp",
            Self::Records => "kxm",
        }
    }

    /// What people call it.
    pub fn title(self) -> &'static str {
        match self {
            Self::Page => "Page",
            Self::Recording => "Recording",
            Self::Compressed => "Compressed recording",
            Self::Spans => "OpenTelemetry",
            Self::Records => "KXM records",
        }
    }

    /// What it is good for.
    pub fn about(self) -> &'static str {
        match self {
            Self::Page => "One .html file with the viewer inside: any browser shows it, without a network",
            Self::Recording => "Every event, one a line (.ndjson); opens here again",
            Self::Compressed => "The same, much smaller (.ndjson.zst)",
            Self::Spans => "Spans as OTLP JSON (.otlp.json), for other tools",
            Self::Records => "Sync-safe records (.kxm.ndjson): no values, names of people or paths",
        }
    }

    /// Whether secrets can be left in it.
    pub fn may_keep_secrets(self) -> bool {
        self != Self::Records
    }
}

/// What was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Export {
    /// Key of the run.
    pub run: Arc<str>,
    /// As what.
    pub form: Form,
    /// Replace keys, tokens and passwords.
    pub redact: bool,
}

impl Export {
    /// The most useful export of a run, which is safe too.
    pub fn of(run: &str) -> Self {
        Self { run: run.into(), form: Form::default(), redact: true }
    }

    /// Where the server gives it out.
    pub fn path(&self, encode: impl Fn(&str) -> String) -> String {
        format!("/api/runs/{}/export?to={}&redact={}", encode(&self.run), self.form.word(), self.redact)
    }
}

/// What came of an export.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(default)]
pub struct Exported {
    /// Name of the file.
    pub name: String,
    /// Events in it.
    pub events: u64,
    /// Secrets replaced.
    pub replaced: u64,
    /// What the form could not hold.
    pub notes: Vec<String>,
}

impl Exported {
    /// In a sentence or two.
    pub fn words(&self, redacted: bool) -> String {
        use super::format::{count, plural};
        let secrets = match (redacted, self.replaced) {
            (false, _) => "secrets were left in".to_owned(),
            (true, 0) => "no secret was found in it".to_owned(),
            (true, n) => format!("{} replaced", plural(n, "secret")),
        };
        let notes = self.notes.iter().take(3).map(|note| format!("\n{note}"));
        let more = self.notes.len().saturating_sub(3) as u64;
        let more = if more > 0 { format!("\n{} more notes", count(more)) } else { String::new() };
        format!("{}, {secrets}.{}{more}", plural(self.events, "event"), notes.collect::<String>())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_came_of_an_export_is_said_with_what_was_replaced() {
        let done = |replaced, notes: &[&str]| Exported {
            events: 12_345,
            replaced,
            notes: notes.iter().map(|note| (*note).to_owned()).collect(),
            ..Exported::default()
        };
        for (done, redacted, words) in [
            (done(3, &[]), true, "12,345 events, 3 secrets replaced."),
            (done(0, &[]), true, "12,345 events, no secret was found in it."),
            (done(0, &[]), false, "12,345 events, secrets were left in."),
            (done(1, &["2 x left out"]), true, "12,345 events, 1 secret replaced.\n2 x left out"),
            (
                done(1, &["a", "b", "c", "d", "e"]),
                true,
                "12,345 events, 1 secret replaced.\na\nb\nc\n2 more notes",
            ),
        ] {
            assert_eq!(done.words(redacted), words);
        }
    }

    #[test]
    fn an_export_is_asked_for_by_run_form_and_redaction() {
        let ask = Export { form: Form::Spans, redact: false, ..Export::of("r 1") };
        let path = ask.path(|text| text.replace(' ', "%20"));
        assert_eq!(path, "/api/runs/r%201/export?to=otlp&redact=false");
    }
}
