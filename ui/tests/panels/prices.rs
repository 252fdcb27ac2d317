//! Prices of models: typed, checked, kept, and what runs cost by them.

use serde_json::json;

use crate::window::{Window, welcome};

/// A run whose one call has tokens and no cost.
fn unpriced(window: &mut Window) {
    let run = json!({
        "run": "r", "runId": "r", "app": "Priced", "source": "live", "status": "ok", "events": 3, "startedMs": 1.0,
        "endedMs": 9.0, "holds": [], "live": false, "sizeBytes": 10,
    });
    let say = |seq: u64, kind: &str, payload: serde_json::Value| json!({ "gm": 1, "seq": seq, "ts": seq, "runId": "r", "type": kind, "payload": payload });
    let usage = json!({ "inputTokens": 1_000_000, "outputTokens": 500_000 });
    window.serve(&welcome(&[run]));
    window.serve(&json!({ "t": "events", "run": "r", "events": [
        say(1, "run.started", json!({ "app": "Priced", "sdk": { "name": "s", "version": "1" } })),
        say(2, "node.started", json!({ "nodeId": "m", "instanceId": "m1", "kind": "llm", "name": "ask", "model": "gpt-9-mini" })),
        say(3, "node.finished", json!({ "nodeId": "m", "instanceId": "m1", "durationMs": 1, "status": "ok",
            "model": "gpt-9-mini", "usage": usage })),
    ] }));
}

fn type_into(window: &mut Window, name: &str, text: &str) {
    window.click(name);
    window.harness.event(egui::Event::Text(text.to_owned()));
    window.harness.run_steps(3);
}

#[test]
fn a_price_estimates_what_was_not_reported_and_is_kept() {
    let mut window = Window::empty();
    unpriced(&mut window);
    window.click("1 call without a price \u{B7} Set prices");
    window.click("Add a price");
    type_into(&mut window, "Model begins with 1", "gpt-9");
    type_into(&mut window, "Input 1", "2");
    type_into(&mut window, "Output 1", "10");
    window.picture("prices-dark");
    window.click("Save prices");
    assert!(window.says("Money 7.00 USD estimated"), "{:?}", window.names());
    let mut later = window.reopened();
    unpriced(&mut later);
    assert!(later.says("Money 7.00 USD estimated"), "{:?}", later.names());
}

#[test]
fn what_is_no_price_cannot_be_saved_and_says_why() {
    let mut window = Window::held();
    window.press(egui::Modifiers::COMMAND, egui::Key::Comma);
    window.click("Prices of models");
    window.click("Add a price");
    type_into(&mut window, "Model begins with 1", "m");
    type_into(&mut window, "Cache read 1", "cheap");
    assert!(window.says("\"cheap\" is no price for cache read"), "{:?}", window.names());
    window.click("Save prices");
    assert!(window.has("Save prices"), "nothing was saved");
    window.click("Remove price 1");
    assert!(!window.says("is no price"));
    window.click("Close prices");
    assert!(!window.has("Save prices"));
}

#[test]
fn the_models_of_a_run_are_offered() {
    let mut window = Window::empty();
    unpriced(&mut window);
    window.click("1 call without a price \u{B7} Set prices");
    window.click("Add the models of this run");
    assert!(window.has("Model begins with 1") && !window.has("Model begins with 2"));
}
