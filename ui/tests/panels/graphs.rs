//! Runs of graph runtimes and of KXM deliveries, as recorded.

use egui_kittest::kittest::Queryable as _;
use serde_json::{Value, json};
use ui::Action;
use ui::model::Selection;

use crate::window::{Window, summary, welcome};

/// A window that shows these envelopes as one run.
fn showing<'a>(lines: impl Iterator<Item = &'a str>, live: bool) -> Window {
    let events: Vec<Value> = lines.map(|line| serde_json::from_str(line).expect("an envelope")).collect();
    let run = events[0]["runId"].clone();
    let mut known = summary(false);
    known["run"] = run.clone();
    known["runId"] = run.clone();
    known["live"] = json!(live);
    let mut window = Window::empty();
    window.serve(&welcome(&[known]));
    window.serve(&json!({ "t": "events", "run": run, "events": events }));
    window
}

fn select(window: &mut Window, node: &str) {
    window.harness.state_mut().ask(Action::Select(Selection::node(node)));
    window.harness.run_steps(3);
}

const GRAPH: &str = include_str!("../canvas/recordings/graph_runtime.ndjson");

#[test]
fn the_state_tab_lists_moments_and_reads_their_values() {
    let mut window = showing(GRAPH.lines(), false);
    window.click("State");
    assert!(window.has("Superstep 1 begins"), "{:?}", window.names());
    window.click("Checkpoints only");
    assert!(!window.has("Superstep 1 begins") && window.says("Checkpoint "), "{:?}", window.names());
    window.click("Checkpoints only");
    window.click("supervisor changes the state");
    let asked = window.sent("bodyGet");
    let of_state = asked
        .iter()
        .find(|frame| frame["pointer"] == "/payload/event/StateUpdated/update")
        .expect("a request");
    let text = r#"{"plan":["market","rules"]}"#;
    window.serve(&json!({ "t": "body", "req": of_state["req"], "run": "report-1", "seq": of_state["seq"],
        "pointer": of_state["pointer"], "offset": 0, "totalBytes": text.len(), "text": text }));
    assert!(window.says("\"market\""), "{:?}", window.names());
    window.picture("state-dark");
}

#[test]
fn what_a_graph_asks_stands_in_the_inspector() {
    let before_the_answer = GRAPH.lines().take_while(|line| !line.contains("exec.resumed"));
    let mut window = showing(before_the_answer, true);
    select(&mut window, "review");
    assert!(window.has("It asks"), "{:?}", window.names());
    assert!(window.says("Publish the report?"), "{:?}", window.names());
    window.picture("asks-dark");
    let mut known = summary(true);
    known["run"] = json!("report-1");
    known["holds"][0] = json!({ "pauseId": "approve-1", "run": "report-1", "nodeId": "review", "name": "review",
        "instanceId": null, "point": "before", "reason": "interrupt", "sinceMs": 1.0, "editable": false });
    window.serve(&json!({ "t": "run", "run": known }));
    window.click("Answer");
    assert!(window.has("JSON to inject"), "{:?}", window.names());
    window.harness.get_by_label("JSON to inject").focus();
    window.press(egui::Modifiers::COMMAND, egui::Key::A);
    window.harness.get_by_label("JSON to inject").type_text("{\"approved\": true}");
    window.harness.run_steps(3);
    window.press(egui::Modifiers::COMMAND, egui::Key::Enter);
    let sent = window.sent("resume");
    assert_eq!(
        (sent[0]["pauseId"].as_str(), sent[0]["action"].as_str()),
        (Some("approve-1"), Some("inject"))
    );
}

#[test]
fn a_graph_that_has_stopped_for_an_answer_is_listed_among_the_holds() {
    let stopped = GRAPH.lines().take_while(|line| !line.contains("exec.paused"));
    let mut window = showing(stopped, true);
    assert!(window.has("review asks"), "{:?}", window.names());
    window.click("review asks");
    assert!(
        window.says("Selected: review") && window.says("The graph has stopped here"),
        "{:?}",
        window.names()
    );
}

#[test]
fn a_delivery_run_tells_its_doubt_and_how_it_was_resolved() {
    let lines = testkit::delivery_run();
    let mut window = showing(lines.iter().map(String::as_str), false);
    window.picture("delivery-run-dark");
    assert!(window.says("Redacted ") || window.says("Money "), "{:?}", window.names());
    select(&mut window, "effect:eff_push0001");
    window.click("Input");
    assert!(window.says("Nobody knows whether it happened"), "{:?}", window.names());
    assert!(window.says("by human:ana"), "{:?}", window.names());
    window.picture("delivery-dark");
    let doubt =
        window.harness.get_all_by_label_contains("Nobody knows").next().map(|row| row.rect().center());
    assert!(doubt.is_some_and(|at| at.x > 1_200.0), "it stands in the inspector");
}
