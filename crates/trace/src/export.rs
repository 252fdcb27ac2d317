//! Runs on their way out: as a recording, as a page, for OpenTelemetry, as sync-safe KXM records.
//!
//! An export reads envelopes and writes a stream of bytes; it keeps what is open of a run, never the run, unless it must
//! look for secrets that lie across several deltas. Ids and times come from the run alone, so exporting twice gives the
//! same bytes. Nothing is left out in silence: [`Exported`] counts what was replaced and says what was omitted.
//!
//! ```
//! let line = r#"{"gm":1,"seq":1,"ts":0,"runId":"r1","type":"note","payload":{"api_key":"abc"}}"#;
//! let (mut lines, mut out) = (vec![line.to_owned()], Vec::new());
//! let done = trace::export::export(&mut lines, &trace::export::Options::new(trace::export::To::Ndjson), &mut out).unwrap();
//! assert_eq!(done.replaced, 1);
//! assert!(String::from_utf8(out).unwrap().contains(r#"{"api_key":"__REDACTED__"}"#));
//! ```

mod compress;
mod ids;
mod kxm_records;
mod open;
mod otlp;
mod page;
mod redact;
mod story;

use std::io::{self, Write};

pub use page::Page;
pub(crate) use page::recording_of;
pub use redact::Redactor;

/// What a run is written as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum To {
    /// Envelopes, one a line, exactly as they were received.
    Ndjson,
    /// The same, compressed with zstd.
    Zstd,
    /// One page with the viewer and the recording inside.
    Html,
    /// Spans, as OTLP JSON.
    Otlp,
    /// Sync-safe KXM records, which hold no bodies, names of people or paths at all.
    Kxm,
}

impl To {
    /// Every form, with the word for it.
    pub const ALL: &'static [(&'static str, Self)] = &[
        ("ndjson", Self::Ndjson),
        ("zst", Self::Zstd),
        ("html", Self::Html),
        ("otlp", Self::Otlp),
        ("kxm", Self::Kxm),
    ];

    /// The form that a word means.
    #[must_use]
    pub fn of_word(word: &str) -> Option<Self> {
        Self::ALL.iter().find(|(known, _)| *known == word).map(|(_, to)| *to)
    }

    /// What stands behind the name of a file in this form; [`To::of_name`] reads it.
    #[must_use]
    pub fn ending(self) -> &'static str {
        match self {
            Self::Ndjson => "ndjson",
            Self::Zstd => "ndjson.zst",
            Self::Html => "html",
            Self::Otlp => "otlp.json",
            Self::Kxm => "kxm.ndjson",
        }
    }

    /// The MIME type of this form.
    #[must_use]
    pub fn mime(self) -> &'static str {
        match self {
            Self::Ndjson | Self::Kxm => "application/x-ndjson",
            Self::Zstd => "application/zstd",
            Self::Html => "text/html; charset=utf-8",
            Self::Otlp => "application/json",
        }
    }

    /// The form that a file name's ending means.
    #[must_use]
    pub fn of_name(name: &str) -> Option<Self> {
        let name = name.to_ascii_lowercase();
        let ends = |endings: &[&str]| endings.iter().any(|ending| name.ends_with(ending));
        match () {
            () if ends(&[".zst", ".zstd"]) => Some(Self::Zstd),
            () if ends(&[".html", ".htm"]) => Some(Self::Html),
            () if ends(&[".otlp.json", ".otlp.jsonl", ".otlp"]) => Some(Self::Otlp),
            () if ends(&[".kxm.ndjson", ".kxm.jsonl", ".kxm"]) => Some(Self::Kxm),
            () if ends(&[".ndjson", ".jsonl"]) => Some(Self::Ndjson),
            () => None,
        }
    }
}

/// Envelopes that can be read more than once.
pub trait Recording {
    /// Hands every envelope to `each`, in the order in which they arrived.
    ///
    /// # Errors
    /// Those of reading, and the first that `each` returns.
    fn read(&mut self, each: &mut dyn FnMut(&str) -> io::Result<()>) -> io::Result<()>;
}

