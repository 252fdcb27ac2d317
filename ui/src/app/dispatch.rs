//! The second verb: what was asked, into view state or onto the socket.

use std::sync::Arc;

use wire::Mode;
use wire::viewer::ViewerFrame;

use super::{App, run_title};
use crate::action::Action;
use crate::model::export::Export;
use crate::model::state::Overlay;
use crate::model::toasts::Level;
use crate::model::{BodyAsk, DockTab, Layout, Pane, Panel, Panes, Selection, TimePosition};

/// Events asked for at once.
const EVENTS_A_PAGE: u64 = crate::model::events::Events::PAGE as u64;

impl App {
    /// Carries out everything that was asked.
    pub(super) fn dispatch(&mut self, ctx: &egui::Context) {
        for action in self.actions.take() {
            self.one(action, ctx);
        }
    }

    fn one(&mut self, action: Action, ctx: &egui::Context) {
        match action {
            Action::OpenRun(key) => {
                self.state.chosen = true;
                self.watch(&key);
            }
            Action::Select(selection) => self.select(selection),
            Action::Inspect(tab) => {
                self.state.tab = tab;
                self.state.layout.inspector = true;
            }
            Action::Dock(tab) => self.show_tab(tab),
            Action::Time(position) => {
                self.state.play = None;
                self.state.time = position;
            }
            Action::StepEvent(forward) => self.step_event(forward),
            Action::Compare(Some(first)) => self.compare_with(&first),
            Action::Compare(None) => self.end_compare(),
            Action::SwapCompare => self.swap_compare(),
            Action::StepDifference(forward) => self.step_difference(forward),
            Action::Step(step) => self.step(step),
            Action::Play(speed) => self.play(speed),
            Action::Search(text) => self.state.search = text,
            Action::Narrow(narrow) => narrow.toggle(&mut self.state.narrowed),
            Action::Widen => self.state.narrowed = graph::project::Filter::default(),
            Action::FocusSearch => {
                ctx.memory_mut(|memory| memory.request_focus(crate::views::control_bar::search_id()))
            }
            Action::Control(control) => self.control(control),
            Action::Edit(ask) => self.open_editor(ask),
            Action::EditorText(text) => {
                if let Some(editor) = &mut self.state.editor {
                    editor.text = text;
                    editor.touched = true;
                }
            }
            Action::EditorFocused => {
                if let Some(editor) = &mut self.state.editor {
                    editor.focus = false;
                }
            }
            Action::SendEditor => self.send_editor(),
            Action::CloseEditor => self.state.editor = None,
            Action::ArmAbort(pause) => {
                let until_s = self.time_s + super::control::ABORT_ARMED_S;
                self.state.armed = pause.map(|pause| crate::model::state::ArmedAbort { pause, until_s });
            }
            Action::Copy { text, what } => {
                ctx.copy_text(text);
                self.say(Level::Done, format!("Copied {what}"), "");
            }
            Action::CopyBody(key) => {
                self.state.copying = Some(key);
            }
            Action::Find => {
                let looks = self.state.layout.inspector && self.state.selection.node.is_some();
                if !(looks && self.scratch.inspector.find(self.state.tab)) {
                    self.one(Action::FocusSearch, ctx);
                }
            }
            Action::CloseToast(id) => self.state.toasts.close(id),
            Action::Overlay(overlay) => self.state.overlay = overlay,
            Action::OpenDialog => self.open_dialog(),
            Action::Export(ask) => self.export(&ask),
            Action::Reload => self.platform.reload(),
            Action::CopyLink => self.copy_link(ctx),
            Action::AllowNotifications => self.platform.allow_notifications(),
            Action::SetPrices(table) => {
                self.state.prices.set(table);
                self.remember();
            }
            other => self.ask_server(other),
        }
    }

    /// What goes to the server as it is, and what is remembered.
    fn ask_server(&mut self, action: Action) {
        let req = self.req();
        let frame = match action {
            Action::DeleteRun(run) => ViewerFrame::RunDelete { req, run: run.to_string() },
            Action::ContinueAll { run } => {
                ViewerFrame::ContinueAll { req, run: run.map(|run| run.to_string()) }
            }
            Action::PauseAll => ViewerFrame::PauseAll { req },
            Action::StepMode(step) => {
                ViewerFrame::ModeSet { req, mode: if step { Mode::Step } else { Mode::Run } }
            }
            Action::PauseOnError(on) => ViewerFrame::PauseOnError { req, on },
            Action::SetBreakpoint(spec) => ViewerFrame::BreakpointSet { req, spec },
            Action::ClearBreakpoint(matcher) => ViewerFrame::BreakpointClear { req, matcher },
            Action::StartDemo => {
                self.state.demo_asked = true;
                ViewerFrame::DemoStart { req }
            }
            Action::OpenPath(path) => ViewerFrame::Open { req, path },
            Action::CancelImport(id) => {
                if let Some(import) = self.state.imports.iter_mut().find(|import| import.id == id) {
                    import.stopping = true;
                }
                ViewerFrame::ImportCancel { req, id }
            }
            Action::FetchBody(ask) => return self.fetch_body(&ask),
            Action::SeeEvents { from, to } => return self.see_events(from, to),
            Action::FetchStream { node, instance } => return self.fetch_stream(node, instance),
            Action::ToggleBreakpoint(node) => return self.toggle_breakpoint(&node),
            other => return self.arrange(other),
        };
        if !self.send(&frame) {
            self.state.demo_asked = false;
            self.say(
                Level::Failed,
                "Not sent",
                "There is no connection to the debugger. It is tried again by itself.",
            );
        }
    }

