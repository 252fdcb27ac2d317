//! The first verb: frames from the server into the store and the state. Total: a frame that cannot be read becomes a
//! line in the console, and nothing that a server sends can stop the window.

use std::sync::Arc;

use graph::{Run, RunKey};
use serde_json::value::RawValue;
use wire::viewer::{ControlStage, NoticeLevel, RunSummary, ServerFrame, ViewerFrame};

use super::App;
use crate::model::events;
use crate::model::imports::Import;
use crate::model::pending::Stage;
use crate::model::state::{Server, Stats};
use crate::model::toasts::Level;
use crate::transport::Link;

/// Frames handled in one pass; the rest waits for the next, so a flood cannot hold up a click.
const FRAMES_A_PASS: usize = 256;

impl App {
    /// Takes what arrived; `true` when more is waiting.
    pub(super) fn receive(&mut self) -> bool {
        let mut frames = std::mem::take(&mut self.frames);
        let more = self.transport.poll(self.time_s, FRAMES_A_PASS, &mut frames);
        self.follow_link();
        let count = frames.len() as u32;
        for frame in frames.drain(..) {
            match ServerFrame::decode(&frame) {
                Ok(frame) => self.frame(frame),
                Err(error) => {
                    let now = self.now();
                    let text = format!("A frame could not be read: {error}");
                    self.state.toasts.log(Level::Failed, text.clone(), now);
                    self.state.mismatch.get_or_insert(text);
                }
            }
        }
        self.frames = frames;
        if count > 0 {
            self.store.settle();
            self.changed.state = true;
            self.send(&ViewerFrame::Credit { frames: count });
        }
        more
    }

    /// Notices a new connection, or the loss of one.
    fn follow_link(&mut self) {
        let link = self.transport.link();
        if link != Link::Open && self.state.link == Link::Open {
            self.state.pending.lost();
            self.state.bodies.lost();
            self.state.events.lost();
            self.state.streams.lost();
        }
        self.state.link = link;
        self.state.address = self.transport.address();
        self.epoch = self.transport.epoch();
    }

    fn frame(&mut self, frame: ServerFrame) {
        match frame {
            ServerFrame::Welcome {
                version,
                protocol,
                ingest_url,
                viewer_url,
                data_dir,
                debug,
                runs,
                demo,
                import,
                export,
            } => {
                self.state.mismatch = mismatch(protocol, &version);
                let server = Server { version, ingest_url, viewer_url, data_dir, demo, import, export };
                self.state.server = Some(server);
                self.state.debug = debug;
                self.welcome(runs);
            }
            ServerFrame::Run { run } => self.run(run),
            ServerFrame::RunRemoved { run } => self.removed(&run),
            ServerFrame::Snapshot { run, state } => self.snapshot(&run, &state),
            ServerFrame::Events { run, events } => self.events(&run, &events),
            ServerFrame::Live { run, live } => {
                self.store.set_live(&RunKey::from(run.as_str()), live);
            }
            ServerFrame::Account { run, from, to } => {
                self.store.account(&RunKey::from(run.as_str()), from, to);
            }
            ServerFrame::Lagged { run, missed } => {
                let now = self.now();
                self.state.toasts.log(
                    Level::Info,
                    format!("{run}: {missed} frames missed, reading it anew"),
                    now,
                );
                self.send(&ViewerFrame::Watch { run });
            }
            ServerFrame::Debug { debug } => self.state.debug = debug,
            other => self.answer(other),
        }
    }

