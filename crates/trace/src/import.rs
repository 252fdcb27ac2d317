//! Files in, envelopes and a report out.
//!
//! Several files are one import. Each text is told apart by itself; one adapter a format gathers what belongs
//! together over all of them. Invariant: an import ends in a report or in a failure that says what was seen; a file
//! that cannot be used costs no other; it can be stopped between any two records.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use wire::Raw;

use crate::adapter::{Adapter, Item, Out};
use crate::container::{LOOK_BYTES, Text, each_text};
use crate::detect::{Format, Verdict, detect};
use crate::error::Failure;
use crate::report::Report;
use crate::source::Source;
use crate::split::{Piece, Record, Splitter};
use crate::unknown::{not_an_event, unknown};

/// Values looked at before a text counts as unknown.
const LOOKS_MAX: usize = 64;
/// Bytes of input between two words about progress.
const PROGRESS_BYTES: u64 = 1024 * 1024;

/// How far an import is, in bytes of the files as they lie on disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Bytes read of all files.
    pub read_bytes: u64,
    /// Bytes of all files together; a file that grows can exceed it.
    pub total_bytes: u64,
}

/// Reads files as one import and hands every envelope, one line of JSON each, to `sink`; a `Break` stops it.
///
/// # Errors
/// [`Failure`] where nothing could be used; what was read until then is its report.
pub fn import(sources: &[Source], sink: &mut dyn FnMut(&str) -> ControlFlow<()>) -> Result<Report, Failure> {
    import_watched(sources, sink, &mut |_| ControlFlow::Continue(()))
}

/// Like [`import`], and says about once a megabyte how far it is; a `Break` there stops it too, also while a format
/// that must be read whole before its first envelope is still being read.
///
/// # Errors
/// As [`import`].
pub fn import_watched(
    sources: &[Source],
    sink: &mut dyn FnMut(&str) -> ControlFlow<()>,
    progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
) -> Result<Report, Failure> {
    run(sources, None, sink, progress)
}

/// The formats, as reports name them.
pub fn formats() -> impl Iterator<Item = &'static str> {
    crate::formats::ALL.iter().flat_map(|group| group.iter()).map(|format| format.name)
}

/// Like [`import`], with the format stated by the person instead of told by the structure; a name that is none of
/// [`formats`] is told so.
///
/// # Errors
/// As [`import`].
pub fn import_as(
    format: &str,
    sources: &[Source],
    sink: &mut dyn FnMut(&str) -> ControlFlow<()>,
) -> Result<Report, Failure> {
    let mut all = crate::formats::ALL.iter().flat_map(|group| group.iter());
    let Some(format) = all.find(|known| known.name == format) else {
        let names: Vec<&str> = formats().collect();
        return Err(Failure::new(format!("{format:?} is no format; known are {}", names.join(", "))));
    };
    run(sources, Some(format), sink, &mut |_| ControlFlow::Continue(()))
}

fn run(
    sources: &[Source],
    stated: Option<&'static Format>,
    sink: &mut dyn FnMut(&str) -> ControlFlow<()>,
    progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
) -> Result<Report, Failure> {
    let read = Arc::new(AtomicU64::new(0));
    let total_bytes = sources.iter().map(Source::size_bytes).sum();
    let watch = Watch { read: Arc::clone(&read), told: 0, total_bytes, progress };
    let mut import = Import { out: Out::new(sink), adapters: Vec::new(), stated, unknown: Vec::new(), watch };
    for source in sources {
        let name = source.name();
        let opened = source.open(&read).and_then(|file| {
            each_text(&name, file, &mut |text| {
                let before = import.out.report.skipped.len();
                let member = text.as_ref().map_or_else(|_| name.clone(), |text| text.name.clone());
                let result = text.and_then(|text| import.text(text));
                if sources.len() > 1 || member != name {
                    import.out.report.name_skips(before, &member);
                }
                import.or_unknown(result)
            })
        });
        import.or_unknown(opened)?;
    }
    import.finish()
}

struct Watch<'p> {
    read: Arc<AtomicU64>,
    told: u64,
    total_bytes: u64,
    progress: &'p mut dyn FnMut(Progress) -> ControlFlow<()>,
}

impl Watch<'_> {
    fn go_on(&mut self) -> bool {
        let read_bytes = self.read.load(Ordering::Relaxed);
        if read_bytes < self.told + PROGRESS_BYTES {
            return true;
        }
        self.told = read_bytes;
        (self.progress)(Progress { read_bytes, total_bytes: self.total_bytes }).is_continue()
    }
}

