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
