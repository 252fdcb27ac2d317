//! One journal file: appended at its end, read by range while it grows.
//!
//! Invariant: `len` counts whole lines only; a reader never sees the line that is being written. After a failed
//! write the file is cut back to `len`.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use tokio::sync::watch;
use tokio_tungstenite::tungstenite::Utf8Bytes;

use super::index::Index;
use super::scan::seq_of;
use super::{fnv, lock};
use crate::server::{open_private, write_private};

/// An envelope on its way to the disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    /// Its sequence number.
    pub(crate) seq: u64,
    /// The frame as received.
    pub(crate) text: Utf8Bytes,
}

/// One journal.
pub(crate) struct RunFile {
    path: PathBuf,
    state: Mutex<State>,
    sidecar: Mutex<()>,
    growth: watch::Sender<Growth>,
}

/// How far a journal is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Growth {
    /// Its length in bytes.
    pub(crate) len: u64,
    /// More can come.
    pub(crate) live: bool,
}

struct State {
    file: Option<File>,
    len: u64,
    index: Index,
    /// The file ends in the middle of a line (torn, or whole without its line break): begin with a line break.
    unfinished: bool,
}

impl RunFile {
    /// The journal at `path` whose first `len` bytes are covered by `index`.
    pub(crate) fn new(path: PathBuf, index: Index, len: u64) -> Self {
        let state = State { file: None, len, index, unfinished: len > 0 };
        Self {
            path,
            state: Mutex::new(state),
            sidecar: Mutex::default(),
            growth: watch::Sender::new(Growth { len, live: false }),
        }
    }

    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Where its sidecar is.
    pub(crate) fn sidecar(&self) -> PathBuf {
        self.path.with_extension("json")
    }

    /// Its length in bytes and its number of events.
    pub(crate) fn size(&self) -> (u64, u64) {
        let state = lock(&self.state);
        (state.len, state.index.lines())
    }

    /// Tells how far it is now and whenever that changes.
    pub(crate) fn growth(&self) -> watch::Receiver<Growth> {
        self.growth.subscribe()
    }

    /// Tells those who follow whether more can come; everything before it is in the file by then.
    pub(crate) fn set_live(&self, live: bool) {
        self.growth.send_if_modified(|growth| std::mem::replace(&mut growth.live, live) != live);
    }

    /// The end of the block of lines that byte `at` falls into; at most `len`.
    pub(crate) fn line_end(&self, at: u64, len: u64) -> u64 {
        lock(&self.state).index.block_end(at, len)
    }

    /// A copy of its index, with the length it covers.
    pub(crate) fn index(&self) -> (Index, u64) {
        let state = lock(&self.state);
        (state.index.clone(), state.len)
    }

    /// Appends in one write, put together in `buffer`; true if the file had to be opened for it.
    pub(super) fn append(&self, lines: &[Line], buffer: &mut Vec<u8>) -> io::Result<bool> {
        let mut state = lock(&self.state);
        let opened = state.file.is_none();
        if opened {
            let mut file = open_private(&self.path, true)?;
            state.unfinished = ends_unfinished(&mut file)?;
            state.len = file.seek(SeekFrom::End(0))?;
            state.file = Some(file);
        }
        buffer.clear();
        if state.unfinished {
            buffer.push(b'\n');
        }
        let len = state.len;
        let first = len + buffer.len() as u64;
        lines.iter().for_each(|line| put(line, buffer));
        let Some(file) = &mut state.file else { return Err(io::ErrorKind::NotFound.into()) };
        if let Err(error) = file.write_all(buffer) {
            // Half a line must not be glued to the next one.
            state.unfinished |= file.set_len(len).is_err();
            state.file = None;
            return Err(error);
        }
        state.unfinished = false;
        state.len += buffer.len() as u64;
        let mut offset = first;
        for line in lines {
            state.index.push(line.seq, offset);
            offset += line.text.len() as u64 + 1;
        }
        let len = state.len;
        self.growth.send_modify(|growth| growth.len = len);
        Ok(opened)
    }

    /// Lets go of the open file; the next append opens it again.
    pub(super) fn close(&self) {
        lock(&self.state).file = None;
    }

    /// The bytes of `range`.
    pub(crate) fn read(&self, range: Range<u64>) -> io::Result<Vec<u8>> {
        let mut file = File::open(&self.path)?;
        file.seek(SeekFrom::Start(range.start))?;
        let mut bytes = Vec::new();
        file.take(range.end - range.start).read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    /// The envelope with this sequence number, as received. Blocks on the disk.
    pub(crate) fn line(&self, seq: u64) -> io::Result<Option<String>> {
        let places = {
            let state = lock(&self.state);
            state.index.places(seq, state.len)
        };
        for range in places {
            let bytes = self.read(range)?;
            let found = bytes
                .split(|byte| *byte == b'\n')
                .filter_map(|line| std::str::from_utf8(line).ok())
                .find(|line| seq_of(line) == Some(seq));
            if let Some(line) = found {
                return Ok(Some(line.to_owned()));
            }
        }
        Ok(None)
    }

    /// A sidecar as of now: what the hub knows about the run, and the index it goes with.
    pub(crate) fn sidecar_text(&self, facts: &str) -> io::Result<String> {
        let (index, bytes) = self.index();
        let index = serde_json::to_string(&index)?;
        let sum = checksum(bytes, facts, &index);
        Ok(format!("{{\"v\":2,\"sum\":{sum},\"bytes\":{bytes},\"facts\":{facts},\"index\":{index}}}"))
    }

    /// Writes a sidecar. Blocks on the disk.
    pub(crate) fn write_sidecar(&self, text: &str) -> io::Result<()> {
        let _one_at_a_time = lock(&self.sidecar);
        // A run that was deleted meanwhile gets no sidecar back.
        if self.path.exists() { write_private(&self.sidecar(), text.as_bytes()) } else { Ok(()) }
    }
}

/// Adds a line and its end.
fn put(line: &Line, buffer: &mut Vec<u8>) {
    let start = buffer.len();
    buffer.extend_from_slice(line.text.as_bytes());
    // In JSON a raw line break can only stand between tokens. Most frames have none, and looking is cheaper than writing.
    if line.text.as_bytes().contains(&b'\n') {
        buffer[start..].iter_mut().filter(|byte| **byte == b'\n').for_each(|byte| *byte = b' ');
    }
    buffer.push(b'\n');
}

/// Guards a sidecar against a damaged byte that leaves it readable and makes it wrong.
pub(crate) fn checksum(bytes: u64, facts: &str, index: &str) -> u64 {
    // Numbers beyond 2^53 do not survive every reader of JSON.
    fnv([bytes.to_string().as_bytes(), facts.as_bytes(), index.as_bytes()].into_iter().flatten()) >> 11
}

fn ends_unfinished(file: &mut File) -> io::Result<bool> {
    if file.metadata()?.len() == 0 {
        return Ok(false);
    }
    file.seek(SeekFrom::End(-1))?;
    let mut last = [0u8];
    file.read_exact(&mut last)?;
    Ok(last != *b"\n")
}
