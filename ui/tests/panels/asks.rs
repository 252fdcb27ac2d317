//! Answers to a hold: what is sent, and the three words it goes through.

use egui_kittest::kittest::Queryable as _;
use serde_json::json;

use crate::window::{Window, debug, summary};

#[test]
fn a_hold_shows_its_six_answers_and_why_it_holds() {
    let mut window = Window::held();
    window.picture("held-dark");
    for name in
        ["Continue", "Step", "Retry", "Inject", "Edit", "Abort", "Held: parse_amount", "Hold parse_amount"]
    {
        assert!(window.has(name), "{name} is missing: {:?}", window.names());
    }
    assert!(window.says("Selected: parse_amount"), "the held node is selected by itself");
}

#[test]
fn continue_is_asked_then_on_its_way_then_done_when_the_program_says_so() {
    let mut window = Window::held();
    window.click("Continue");
    let sent = window.sent("resume");
    assert_eq!(sent.len(), 1);
    assert_eq!((sent[0]["pauseId"].as_str(), sent[0]["action"].as_str()), (Some("p1"), Some("continue")));
    assert!(window.has("Continue asked"));
    window.serve(&json!({ "t": "control", "req": sent[0]["req"], "stage": "delivered", "reason": null }));
    assert!(window.has("Continue on its way"));
    assert!(window.says("Hold parse_amount"), "nothing is optimistic");
    window.serve(&json!({ "t": "run", "run": summary(false) }));
    assert!(!window.says("Hold parse_amount"));
}

#[test]
fn a_refusal_says_why_and_the_answers_come_back() {
    let mut window = Window::held();
    window.click("Retry");
    let req = window.sent("resume")[0]["req"].clone();
    window
        .serve(&json!({ "t": "control", "req": req, "stage": "refused", "reason": "The program has left." }));
    assert!(window.says("The program has left."));
    window.click("Retry");
    assert_eq!(window.sent("resume").len(), 1);
}

#[test]
fn abort_needs_a_second_press() {
    let mut window = Window::held();
    window.click("Abort");
    assert_eq!(window.sent("resume").len(), 0);
    // The card's own strip asks the same question.
    window.harness.get_all_by_label("Abort this run?").next().expect("a second press").click();
    window.harness.run_steps(3);
    let sent = window.sent("resume");
    assert_eq!(sent.len(), 1);
    assert_eq!(sent[0]["action"], "abort");
}

#[test]
fn step_sets_the_mode_before_it_goes_on_and_continue_takes_it_back() {
    let mut window = Window::held();
    window.click("Step");
    let frames: Vec<String> = window.line.sent();
    let order: Vec<usize> = ["modeSet", "resume"]
        .iter()
        .filter_map(|kind| frames.iter().position(|f| f.contains(kind)))
        .collect();
    assert!(order.len() == 2 && order[0] < order[1], "{frames:?}");
    let mut stepping = Window::held();
    stepping.serve(&json!({ "t": "debug", "debug": debug("step") }));
    stepping.click("Continue");
    assert!(stepping.line.sent().iter().any(|f| f.contains("modeSet") && f.contains("\"run\"")));
}

#[test]
fn edit_is_off_where_the_program_takes_no_arguments() {
    let mut window = Window::held();
    window.click("Edit");
    assert_eq!(window.sent("resume").len(), 0);
    assert!(!window.says("Edit the arguments"));
}

#[test]
fn something_else_that_happened_is_said() {
    let mut window = Window::held();
    window.click("Retry");
    window.serve(&json!({ "t": "events", "run": "7f3a", "events": [
        { "gm": 1, "seq": 900, "ts": 1.0, "runId": "7f3a", "type": "exec.resumed", "payload": { "pauseId": "p1", "nodeId": "tool:parse_amount", "action": "continue" } },
    ] }));
    window.serve(&json!({ "t": "run", "run": summary(false) }));
    assert!(window.says("Something else happened"), "{:?}", window.names());
}

#[test]
fn pause_on_error_is_a_toggle() {
    let mut window = Window::held();
    window.click("Pause on error");
    assert_eq!(window.sent("pauseOnError")[0]["on"], false);
}

#[test]
fn losing_the_connection_is_said_and_ends_what_was_asked() {
    let mut window = Window::held();
    window.click("Continue");
    window.line.set_link(ui::transport::Link::Retrying { attempt: 1, wait_s: 2.0 });
    window.harness.run_steps(3);
    assert!(window.says("Connection lost"));
    assert!(!window.has("Continue asked"));
}
