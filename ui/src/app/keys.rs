//! The keyboard: one table, read by the dispatcher, the palette and the overlay of all keys. A key never types into a
//! field and acts at once; where a browser keeps a key for itself, the single letter beside it does the same.

use std::sync::Arc;

use egui::{Key, Modifiers};

use super::App;
use crate::action::{Action, Camera, Control, Verb, Walk};
use crate::model::TimePosition;
use crate::model::export::Export;
use crate::model::state::Overlay;
use crate::model::steps::Step;

const NONE: Modifiers = Modifiers::NONE;
const SHIFT: Modifiers = Modifiers::SHIFT;
const COMMAND: Modifiers = Modifiers::COMMAND;

impl App {
    /// Turns this pass's keys into actions.
    pub(super) fn keys(&mut self, ctx: &egui::Context) {
        self.everywhere(ctx);
        let typing = ctx.text_edit_focused() || self.state.overlay != Overlay::None;
        if typing {
            return;
        }
        self.holds_and_steps(ctx);
        self.walking(ctx);
    }

    /// Keys that work while typing too.
    fn everywhere(&mut self, ctx: &egui::Context) {
        let hit = |modifiers, key| ctx.input_mut(|input| input.consume_key(modifiers, key));
        if hit(COMMAND, Key::K) {
            let open = self.state.overlay != Overlay::Palette;
            self.actions.push(Action::Overlay(if open { Overlay::Palette } else { Overlay::None }));
        }
        if hit(COMMAND, Key::Comma) {
            self.actions.push(Action::Overlay(Overlay::Settings));
        }
        if hit(COMMAND, Key::O) {
            self.actions.push(Action::OpenDialog);
        }
        if hit(COMMAND, Key::S)
            && let Some(run) = self.state.exportable()
        {
            self.actions.push(Action::Overlay(Overlay::Export(Export::of(&run))));
        }
        if hit(COMMAND, Key::F) {
            self.actions.push(Action::Find);
        }
        for (key, panel) in [
            (Key::B, crate::model::Panel::Rail),
            (Key::J, crate::model::Panel::Dock),
            (Key::I, crate::model::Panel::Inspector),
        ] {
            if hit(COMMAND, key) {
                self.actions.push(Action::TogglePanel(panel));
            }
        }
        self.function_keys(ctx);
        if ctx.input(|input| input.key_pressed(Key::Escape)) {
            self.escape();
        }
    }

    fn function_keys(&mut self, ctx: &egui::Context) {
        let hit = |modifiers, key| ctx.input_mut(|input| input.consume_key(modifiers, key));
        if hit(SHIFT, Key::F5) {
            self.verb(Verb::Abort);
        }
        let recorded = self.state.looks_back();
        if hit(NONE, Key::F5) && !self.verb(Verb::Continue) {
            self.actions.push(match (recorded, self.state.play.is_some()) {
                (true, true) => Action::Play(None),
                (true, false) => Action::Play(Some(1.0)),
                (false, _) => Action::StepMode(false),
            });
        }
        for (modifiers, forward) in [(SHIFT, false), (NONE, true)] {
            if self.state.compare.is_some() && hit(modifiers, Key::F7) {
                self.actions.push(Action::StepDifference(forward));
            }
        }
        // Shifted keys first: a plain pattern also matches them.
        for (modifiers, key, step) in
            [(SHIFT, Key::F11, Step::Out), (NONE, Key::F11, Step::Into), (NONE, Key::F10, Step::Over)]
        {
            // Shift+F10 opens the menu of what has the keyboard.
            let menu = key == Key::F10 && ctx.input(|input| input.modifiers.shift);
            if !menu && hit(modifiers, key) {
                self.step_key(recorded, step);
            }
        }
        if hit(NONE, Key::F9)
            && let Some(node) = self.state.selection.node.clone()
        {
            self.actions.push(Action::ToggleBreakpoint(node));
        }
    }

    /// A step key: through the past of a recording, else to the next gate of the program.
    fn step_key(&mut self, recorded: bool, step: Step) {
        if recorded {
            self.actions.push(Action::Step(step));
        } else if step != Step::Out && !self.verb(Verb::Step) {
            self.actions.push(Action::StepMode(true));
        }
    }

    /// One step back: the topmost thing that is open closes.
    fn escape(&mut self) {
        if self.state.overlay != Overlay::None {
            self.actions.push(Action::Overlay(Overlay::None));
        } else if self.state.armed.is_some() {
            self.actions.push(Action::ArmAbort(None));
        } else if !self.state.search.is_empty() {
            self.actions.push(Action::Search(String::new()));
        } else if self.state.editor.is_some() {
            self.actions.push(Action::CloseEditor);
        }
    }

    fn holds_and_steps(&mut self, ctx: &egui::Context) {
        let hit = |modifiers, key| ctx.input_mut(|input| input.consume_key(modifiers, key));
        let letters = [
            (Key::C, Verb::Continue),
            (Key::S, Verb::Step),
            (Key::R, Verb::Retry),
            (Key::I, Verb::Inject),
            (Key::E, Verb::Edit),
        ];
        for (key, verb) in letters {
            if self.state.current_hold().is_some() && hit(NONE, key) {
                self.verb(verb);
            }
        }
    }

