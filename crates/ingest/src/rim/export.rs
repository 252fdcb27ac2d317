//! Exports: a run's journal through the host's exporter, into a file.
//!
//! Invariant: what is written for a reader elsewhere lies in the data directory for as long as it is read and not
//! longer; a file that a person names stands under its name only once it is whole.

use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Seek, Write};
use std::path::{Path, PathBuf};

use crate::config::{Envelopes, ExportAsk, Exported, Exporter};
use crate::journal::{RunFile, scan};
use crate::limits::{EXPORT_CHUNK_BYTES, WRITE_BUFFER_BYTES};
use crate::server::open_private;

/// A journal as it was when it was first read, so that a run that goes on is the same at every reading.
struct Recording<'a> {
    file: &'a RunFile,
    len: u64,
}

impl Envelopes for Recording<'_> {
    fn read(&mut self, each: &mut dyn FnMut(&str) -> io::Result<()>) -> io::Result<()> {
        let mut outcome = Ok(());
        scan(self.file.path(), 0, Some(self.len), |line, _| {
            // A torn or foreign line is no part of the run.
            if outcome.is_ok() && wire::decode(line).header().is_some() {
                outcome = each(line);
            }
            true
        })?;
        outcome
    }
}

fn write(
    exporter: &dyn Exporter,
    file: &RunFile,
    ask: &ExportAsk,
    out: &mut (dyn Write + Send),
) -> io::Result<Exported> {
    let (len, _) = file.size();
    exporter.export(ask, &mut Recording { file, len }, out)
}

/// Writes a run to `path`: beside it first, then in its place. Blocks.
pub(crate) fn export_to(
    exporter: &dyn Exporter,
    file: &RunFile,
    ask: &ExportAsk,
    path: &Path,
) -> io::Result<Exported> {
    let name = path.file_name().ok_or(io::ErrorKind::InvalidFilename)?.to_string_lossy().into_owned();
    let part = path.with_file_name(format!(".{name}.{}.part", std::process::id()));
    let mut out = BufWriter::with_capacity(WRITE_BUFFER_BYTES, File::create(&part)?);
    let done = write(exporter, file, ask, &mut out).and_then(|done| out.flush().map(|()| done));
    drop(out);
    done.and_then(|done| fs::rename(&part, path).map(|()| done)).inspect_err(|_| {
        // What cannot be removed either is left for the person to see.
        let _ = fs::remove_file(&part);
    })
}

/// An export that waits to be read by somebody else; gone from the disk when dropped.
#[derive(Debug)]
pub(crate) struct Spool {
    file: File,
    path: PathBuf,
    /// Its length in bytes.
    pub(crate) len: u64,
}

impl Spool {
    /// Writes a run to a file of its own in the data directory. Blocks.
    pub(crate) fn write(
        exporter: &dyn Exporter,
        file: &RunFile,
        ask: &ExportAsk,
        path: PathBuf,
    ) -> io::Result<(Self, Exported)> {
        let out = open_private(&path, false)?;
        let mut spool = Self { file: out, path, len: 0 };
        let mut out = BufWriter::with_capacity(WRITE_BUFFER_BYTES, &spool.file);
        let done = write(exporter, file, ask, &mut out).and_then(|done| out.flush().map(|()| done))?;
        drop(out);
        spool.len = spool.file.stream_position()?;
        spool.file.rewind()?;
        Ok((spool, done))
    }

    /// The next part; empty at the end. Blocks.
    pub(crate) fn next(&mut self) -> io::Result<Vec<u8>> {
        let mut part = Vec::with_capacity(EXPORT_CHUNK_BYTES);
        (&self.file).take(EXPORT_CHUNK_BYTES as u64).read_to_end(&mut part)?;
        Ok(part)
    }
}

impl Drop for Spool {
    fn drop(&mut self) {
        // What cannot be removed goes at the next start.
        let _ = fs::remove_file(&self.path);
    }
}
