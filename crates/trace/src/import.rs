//! Files in, envelopes and a report out.
//!
//! Several files are one import. Each text is told apart by itself; one adapter a format gathers what belongs
//! together over all of them. Invariant: an import ends in a report or in a failure that says what was seen, and it
//! can be stopped between any two records.

use std::io::{BufRead, Cursor};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use wire::{JsonKind, Raw};

use crate::adapter::{Adapter, Item, Out};
use crate::container::{LOOK_BYTES, ReadSeek, Text, each_text};
use crate::detect::{Format, Verdict, detect};
use crate::error::{ACCEPTED, Failure};
use crate::report::Report;
use crate::split::{Piece, Splitter};

/// Values looked at before a text counts as unknown.
const LOOKS_MAX: usize = 64;

/// One file to open.
#[derive(Debug, Clone)]
pub enum Source {
    /// A file on this machine.
    Path(PathBuf),
    /// The bytes of one, with a name to show.
    Bytes {
        /// The name to show; it decides nothing.
        name: String,
        /// The whole file.
        bytes: Vec<u8>,
    },
}

impl Source {
    fn open(&self) -> Result<(String, Box<dyn ReadSeek>), Failure> {
        match self {
            Self::Path(path) => {
                let name = display_name(path);
                let file = std::fs::File::open(path).map_err(|error| Failure::read(&name, &error))?;
                Ok((name, Box::new(file)))
            }
            Self::Bytes { name, bytes } => Ok((name.clone(), Box::new(Cursor::new(bytes.clone())))),
        }
    }
}

fn display_name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

/// Reads files as one import and hands every envelope, one line of JSON each, to `sink`; a `Break` stops it.
///
/// # Errors
/// [`Failure`] where nothing could be used; what was read until then is its report.
pub fn import(sources: &[Source], sink: &mut dyn FnMut(&str) -> ControlFlow<()>) -> Result<Report, Failure> {
    let mut import = Import { out: Out::new(sink), adapters: Vec::new(), unknown: None };
    for source in sources {
        let (name, file) = source.open()?;
        each_text(&name, file, &mut |text| import.text(text))?;
    }
    import.finish()
}

struct Import<'s> {
    out: Out<'s>,
    adapters: Vec<(&'static Format, Box<dyn Adapter>)>,
    /// The first text that nothing recognised.
    unknown: Option<String>,
}

impl Import<'_> {
    fn text(&mut self, mut text: Text) -> Result<(), Failure> {
        let head = text.reader.fill_buf().map_err(|error| Failure::read(&text.name, &error))?;
        let head = String::from_utf8_lossy(&head[..head.len().min(LOOK_BYTES)]).into_owned();
        if let Some(reader) = crate::wrapped::unwrap(&head, &mut text)? {
            text.reader = reader;
        }
        let name = text.name;
        let mut splitter = Splitter::new(text.reader);
        let mut place: Option<usize> = None;
        let mut looked = 0;
        loop {
            if self.out.cancelled() {
                return Err(Failure::cancelled());
            }
            match splitter.next_piece().map_err(|error| Failure::read(&name, &error))? {
                None => break,
                Some(Piece::Bad { line, reason }) => self.out.report.skip(line, reason),
                Some(Piece::Cut { line, bytes }) => {
                    self.out.report.skip(line, format!("last line incomplete ({bytes} bytes)"));
                }
                Some(Piece::Value(record)) => {
                    let raw = match Raw::parse(record.text) {
                        Ok(raw) => raw,
                        Err(fault) => {
                            self.out.report.skip(record.line, format!("not a JSON value: {fault}"));
                            continue;
                        }
                    };
                    if place.is_none() {
                        place = self.recognise(raw, &name)?;
                    }
                    let item = Item { file: &name, line: record.line, raw };
                    looked += 1;
                    match place {
                        Some(at) => take(&mut self.adapters[at].1, item, &mut self.out),
                        None if looked > LOOKS_MAX => break,
                        None => self.out.report.skip(record.line, not_an_event(raw)),
                    }
                }
            }
        }
        if place.is_none() {
            self.unknown.get_or_insert_with(|| unknown(&name, &head));
        }
        Ok(())
    }

    /// The adapter for a value, made at first need.
    fn recognise(&mut self, raw: Raw<'_>, name: &str) -> Result<Option<usize>, Failure> {
        match detect(raw) {
            Verdict::NoTrace(what, advice) => Err(Failure::named(name, what, advice)),
            Verdict::Unknown => Ok(None),
            Verdict::Format(format) => {
                let known = self.adapters.iter().position(|(other, _)| other.name == format.name);
                Ok(Some(known.unwrap_or_else(|| {
                    self.adapters.push((format, (format.adapter)()));
                    self.adapters.len() - 1
                })))
            }
        }
    }

    fn finish(mut self) -> Result<Report, Failure> {
        for (_, adapter) in &mut self.adapters {
            adapter.finish(&mut self.out);
        }
        if self.out.cancelled() {
            return Err(Failure::cancelled());
        }
        let mut report = self.out.report;
        let names: Vec<&str> = self.adapters.iter().map(|(format, _)| format.name).collect();
        report.format = names.join(", ");
        match self.unknown {
            Some(message) if report.imported == 0 => Err(Failure::new(message).with(report)),
            None if report.imported == 0 => {
                let message = "Nothing in it could be used: the report lists each record and why.";
                Err(Failure::new(message).with(report))
            }
            Some(message) => {
                report.note(message);
                Ok(report)
            }
            None => Ok(report),
        }
    }
}

fn take(adapter: &mut Box<dyn Adapter>, item: Item<'_>, out: &mut Out<'_>) {
    if let Err(reason) = adapter.take(item, out) {
        out.report.skip(item.line, reason);
    }
}

fn not_an_event(raw: Raw<'_>) -> String {
    let cut = |text: &str| text.chars().take(60).collect::<String>();
    match raw.kind() {
        JsonKind::Object => {
            let names: Vec<String> = raw.members().take(8).map(|(key, _)| key.name().into_owned()).collect();
            format!(
                "an object of no known format, with {}",
                if names.is_empty() { "no members".into() } else { names.join(", ") }
            )
        }
        JsonKind::Array => "a list of no known format".to_owned(),
        kind => format!("a {} ({}), not an event", format!("{kind:?}").to_lowercase(), cut(raw.get())),
    }
}

fn unknown(name: &str, head: &str) -> String {
    let seen: String =
        head.trim_start().chars().take(60).map(|c| if c.is_control() { ' ' } else { c }).collect();
    let what = match Raw::parse(head.trim()).map(Raw::kind) {
        Ok(JsonKind::Object) => "JSON of no known format",
        Ok(JsonKind::Array) => "a JSON list of no known format",
        Ok(_) => "a single JSON value",
        Err(_) if seen.starts_with(['{', '[']) => "JSON of no known format",
        Err(_) => "no JSON",
    };
    format!("{name} is {what} (it begins with {seen:?}): {ACCEPTED}.")
}