    /// Does it at the current hold; `false` when nothing is held.
    fn verb(&mut self, verb: Verb) -> bool {
        let Some(hold) = self.state.current_hold() else { return false };
        let (run, pause): (Arc<str>, Arc<str>) = (hold.run.as_str().into(), hold.pause_id.as_str().into());
        if verb != Verb::Edit || hold.editable {
            self.actions.push(Action::Control(Control::plain(&run, &pause, verb)));
        }
        true
    }

    fn walking(&mut self, ctx: &egui::Context) {
        // Shifted keys first: a plain pattern also matches them.
        let table: [(Modifiers, Key, Action); 16] = [
            (SHIFT, Key::OpenBracket, Action::Step(Step::Error(false))),
            (SHIFT, Key::CloseBracket, Action::Step(Step::Error(true))),
            (SHIFT, Key::Comma, Action::Step(Step::Breakpoint(false))),
            (SHIFT, Key::Period, Action::Step(Step::Breakpoint(true))),
            (NONE, Key::Comma, Action::Step(Step::Node(false))),
            (NONE, Key::Period, Action::Step(Step::Node(true))),
            (SHIFT, Key::F, Action::Camera(Camera::Fit)),
            (NONE, Key::OpenBracket, Action::StepEvent(false)),
            (NONE, Key::CloseBracket, Action::StepEvent(true)),
            (NONE, Key::F, Action::Camera(Camera::ToggleFollow)),
            (NONE, Key::End, Action::Time(TimePosition::Live)),
            (NONE, Key::Home, self.first_event()),
            (NONE, Key::Questionmark, Action::Overlay(Overlay::Keys)),
            (SHIFT, Key::Questionmark, Action::Overlay(Overlay::Keys)),
            (SHIFT, Key::Slash, Action::Overlay(Overlay::Keys)),
            (NONE, Key::Slash, Action::FocusSearch),
        ];
        for (modifiers, key, action) in table {
            if ctx.input_mut(|input| input.consume_key(modifiers, key)) {
                self.actions.push(action);
            }
        }
        if ctx.memory(|memory| memory.focused().is_none()) {
            self.arrows(ctx);
        }
    }

    fn first_event(&self) -> Action {
        let first = self.shown().and_then(|key| self.store.run(&graph::RunKey::from(&*key))?.first_seq());
        Action::Time(first.map_or(TimePosition::Live, TimePosition::At))
    }

    fn arrows(&mut self, ctx: &egui::Context) {
        let walks = [
            (Key::ArrowUp, Walk::Parent),
            (Key::ArrowDown, Walk::Child),
            (Key::ArrowLeft, Walk::Previous),
            (Key::ArrowRight, Walk::Next),
        ];
        for (key, walk) in walks {
            if ctx.input_mut(|input| input.consume_key(NONE, key)) {
                self.actions.push(Action::Camera(Camera::Walk(walk)));
            }
        }
        let Some(node) = self.state.selection.node.clone() else { return };
        if ctx.input_mut(|input| input.consume_key(NONE, Key::Enter)) {
            self.actions.push(Action::Inspect(self.state.tab));
            self.actions.push(Action::Reveal(Arc::clone(&node)));
        }
        if ctx.input_mut(|input| input.consume_key(NONE, Key::Space)) {
            self.actions.push(Action::ToggleFold(node));
        }
    }
}

/// Keys with what they do, for the overlay; in groups.
pub(crate) const KEYS: &[(&str, &[(&str, &str)])] = &[
    (
        "On a hold",
        &[
            ("F5 or C", "Continue to the next breakpoint"),
            ("F10, F11 or S", "Step to the next gate"),
            ("R", "Retry the call"),
            ("I", "Inject a result"),
            ("E", "Edit the arguments"),
            ("Shift+F5", "Abort the run (twice)"),
            ("Ctrl+Enter", "Send what is in the editor"),
        ],
    ),
    (
        "While nothing is held",
        &[("F5", "Run freely"), ("F10", "Hold at every gate"), ("F9", "Breakpoint on the selection")],
    ),
    (
        "Graph",
        &[
            ("Arrows", "Caller, call, siblings"),
            ("Enter", "Inspect the selection"),
            ("Space", "Fold or unfold"),
            ("M or Shift+F10", "Menu of what has the keyboard"),
            ("F", "Follow what runs"),
            ("Shift+F", "Fit everything"),
        ],
    ),
    (
        "Time",
        &[
            ("[ and ]", "Previous and next event"),
            ("Shift+[ and ]", "Previous and next error"),
            (", and .", "Previous and next call"),
            ("Shift+, and .", "Previous and next breakpoint"),
            ("F7, Shift+F7", "Next and previous difference"),
            ("F5", "Play a recording, or stop"),
            ("F10", "Over: to what follows at this depth"),
            ("F11", "Into: to the next start or end"),
            ("Shift+F11", "Out: to the call around"),
            ("Home", "First event"),
            ("End", "Live"),
        ],
    ),
    (
        "Window",
        &[
            ("Ctrl+K", "Everything by name"),
            ("/", "Search nodes and values"),
            ("Ctrl+F", "Find in the shown body"),
            ("Ctrl+O", "Open a recording"),
            ("Ctrl+S", "Export the run"),
            ("Ctrl+B", "Left rail"),
            ("Ctrl+J", "Dock"),
            ("Ctrl+I", "Inspector"),
            ("Ctrl+,", "Settings"),
            ("?", "All keys"),
            ("Esc", "Close what is open"),
        ],
    ),
];
