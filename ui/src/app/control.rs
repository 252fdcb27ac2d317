//! From a verb at a hold to frames on the socket. Nothing is optimistic: an ask is noted as asked, and only what the
//! program itself reports ends it.

use std::sync::Arc;

use graph::{InstanceIx, RunKey};
use serde_json::value::RawValue;
use wire::viewer::{BreakpointSpec, ViewerFrame};
use wire::{Action as Answer, Body, Matcher, Mode, Point};

use super::App;
use crate::action::{Control, EditorAsk, EditorKind, Verb};
use crate::model::bodies::BodyKey;
use crate::model::editor::Editor;
use crate::model::pending::{Ask, Stage};
use crate::model::state::ArmedAbort;
use crate::model::toasts::Level;

/// Seconds in which the second press of an abort counts.
pub(super) const ABORT_ARMED_S: f64 = 4.0;
/// A value larger than this is not put into the editor: no program takes it back in one frame.
const EDITABLE_BYTES: u64 = 900 << 10;

impl App {
    /// Carries out an answer to a hold.
    pub(super) fn control(&mut self, control: Control) {
        let Some(hold) = self.state.hold(&control.run, &control.pause).cloned() else {
            return self.say(Level::Failed, "Too late", "This hold has already ended.");
        };
        let (run, pause) = (Arc::clone(&control.run), Arc::clone(&control.pause));
        let kind = if control.verb == Verb::Inject { EditorKind::Inject } else { EditorKind::Edit };
        match (control.verb, &control.value) {
            (Verb::Inject | Verb::Edit, None) => {
                return self.open_editor(EditorAsk { run, pause, what: kind });
            }
            (Verb::Abort, _) if !self.abort_is_armed(&pause) => {
                self.state.armed = Some(ArmedAbort { pause, until_s: self.time_s + ABORT_ARMED_S });
                return;
            }
            _ => {}
        }
        self.state.armed = None;
        let req = self.req();
        if !self.state.pending.begin(&run, &pause, Ask { req, verb: control.verb, stage: Stage::Asked }) {
            return self.say(
                Level::Info,
                "Already asked",
                "The first answer to this hold is still on its way.",
            );
        }
        self.mode_for(control.verb);
        let frame = self.resume(req, &control, hold.point);
        if !self.send(&frame) {
            let reason = "There is no connection to the debugger.".to_owned();
            self.state.pending.advance(req, Stage::Refused(reason.clone()));
            self.say(Level::Failed, "Not sent", reason);
        }
    }

    fn abort_is_armed(&self, pause: &str) -> bool {
        self.state.armed.as_ref().is_some_and(|armed| &*armed.pause == pause && self.time_s <= armed.until_s)
    }

    /// A step holds again at the next gate, a plain continue runs to a breakpoint.
    fn mode_for(&mut self, verb: Verb) {
        let mode = match verb {
            Verb::Step => Mode::Step,
            Verb::Continue => Mode::Run,
            _ => return,
        };
        if self.state.debug.mode != mode {
            let req = self.req();
            self.send(&ViewerFrame::ModeSet { req, mode });
        }
    }

    fn resume(&self, req: u64, control: &Control, point: Point) -> ViewerFrame {
        let value = || control.value.clone().and_then(|text| RawValue::from_string(text).ok());
        let (action, output, input) = match control.verb {
            Verb::Continue | Verb::Step => (Answer::Continue, None, None),
            Verb::Retry => (Answer::Retry, None, None),
            Verb::Inject => (Answer::Inject, value(), None),
            Verb::Edit if point == Point::Before => (Answer::Continue, None, value()),
            Verb::Edit => (Answer::Retry, None, value()),
            Verb::Abort => (Answer::Abort, None, None),
        };
        let node_id = self.state.hold(&control.run, &control.pause).map(|hold| hold.node_id.clone());
        let (run, pause_id) = (control.run.to_string(), control.pause.to_string());
        ViewerFrame::Resume { req, run, pause_id, node_id, action, output, input }
    }

    /// Opens the editor on a hold, with the value that was there.
    pub(super) fn open_editor(&mut self, ask: EditorAsk) {
        let Some(hold) = self.state.hold(&ask.run, &ask.pause).cloned() else { return };
        self.select_hold(&ask.run, &ask.pause);
        let node: Arc<str> = hold.node_id.as_str().into();
        let mut editor = Editor::new(Arc::clone(&ask.run), Arc::clone(&ask.pause), node, ask.what);
        let failure =
            (ask.what == EditorKind::Inject && hold.point == Point::Error).then(|| self.failure_of(&ask));
        match failure.flatten() {
            Some(error) => {
                let suggestion =
                    self.last_output(&ask.run, &hold.node_id).unwrap_or_else(|| "null".to_owned());
                editor.failed_before(&error, &suggestion);
            }
            None => self.fill_editor(&mut editor, &ask),
        }
        self.state.editor = Some(editor);
        self.state.layout.inspector = true;
    }

