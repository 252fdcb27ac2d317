//! Imports under way: how far they are, and the word that stops one.
//!
//! Invariant: an import is known here from its first word about progress until it is over; stopping it is a wish that
//! the importer follows at its next record.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use wire::viewer::ServerFrame;

use super::{Hub, Output, ViewerId};
use crate::config::ImportProgress;

/// The imports that take long enough to be told of.
#[derive(Default)]
pub(super) struct Imports {
    next: u64,
    open: BTreeMap<u64, Import>,
}

struct Import {
    name: String,
    stop: Arc<AtomicBool>,
    events: u64,
    read: ImportProgress,
}

impl Import {
    fn frame(&self, id: u64, over: bool) -> ServerFrame {
        let (name, ImportProgress { read_bytes, total_bytes }) = (self.name.clone(), self.read);
        ServerFrame::Importing { id, name, events: self.events, read_bytes, total_bytes, over }
    }
}

impl Hub {
    /// An import has begun to take long; `stop` ends it.
    pub(crate) fn import_begins(&mut self, name: String, stop: Arc<AtomicBool>) -> u64 {
        self.imports.next += 1;
        let import = Import { name, stop, events: 0, read: ImportProgress::default() };
        self.imports.open.insert(self.imports.next, import);
        self.imports.next
    }

    pub(super) fn importing(&mut self, id: u64, events: u64, read: ImportProgress, out: &mut Vec<Output>) {
        let Some(import) = self.imports.open.get_mut(&id) else { return };
        (import.events, import.read) = (events, read);
        let frame = import.frame(id, false);
        self.show_all(&frame, out);
    }

    pub(super) fn import_over(&mut self, id: u64, out: &mut Vec<Output>) {
        if let Some(import) = self.imports.open.remove(&id) {
            self.show_all(&import.frame(id, true), out);
        }
    }

    /// What a newcomer is told.
    pub(super) fn imports_under_way(&self) -> Vec<ServerFrame> {
        self.imports.open.iter().map(|(id, import)| import.frame(*id, false)).collect()
    }

    pub(super) fn cancel_import(&self, viewer: ViewerId, req: u64, id: u64, out: &mut Vec<Output>) {
        let outcome = match self.imports.open.get(&id) {
            Some(import) => {
                import.stop.store(true, Ordering::Relaxed);
                Ok(())
            }
            None => Err("that import is over".to_owned()),
        };
        self.done(viewer, req, outcome, out);
    }
}
