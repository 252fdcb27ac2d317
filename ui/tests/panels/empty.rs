//! Before the first run.

use crate::window::{Window, summary, welcome};

#[test]
fn the_empty_window_offers_three_ways_to_begin() {
    let mut window = Window::empty();
    window.picture("empty-dark");
    for name in
        ["Run the demo", "Choose a file", "Copy the code", "Copy address", "Python", "TypeScript", "Rust"]
    {
        assert!(window.has(name), "{name} is missing: {:?}", window.names());
    }
    window.click("Run the demo");
    assert_eq!(window.sent("demoStart").len(), 1);
    assert!(window.says("Starting"));
}

#[test]
fn the_address_and_the_code_are_copied_with_the_live_port() {
    let mut window = Window::empty();
    let mut other = welcome(&[]);
    other["ingestUrl"] = "ws://127.0.0.1:4811/ingest".into();
    window.serve(&other);
    window.click("Rust");
    window.click("Copy the code");
    assert!(window.says("Copied the code"));
    window.click("Copy address");
    assert!(window.says("Copied the address"));
}

#[test]
fn a_first_run_takes_the_window_by_itself() {
    let mut window = Window::empty();
    window.serve(&serde_json::json!({ "t": "run", "run": summary(false) }));
    assert_eq!(window.sent("watch").len(), 1);
    assert_eq!(window.harness.state().state().shown.as_deref(), Some("7f3a"));
}

#[test]
fn a_small_window_still_shows_every_way_to_begin() {
    let mut window = Window::empty();
    window.harness.set_size(egui::vec2(1280.0, 800.0));
    window.harness.run_steps(3);
    window.picture("empty-dark-1280");
    assert!(window.has("Run the demo") && window.has("Copy the code"));
}

#[test]
fn an_import_ends_in_a_report_that_lists_what_was_skipped() {
    let mut window = Window::empty();
    window.serve(&serde_json::json!({ "t": "report", "name": "nightly.json", "report": {
        "format": "OTLP JSON", "records": 12, "imported": 11, "events": 40, "skippedTotal": 1,
        "skipped": [{ "line": 7, "reason": "not JSON: it begins with <" }], "notes": ["2 spans never ended"],
    } }));
    assert!(window.says("Report of nightly.json"), "{:?}", window.names());
    window.click("Show the report");
    window.picture("report-dark");
    assert!(
        window.says("Line 7 skipped: not JSON") && window.says("2 spans never ended"),
        "{:?}",
        window.names()
    );
    window.click("Close report");
    assert!(!window.has("Close report"));
}
