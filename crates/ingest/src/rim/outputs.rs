//! Doing what the hub decided.
//!
//! Invariant: all lines of a turn are written before any message of that turn is sent.

use std::collections::BTreeMap;
use std::io::Write;
use std::sync::Arc;

use graph::RunKey;

use super::peers::ToApp;
use super::{Rim, import, load, reads};
use crate::config::{ImportFile, ImportSource};
use crate::hub::{Fate, Input, Now, Output, Verdict};
use crate::journal::Line;
use crate::limits::WRITE_BUFFER_BYTES;
use crate::server::{open_private, write_private};

/// Runs whose lines of a turn could not be written, with the reason.
#[derive(Default)]
struct Unstored(BTreeMap<RunKey, String>);

impl Unstored {
    /// What was to be stored and is not, is refused.
    fn correct(&self, fate: &mut Fate) {
        let reason = fate.run.as_ref().and_then(|key| self.0.get(key));
        if let (Some(reason), Verdict::Stored) = (reason, &fate.verdict) {
            fate.verdict = Verdict::Refused(format!("it could not be stored: {reason}"));
        }
    }
}

impl Rim {
    /// Does everything in `out` and leaves it empty.
    pub(super) fn perform(&mut self, now: Now, out: &mut Vec<Output>) {
        let unstored = self.store(now, out);
        for output in std::mem::take(out) {
            match output {
                Output::Receipt { receipt, mut fates } => {
                    fates.iter_mut().for_each(|fate| unstored.correct(fate));
                    // Who asked may be gone.
                    let _ = receipt.0.send(fates);
                }
                output => self.show(output),
            }
        }
        // Errors of what was just done are inputs like any other.
        if !out.is_empty() {
            self.perform(now, out);
        }
    }

    /// Writes what must be written before anything is sent.
    fn store(&mut self, now: Now, out: &mut Vec<Output>) -> Unstored {
        let mut lines: BTreeMap<RunKey, Vec<Line>> = BTreeMap::new();
        let mut memory = String::new();
        out.retain_mut(|output| match output {
            Output::Append { key, seq, text } => {
                let line = Line { seq: *seq, text: std::mem::take(text) };
                match lines.get_mut(key) {
                    Some(lines) => lines.push(line),
                    None => {
                        lines.insert(key.clone(), vec![line]);
                    }
                }
                false
            }
            Output::Remember { line } => {
                memory.push_str(line);
                memory.push('\n');
                false
            }
            _ => true,
        });
        let (mut troubles, mut unstored) = (Vec::new(), Unstored::default());
        for (key, lines) in lines {
            if let Err(error) = self.journal.append(key.as_str(), &lines, &mut self.buffer) {
                let events = lines.len() as u64;
                unstored.0.insert(key.clone(), error.to_string());
                troubles.push(Input::AppendFailed { key, events, reason: error.to_string() });
            }
        }
        if self.buffer.capacity() > WRITE_BUFFER_BYTES {
            self.buffer = Vec::new();
        }
        if !memory.is_empty()
            && let Err(error) = self.remember(&memory)
        {
            troubles.push(Input::Trouble { what: format!("sessions cannot be remembered: {error}") });
        }
        for trouble in troubles {
            self.hub.step(now, trouble, out);
        }
        unstored
    }

    fn remember(&mut self, lines: &str) -> std::io::Result<()> {
        if self.remembered.is_none() {
            self.remembered = Some(open_private(&self.data_dir.join(super::restore::SESSIONS), true)?);
        }
        match &mut self.remembered {
            Some(file) => file.write_all(lines.as_bytes()),
            None => Ok(()),
        }
    }

    fn show(&mut self, output: Output) {
        match output {
            Output::ToSession { session, text, receipt } => {
                self.peers.send_app(session, ToApp::Text { text, receipt });
            }
            Output::CloseSession { session, code, reason } => {
                self.peers.send_app(session, ToApp::Close { code, reason });
            }
            Output::ToViewer { viewer, text } => self.peers.send_viewer(viewer, text),
            Output::SaveDebug { text } => {
                let path = self.data_dir.join(super::restore::DEBUG);
                self.tell_trouble("breakpoints cannot be kept", write_private(&path, text.as_bytes()));
            }
            Output::Live { key, live } => {
                if let Some(file) = self.journal.find(key.as_str()) {
                    file.set_live(live);
                }
            }
            Output::Sidecar { key, facts } => self.sidecar(&key, facts),
            Output::Load { key, live, source, known } => {
                let (file, handle) = (self.journal.find(key.as_str()), self.handle.clone());
                tokio::task::spawn_blocking(move || {
                    handle.tell(load::load(key, file, live, &source, &known))
                });
            }
            Output::Snapshot { key, store } => {
                let handle = self.handle.clone();
                tokio::task::spawn_blocking(move || handle.tell(load::snapshot(key, store)));
            }
            Output::Read { viewer, req, key, what } => {
                let Some(queue) = self.peers.viewer(viewer).cloned() else { return };
                let file = self.journal.find(key.as_str());
                tokio::task::spawn_blocking(move || {
                    queue.push(reads::answer(req, &key, file.as_deref(), &what).encode().into());
                });
            }
            Output::Import { viewer, req, path } => self.import(viewer, req, path),
            Output::Delete { key } => {
                self.tell_trouble("a run cannot be deleted", self.journal.remove(key.as_str()));
            }
            Output::Demo => {
                if let Some(demo) = &self.demo {
                    demo();
                }
            }
            Output::Append { .. } | Output::Remember { .. } | Output::Receipt { .. } => {}
        }
    }

    fn sidecar(&self, key: &RunKey, facts: String) {
        let Some(file) = self.journal.find(key.as_str()) else { return };
        // Index and facts must be of the same moment, so the index is read now and written later.
        let (text, handle, key) = (file.sidecar_text(&facts), self.handle.clone(), key.clone());
        tokio::task::spawn_blocking(move || {
            if let Err(error) = text.and_then(|text| file.write_sidecar(&text)) {
                handle.tell(Input::Trouble { what: format!("run {key} cannot be indexed: {error}") });
            }
        });
    }

    fn import(&self, viewer: crate::hub::ViewerId, req: u64, path: String) {
        let Some(importer) = self.importer.clone() else { return };
        let (journal, handle) = (Arc::clone(&self.journal), self.handle.clone());
        let path = std::path::PathBuf::from(path);
        let name = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        let files = vec![ImportFile { name: name.clone(), source: ImportSource::Path(path) }];
        tokio::task::spawn_blocking(move || {
            import::import(&*importer, &journal, &handle, name, files, Some((viewer, req)));
        });
    }

    fn tell_trouble(&self, what: &str, outcome: std::io::Result<()>) {
        if let Err(error) = outcome {
            let (handle, what) = (self.handle.clone(), format!("{what}: {error}"));
            tokio::task::spawn_blocking(move || handle.tell(Input::Trouble { what }));
        }
    }
}
