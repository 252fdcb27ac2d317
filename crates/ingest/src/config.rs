//! What the program that hosts the server decides: where, which page, which importer.
//!
//! Invariant: every field has a safe default except the data directory. It does not know who hosts it.

use std::borrow::Cow;
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
    /// Runs on a blocking thread. A `Break` from the sink means cancelled: return at once.
    fn import(
        &self,
        files: Vec<ImportFile>,
        sink: &mut dyn FnMut(&str) -> ControlFlow<()>,
    ) -> Result<Imported, ImportError>;
}
