//! The third verb: everything that follows from the new state, once a pass. Projections and layout are brought up to
//! date here, and only if something changed; the rest is small and in proportion to what is on screen.

use std::sync::Arc;

use super::App;
use crate::Action;
use crate::model::export::{Export, Exported};
use crate::model::format;
use crate::model::pending::Stage;
use crate::model::toasts::Level;
use crate::model::{BodyAsk, InspectorTab};
use crate::platform::Incoming;

/// Bytes of a body asked for at once by the editor.
const EDITOR_CHUNK: u64 = 1 << 20;
/// Bytes of a body asked for at once on its way to the clipboard.
const COPY_CHUNK: u64 = 8 << 20;

impl App {
    /// Follows the new state.
    pub(super) fn refresh(&mut self, ctx: &egui::Context) {
        self.new_holds(ctx);
        self.ended_asks();
        self.fill_open_editor();
        self.finish_copy(ctx);
        self.files(ctx);
        self.retitle();
        self.keep_place();
        self.refresh_compare();
        let moves = self.advance();
        self.refresh_scene();
        if let Some(run) = self.state.shown.as_deref().and_then(|key| self.store.run(&key.into())) {
            self.state.prices.refresh(run, self.time_s);
        }
        if self.state.armed.as_ref().is_some_and(|armed| self.time_s > armed.until_s) {
            self.state.armed = None;
        }
        self.wake(ctx);
        if let Some(seconds) = moves {
            ctx.request_repaint_after_secs(seconds as f32);
        }
    }

    /// A hold that was not there before: it is shown, said, and told to the system if the window is not in front.
    fn new_holds(&mut self, ctx: &egui::Context) {
        let now: Vec<(String, String)> =
            self.state.holds().map(|hold| (hold.run.clone(), hold.pause_id.clone())).collect();
        if now == self.known_holds {
            return;
        }
        let focused = ctx.input(|input| input.focused);
        let fresh: Vec<_> = now.iter().filter(|key| !self.known_holds.contains(key)).cloned().collect();
        self.known_holds = now;
        for (run, pause) in fresh {
            let Some(hold) = self.state.hold(&run, &pause).cloned() else { continue };
            let what = format!("{} is held {}", hold.name, crate::model::events::point(hold.point.as_str()));
            if !focused {
                self.platform.notify(&what, &run);
            }
            let shown = self.state.shown.as_deref() == Some(run.as_str());
            let free = self.state.editor.is_none() && !self.selection_is_held();
            let run: Arc<str> = run.into();
            if shown && free {
                self.select_hold(&run, &pause);
                self.state.layout.inspector = true;
            } else if !shown {
                let now = self.now();
                let link = ("Show it".to_owned(), Action::OpenRun(Arc::clone(&run)));
                self.state.toasts.say_with(Level::Held, what, run.to_string(), Some(link), now);
            }
        }
    }

    fn selection_is_held(&self) -> bool {
        let node = self.state.selection.node.as_deref();
        node.is_some() && self.state.holds().any(|hold| Some(hold.node_id.as_str()) == node)
    }

    /// Asks whose hold has ended: what happened is said if it is not what was asked.
    fn ended_asks(&mut self) {
        let state = &mut self.state;
        let runs = &state.runs;
        let held = |run: &str, pause: &str| {
            runs.iter().any(|known| known.run == run && known.holds.iter().any(|hold| hold.pause_id == pause))
        };
        let ended = state.pending.retain(held);
        if state.editor.as_ref().is_some_and(|editor| !held(&editor.run, &editor.pause)) {
            let injected =
                ended.iter().any(|(_, pause, _)| state.editor.as_ref().is_some_and(|e| e.pause == *pause));
            state.editor = None;
            if injected && state.tab == InspectorTab::Error {
                state.tab = InspectorTab::Output;
            }
        }
        for (run, pause, ask) in ended {
            self.compare(&run, &pause, ask.verb, &ask.stage);
        }
    }

    /// What was asked against what happened.
    fn compare(&mut self, run: &Arc<str>, pause: &Arc<str>, verb: crate::action::Verb, stage: &Stage) {
        if matches!(stage, Stage::Refused(_)) {
            return;
        }
        let Some(known) = self.store.run(&graph::RunKey::from(&**run)) else { return };
        let hold = known.holds().iter().rev().find(|hold| hold.pause_id.as_str() == &**pause);
        let Some(action) = hold.and_then(graph::Hold::action) else { return };
        let expected = match verb {
            crate::action::Verb::Continue | crate::action::Verb::Step => "continue",
            crate::action::Verb::Retry => "retry",
            crate::action::Verb::Inject => "inject",
            crate::action::Verb::Abort => "abort",
            crate::action::Verb::Edit => return,
        };
        if action.as_str() != expected {
            let text = format!("{} was asked, the program did {}.", verb.word(), action.as_str());
            self.say(Level::Failed, "Something else happened", text);
        }
    }