    /// Frames that answer a request, and figures.
    fn answer(&mut self, frame: ServerFrame) {
        match frame {
            ServerFrame::Body { req, offset, total_bytes, text, .. } => {
                self.state.bodies.arrived(req, offset, total_bytes, &text);
            }
            ServerFrame::EventPage { req, total, events, next_after_seq, .. } => {
                let rows = events.iter().map(|raw| events::row(raw.get())).collect();
                self.state.events.page(req, total, rows, next_after_seq.is_some());
            }
            ServerFrame::StreamText { req, text, reasoning, tool_args, total_bytes, .. } => {
                self.state.streams.arrived(req, &text, &reasoning, &tool_args, total_bytes);
            }
            ServerFrame::Control { req, stage, reason } => self.control_stage(req, stage, reason),
            ServerFrame::Failed { req, reason } => self.failed(req, reason),
            ServerFrame::Report { name, report } => self.report(&name, &report),
            ServerFrame::Importing { id, name, events, read_bytes, total_bytes, over } => {
                let import = Import { id, name, events, read_bytes, total_bytes, stopping: false };
                crate::model::imports::told(&mut self.state.imports, import, over);
            }
            ServerFrame::Stats { events_per_s, dropped, gaps, connections, memory_bytes } => {
                self.state.stats = Some(Stats { events_per_s, dropped, gaps, connections, memory_bytes });
            }
            ServerFrame::Notice { level, text } => match level {
                NoticeLevel::Info => self.say(Level::Info, text, ""),
                NoticeLevel::Warning | NoticeLevel::Error => self.say(Level::Failed, text, ""),
            },
            _ => {}
        }
    }

    /// A new connection: everything is watched anew, the person stays where they were.
    fn welcome(&mut self, runs: Vec<RunSummary>) {
        self.state.runs.clear();
        self.state.imports.clear();
        for run in runs {
            self.state.put_run(run);
        }
        self.known_holds.retain(|(run, pause)| self.state.hold(run, pause).is_some());
        let keep = self.shown().filter(|key| self.state.run(key).is_some());
        let newest = || self.state.runs.iter().find(|run| run.live).or(self.state.runs.first());
        match keep.or_else(|| newest().map(|run| Arc::from(run.run.as_str()))) {
            Some(key) => self.watch(&key),
            None => self.state.shown = None,
        }
        self.arrive();
        if let Some(compare) = &self.state.compare {
            let run = compare.first.to_string();
            self.send(&ViewerFrame::Watch { run });
        }
    }

    fn run(&mut self, run: RunSummary) {
        let key: Arc<str> = run.run.as_str().into();
        let is_new = self.state.run(&key).is_none();
        let (live, holds) = (run.live, !run.holds.is_empty());
        self.store.set_live(&RunKey::from(&*key), live);
        self.state.put_run(run);
        let idle = self.state.shown_run().is_none_or(|shown| !shown.live && !self.state.chosen);
        let begins = (is_new || self.state.shown.is_none()) && live && (idle || self.state.demo_asked);
        let waits = holds && idle && self.state.shown.as_ref() != Some(&key);
        if begins || waits {
            self.watch(&key);
        }
        self.state.demo_asked &= !(is_new && live);
    }

    fn removed(&mut self, key: &str) {
        self.state.runs.retain(|run| run.run != key);
        self.state.runs_revision += 1;
        self.state.bodies.forget(key);
        self.store.remove(&RunKey::from(key));
        if self.state.shown.as_deref() == Some(key) {
            self.state.shown = None;
            if let Some(next) = self.state.runs.first().map(|run| Arc::from(run.run.as_str())) {
                self.watch(&next);
            }
        }
    }

    fn snapshot(&mut self, key: &str, state: &RawValue) {
        match serde_json::from_str::<Run>(state.get()) {
            Ok(run) => {
                let total = run.event_count();
                self.store.insert(run);
                self.changed.structure = true;
                if self.state.shown.as_deref() == Some(key) {
                    self.state.events.reset();
                    self.state.events.open(&Arc::from(key), total);
                }
            }
            Err(error) => {
                let text = format!("{key}: {error}");
                self.state.mismatch.get_or_insert(format!("A run could not be read: {text}"));
                self.say(Level::Failed, "A run could not be shown", text);
            }
        }
    }

