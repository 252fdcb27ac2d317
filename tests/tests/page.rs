//! A run as one page: opened from disk, without a server and without a network, it shows what the window shows.

use acceptance::{Driver, Folder, Page};
use serde_json::{Value, json};

/// An agent with a tool that fails once, and a body that tries to end its element.
fn recording() -> String {
    let event = |seq: u32, kind: &str, payload: Value| {
        let ts = 1_767_323_045_000.0 + f64::from(seq) * 20.0;
        json!({"gm": 1, "seq": seq, "ts": ts, "runId": "r1", "type": kind, "payload": payload}).to_string()
    };
    let tool = json!({
        "nodeId": "tool:parse", "parentId": "agent:lead", "kind": "tool", "name": "parse_amount",
        "instanceId": "t1", "input": {"text": "</script><!-- 1.284,50", "api_key": "abc"},
    });
    let agent = json!({"nodeId": "agent:lead", "kind": "agent", "name": "lead", "instanceId": "a1"});
    let failed = json!({"name": "ValueError", "message": "not a number"});
    let end = |node: &str, id: &str, status: &str| json!({"nodeId": node, "instanceId": id, "output": 1, "durationMs": 20, "status": status});
    [
        event(1, "run.started", json!({"app": "invoices", "sdk": {"name": "s", "version": "1"}})),
        event(2, "node.started", agent),
        event(3, "node.started", tool),
        event(4, "node.error", json!({"nodeId": "tool:parse", "instanceId": "t1", "error": failed})),
        event(5, "node.finished", end("tool:parse", "t1", "error")),
        event(6, "node.finished", end("agent:lead", "a1", "ok")),
        event(7, "run.finished", json!({"status": "ok"})),
    ]
    .join("\n")
}

#[test]
fn an_exported_page_shows_graph_inspector_and_timeline_without_a_network() {
    let folder = Folder::new();
    let (from, page) = (folder.path().join("run.ndjson"), folder.path().join("run.html"));
    std::fs::write(&from, recording()).expect("written");
    let (from, out) = (from.to_string_lossy().into_owned(), page.to_string_lossy().into_owned());
    let told = acceptance::json(&folder, &["export", &from, "--out", &out]);
    assert_eq!(told["valuesReplaced"], 1, "{told}");
    let driver = Driver::chromium(1280, 800);
    driver.open(&format!("file://{out}"));
    let window = Page(&driver);
    window.says("lead");
    window.says("parse_amount");
    window.says("Timeline");
    driver.picture("page");
    // Nothing was loaded, and nothing can be.
    let loaded = driver.script(
        "return performance.getEntriesByType('resource').filter((r) => !r.name.startsWith('data:')).length",
    );
    assert_eq!(loaded, 0);
    let policy = driver.script("return document.querySelector('meta[http-equiv]').content");
    assert!(policy.as_str().is_some_and(|policy| policy.contains("connect-src 'none'")), "{policy}");
    assert_eq!(told["to"], "html");
}
