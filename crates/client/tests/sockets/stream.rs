//! Streamed text on the wire.

use crate::debugger::{Debugger, SOON};
use client::{Session, Usage};
use serde_json::{Value, json};

#[test]
fn words_travel_in_few_events_in_order_and_before_the_end() {
    let mut debugger = Debugger::start(json!([]), "run");
    let session = Session::builder("test").url(debugger.url()).start();
    assert!(session.attached_blocking(SOON));
    let run = session.run("work").start();
    let node = run.llm("say").model("small-1").start(&"count");
    for n in 0..2_000 {
        node.text(&format!("{n} "));
    }
    node.reasoning("hm");
    node.usage(Usage::tokens(5, 7).cache_read(2));
    node.finish(&"done");
    let end = debugger.next("node.finished");
    assert_eq!(end["payload"]["usage"]["cacheReadTokens"], 2);
    let log = debugger.log();
    let tokens: Vec<&Value> = log.iter().filter(|m| m["type"] == "node.token").collect();
    assert!(tokens.len() < 50, "{} events", tokens.len());
    let text: String = tokens
        .iter()
        .flat_map(|m| m["payload"]["deltas"].as_array().expect("deltas"))
        .filter(|delta| delta["t"] == "text")
        .filter_map(|delta| delta["v"].as_str())
        .collect();
    assert_eq!(text, (0..2_000).map(|n| format!("{n} ")).collect::<String>());
    assert!(tokens.iter().all(|m| m["payload"]["instanceId"] == end["payload"]["instanceId"]));
}

#[test]
fn graph_events_and_what_runs_inside_their_tasks_travel_as_one_run() {
    use client::stream::{Context, GraphEvent, Interrupt};
    let mut debugger = Debugger::start(json!([]), "run");
    let session = Session::builder("test").url(debugger.url()).start();
    assert!(session.attached_blocking(SOON));
    let asking = std::thread::spawn(move || {
        let run = session.run("graph").without_root().start();
        let task = Context { task_id: Some("a1".into()), node: Some("search".into()), ..Context::default() };
        let started = GraphEvent::TaskStarted {
            task_id: "a1".into(),
            node: "search".into(),
            triggers: vec!["go".to_owned()],
        };
        run.graph_event(&task, &started);
        run.in_task(&task).llm("rank").start(&"pages").finish(&"page 3");
        let interrupt =
            Interrupt { id: "i1".to_owned(), node: "search".into(), payload: "which one?".into() };
        futures_executor(run.interrupt(&task, &interrupt))
    });
    let pause = debugger.next("exec.paused");
    let payload = &pause["payload"];
    assert_eq!((&payload["pauseId"], &payload["nodeId"]), (&json!("i1"), &json!("search")));
    assert_eq!((&payload["reason"], &payload["instanceId"]), (&json!("interrupt"), &json!("a1")));
    debugger.resume(&pause, "inject", json!({"output": {"page": 3}}));
    assert_eq!(asking.join().expect("no panic"), client::Decision::Inject(json!({"page": 3})));
    let log = debugger.log();
    let find = |kind: &str| log.iter().find(|m| m["type"] == kind).expect(kind)["payload"].clone();
    let context = json!({"task_id": "a1", "node": "search"});
    assert_eq!(find("node.started")["graph"], context);
    assert_eq!(find("node.finished")["graph"], context);
    let events: Vec<Value> =
        log.iter().filter(|m| m["type"] == "graph.event").map(|m| m["payload"]["event"].clone()).collect();
    assert_eq!(events[0]["TaskStarted"]["triggers"], json!(["go"]));
    assert_eq!(events[1]["InterruptEmitted"]["interrupt"]["payload"], "which one?");
}

/// A runtime without timers or sockets is enough for every future of the client.
fn futures_executor<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().build().expect("a runtime").block_on(future)
}