    fn events(&mut self, key: &str, raw: &[Box<RawValue>]) {
        let run = RunKey::from(key);
        let live = self.state.run(key).is_some_and(|run| run.live);
        let mut rows = Vec::with_capacity(raw.len());
        for envelope in raw {
            let change = self.store.apply_to(&run, &wire::decode(envelope.get()));
            self.changed.structure |= change.structure || change.created;
            if change.created {
                self.store.set_live(&run, live);
            }
            let now = self.now();
            for note in change.notes {
                self.state.toasts.log(Level::Info, note.text, now);
            }
            if !change.duplicate {
                rows.push(events::row(envelope.get()));
            }
            self.watch_refusals(key, envelope.get());
        }
        let total = self.store.run(&run).map_or(0, Run::event_count);
        self.state.events.live(key, total, rows);
    }

    /// The program said no: the ask at that hold is over and its editor says why.
    fn watch_refusals(&mut self, run: &str, envelope: &str) {
        let wire::Decoded::Ok(decoded) = wire::decode(envelope) else { return };
        let wire::Message::ExecRefused(refused) = &decoded.message else { return };
        let message = refused.message.as_deref().unwrap_or("");
        let reason = format!("The program refused it ({}) {message}", refused.code);
        self.state.pending.refuse(run, refused.pause_id.as_ref(), reason.trim().to_owned());
        self.refused_in_editor(run, refused.pause_id.as_ref(), reason.trim());
    }

    fn refused_in_editor(&mut self, run: &str, pause: &str, reason: &str) {
        if let Some(editor) = self.state.editor.as_mut().filter(|e| &*e.run == run && &*e.pause == pause) {
            editor.refused = Some(reason.to_owned());
        }
    }

    fn control_stage(&mut self, req: u64, stage: ControlStage, reason: Option<String>) {
        let stage = match stage {
            ControlStage::Delivered => Stage::OnItsWay,
            ControlStage::Refused => {
                Stage::Refused(reason.unwrap_or_else(|| "The debugger refused it.".to_owned()))
            }
        };
        let refused = if let Stage::Refused(reason) = &stage { Some(reason.clone()) } else { None };
        let place = self.state.pending.advance(req, stage);
        let Some(reason) = refused else { return };
        if let Some((run, pause)) = place {
            self.refused_in_editor(&run, &pause, &reason);
        }
        self.say(Level::Failed, "Refused", reason);
    }

    fn failed(&mut self, req: u64, reason: String) {
        let place = self.state.pending.advance(req, Stage::Refused(reason.clone()));
        if let Some((run, pause)) = place {
            self.refused_in_editor(&run, &pause, &reason);
        }
        let known = self.state.bodies.failed(req, &reason)
            || self.state.events.failed(req)
            || self.state.streams.failed(req, &reason);
        if !known {
            self.state.demo_asked = false;
            self.say(Level::Failed, "That did not work", reason);
        }
    }

    fn report(&mut self, name: &str, report: &RawValue) {
        let value: serde_json::Value = serde_json::from_str(report.get()).unwrap_or_default();
        let read = crate::model::report::read(name, report.get(), &value);
        let text = read.summary.clone();
        if self.state.reports.len() == crate::model::report::KEPT {
            self.state.reports.pop_front();
        }
        self.state.reports.push_back(read);
        let shown = crate::model::state::Overlay::Report(self.state.reports.len() - 1);
        let link = ("Show the report".to_owned(), crate::Action::Overlay(shown));
        let now = self.now();
        let level = if crate::model::report::failed(&value) { Level::Failed } else { Level::Done };
        self.state.toasts.say_with(level, format!("Report of {name}"), text, Some(link), now);
    }
}

/// What to tell the person when page and server are of different versions.
fn mismatch(protocol: u32, server: &str) -> Option<String> {
    let (ours, page) = (wire::viewer::VERSION, env!("CARGO_PKG_VERSION"));
    let which = match protocol.cmp(&ours) {
        std::cmp::Ordering::Equal => return None,
        std::cmp::Ordering::Greater => "This page is older than the debugger it talks to",
        std::cmp::Ordering::Less => "This page is newer than the debugger it talks to",
    };
    Some(format!("{which}: page {page} speaks version {ours}, debugger {server} speaks {protocol}."))
}
