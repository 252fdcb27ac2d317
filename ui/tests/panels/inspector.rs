//! Tabs of the inspector, and bodies fetched only when looked at.

use egui_kittest::kittest::Queryable as _;
use serde_json::json;

use crate::window::Window;

#[test]
fn every_tab_opens() {
    let mut window = Window::held();
    for (tab, words) in [
        ("Input", "Copy input"),
        ("Output", "Nothing"),
        ("Stream", ""),
        ("Instances", "Instance 12"),
        ("Raw", "Copy envelope"),
        ("Error", "Copy error"),
    ] {
        let name = if tab == "Instances" { "Instances" } else { tab };
        window.click(name);
        window.picture(&format!("inspector-{}", tab.to_lowercase()));
        if !words.is_empty() && words != "Nothing" {
            assert!(window.has(words), "{tab}: {words} is missing: {:?}", window.names());
        }
    }
}

#[test]
fn a_small_body_is_shown_without_asking_and_a_large_one_by_range() {
    let mut window = Window::held();
    window.click("Input");
    assert_eq!(window.sent("bodyGet").len(), 0, "the preview is the whole value");
    let stub = json!({ "__holdpointBody": { "bytes": 100_000_000u64, "preview": "{\"rows\":[1,2" } });
    window.serve(&json!({ "t": "events", "run": "7f3a", "events": [
        { "gm": 1, "seq": 500, "ts": 1_700_000_021_000.0, "runId": "7f3a", "type": "node.started",
          "payload": { "nodeId": "tool:big", "instanceId": "big-1", "kind": "tool", "name": "big", "input": stub } },
    ] }));
    window.harness.get_all_by_label("big").next().expect("a row").click();
    window.harness.run_steps(3);
    let asked = window.sent("bodyGet");
    assert_eq!(asked.len(), 1);
    assert_eq!(
        (asked[0]["pointer"].as_str(), asked[0]["offset"].as_u64()),
        (Some("/payload/input"), Some(0))
    );
    assert!(asked[0]["limit"].as_u64().is_some_and(|limit| limit <= 1 << 20));
    let text = format!("{{\"rows\":[{}", "1,".repeat(100_000));
    window.serve(
        &json!({ "t": "body", "req": asked[0]["req"], "run": "7f3a", "seq": 500, "pointer": "/payload/input",
        "offset": 0, "totalBytes": 100_000_000u64, "text": text }),
    );
    assert!(window.has("Show more"), "{:?}", window.names());
}

#[test]
fn an_envelope_that_cannot_be_read_says_why() {
    let mut window = Window::held();
    window.click("Raw");
    let req = window.sent("bodyGet")[0]["req"].clone();
    window.serve(&json!({ "t": "failed", "req": req, "reason": "The journal has no such event." }));
    assert!(window.says("The journal has no such event."));
}

/// A call whose input is this value, selected, with its Input tab open.
fn looking_at(input: serde_json::Value) -> Window {
    let mut window = Window::held();
    window.serve(&json!({ "t": "events", "run": "7f3a", "events": [
        { "gm": 1, "seq": 500, "ts": 1_700_000_021_000.0, "runId": "7f3a", "type": "node.started",
          "payload": { "nodeId": "llm:big", "instanceId": "big-1", "kind": "llm", "name": "big", "input": input } },
    ] }));
    window.harness.get_all_by_label("big").next().expect("a row").click();
    window.harness.run_steps(3);
    window.click("Input");
    window
}

/// The same with a body that the server sends in one piece when it is asked for.
fn fetched(body: &serde_json::Value) -> Window {
    let text = body.to_string();
    let stub = json!({ "__holdpointBody": { "bytes": text.len(), "preview": "[{\"role\":" } });
    let mut window = looking_at(stub);
    let req = window.sent("bodyGet")[0]["req"].clone();
    window.serve(&json!({ "t": "body", "req": req, "run": "7f3a", "seq": 500, "pointer": "/payload/input",
        "offset": 0, "totalBytes": text.len(), "text": text }));
    window
}

#[test]
fn a_conversation_reads_as_one_and_is_a_tree_when_asked() {
    let window = fetched(&json!([
        { "role": "system", "content": "# Rules\nAnswer **briefly**.\n\n- one\n- two" },
        { "role": "user", "content": "What does `PO-2291` cost?" },
        { "role": "assistant", "content": null, "tool_calls": [
            { "id": "c1", "function": { "name": "fetch_order", "arguments": "{\"order\":\"PO-2291\"}" } } ] },
        { "role": "tool", "tool_call_id": "c1", "content": "{\"total\": 1284.5}" },
    ]));
    let mut window = window;
    window.picture("inspector-conversation");
    for words in ["system", "user", "assistant", "Rules", "Calls fetch_order", "Result of c1"] {
        assert!(window.says(words), "{words} is missing: {:?}", window.names());
    }
    window.click("Input as tree");
    assert!(window.says("role: \"system\""), "{:?}", window.names());
}

#[test]
fn a_picture_is_a_chip_with_a_view() {
    let pixel =
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
    let mut window = looking_at(json!({ "shot": format!("data:image/png;base64,{pixel}") }));
    window.click("shot: [image/png, 72 B]");
    window.picture("inspector-picture");
    assert!(window.has("Picture of 1 \u{D7} 1 pixels"), "{:?}", window.names());
    window.click("Close picture");
    assert!(!window.has("Close picture"));
}

#[test]
fn words_are_found_counted_and_walked() {
    let mut window = looking_at(json!({ "a": "needle", "b": "hay", "c": "Needle", "d": "needles" }));
    window.press(egui::Modifiers::COMMAND, egui::Key::F);
    window.harness.get_by_label("Find in body").type_text("needle");
    window.harness.run_steps(3);
    assert!(window.has("1 of 3"), "{:?}", window.names());
    window.press(egui::Modifiers::NONE, egui::Key::Enter);
    assert!(window.has("2 of 3"), "{:?}", window.names());
    window.click("Previous place");
    window.click("Previous place");
    assert!(window.has("3 of 3"), "{:?}", window.names());
    window.picture("inspector-find");
    window.click("Close find");
    assert!(!window.has("Find in body"));
}

#[test]
fn copy_reads_the_rest_of_a_body_before_it_copies() {
    let stub = json!({ "__holdpointBody": { "bytes": 12, "preview": "[1," } });
    let mut window = looking_at(stub);
    let piece = |window: &mut Window, offset: u64, text: &str| {
        let req = window.sent("bodyGet")[0]["req"].clone();
        window
            .serve(&json!({ "t": "body", "req": req, "run": "7f3a", "seq": 500, "pointer": "/payload/input",
            "offset": offset, "totalBytes": 12, "text": text }));
    };
    piece(&mut window, 0, "[1,2,3");
    window.click("Copy input");
    assert!(!window.says("Copied"));
    piece(&mut window, 6, ",4,5,6");
    assert!(window.says("Copied the value"), "{:?}", window.names());
}
