//! The same things by key, and the overlays.

use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable as _;

use crate::window::Window;

#[test]
fn keys_answer_the_hold() {
    for (modifiers, key, action) in [
        (Modifiers::NONE, Key::F5, "continue"),
        (Modifiers::NONE, Key::C, "continue"),
        (Modifiers::NONE, Key::R, "retry"),
    ] {
        let mut window = Window::held();
        window.press(modifiers, key);
        assert_eq!(window.sent("resume")[0]["action"], action, "{key:?}");
    }
}

#[test]
fn a_letter_opens_the_editor_and_then_types_into_it() {
    let mut window = Window::held();
    window.press(Modifiers::NONE, Key::I);
    assert!(window.has("Inject a result"));
    window.press(Modifiers::NONE, Key::C);
    assert_eq!(window.sent("resume").len(), 0, "a letter in a field is a letter");
    window.press(Modifiers::NONE, Key::Escape);
}

#[test]
fn shift_f5_aborts_at_the_second_press() {
    let mut window = Window::held();
    window.press(Modifiers::SHIFT, Key::F5);
    assert_eq!(window.sent("resume").len(), 0);
    window.press(Modifiers::SHIFT, Key::F5);
    assert_eq!(window.sent("resume")[0]["action"], "abort");
}

#[test]
fn f9_sets_a_breakpoint_on_the_selection_and_takes_it_back() {
    let mut window = Window::held();
    window.press(Modifiers::NONE, Key::F9);
    let cleared = window.sent("breakpointClear");
    assert_eq!(cleared[0]["matcher"]["name"], "parse_amount");
}

#[test]
fn the_palette_finds_everything_by_name() {
    let mut window = Window::held();
    window.press(Modifiers::COMMAND, Key::K);
    assert!(window.has("Everything by name"));
    window.harness.get_by_label("Everything by name").type_text("retry parse");
    window.harness.run_steps(3);
    window.picture("palette-dark");
    window.press(Modifiers::NONE, Key::Enter);
    assert_eq!(window.sent("resume")[0]["action"], "retry");
}

#[test]
fn a_question_mark_shows_all_keys_and_escape_closes_them() {
    let mut window = Window::held();
    window.press(Modifiers::NONE, Key::Questionmark);
    window.picture("keys-dark");
    assert!(window.has("Close keys"));
    window.press(Modifiers::NONE, Key::Escape);
    assert!(!window.has("Close keys"));
}

#[test]
fn the_look_follows_the_settings() {
    let mut window = Window::held();
    window.press(Modifiers::COMMAND, Key::Comma);
    window.click("Light");
    window.click("Close settings");
    assert!(!window.harness.ctx.global_style().visuals.dark_mode);
    window.picture("held-light");
}

#[test]
fn panels_hide_and_come_back() {
    let mut window = Window::held();
    window.press(Modifiers::COMMAND, Key::J);
    assert!(!window.has("Streams"));
    window.press(Modifiers::COMMAND, Key::J);
    assert!(window.has("Streams"));
}

#[test]
fn a_narrow_window_keeps_every_answer() {
    let mut window = Window::held();
    window.harness.set_size(egui::vec2(1280.0, 800.0));
    window.harness.run_steps(3);
    window.picture("held-dark-1280");
    for name in ["Continue", "Step", "Retry", "Inject", "Edit", "Abort"] {
        let right = window.harness.get_by_label(name).rect().right();
        assert!(right <= 1280.0, "{name} ends at {right}");
    }
}

/// The invoice run as a recording that has ended.
fn recorded() -> Window {
    let mut window = Window::held();
    let mut run = crate::window::summary(false);
    run["live"] = serde_json::json!(false);
    run["status"] = serde_json::json!("abandoned");
    window.serve(&serde_json::json!({ "t": "run", "run": run }));
    window
}

fn moment(window: &Window) -> Option<u64> {
    match window.harness.state().state().time {
        ui::model::TimePosition::At(seq) => Some(seq),
        ui::model::TimePosition::Live => None,
    }
}

#[test]
fn step_keys_lead_through_a_recording_and_the_inspector_shows_that_moment() {
    let mut window = recorded();
    window.press(Modifiers::NONE, Key::Home);
    window.press(Modifiers::NONE, Key::F11);
    assert_eq!(moment(&window), Some(3), "the agent begins");
    assert!(window.says("Selected: reconcile"));
    window.press(Modifiers::NONE, Key::F11);
    assert!(window.says("Selected: read_inbox"));
    window.click("Output");
    assert!(window.says("It comes later than the moment you look at."), "{:?}", window.names());
    window.press(Modifiers::NONE, Key::F10);
    assert!(window.says("Selected: load_ledger"), "what begins beside it is as deep: {:?}", window.names());
    window.press(Modifiers::NONE, Key::F10);
    assert!(window.has("files: 38"), "{:?}", window.names());
    window.picture("recorded-dark");
    window.press(Modifiers::SHIFT, Key::CloseBracket);
    assert!(window.says("Selected: parse_amount"));
    assert_eq!(window.line.sent().iter().filter(|frame| frame.contains("modeSet")).count(), 0);
}

#[test]
fn a_breakpoint_and_play_work_on_a_recording() {
    let mut window = recorded();
    window.press(Modifiers::NONE, Key::Home);
    window.click("Play the recording");
    assert!(window.has("Stop playing") && window.has("\u{D7}16"));
    window.click("\u{D7}64");
    window.harness.run_steps(30);
    assert!(moment(&window).is_none_or(|seq| seq > 2), "{:?}", moment(&window));
    window.press(Modifiers::NONE, Key::Home);
    assert!(window.has("Play the recording"), "a look elsewhere stops it");
    window.press(Modifiers::SHIFT, Key::Period);
    assert!(window.says("Selected: parse_amount"), "{:?}", window.names());
}
