//! Files on their way from the system to the page: dropped on the window, opened through an association, named on the
//! command line of this or of a second launch. They wait here until the page takes them, so none is lost while it loads.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use tauri::{AppHandle, Manager};

use crate::window;

/// More than this at once is a mistake of the hand, and the page would show each.
const WAITING_MAX: usize = 1000;

/// Absolute paths that wait for the page, oldest first.
#[derive(Default)]
pub(crate) struct Waiting(Mutex<Vec<PathBuf>>);

impl Waiting {
    /// Adds paths, those relative to `from` made absolute; what goes over the bound is dropped with a word.
    pub(crate) fn add(&self, from: &Path, paths: impl IntoIterator<Item = PathBuf>) {
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for path in paths {
            if waiting.len() == WAITING_MAX {
                eprintln!("holdpoint-app: more than {WAITING_MAX} files at once; the rest is left out");
                return;
            }
            waiting.push(from.join(path));
        }
    }

    /// Takes all of them.
    pub(crate) fn take(&self) -> Vec<PathBuf> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Hands files to the page, or keeps them until it asks.
pub(crate) fn deliver(app: &AppHandle, paths: Vec<PathBuf>) {
    if !paths.is_empty() {
        app.state::<Waiting>().add(&std::env::current_dir().unwrap_or_default(), paths);
        window::tell(app, "holdpoint:files", "null");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_wait_in_order_until_taken_once_and_their_number_is_bounded() {
        let waiting = Waiting::default();
        waiting.add(Path::new("/here"), ["a.jsonl".into(), "/there/b.jsonl".into()]);
        assert_eq!(waiting.take(), [PathBuf::from("/here/a.jsonl"), PathBuf::from("/there/b.jsonl")]);
        assert_eq!(waiting.take(), Vec::<PathBuf>::new());
        waiting.add(Path::new("/"), (0..WAITING_MAX + 5).map(|n| PathBuf::from(n.to_string())));
        assert_eq!(waiting.take().len(), WAITING_MAX);
    }
}
