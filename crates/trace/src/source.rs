//! The files of an import, and how far they have been read.

use std::io::{self, Cursor, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::container::ReadSeek;
use crate::error::Failure;

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
    /// The name to show.
    pub(crate) fn name(&self) -> String {
        match self {
            Self::Path(path) => display_name(path),
            Self::Bytes { name, .. } => name.clone(),
        }
    }

    /// Size in bytes, as far as it is known before reading.
    pub(crate) fn size_bytes(&self) -> u64 {
        match self {
            Self::Path(path) => std::fs::metadata(path).map_or(0, |facts| facts.len()),
            Self::Bytes { bytes, .. } => bytes.len() as u64,
        }
    }

    pub(crate) fn open(&self, read: &Arc<AtomicU64>) -> Result<Box<dyn ReadSeek>, Failure> {
        let read = Arc::clone(read);
        match self {
            Self::Path(path) => {
                let inner = std::fs::File::open(path).map_err(|error| Failure::read(&self.name(), &error))?;
                Ok(Box::new(Counted { inner, read }))
            }
            Self::Bytes { bytes, .. } => Ok(Box::new(Counted { inner: Cursor::new(bytes.clone()), read })),
        }
    }
}

fn display_name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

/// Counts the bytes that are read of a file.
struct Counted<R> {
    inner: R,
    read: Arc<AtomicU64>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let len = self.inner.read(into)?;
        self.read.fetch_add(len as u64, Ordering::Relaxed);
        Ok(len)
    }
}

impl<R: Seek> Seek for Counted<R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.inner.seek(to)
    }
}
