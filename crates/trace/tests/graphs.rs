//! Graph runtimes: journals and LangGraph streams, seen as the graph events they become.

use std::ops::ControlFlow;

use stream::{Body, StreamItem};
use trace::{Source, import};

/// The events in short: name, node, namespace.
fn story(text: &str) -> (trace::Report, Vec<String>) {
    let source = Source::Bytes { name: "stream".into(), bytes: text.as_bytes().to_vec() };
    let mut lines = Vec::new();
    let report = import(&[source], &mut |line| {
        let decoded = wire::decode(line);
        match StreamItem::decode(&decoded) {
            Ok(Some(StreamItem { body: Body::Event(event), context, .. })) => {
                let node = context.node.as_ref().map_or("-", |node| node.as_str());
                lines.push(
                    format!("{} {node} {}", event.name(), context.namespace.join("|")).trim().to_owned(),
                );
            }
            Ok(Some(item)) => lines.push(item.kind().to_owned()),
            Ok(None) => {}
            Err(error) => panic!("{error}: {line}"),
        }
        ControlFlow::Continue(())
    });
    (report.unwrap_or_else(|failure| panic!("{failure} {:?}", failure.report)), lines)
}

fn check(text: &str, expected: &[&str]) {
    assert_eq!(story(text).1, expected, "{text}");
}

#[test]
fn a_journal_keeps_its_own_numbers() {
    let line = |offset: u64, event: &str| {
        format!(
            r#"{{"event_id":"e{offset}","run_id":"r","root_run_id":"r","graph_id":"g","step":1,"offset":{offset},"ts_ms":5,"event":{event}}}"#
        )
    };
    let text = format!(
        "{}\n{}\n{}",
        line(0, r#"{"RunStarted":{"run_id":"r"}}"#),
        line(1, r#"{"NodeStarted":{"node":"plan","step":1}}"#),
        line(2, r#""Tick""#)
    );
    let (report, lines) = story(&text);
    assert_eq!((report.format.as_str(), report.imported), ("graph runtime journal", 3));
    assert_eq!(lines, ["RunStarted -", "NodeStarted plan", "Tick -"]);
}

#[test]
fn tasks_say_what_ran_and_triggers_say_why() {
    let text = r#"["tasks",{"id":"t1","name":"a","input":{},"triggers":["branch:to:a"]}]
["tasks",{"id":"t2","name":"b","input":{},"triggers":["branch:to:b"]}]
["tasks",{"id":"t1","name":"a","error":null,"interrupts":[],"result":{"x":1}}]
["tasks",{"id":"t2","name":"b","error":"boom","interrupts":[],"result":{}}]
["tasks",{"id":"t3","name":"c","input":{},"triggers":["join:a+b:c","branch:to:c"]}]
["tasks",{"id":"t3","name":"c","error":null,"interrupts":[],"result":{}}]"#;
    check(
        text,
        &[
            "run.started",
            "TaskStarted a",
            "TaskStarted b",
            "TaskCompleted a",
            "TaskFailed b",
            "RouteSelected a",
            "RouteSelected b",
            "TaskStarted c",
            "TaskCompleted c",
            "RunCompleted -",
        ],
    );
}

#[test]
fn an_interrupt_in_many_modes_is_one() {
    let text = r#"[[],"tasks",{"id":"t1","name":"ask","input":{},"triggers":[]}]
[[],"tasks",{"id":"t1","name":"ask","error":null,"interrupts":[{"value":"ok?","id":"i1"}],"result":{}}]
[[],"updates",{"__interrupt__":[{"value":"ok?","id":"i1"}]}]"#;
    check(text, &["run.started", "TaskStarted ask", "InterruptEmitted ask"]);
}

#[test]
fn updates_alone_still_make_nodes_and_say_so() {
    let (report, lines) = story("[[\"sub:7\"],{\"a\":{\"x\":1}}]\n[[],\"updates\",{\"b\":{}}]");
    assert_eq!(report.format, "LangGraph stream");
    assert!(
        lines.contains(&"TaskCompleted a sub:7".to_owned()) && lines.contains(&"TaskCompleted b".to_owned()),
        "{lines:?}"
    );
    assert!(
        report.notes().iter().any(|note| note.starts_with("a node's start is not in the stream")),
        "{:?}",
        report.notes()
    );
}

#[test]
fn a_cached_task_and_server_sent_events() {
    check(
        "event: updates|sub:7\ndata: {\"a\":{},\"__metadata__\":{\"cached\":true}}\n\nevent: end\ndata: null\n\n",
        &["run.started", "TaskCached a sub:7", "RunCompleted -"],
    );
}

#[test]
fn python_notation_is_named() {
    let source = Source::Bytes {
        name: "x".into(),
        bytes: b"[\"updates\",{\"a\":{}}]\n\"('branch:to:agent',)\"".to_vec(),
    };
    let report = import(&[source], &mut |_| ControlFlow::Continue(())).unwrap();
    assert_eq!(report.skipped[0].reason, "a chunk in Python's own notation; dump it with json.dumps");
}

#[test]
fn the_newer_wrapping_of_a_journal_keeps_its_namespace() {
    let text = r#"{"run_id":"r","task_id":"t","ns":["a:1","b:2"],"seq":3,"event":{"NodeStarted":{"node":"plan","step":1}}}
{"run_id":"r","task_id":"t","ns":[],"seq":4,"event":{"RouteSelected":{"node":"plan","target":"act"}}}"#;
    let (report, lines) = story(text);
    assert_eq!((report.format.as_str(), report.imported), ("graph runtime journal", 2));
    assert_eq!(lines, ["NodeStarted plan a:1|b:2", "RouteSelected plan"]);
    assert_eq!(report.notes(), ["the journal has no clock: the time axis counts events"]);
}
