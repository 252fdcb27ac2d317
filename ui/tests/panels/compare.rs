//! Two runs side by side.

use egui::{Key, Modifiers};
use serde_json::{Value, json};

use crate::window::{Window, invoice_run, summary};

/// The held run beside an earlier one that went well and has no `read_terms`.
fn two() -> Window {
    let mut window = Window::held();
    let mut earlier = summary(false);
    earlier["run"] = json!("7f2e");
    earlier["runId"] = json!("7f2e");
    earlier["status"] = json!("ok");
    earlier["live"] = json!(false);
    earlier["startedMs"] = json!(1.0);
    window.serve(&json!({ "t": "run", "run": earlier }));
    window.press(Modifiers::COMMAND, Key::K);
    let query = egui_kittest::kittest::Queryable::get_by_label(&window.harness, "Everything by name");
    query.type_text("compare with");
    window.harness.run_steps(3);
    window.press(Modifiers::NONE, Key::Enter);
    assert!(window.line.sent().iter().any(|frame| frame.contains("\"watch\"") && frame.contains("7f2e")));
    let events: Vec<Value> = invoice_run()
        .into_iter()
        .filter(|event| {
            event["payload"]["nodeId"] != "llm:read_terms"
                && event["type"] != "node.error"
                && event["type"] != "exec.paused"
        })
        .map(|mut event| {
            event["runId"] = json!("7f2e");
            event
        })
        .collect();
    window.serve(&json!({ "t": "events", "run": "7f2e", "events": events }));
    window
}

#[test]
fn differences_are_listed_walked_and_left_again() {
    let mut window = two();
    window.picture("compare-dark");
    assert!(window.has("read_terms: only in B"), "{:?}", window.names());
    assert!(window.says("1 only in B") && window.says("Calls: A "), "{:?}", window.names());
    window.click("Next difference");
    assert!(window.says("Difference 2 of"), "{:?}", window.names());
    window.click("Swap A and B");
    assert!(window.has("read_terms: only in A"), "{:?}", window.names());
    window.click("Close compare");
    assert!(!window.has("Swap A and B"));
    assert!(window.line.sent().iter().any(|frame| frame.contains("unwatch")));
}

#[test]
fn a_filter_dims_and_is_counted_and_taken_back() {
    let mut window = Window::held();
    window.click("Filter the graph");
    window.click("Failed");
    window.click("Kind tool");
    let filter = window.harness.state().state().filter();
    assert!(filter.errors && filter.kind.as_deref() == Some("tool"));
    window.picture("filter-dark");
    assert!(window.says("fetch_order, tool"), "nothing is removed: {:?}", window.names());
    window.click("Show all alike");
    assert!(window.harness.state().state().filter().is_empty());
}