    /// Panels, theme, connection, and what belongs to the canvas.
    fn arrange(&mut self, action: Action) {
        match action {
            Action::TogglePanel(panel) => {
                let open = match panel {
                    Panel::Rail => &mut self.state.layout.rail,
                    Panel::Inspector => &mut self.state.layout.inspector,
                    Panel::Dock => &mut self.state.layout.dock,
                };
                *open = !*open;
                self.remember();
            }
            Action::Place(pane, side) => {
                self.scratch.panes.place(pane, side);
                self.remember();
            }
            Action::Hide(pane) => self.hide(pane),
            Action::ResetLayout => self.reset_layout(),
            Action::Arranged => self.remember(),
            Action::Section(at) => {
                if let Some(open) = self.state.layout.sections.get_mut(at) {
                    *open = !*open;
                }
                self.remember();
            }
            Action::Theme(choice) => {
                self.state.layout.theme = choice;
                self.themed = false;
                self.remember();
            }
            Action::Reconnect => self.transport.reconnect(),
            other => self.canvas(other),
        }
    }

    /// Brings a tab of the dock to the front, wherever it is docked.
    fn show_tab(&mut self, tab: DockTab) {
        self.state.layout.dock = true;
        self.state.layout.closed.retain(|closed| *closed != tab);
        self.scratch.panes.activate(Pane::Dock(tab));
        self.remember();
    }

    fn hide(&mut self, pane: Pane) {
        let layout = &mut self.state.layout;
        match pane {
            Pane::Rail => layout.rail = false,
            Pane::Inspector => layout.inspector = false,
            Pane::Dock(tab) if !layout.closed.contains(&tab) => layout.closed.push(tab),
            Pane::Canvas | Pane::Dock(_) => {}
        }
        self.remember();
    }

    /// Panels as at the first start; theme and sections are no part of that.
    fn reset_layout(&mut self) {
        let known = &self.state.layout;
        self.state.layout = Layout { sections: known.sections, theme: known.theme, ..Layout::default() };
        self.scratch.panes = Panes::default();
        self.remember();
    }

    /// Makes a run the shown one and watches it, and it alone.
    pub(super) fn watch(&mut self, key: &Arc<str>) {
        let compared = self.state.compare.as_ref().is_some_and(|compare| compare.second != *key);
        if compared {
            self.end_compare();
        }
        if let Some(old) = self.shown().filter(|old| old != key) {
            self.send(&ViewerFrame::Unwatch { run: old.to_string() });
            self.state.selection = Selection::default();
            self.state.editor = None;
            self.state.time = TimePosition::Live;
            self.state.play = None;
        }
        self.state.shown = Some(Arc::clone(key));
        let total = self.state.run(key).map_or(0, |run| run.events);
        self.state.events.open(key, total);
        self.send(&ViewerFrame::Watch { run: key.to_string() });
    }

    fn select(&mut self, selection: Selection) {
        let moved = self.state.selection.node != selection.node;
        if moved
            && self.state.editor.as_ref().is_some_and(|editor| Some(&editor.node) != selection.node.as_ref())
        {
            self.state.editor = None;
        }
        self.state.selection = selection;
    }

    /// Asks for the page that brings these ranks into view, if one is missing.
    fn see_events(&mut self, from: u64, to: u64) {
        let Some(key) = self.shown() else { return };
        let run = self.store.find(&key);
        let numbers = run.map_or((0, 0), |run| (run.first_seq().unwrap_or(0), run.last_seq().unwrap_or(0)));
        let req = self.req();
        let Some(after_seq) = self.state.events.wanted(from, to, numbers, req) else { return };
        let frame = ViewerFrame::EventsGet { req, run: key.to_string(), after_seq, limit: EVENTS_A_PAGE };
        if !self.send(&frame) {
            self.state.events.lost();
        }
    }

    fn fetch_body(&mut self, ask: &BodyAsk) {
        let req = self.req();
        let Some(offset) = self.state.bodies.begin(&ask.key, req) else { return };
        let (run, pointer) = (ask.key.run.to_string(), ask.key.pointer.to_string());
        let frame = ViewerFrame::BodyGet { req, run, seq: ask.key.seq, pointer, offset, limit: ask.limit };
        if !self.send(&frame) {
            self.state.bodies.lost();
        }
    }

    fn fetch_stream(&mut self, node: Arc<str>, instance: Option<Arc<str>>) {
        let Some(run) = self.shown() else { return };
        let key = (Arc::clone(&run), Arc::clone(&node), instance.clone());
        let pieces = self.stream_pieces(&node, instance.as_deref());
        let req = self.req();
        if self.state.streams.begin(&key, pieces, req) {
            let (run, node_id) = (run.to_string(), node.to_string());
            let instance_id = instance.map(|id| id.to_string());
            if !self.send(&ViewerFrame::StreamGet { req, run, node_id, instance_id }) {
                self.state.streams.lost();
            }
        }
    }

    fn stream_pieces(&self, node: &str, instance: Option<&str>) -> u64 {
        let Some(run) = self.shown().and_then(|key| self.store.run(&graph::RunKey::from(&*key))) else {
            return 0;
        };
        let Some(ix) = run.find_node(node) else { return 0 };
        match instance.and_then(|id| run.find_instance(ix, id)) {
            Some(instance) => run.instance(instance).text().deltas,
            None => run.node(ix).unattributed.deltas,
        }
    }

    fn export(&mut self, ask: &Export) {
        let name = self.state.run(&ask.run).map_or(ask.run.to_string(), |run| run_title(run).to_owned());
        self.say(Level::Info, format!("Exporting {name}"), ask.form.title());
        self.platform.export(ask);
    }

    fn open_dialog(&mut self) {
        if !self.platform.open_dialog() {
            self.say(
                Level::Info,
                "Drop a file here",
                "This window has no file dialog: drag the recording onto it.",
            );
        }
        self.state.overlay = Overlay::None;
    }
}
