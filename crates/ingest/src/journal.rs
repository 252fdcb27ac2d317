//! The journals: one file of newline-delimited envelopes a run, appended before anything is shown.
//!
//! Invariant: bytes once written are never changed; what is read back is what was received (a line break between
//! tokens, which would split the line, becomes a blank). A broken file never keeps another from being read.
//! It does not know what an envelope means beyond its sequence number.

mod file;
mod index;
mod page;
mod scan;

use std::collections::{BTreeSet, HashMap, VecDeque};
use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;

pub(crate) use file::{Growth, Line, RunFile, checksum};
pub(crate) use index::Index;
pub(crate) use page::Page;
pub(crate) use scan::scan;

use crate::limits::FILES_OPEN_MAX;

/// All journals of one data directory. Shared: the hub's task appends, readers read.
pub(crate) struct Journal {
    dir: PathBuf,
    state: Mutex<State>,
    /// Changes with each journal that becomes known.
    known: watch::Sender<u64>,
}

#[derive(Default)]
struct State {
    files: HashMap<Arc<str>, Arc<RunFile>>,
    open: VecDeque<Arc<RunFile>>,
    unsynced: BTreeSet<PathBuf>,
    created: bool,
}

/// A lock whose holder panicked still guards valid data here: every change is a single assignment or push.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Journal {
    /// Journals under `dir`, none known yet.
    pub(crate) fn new(dir: &Path) -> Self {
        Self { dir: dir.join("runs"), state: Mutex::default(), known: watch::Sender::new(0) }
    }

    /// Where the files lie.
    pub(crate) fn dir(&self) -> &Path {
        &self.dir
    }

    /// Makes an existing file known under `key`.
    pub(crate) fn adopt(&self, key: &str, file: RunFile) -> Arc<RunFile> {
        let file = Arc::new(file);
        lock(&self.state).files.insert(key.into(), file.clone());
        self.known.send_modify(|count| *count += 1);
        file
    }

    /// Tells when another journal has become known.
    pub(crate) fn known(&self) -> watch::Receiver<u64> {
        self.known.subscribe()
    }

    /// The journal of `key`, if it has one.
    pub(crate) fn find(&self, key: &str) -> Option<Arc<RunFile>> {
        lock(&self.state).files.get(key).cloned()
    }

    /// Appends `lines` to the journal of `key` in one write, put together in `buffer`; on failure none of them is in the
    /// file.
    pub(crate) fn append(&self, key: &str, lines: &[Line], buffer: &mut Vec<u8>) -> io::Result<()> {
        let file = match self.find(key) {
            Some(file) => file,
            None => {
                let file = RunFile::new(self.free_path(key), Index::default(), 0);
                // What is being written is live until the hub says otherwise.
                file.set_live(true);
                let file = self.adopt(key, file);
                lock(&self.state).created = true;
                file
            }
        };
        if file.append(lines, buffer)? {
            self.opened(&file);
        }
        let mut state = lock(&self.state);
        if !state.unsynced.contains(file.path()) {
            state.unsynced.insert(file.path().to_path_buf());
        }
        Ok(())
    }

    /// Keeps the number of open files bounded: the longest open one is closed, to be opened again when needed.
    fn opened(&self, file: &Arc<RunFile>) {
        let oldest = {
            let mut state = lock(&self.state);
            state.open.push_back(file.clone());
            if state.open.len() > FILES_OPEN_MAX { state.open.pop_front() } else { None }
        };
        if let Some(oldest) = oldest {
            oldest.close();
        }
    }

    /// Where the journal of a key lies unless something else lies there: readable characters, then a hash.
    pub(crate) fn path_of(&self, key: &str) -> PathBuf {
        let readable: String =
            key.chars().filter(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_')).take(40).collect();
        self.dir.join(format!("{readable}-{:016x}.ndjson", fnv(key.as_bytes())))
    }

    fn free_path(&self, key: &str) -> PathBuf {
        let own = self.path_of(key);
        let others = (2u32..).map(|count| own.with_extension(format!("{count}.ndjson")));
        std::iter::once(own.clone()).chain(others).find(|path| !path.exists()).unwrap_or(own)
    }

    /// What is to be synced now; the caller does it off the hub's task with [`sync_all`].
    pub(crate) fn take_unsynced(&self) -> Option<Unsynced> {
        let mut state = lock(&self.state);
        let files = std::mem::take(&mut state.unsynced);
        let dir = std::mem::take(&mut state.created).then(|| self.dir.clone());
        (!files.is_empty() || dir.is_some()).then_some(Unsynced { files, dir })
    }

    /// Forgets `key` and deletes its files.
    pub(crate) fn remove(&self, key: &str) -> io::Result<()> {
        let Some(file) = lock(&self.state).files.remove(key) else { return Ok(()) };
        file.close();
        lock(&self.state).unsynced.remove(file.path());
        // The sidecar first: a journal without one is rebuilt, a sidecar without a journal would be litter.
        match fs::remove_file(file.sidecar()) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => fs::remove_file(file.path()),
        }
    }
}

/// Files with writes that may still be in the system's cache only.
pub(crate) struct Unsynced {
    files: BTreeSet<PathBuf>,
    dir: Option<PathBuf>,
}

/// Brings `unsynced` to the disk. Blocks; errors of one file do not keep the others from it.
pub(crate) fn sync_all(unsynced: Unsynced) -> io::Result<()> {
    let mut outcome = Ok(());
    for path in unsynced.files {
        match OpenOptions::new().append(true).open(&path).and_then(|file| file.sync_data()) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => outcome = Err(error),
            _ => {}
        }
    }
    #[cfg(unix)]
    if let Some(dir) = unsynced.dir {
        outcome = outcome.and(File::open(dir).and_then(|dir| dir.sync_all()));
    }
    #[cfg(not(unix))]
    let _: Option<(PathBuf, fn(&Path) -> io::Result<File>)> = None;
    outcome
}

fn fnv<'a>(bytes: impl IntoIterator<Item = &'a u8>) -> u64 {
    bytes
        .into_iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}
