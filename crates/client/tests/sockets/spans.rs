//! Spans of `tracing` as nodes of a run, seen by a debugger on a real socket.

use crate::debugger::{Debugger, SOON};
use client::{Session, SpanLayer};
use serde_json::{Value, json};
use tracing_subscriber::layer::SubscriberExt;

#[test]
fn spans_become_nodes_under_their_parents_and_a_root_span_a_run() {
    let mut debugger = Debugger::start(json!([]), "run");
    let session = Session::builder("test").url(debugger.url()).start();
    assert!(session.attached_blocking(SOON));
    let subscriber = tracing_subscriber::registry().with(SpanLayer::new(session));
    tracing::subscriber::with_default(subscriber, || {
        let answer = tracing::info_span!("answer", question = "where?").entered();
        let search =
            tracing::info_span!("search", node.kind = "retriever", limit = 3, output = tracing::field::Empty);
        search.in_scope(|| {
            tracing::info!(stream.text = "looking");
            search.record("output", "3 pages");
        });
        drop(search);
        let parse = tracing::info_span!("parse", node.kind = "tool").entered();
        tracing::error!("no number");
        drop((parse, answer));
    });
    assert_eq!(debugger.next("run.finished")["payload"]["status"], "ok");
    let log = debugger.log();
    let of = |kind: &str, node: &str| -> Value {
        let found = log.iter().find(|m| m["type"] == kind && m["payload"]["nodeId"] == node);
        found.unwrap_or_else(|| panic!("no {kind} of {node}: {log:#?}"))["payload"].clone()
    };
    let start = of("node.started", "retriever:search");
    assert_eq!((&start["parentId"], &start["input"]), (&json!("custom:answer"), &json!({"limit": 3})));
    assert_eq!(of("node.token", "retriever:search")["deltas"][0]["v"], "looking");
    assert_eq!(of("node.finished", "retriever:search")["output"], "3 pages");
    assert_eq!(of("node.error", "tool:parse")["error"]["message"], "no number");
    assert_eq!(of("node.finished", "tool:parse")["status"], "error");
    assert_eq!(of("node.started", "custom:answer")["input"], json!({"question": "where?"}));
}