/// Anything that can be asked again and again.
impl<F> Recording for F
where
    F: FnMut(&mut dyn FnMut(&str) -> io::Result<()>) -> io::Result<()>,
{
    fn read(&mut self, each: &mut dyn FnMut(&str) -> io::Result<()>) -> io::Result<()> {
        self(each)
    }
}

impl<T: AsRef<str>> Recording for Vec<T> {
    fn read(&mut self, each: &mut dyn FnMut(&str) -> io::Result<()>) -> io::Result<()> {
        self.iter().try_for_each(|envelope| each(envelope.as_ref()))
    }
}

/// How to export.
#[derive(Debug, Clone)]
pub struct Options<'a> {
    /// As what.
    pub to: To,
    /// Whether secrets are replaced; sync-safe records never hold any.
    pub redact: bool,
    /// The viewer, which a page needs.
    pub page: Option<Page<'a>>,
}

impl Options<'_> {
    /// With secrets replaced.
    #[must_use]
    pub fn new(to: To) -> Self {
        Self { to, redact: true, page: None }
    }
}

/// What an export did.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Exported {
    /// Envelopes read.
    pub events: u64,
    /// Secrets replaced.
    pub replaced: u64,
    /// What people should know: what the form cannot hold, with counts.
    pub notes: Vec<String>,
}

/// Writes a recording in the form that `options` name.
///
/// # Errors
/// Those of reading and writing, and a page that was not built.
pub fn export(
    recording: &mut dyn Recording,
    options: &Options<'_>,
    out: &mut (dyn Write + Send),
) -> io::Result<Exported> {
    // A sync-safe record is made of figures and names; it has a redaction of its own.
    let redact = options.redact && options.to != To::Kxm;
    let mut redactor = Redactor::default();
    if redact {
        recording.read(&mut |envelope| {
            redactor.look(envelope);
            Ok(())
        })?;
        redactor.looked();
    }
    let mut source = Source { recording, redactor: redact.then_some(redactor), events: 0, replaced: 0 };
    let notes = match options.to {
        To::Ndjson => source.lines(out),
        To::Zstd => compress::zstd(out, |out| source.lines(out)),
        To::Html => page::write(options.page.as_ref(), &mut source, out),
        To::Otlp => otlp::write(&mut source, out),
        To::Kxm => kxm_records::write(&mut source, out),
    }?;
    out.flush()?;
    let replaced = source.redactor.map_or(source.replaced, |redactor| redactor.replaced());
    Ok(Exported { events: source.events, replaced, notes })
}

/// A recording as the writers see it: without secrets, counted.
struct Source<'r> {
    recording: &'r mut dyn Recording,
    redactor: Option<Redactor>,
    events: u64,
    /// Values that a writer replaced itself.
    replaced: u64,
}

impl Source<'_> {
    /// Hands out each envelope, and how many values were replaced so far.
    fn each(&mut self, each: &mut dyn FnMut(&str, u64) -> io::Result<()>) -> io::Result<()> {
        let Self { recording, redactor, events, .. } = self;
        recording.read(&mut |envelope| {
            *events += 1;
            match redactor {
                Some(redactor) => {
                    let clean = redactor.clean(envelope);
                    each(&clean, redactor.replaced())
                }
                None => each(envelope, 0),
            }
        })
    }

    /// One envelope a line.
    fn lines(&mut self, out: &mut dyn Write) -> io::Result<Vec<String>> {
        self.each(&mut |envelope, _| {
            out.write_all(envelope.as_bytes())?;
            out.write_all(b"\n")
        })?;
        Ok(Vec::new())
    }
}

/// What people should know, each with how often it happened, in the order in which it first did.
#[derive(Debug, Default)]
struct Notes(Vec<(String, u64)>);

impl Notes {
    /// Notes kept apart; what more there is stands in the last.
    const MAX: usize = 50;

    fn count(&mut self, text: &str, times: u64) {
        if times == 0 {
            return;
        }
        let known = self.0.iter().position(|(known, _)| known == text);
        match known {
            None if self.0.len() < Self::MAX => self.0.push((text.to_owned(), times)),
            place => self.0[place.unwrap_or(Self::MAX - 1)].1 += times,
        }
    }

    fn into_list(self) -> Vec<String> {
        self.0.into_iter().map(|(text, times)| format!("{times} {text}")).collect()
    }
}
