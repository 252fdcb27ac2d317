//! Inject: checked as typed, compared, sent whole, kept when refused.

use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable as _;
use serde_json::json;

use crate::window::{Window, summary};

fn typed(text: &str) -> Window {
    let mut window = Window::held();
    window.click("Inject");
    window.press(Modifiers::COMMAND, Key::A);
    window.harness.get_by_label("JSON to inject").type_text(text);
    window.harness.run_steps(3);
    window
}

#[test]
fn inject_begins_as_the_last_good_result_and_shows_what_changes() {
    let mut window = Window::held();
    window.click("Inject");
    window.picture("inject-dark");
    let text =
        window.harness.state().state().editor.as_ref().map(|editor| editor.text.clone()).unwrap_or_default();
    assert!(text.contains("\"amount\": 99.5"), "{text}");
    assert!(window.has("Valid JSON"));
    assert!(window.says("added, 1 removed"), "{:?}", window.names());
}

#[test]
fn what_is_typed_is_sent_as_it_is() {
    let mut window = typed("{\"amount\": 1284.50}");
    window.click("Inject and continue");
    let sent = window.line.sent();
    let frame = sent.iter().find(|frame| frame.contains("resume")).expect("a resume frame");
    assert!(frame.contains("{\"amount\": 1284.50}"), "not a digit is lost: {frame}");
    assert!(frame.contains("\"action\":\"inject\""));
    assert!(window.has("Inject asked"));
}

#[test]
fn control_enter_sends() {
    let mut window = typed("1284.5");
    window.press(Modifiers::COMMAND, Key::Enter);
    assert_eq!(window.sent("resume").len(), 1);
}

#[test]
fn what_is_not_json_cannot_be_sent_and_says_where() {
    let mut window = typed("{\"amount\": ");
    assert!(window.says("Line 1, column"), "{:?}", window.names());
    window.click("Inject and continue");
    assert_eq!(window.sent("resume").len(), 0);
}

#[test]
fn a_refusal_keeps_the_text_and_says_why() {
    let mut window = typed("42");
    window.click("Inject and continue");
    let req = window.sent("resume")[0]["req"].clone();
    window.serve(
        &json!({ "t": "control", "req": req, "stage": "refused", "reason": "The value does not fit." }),
    );
    assert!(window.says("Refused: The value does not fit."));
    let text = window.harness.state().state().editor.as_ref().map(|editor| editor.text.clone());
    assert_eq!(text.as_deref(), Some("42"));
}

#[test]
fn the_editor_closes_when_the_hold_has_ended() {
    let mut window = typed("42");
    window.click("Inject and continue");
    window.serve(&json!({ "t": "run", "run": summary(false) }));
    assert!(window.harness.state().state().editor.is_none());
}