struct Import<'s> {
    out: Out<'s>,
    adapters: Vec<(&'static Format, Box<dyn Adapter>)>,
    /// The format that a person stated.
    stated: Option<&'static Format>,
    /// What is said of texts that could not be used.
    unknown: Vec<String>,
    watch: Watch<'s>,
}

impl Import<'_> {
    /// A file that cannot be used is remembered; only a stop or a refusal ends the import.
    fn or_unknown(&mut self, result: Result<(), Failure>) -> Result<(), Failure> {
        match result {
            Err(failure) if failure.cancelled || failure.refused => Err(failure),
            Err(failure) => {
                self.unknown.push(failure.message);
                Ok(())
            }
            Ok(()) => Ok(()),
        }
    }

    fn text(&mut self, mut text: Text) -> Result<(), Failure> {
        let head = text.reader.fill_buf().map_err(|error| Failure::read(&text.name, &error))?;
        let head = String::from_utf8_lossy(&head[..head.len().min(LOOK_BYTES)]).into_owned();
        if let Some(reader) = crate::wrapped::unwrap(&head, &mut text, &mut self.out.report)? {
            text.reader = reader;
        }
        let name = text.name;
        let mut splitter = Splitter::new(text.reader);
        let mut place: Option<usize> = None;
        let mut looked = 0;
        loop {
            if self.out.cancelled() || !self.watch.go_on() {
                return Err(Failure::cancelled());
            }
            let read = splitter.next_piece(|piece| self.piece(piece, &name, &mut place, &mut looked));
            match read {
                Ok(None) => break,
                Ok(Some(taken)) => taken?,
                Err(error) => {
                    let failure = Failure::read(&name, &error);
                    if failure.refused || looked == 0 {
                        return Err(failure);
                    }
                    self.out.report.skip(splitter.line() + 1, format!("the data ends here: {error}"));
                    break;
                }
            }
            if place.is_none() && looked > LOOKS_MAX {
                break;
            }
        }
        if place.is_none() {
            self.unknown.push(unknown(&name, &head));
        }
        Ok(())
    }

    fn piece(
        &mut self,
        piece: Piece<'_>,
        name: &str,
        place: &mut Option<usize>,
        looked: &mut usize,
    ) -> Result<(), Failure> {
        match piece {
            Piece::Value(record) => self.record(record, name, place, looked),
            Piece::Bad { line, reason } => {
                self.out.report.skip(line, reason);
                Ok(())
            }
            Piece::Cut { line, bytes, rest: None } => {
                self.out.report.skip(line, format!("last line incomplete ({bytes} bytes)"));
                Ok(())
            }
            Piece::Cut { line, bytes, rest: Some(raw) } => {
                let what = "the file ends inside a value";
                self.out.report.skip(line, format!("{what} ({bytes} bytes lost); what is complete is shown"));
                self.record(Record { line, raw, repaired: None }, name, place, looked)
            }
        }
    }

    fn record(
        &mut self,
        record: Record<'_>,
        name: &str,
        place: &mut Option<usize>,
        looked: &mut usize,
    ) -> Result<(), Failure> {
        *looked += 1;
        if let Some(what) = record.repaired {
            self.out.report.note(what);
        }
        if place.is_none() {
            *place = self.recognise(record.raw, name)?;
        }
        match *place {
            Some(at) => {
                let item = Item { file: name, line: record.line, raw: record.raw };
                take(&mut self.adapters[at].1, item, &mut self.out);
            }
            None => self.out.report.skip(record.line, not_an_event(record.raw)),
        }
        Ok(())
    }

    /// The adapter for a value, made at first need.
    fn recognise(&mut self, raw: Raw<'_>, name: &str) -> Result<Option<usize>, Failure> {
        match self.stated.map_or_else(|| detect(raw), Verdict::Format) {
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
        if report.imported == 0 {
            let message = match self.unknown.as_slice() {
                [] => "Nothing in it could be used: the report lists each record and why.".to_owned(),
                texts => texts.join(" "),
            };
            return Err(Failure::new(message).with(report));
        }
        self.unknown.into_iter().for_each(|message| report.note(message));
        Ok(report)
    }
}

fn take(adapter: &mut Box<dyn Adapter>, item: Item<'_>, out: &mut Out<'_>) {
    if let Err(reason) = adapter.take(item, out) {
        out.report.skip(item.line, reason);
    }
}
