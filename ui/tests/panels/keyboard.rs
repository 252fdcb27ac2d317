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
