//! Full rings, large values, hidden values.

use crate::debugger::{Debugger, SOON, free_port};
use client::{Hide, Session};
use serde_json::{Value, json};
use std::time::Duration;

const OFTEN: Duration = Duration::from_millis(50);

#[test]
fn a_full_ring_names_what_was_lost() {
    let port = free_port();
    let url = format!("ws://127.0.0.1:{port}/ingest");
    let session = Session::builder("test").url(url).retry_every(OFTEN).buffer(10, 1 << 20).start();
    let run = session.run("work").id("r1").start();
    for n in 0..20 {
        run.tool_blocking("t", n, |n: i64| Ok::<_, String>(n)).expect("passes");
    }
    let lost = session.status().dropped;
    let mut debugger = Debugger::again(port, json!([]), "run");
    let gap = debugger.next("gap");
    let first_kept =
        debugger.log().iter().filter(|m| m["runId"] == "r1").filter_map(|m| m["seq"].as_u64()).min();
    assert_eq!(gap["runId"], "r1");
    assert_eq!(gap["payload"]["fromSeq"], 1);
    assert!(gap["payload"]["lost"].as_u64() >= Some(lost));
    let (to, kept) =
        (gap["payload"]["toSeq"].as_u64().expect("a range"), first_kept.expect("some were kept"));
    assert!(to < kept || gap["payload"]["lost"].as_u64() > Some(lost), "lost to {to}, kept from {kept}");
}

#[test]
fn a_frame_the_debugger_refuses_for_its_size_is_not_sent_for_ever() {
    let mut debugger = Debugger::start(json!([]), "run");
    let port = debugger.port();
    let session = Session::builder("test").url(debugger.url()).retry_every(OFTEN).start();
    assert!(session.attached_blocking(SOON));
    let run = session.run("work").start();
    debugger.next("run.started");
    // Unread from here on: nothing is confirmed.
    let large = "x".repeat(100_000);
    run.tool_blocking("t", large, |s: String| Ok::<_, String>(s.len())).expect("passes");
    debugger.close_with(1009);
    let mut debugger = Debugger::again(port, json!([]), "run");
    run.tool_blocking("u", 1, |n: i64| Ok::<_, String>(n)).expect("passes");
    loop {
        let start = debugger.next("node.started");
        if start["payload"]["name"] == "u" {
            break;
        }
    }
    assert_eq!(session.status().attached_count, 2);
}

#[test]
fn hidden_values_never_leave_the_process() {
    let mut debugger = Debugger::start(json!([{"point": "error"}]), "run");
    let hide = Hide { tool_args: true, ..Hide::default() };
    let session = Session::builder("test").url(debugger.url()).redact(["api_key"]).hide(hide).start();
    assert!(session.attached_blocking(SOON));
    let run = session.run("work").start();
    let reply = run.tool_blocking("t", json!({"secret": "s1"}), |_: Value| {
        Ok::<_, String>(json!({"headers": [{"apiKey": "s2"}], "rows": 3}))
    });
    assert_eq!(reply.expect("passes")["headers"][0]["apiKey"], "s2");
    let end = debugger.next("node.finished");
    assert_eq!(end["payload"]["output"], json!({"headers": [{"apiKey": "__REDACTED__"}], "rows": 3}));
    assert_eq!(end["payload"]["redaction"], json!({"count": 1, "keys": ["apiKey"]}));
    let log = debugger.log();
    let start = log.iter().find(|m| m["payload"]["name"] == "t").expect("a start");
    assert_eq!(start["payload"]["input"], "__REDACTED__");
    assert_eq!(start["payload"]["redaction"], json!({"count": 1, "keys": ["input"]}));
    let all = serde_json::to_string(log).expect("JSON");
    assert!(!all.contains("s1") && !all.contains("s2"));
}

#[test]
fn a_large_value_is_sent_as_a_marked_preview() {
    let mut debugger = Debugger::start(json!([]), "run");
    let session = Session::builder("test").url(debugger.url()).value_bytes_max(1_000).start();
    assert!(session.attached_blocking(SOON));
    let run = session.run("work").start();
    run.tool_blocking("t", "y".repeat(5_000), |s: String| Ok::<_, String>(s.len())).expect("passes");
    debugger.next("node.finished");
    let start = debugger.log().iter().find(|m| m["payload"]["name"] == "t").expect("a start").clone();
    assert_eq!(start["payload"]["input"]["__graphmindTruncated"], true);
    assert_eq!(start["payload"]["input"]["bytes"], 5_002);
}

#[test]
fn a_pause_timeout_lets_a_gate_go_on_by_itself() {
    let mut debugger = Debugger::start(json!([{"name": "t"}]), "run");
    let timeout = Duration::from_millis(20);
    let session = Session::builder("test").url(debugger.url()).pause_timeout(timeout).start();
    assert!(session.attached_blocking(SOON));
    let run = session.run("work").start();
    assert_eq!(run.tool_blocking("t", 1, |n: i64| Ok::<_, String>(n)), Ok(1));
    debugger.next("exec.paused");
    assert_eq!(debugger.next("exec.resumed")["payload"]["action"], "continue");
}
