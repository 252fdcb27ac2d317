//! Runs as a list and on their way in and out: the tree of runs, exports, imports that take long, another version.

use serde_json::{Value, json};

use crate::window::{Window, summary, welcome};

fn run(id: &str, app: &str, parent: Option<&str>, started_ms: f64) -> Value {
    json!({
        "run": id, "runId": id, "app": app, "parent": parent, "source": "live", "status": "ok", "events": 4,
        "startedMs": started_ms, "endedMs": started_ms + 900.0, "holds": [], "live": false, "sizeBytes": 900,
    })
}

fn family() -> Window {
    let mut window = Window::empty();
    window.serve(&welcome(&[
        run("alone", "Alone", None, 9_000.0),
        run("leaf", "Leaf", Some("child"), 8_000.0),
        run("child", "Child", Some("root"), 7_000.0),
        run("root", "Root", None, 6_000.0),
    ]));
    window
}

#[test]
fn runs_stand_under_the_run_that_started_them() {
    let mut window = family();
    let row = |name: &str| window.rect(&format!("Run {name}"));
    assert!(row("alone").top() < row("root").top(), "{:?}", window.names());
    assert!(row("root").top() < row("child").top() && row("child").top() < row("leaf").top());
    window.picture("runs-tree-dark");
    window.click("Run child");
    assert_eq!(window.harness.state().state().shown.as_deref(), Some("child"));
}

#[test]
fn a_run_leads_to_its_parent_and_to_what_it_started() {
    let mut window = family();
    window.click("Run child");
    let hello = json!({ "gm": 1, "seq": 1, "ts": 7_000, "runId": "child", "type": "run.started",
        "payload": { "app": "Child", "sdk": { "name": "s", "version": "1" } } });
    window.serve(&json!({ "t": "events", "run": "child", "events": [hello] }));
    window.click("Started Leaf \u{B7} leaf");
    assert_eq!(window.harness.state().state().shown.as_deref(), Some("leaf"));
    window.click("Run child");
    window.click("Started by Root \u{B7} root");
    assert_eq!(window.harness.state().state().shown.as_deref(), Some("root"));
}

#[test]
fn a_run_is_exported_as_what_was_chosen_and_says_what_was_replaced() {
    let mut window = Window::held();
    window.press(egui::Modifiers::COMMAND, egui::Key::S);
    assert!(window.is_selected("Page"), "{:?}", window.names());
    window.picture("export-dark");
    window.click("OpenTelemetry");
    assert!(window.is_selected("OpenTelemetry") && !window.is_selected("Page"));
    window.click("Export");
    assert_eq!(window.asked(), ["/api/runs/7f3a/export?to=otlp&redact=true"]);
    assert!(window.says("50 events, 3 secrets replaced"), "{:?}", window.names());
    assert!(!window.has("Cancel export"));
}

#[test]
fn secrets_are_left_in_only_when_that_is_asked_and_never_in_records() {
    let secrets = "Replace secrets: keys, tokens, passwords, cookies";
    let mut window = Window::held();
    window.press(egui::Modifiers::COMMAND, egui::Key::S);
    assert!(window.is_selected(secrets));
    window.click(secrets);
    window.click("KXM records");
    assert!(!window.has(secrets) && window.says("never hold secrets"));
    window.click("Recording");
    assert!(!window.is_selected(secrets));
    window.click("Export");
    assert_eq!(window.asked(), ["/api/runs/7f3a/export?to=ndjson&redact=false"]);
    assert!(window.says("secrets were left in"));
}

#[test]
fn an_export_can_be_left_and_is_not_offered_where_the_server_has_none() {
    let mut window = Window::held();
    window.press(egui::Modifiers::COMMAND, egui::Key::S);
    window.click("Cancel export");
    assert!(!window.has("Cancel export") && window.asked().is_empty());
    let mut other = welcome(&[summary(false)]);
    other["export"] = false.into();
    window.serve(&other);
    window.press(egui::Modifiers::COMMAND, egui::Key::S);
    assert!(!window.has("Cancel export"));
}

#[test]
fn a_long_import_shows_how_far_it_is_and_stops_when_asked() {
    let mut window = Window::held();
    let importing = |read: u64, over: bool| {
        json!({ "t": "importing", "id": 3, "name": "night.json", "events": 1_200, "readBytes": read,
            "totalBytes": 400_000_000u64, "over": over })
    };
    window.serve(&importing(100_000_000, false));
    assert!(window.says("Import of night.json") && window.says("1,200 events"), "{:?}", window.names());
    window.picture("importing-dark");
    window.line.sent();
    window.click("Cancel import of night.json");
    let sent = window.sent("importCancel");
    assert_eq!((sent.len(), &sent[0]["id"]), (1, &json!(3)));
    assert!(window.says("Stopping"));
    window.serve(&importing(120_000_000, true));
    assert!(!window.says("Import of night.json"));
}

#[test]
fn a_page_of_another_version_than_its_server_says_so_and_offers_to_reload() {
    for (protocol, words) in [(0, "newer than the debugger"), (99, "older than the debugger")] {
        let mut window = Window::empty();
        let mut other = welcome(&[summary(false)]);
        other["protocol"] = protocol.into();
        window.serve(&other);
        assert!(window.says(words), "{:?}", window.names());
        window.picture("mismatch-dark");
        window.click("Reload the page");
        assert_eq!(window.asked(), ["reload"]);
        window.serve(&welcome(&[summary(false)]));
        assert!(!window.has("Reload the page"), "a server of our version is fine");
    }
}

#[test]
fn a_frame_that_cannot_be_read_is_not_passed_over_in_silence() {
    let mut window = Window::held();
    window.serve(&json!({ "t": "hologram", "run": "7f3a" }));
    assert!(window.says("A frame could not be read"), "{:?}", window.names());
    window.click("Reload the page");
    assert_eq!(window.asked(), ["reload"]);
}

#[test]
fn the_address_follows_what_is_shown_and_a_link_leads_there() {
    let mut window = Window::held();
    let select = |node: &str| ui::Action::Select(ui::model::Selection::node(node));
    window.harness.state_mut().ask(select("tool:fetch_order"));
    window.harness.state_mut().ask(ui::Action::Time(ui::model::TimePosition::At(12)));
    window.harness.run_steps(3);
    let mut other = window.reopened();
    other.fill();
    let state = other.harness.state().state();
    assert_eq!(state.shown.as_deref(), Some("7f3a"));
    assert_eq!(state.selection.node.as_deref(), Some("tool:fetch_order"));
    assert_eq!(state.time, ui::model::TimePosition::At(12));
    other.press(egui::Modifiers::COMMAND, egui::Key::K);
    other.harness.event(egui::Event::Text("copy a link".to_owned()));
    other.harness.run_steps(3);
    other.press(egui::Modifiers::NONE, egui::Key::Enter);
    assert!(other.says("Copied a link"), "{:?}", other.names());
}

#[test]
fn a_link_to_a_run_that_is_not_here_says_so() {
    let window = Window::held();
    window.remember("fragment", "run=gone&node=x");
    let mut other = window.reopened();
    other.fill();
    assert!(other.says("There is no run gone here"), "{:?}", other.names());
    assert_eq!(other.harness.state().state().shown.as_deref(), Some("7f3a"));
}

#[test]
fn notifications_are_asked_for_in_the_settings() {
    let mut window = Window::held();
    window.press(egui::Modifiers::COMMAND, egui::Key::Comma);
    window.click("Notify me of holds");
    assert_eq!(window.asked(), ["notifications"]);
}
