//! Graph events from a runtime through the server to subscribers.

use crate::program::{Folder, SOON, text};
use client::stream::{Context, GraphEvent, Interrupt, LineBody, StreamFilter, StreamLine};
use client::{Decision, RunStream, Session};
use serde_json::{Value, json};
use std::thread;

/// A graph that asks a person and ends with what they say.
fn ask(url: String) -> thread::JoinHandle<Decision> {
    thread::spawn(move || {
        let session = Session::builder("graph").url(url).start();
        assert!(session.attached_blocking(SOON));
        let run = session.run("ask").id("g1").without_root().start();
        let step = Context {
            step: Some(1),
            node: Some("plan".into()),
            task_id: Some("a1".into()),
            ..Context::default()
        };
        run.graph_event(&step, &GraphEvent::RunStarted { run_id: "g1".into(), graph_id: "ask".into() });
        let triggers = vec!["start".to_owned()];
        run.graph_event(
            &step,
            &GraphEvent::TaskStarted { task_id: "a1".into(), node: "plan".into(), triggers },
        );
        let interrupt =
            Interrupt { id: "which".to_owned(), node: "plan".into(), payload: "left or right?".into() };
        let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
        let decision = runtime.block_on(run.interrupt(&step, &interrupt));
        if let Decision::Inject(answer) = &decision {
            let update = client::stream::Json::of(answer).expect("JSON");
            run.graph_event(&step, &GraphEvent::StateUpdated { node: "plan".into(), update });
        }
        run.graph_event(&step, &GraphEvent::RunCompleted { run_id: "g1".into() });
        decision
    })
}

#[test]
fn an_interrupt_is_answered_and_every_subscriber_reads_the_same_run() {
    let folder = Folder::new();
    let server = folder.serve();
    let asking = ask(server.field("ingest"));
    let hold = folder.holds(1).remove(0);
    assert_eq!((text(&hold, "pauseId"), text(&hold, "nodeId")), ("which".to_owned(), "plan".to_owned()));
    folder.ok(&["resume", "which", "--action", "inject", "--output", r#"{"turn":"left"}"#]);
    assert_eq!(asking.join().expect("no panic"), Decision::Inject(json!({"turn": "left"})));
    folder.run_with_status("ok");

    let filter = StreamFilter::from_query("run=g1&modes=updates").expect("a filter");
    let mut stream = RunStream::subscribe(&server.field("ingest"), &server.field("token"), &filter);
    let mut updates = Vec::new();
    while let Some(line) = stream.next_blocking() {
        if let StreamLine::Item(item) = line.expect("a line")
            && let LineBody::Part(part) = item.body
        {
            updates.push(serde_json::to_value(&part).expect("JSON"));
        }
    }
    let plans: Vec<&Value> =
        updates.iter().map(|part| &part["Updates"]["data"]["plan"]).filter(|v| !v.is_null()).collect();
    assert_eq!(plans, [&json!({"turn": "left"})], "{updates:?}");
    assert!(!stream.outcome().interrupted, "{:?}", stream.outcome());

    let lines = |args: &[&str]| -> Vec<Value> {
        let printed = folder.ok(&[&["stream"], args, &["--json"]].concat());
        printed.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
    };
    let live = lines(&["g1", "--modes", "events", "--kinds", "TaskStarted,InterruptEmitted"]);
    let kinds: Vec<&Value> = live.iter().filter(|line| line["event"].is_object()).collect();
    assert_eq!(kinds.len(), 2, "{live:?}");
    assert_eq!(live.last(), Some(&json!({"end": {}})));
    drop(server);
    let of_updates = |lines: Vec<Value>| -> Vec<Value> {
        lines.into_iter().filter(|line| line["mode"] == "updates").collect()
    };
    let (some, all) = (of_updates(lines(&["g1", "--modes", "updates"])), of_updates(lines(&["g1"])));
    assert_eq!((some.len(), &some), (2, &all), "the interrupt and the plan, from the journal");
}