    fn held_instance(&self, run: &str, pause: &str) -> Option<(&graph::Run, InstanceIx)> {
        let run = self.store.run(&RunKey::from(run))?;
        let hold = run.holds().iter().rev().find(|hold| hold.pause_id.as_str() == pause)?;
        Some((run, hold.instance.or_else(|| run.node(hold.node).instances.last().copied())?))
    }

    fn failure_of(&self, ask: &EditorAsk) -> Option<String> {
        let (run, instance) = self.held_instance(&ask.run, &ask.pause)?;
        let failure = run.failure(instance)?;
        Some(if failure.name.is_empty() { failure.message.to_string() } else { failure.name.to_string() })
    }

    /// The newest whole result of a node: what its results look like.
    fn last_output(&self, run: &str, node: &str) -> Option<String> {
        let run = self.store.run(&RunKey::from(run))?;
        let node = run.node(run.find_node(node)?);
        let recent = node.instances.iter().rev().take(64);
        recent
            .filter_map(|ix| run.output(*ix))
            .find(|(body, _)| body.whole)
            .map(|(body, _)| body.preview.to_string())
    }

    fn fill_editor(&self, editor: &mut Editor, ask: &EditorAsk) {
        let found = self.held_instance(&ask.run, &ask.pause).and_then(|(run, instance)| match ask.what {
            EditorKind::Inject => run.output(instance).map(|found| (found, "/payload/output")),
            EditorKind::Edit => run.input(instance).map(|found| (found, "/payload/input")),
        });
        match found {
            Some(((Body { preview, whole: true, .. }, _), _)) => editor.arrived(preview),
            Some(((body, seq), pointer)) if body.size_bytes <= EDITABLE_BYTES => {
                editor.source = Some(BodyKey { run: Arc::clone(&ask.run), seq, pointer: pointer.into() });
            }
            _ => {
                let suggestion =
                    self.last_output(&ask.run, &editor.node).unwrap_or_else(|| "null".to_owned());
                editor.text = crate::model::editor::pretty(&suggestion).unwrap_or(suggestion);
                editor.before = Some(String::new());
            }
        }
    }

    /// Sends what is typed, if it is JSON.
    pub(super) fn send_editor(&mut self) {
        let Some(editor) = self.state.editor.as_mut() else { return };
        let Ok(value) = editor.value() else { return };
        editor.refused = None;
        let verb = if editor.kind == EditorKind::Inject { Verb::Inject } else { Verb::Edit };
        let (run, pause) = (Arc::clone(&editor.run), Arc::clone(&editor.pause));
        self.control(Control { run, pause, verb, value: Some(value) });
    }

    /// Selects the node and instance of a hold, and the tab that says why it holds.
    pub(super) fn select_hold(&mut self, run: &Arc<str>, pause: &str) {
        let Some(hold) = self.state.hold(run, pause).cloned() else { return };
        self.state.selection.node = Some(hold.node_id.as_str().into());
        self.state.selection.instance = hold.instance_id.as_deref().map(Arc::from);
        self.state.selection.seq = None;
        self.state.tab = match hold.point {
            Point::Before => crate::model::InspectorTab::Input,
            Point::After => crate::model::InspectorTab::Output,
            Point::Error => crate::model::InspectorTab::Error,
        };
    }

    /// The gutter's click: clears what is there, exactly as it was set, or sets a plain one.
    pub(super) fn toggle_breakpoint(&mut self, node: &str) {
        let run = self.shown().map(|key| RunKey::from(&*key));
        let known = run.and_then(|key| {
            let run = self.store.run(&key)?;
            let node = run.node(run.find_node(node)?);
            Some((node.kind.as_str().to_owned(), node.name.to_string()))
        });
        let Some((kind, name)) = known else { return };
        let existing = self.state.breakpoint_of(&kind, &name).map(|known| known.spec.matcher.clone());
        let req = self.req();
        let frame = match existing.filter(|matcher| matcher.name.is_some()) {
            Some(matcher) => ViewerFrame::BreakpointClear { req, matcher },
            None => {
                let matcher = Matcher { kind: Some(kind), name: Some(name), point: Some(Point::Before) };
                let spec = BreakpointSpec { matcher, enabled: true, ..BreakpointSpec::default() };
                ViewerFrame::BreakpointSet { req, spec }
            }
        };
        self.send(&frame);
    }
}
