//! What goes into the hub and what comes out: the whole boundary between deciding and doing.
//!
//! Invariant: the hub never waits; whatever needs a disk, a clock or a socket is an output, and its result an input.

use std::sync::Arc;

use graph::{RunKey, Store};
use tokio_tungstenite::tungstenite::Utf8Bytes;

use super::facts::Facts;
use super::records::{Fate, Receipt};
use crate::config::ImportProgress;

/// One app's connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct SessionId(pub(crate) u64);

/// One viewer's connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct ViewerId(pub(crate) u64);

/// The time, told by the rim.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Now {
    /// Milliseconds since 1970, for what is written.
    pub(crate) wall_ms: f64,
    /// Milliseconds that never go back, for what is waited for.
    pub(crate) mono_ms: u64,
}

/// A run that an import made.
#[derive(Debug)]
pub(crate) struct ImportedRun {
    /// The key that was reserved for it.
    pub(crate) key: RunKey,
    /// What is known of it.
    pub(crate) facts: Facts,
    /// Its state, where it is at hand under that very key.
    pub(crate) store: Option<Box<Store>>,
}

/// Something that happened outside.
#[derive(Debug)]
pub(crate) enum Input {
    /// An app's socket is open; `token` is fresh and random.
    SessionOpened { session: SessionId, token: Arc<str> },
    /// What an app sent, in order.
    Frames { session: SessionId, frames: Vec<Utf8Bytes> },
    /// Checked KXM records, each in its envelope; `from` is the socket they came by.
    Records { from: Option<SessionId>, records: Vec<Utf8Bytes>, receipt: Receipt },
    /// A socket that sent records is gone.
    ReporterClosed { session: SessionId },
    /// An app did something that is no text frame; it has been answered, viewers should know.
    SessionFault { session: SessionId, what: String },
    /// An app's socket is gone.
    SessionClosed { session: SessionId },
    /// A viewer's socket is open.
    ViewerOpened { viewer: ViewerId },
    /// A viewer sent this.
    ViewerFrame { viewer: ViewerId, text: Utf8Bytes },
    /// A viewer's socket is gone.
    ViewerClosed { viewer: ViewerId },
    /// A control has been written to its app's socket.
    Delivered { viewer: ViewerId, req: u64 },
    /// Time passes.
    Tick { connections: u32, memory_bytes: u64 },
    /// A run has been read from its journal as it was when that was asked for.
    Loaded { key: RunKey, store: Box<Store> },
    /// It could not be read.
    LoadFailed { key: RunKey, reason: String },
    /// A snapshot has been serialised.
    SnapshotReady { key: RunKey, text: Utf8Bytes },
    /// An import has ended well; its journals are in place.
    Imported { req: Option<(ViewerId, u64)>, name: String, runs: Vec<ImportedRun>, report: String },
    /// An import has failed.
    ImportFailed { req: Option<(ViewerId, u64)>, name: String, reason: String, report: Option<String> },
    /// How far a long import is.
    Importing { id: u64, events: u64, read: ImportProgress },
    /// It is over, well or not.
    ImportOver { id: u64 },
    /// Lines could not be written.
    AppendFailed { key: RunKey, events: u64, reason: String },
    /// Something about the disk that people should know.
    Trouble { what: String },
}

/// Something to be done outside. All [`Output::Append`] of a turn are done before any message of it is sent.
#[derive(Debug)]
pub(crate) enum Output {
    /// Store an envelope.
    Append { key: RunKey, seq: u64, text: Utf8Bytes },
    /// More can come to a run, or nothing more comes; after everything that came is stored.
    Live { key: RunKey, live: bool },
    /// Tell what became of records.
    Receipt { receipt: Receipt, fates: Vec<Fate> },
    /// Send to an app; with a receipt, say so when it is on the socket.
    ToSession { session: SessionId, text: String, receipt: Option<(ViewerId, u64)> },
    /// Close an app's socket with a code and a word.
    CloseSession { session: SessionId, code: u16, reason: String },
    /// Send to a viewer.
    ToViewer { viewer: ViewerId, text: Utf8Bytes },
    /// Keep the debug state.
    SaveDebug { text: String },
    /// Keep a line about sessions: who owns which run, which numbers went elsewhere.
    Remember { line: String },
    /// Keep what is known of a run beside its journal.
    Sidecar { key: RunKey, facts: String },
    /// Read a run from its journal; `known` are numbers its session used elsewhere.
    Load { key: RunKey, live: bool, source: String, known: Vec<(u64, u64)> },
    /// Serialise a run.
    Snapshot { key: RunKey, store: Arc<Store> },
    /// Read for a viewer.
    Read { viewer: ViewerId, req: u64, key: RunKey, what: ReadWhat },
    /// Read a file and make runs of it.
    Import { viewer: ViewerId, req: u64, path: String },
    /// Delete a run's files.
    Delete { key: RunKey },
    /// Start the demo.
    Demo,
}

/// What a viewer wants read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ReadWhat {
    /// A part of the text of a value.
    Body { seq: u64, pointer: String, offset: u64, limit: u64 },
    /// Envelopes by number.
    Page { after: Option<u64>, limit: u64 },
    /// All text streamed by a node or one instance.
    Stream { node_id: String, instance_id: Option<String> },
}
