//! Runs, holds, breakpoints, outline.

use egui_kittest::kittest::Queryable as _;
use serde_json::json;

use crate::window::{Window, summary};

#[test]
fn a_click_on_a_run_watches_it_and_leaves_the_other() {
    let mut window = Window::held();
    let mut other = summary(false);
    other["run"] = json!("7f2e");
    other["status"] = json!("ok");
    other["live"] = json!(false);
    other["startedMs"] = json!(1.0);
    other["endedMs"] = json!(128_001.0);
    window.serve(&json!({ "t": "run", "run": other }));
    window.click("Run 7f2e");
    let sent = window.line.sent();
    assert!(sent.iter().any(|f| f.contains("\"watch\"") && f.contains("7f2e")), "{sent:?}");
    assert!(sent.iter().any(|f| f.contains("unwatch") && f.contains("7f3a")), "{sent:?}");
}

#[test]
fn several_holds_have_a_row_each_and_one_answer_for_all() {
    let mut window = Window::held();
    let mut run = summary(true);
    let mut second = run["holds"][0].clone();
    second["pauseId"] = json!("p2");
    second["nodeId"] = json!("server:fx_rate");
    second["name"] = json!("fx_rate");
    second["instanceId"] = json!("fx_rate-3");
    run["holds"].as_array_mut().expect("a list").push(second);
    window.serve(&json!({ "t": "run", "run": run }));
    assert!(window.has("Hold parse_amount") && window.has("Hold fx_rate"));
    window.click("Hold fx_rate");
    assert!(window.has("Held: fx_rate"));
    window.click("Retry");
    assert_eq!(window.sent("resume")[0]["pauseId"], "p2");
    window.click("Continue all");
    assert_eq!(window.sent("continueAll").len(), 1);
}

#[test]
fn a_breakpoint_is_added_by_name_and_point_and_removed_by_its_very_matcher() {
    let mut window = Window::held();
    window.click("Add a breakpoint");
    window.harness.get_by_label("Node name").focus();
    window.harness.run_steps(2);
    window.harness.get_by_label("Node name").type_text("post_entries");
    window.harness.run_steps(2);
    window.click("Add breakpoint");
    let sent = window.sent("breakpointSet");
    assert_eq!(sent[0]["spec"]["matcher"], json!({ "name": "post_entries", "point": "before" }));
    window.harness.get_by_label("Breakpoint ask_owner").hover();
    window.harness.run_steps(2);
    window.click("Remove breakpoint ask_owner");
    assert_eq!(
        window.sent("breakpointClear")[0]["matcher"],
        json!({ "name": "ask_owner", "point": "before" })
    );
}

#[test]
fn the_outline_selects_what_the_inspector_shows() {
    let mut window = Window::held();
    let row = window.harness.get_all_by_label("fetch_order").next().map(|node| node.rect().center());
    let at = row.expect("an outline row");
    window.harness.hover_at(at);
    window
        .harness
        .get_all_by_role(egui::accesskit::Role::TreeItem)
        .find(|n| n.rect().contains(at))
        .expect("a row")
        .click();
    window.harness.run_steps(3);
    assert!(window.says("Selected: fetch_order"), "{:?}", window.names());
}

#[test]
fn sections_fold() {
    let mut window = Window::held();
    window.click("Outline 13");
    assert!(!window.harness.state().state().layout.sections[3], "{:?}", window.names());
}
