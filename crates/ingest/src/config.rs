//! What the program that hosts the server decides: where, which page, which importer.
//!
//! Invariant: every field has a safe default except the data directory. It does not know who hosts it.

use std::borrow::Cow;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;

use crate::limits;

/// Everything [`crate::start`] needs to know.
#[derive(Clone)]
pub struct ServerConfig {
    /// TCP port on 127.0.0.1 and ::1; 0 picks a free one.
    pub port: u16,
    /// Where journals, token and debug state live; made owner-only if missing.
    pub data_dir: PathBuf,
    /// Whether `{point: "error"}` is armed; `None` keeps what the last launch had (on at the first).
    pub pause_on_error: Option<bool>,
    /// The viewer page; without it `/` says in plain text that no page is built in.
    pub assets: Option<Arc<dyn Assets>>,
    /// Reads recordings that viewers drop or open; without it imports are refused with a word.
    pub importer: Option<Arc<dyn Importer>>,
    /// Writes runs for others; without it exports are refused with a word.
    pub exporter: Option<Arc<dyn Exporter>>,
    /// Starts the demo agent; called from a runtime thread, must return at once.
    pub demo: Option<Arc<dyn Fn() + Send + Sync>>,
    /// Origins besides our own page's that may talk to us (`tauri://localhost` where the shell hosts us).
    pub extra_origins: Vec<String>,
    /// What old runs may cost; everything is kept by default.
    pub retention: Retention,
    /// How long a run's app may be away before the run counts as abandoned, in milliseconds.
    pub grace_ms: u64,
}

/// Which ended runs are deleted, checked four times a minute; `None` everywhere keeps all. Each deletion is told to viewers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Retention {
    /// Keep at most so many runs.
    pub runs_max: Option<usize>,
    /// Keep runs that ended at most so many milliseconds ago.
    pub age_ms_max: Option<u64>,
    /// Keep at most so many bytes of journals.
    pub size_bytes_max: Option<u64>,
}

impl ServerConfig {
    /// The defaults: port 4747, nothing optional, everything kept.
    pub fn new(data_dir: impl Into<PathBuf>) -> Self {
        Self {
            port: limits::PORT_DEFAULT,
            data_dir: data_dir.into(),
            pause_on_error: None,
            assets: None,
            importer: None,
            exporter: None,
            demo: None,
            extra_origins: Vec::new(),
            retention: Retention::default(),
            grace_ms: limits::ABANDON_MS,
        }
    }
}

/// The viewer page as files.
pub trait Assets: Send + Sync {
    /// The bytes and the MIME type of `path` (`index.html`, `app.js`; no leading slash, never `..`).
    fn get(&self, path: &str) -> Option<(Cow<'static, [u8]>, &'static str)>;
}

/// One file of an import, by content or by place.
#[derive(Clone, Debug)]
pub struct ImportFile {
    /// The name to show; it never decides the format.
    pub name: String,
    /// Where the bytes are.
    pub source: ImportSource,
}

/// Where the bytes of an [`ImportFile`] are.
#[derive(Clone, Debug)]
pub enum ImportSource {
    /// The whole file, as dropped on the browser page.
    Bytes(Vec<u8>),
    /// A file on this machine, as opened in the window or named by the command line.
    Path(PathBuf),
}

/// What an import yielded besides its events.
#[derive(Clone, Debug, Default)]
pub struct Imported {
    /// The run list's source word: `recording`, `otlp`, `langfuse`, …
    pub source: String,
    /// The import report, one JSON object.
    pub report: String,
}

/// Why nothing could be imported.
#[derive(Clone, Debug, Default)]
pub struct ImportError {
    /// One sentence: what was seen and what is accepted.
    pub message: String,
    /// The import report, one JSON object, when there is one.
    pub report: Option<String>,
}

/// Turns files into envelopes; implemented on top of the trace crate by whoever hosts the server.
pub trait Importer: Send + Sync {
    /// Reads `files` as one import and hands every envelope (one JSON text each, in order) to `sink`.
    ///
    /// Runs on a blocking thread and tells now and then how far it is. A `Break` from the sink or the watcher means
    /// cancelled: return at once.
    fn import(
        &self,
        files: Vec<ImportFile>,
        sink: &mut dyn FnMut(&str) -> ControlFlow<()>,
        watch: &mut dyn FnMut(ImportProgress) -> ControlFlow<()>,
    ) -> Result<Imported, ImportError>;
}

/// How far an import is, in bytes of its files as they lie on disk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ImportProgress {
    /// Bytes read.
    pub read_bytes: u64,
    /// All bytes; 0 where that is not known.
    pub total_bytes: u64,
}

/// How a run is to be written.
#[derive(Clone, Debug)]
pub struct ExportAsk {
    /// The word for the form, as [`Exporter::form`] knows it.
    pub to: String,
    /// Whether secrets are replaced.
    pub redact: bool,
    /// What to call the run.
    pub title: String,
}

/// A form that runs can be written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExportForm {
    /// How its files are named: what stands behind the last name's dot.
    pub ending: &'static str,
    /// Its MIME type.
    pub mime: &'static str,
}

/// What an export did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Exported {
    /// Envelopes read.
    pub events: u64,
    /// Secrets replaced.
    pub replaced: u64,
    /// What people should know: what the form cannot hold, with counts.
    pub notes: Vec<String>,
}

/// The envelopes of a run, to be read as often as an export needs.
pub trait Envelopes {
    /// Hands every envelope to `each`, in the order in which they arrived.
    ///
    /// # Errors
    /// Those of reading, and the first that `each` returns.
    fn read(&mut self, each: &mut dyn FnMut(&str) -> io::Result<()>) -> io::Result<()>;
}

/// Writes runs for others; implemented on top of the trace crate by whoever hosts the server.
pub trait Exporter: Send + Sync {
    /// The form that a word means.
    fn form(&self, to: &str) -> Option<ExportForm>;

    /// Writes a run; runs on a blocking thread.
    ///
    /// # Errors
    /// Those of reading and writing, and a form that this host cannot write.
    fn export(
        &self,
        ask: &ExportAsk,
        run: &mut dyn Envelopes,
        out: &mut (dyn Write + Send),
    ) -> io::Result<Exported>;
}