    /// Fetches and hands over the value that an open editor waits for.
    fn fill_open_editor(&mut self) {
        let Some(key) = self.state.editor.as_ref().and_then(|editor| editor.source.clone()) else { return };
        let known = self.state.bodies.get(&key);
        match known {
            Some(text) if text.complete() => {
                let text = Arc::clone(&text.text);
                if let Some(editor) = &mut self.state.editor {
                    editor.source = None;
                    editor.arrived(&text);
                }
            }
            Some(text) if text.failed.is_some() || text.waiting => {}
            _ if self.state.online() => {
                self.actions.push(Action::FetchBody(BodyAsk { key, limit: EDITOR_CHUNK }))
            }
            _ => {}
        }
    }

    /// A body on its way to the clipboard: the rest of it is asked for piece by piece.
    fn finish_copy(&mut self, ctx: &egui::Context) {
        let Some(key) = self.state.copying.clone() else { return };
        let known = self.state.bodies.get(&key);
        match known {
            Some(text) if text.complete() => {
                ctx.copy_text(text.text.to_string());
                let size = format::bytes(text.total_bytes);
                self.state.copying = None;
                self.say(Level::Done, "Copied the value", size);
            }
            Some(text) if text.failed.is_some() => {
                let why = text.failed.clone().unwrap_or_default();
                self.state.copying = None;
                self.say(Level::Failed, "Not copied", why);
            }
            Some(text) if text.waiting => {}
            _ if self.state.online() => {
                self.actions.push(Action::FetchBody(BodyAsk { key, limit: COPY_CHUNK }));
            }
            _ => {
                self.state.copying = None;
                self.say(Level::Failed, "Not copied", "There is no connection to the debugger.");
            }
        }
    }

    /// Files that were dropped or chosen.
    fn files(&mut self, ctx: &egui::Context) {
        self.state.dragging =
            self.platform.dragging() || ctx.input(|input| !input.raw.hovered_files.is_empty());
        for file in self.platform.take_files() {
            match file {
                Incoming::Place(fragment) => self.follow_link_to(&fragment),
                Incoming::Path(path) => self.actions.push(Action::OpenPath(path)),
                Incoming::Bytes { name, bytes } => {
                    self.say(Level::Info, format!("Reading {name}"), format::bytes(bytes.len() as u64));
                    self.platform.upload(&name, bytes);
                }
                Incoming::Exported { ask, done } => self.exported(&ask, done),
                Incoming::Failed { reason } => self.say(Level::Failed, "The file could not be read", reason),
            }
        }
    }

    fn exported(&mut self, ask: &Export, done: Result<Option<Exported>, String>) {
        match done {
            Ok(Some(done)) => {
                let redacted = ask.redact || !ask.form.may_keep_secrets();
                self.say(Level::Done, format!("Exported {}", done.name), done.words(redacted));
            }
            Ok(None) => self.say(Level::Info, "Not exported", "No place was chosen for the file."),
            Err(why) => self.say(Level::Failed, "Not exported", why),
        }
    }

    /// `(1 held) Invoice reconciliation, Holdpoint`.
    fn retitle(&mut self) {
        let held = match self.state.hold_count() {
            0 => String::new(),
            n => format!("({n} held) "),
        };
        let name = self.state.shown_run().map(|run| format!("{}, ", run_title(run))).unwrap_or_default();
        let title = format!("{held}{name}Holdpoint");
        if title != self.title {
            self.platform.set_title(&title);
            self.title = title;
        }
    }

    /// Asks for the next pass only if something on screen moves by itself.
    fn wake(&mut self, ctx: &egui::Context) {
        let mut next: Option<f64> = self.state.toasts.age(self.time_s);
        let mut sooner = |seconds: f64| next = Some(next.map_or(seconds, |known| known.min(seconds)));
        let running = self.state.shown_run().is_some_and(|run| run.live && run.status == "running");
        if self.state.hold_count() > 0 || running || self.state.armed.is_some() {
            sooner(1.0);
        }
        if self.state.link != crate::transport::Link::Open {
            sooner(0.25);
        }
        if !self.actions.is_empty() {
            sooner(0.0);
        }
        if let Some(seconds) = next {
            ctx.request_repaint_after_secs(seconds.max(0.0) as f32);
        }
    }
}

/// What a run is called: its program's name, else its id.
pub(crate) fn run_title(run: &wire::viewer::RunSummary) -> &str {
    if run.app.is_empty() { &run.run } else { &run.app }
}
