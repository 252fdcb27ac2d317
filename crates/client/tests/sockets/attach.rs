//! Coming, going and coming back.

use crate::debugger::{Debugger, SOON, free_port};
use client::{Session, State};
use serde_json::{Value, json};
use std::thread;
use std::time::Duration;

const OFTEN: Duration = Duration::from_millis(50);

fn session(url: String) -> Session {
    Session::builder("test").url(url).retry_every(OFTEN).start()
}

fn numbers(log: &[Value]) -> Vec<u64> {
    log.iter().map(|m| m["seq"].as_u64().expect("a number")).collect()
}

#[test]
fn a_debugger_that_comes_late_sees_the_run_from_its_start() {
    let port = free_port();
    let early = session(format!("ws://127.0.0.1:{port}/ingest"));
    let run = early.run("work").start();
    run.tool_blocking("t", 1, |n: i64| Ok::<_, String>(n)).expect("passes");
    drop(run);
    let mut debugger = Debugger::again(port, json!([]), "run");
    debugger.next("run.finished");
    let mut seen = numbers(debugger.log());
    assert_eq!(debugger.kinds()[0], "hello");
    seen.sort_unstable();
    assert_eq!(seen.len(), seen.last().map_or(0, |last| usize::try_from(*last).expect("small")));
}

#[test]
fn held_gates_go_on_when_the_debugger_goes_and_its_return_sees_everything_once() {
    let mut debugger = Debugger::start(json!([{"kind": "tool"}]), "run");
    let port = debugger.port();
    let session = session(debugger.url());
    assert!(session.attached_blocking(SOON));
    let holds: Vec<_> = (0..3)
        .map(|n| {
            let session = session.clone();
            thread::spawn(move || {
                let run = session.run(format!("work {n}")).start();
                let result = run.tool_blocking("t", n, |n: i64| Ok::<_, String>(n * 2));
                run.finish(result)
            })
        })
        .collect();
    (0..3).for_each(|_| drop(debugger.next("exec.paused")));
    let before = debugger.log().to_vec();
    debugger.leave();
    let results: Vec<_> = holds.into_iter().map(|hold| hold.join().expect("no panic")).collect();
    assert_eq!(results, [Ok(0), Ok(2), Ok(4)]);

    let mut debugger = Debugger::again(port, json!([]), "run");
    let hello = debugger.next("hello");
    assert_eq!(hello["payload"]["resumeToken"], "token-1");
    (0..3).for_each(|_| drop(debugger.next("run.finished")));
    let after = debugger.log();
    let released = after.iter().filter(|m| m["type"] == "exec.resumed");
    assert!(released.clone().all(|m| m["payload"]["action"] == "continue"));
    assert_eq!(released.count(), 3);
    let events =
        |log: &[Value]| -> Vec<Value> { log.iter().filter(|m| m["type"] != "hello").cloned().collect() };
    assert_eq!(events(after)[..events(&before).len()], events(&before)[..], "replayed with its own numbers");
}

#[test]
fn a_disabled_session_does_nothing_and_says_so() {
    let session = Session::builder("test").enabled(false).start();
    let run = session.run("work").start();
    assert_eq!(run.tool_blocking("t", 1, |n: i64| Ok::<_, String>(n)), Ok(1));
    let status = session.status();
    assert_eq!((status.state, status.buffered), (State::Disabled, 0));
    assert!(!session.attached_blocking(SOON));
}

#[test]
fn without_a_debugger_everything_passes_and_the_reason_can_be_read() {
    let port = free_port();
    let session = session(format!("ws://127.0.0.1:{port}/elsewhere"));
    assert!(!session.attached_blocking(OFTEN * 4));
    let status = session.status();
    assert_eq!(status.state, State::Detached);
    let bad = Session::builder("test").url("wss://example.org").retry_every(OFTEN).start();
    assert!(!bad.attached_blocking(OFTEN));
    assert!(bad.status().last_error.is_some_and(|error| error.contains("expected ws://")));
}

#[test]
fn the_last_words_of_a_program_arrive() {
    let mut debugger = Debugger::start(json!([]), "run");
    let session = session(debugger.url());
    assert!(session.attached_blocking(SOON));
    let run = session.run("work").start();
    let node = run.llm("say").start(&"x");
    node.text("bye");
    drop((node, run, session));
    debugger.next("run.finished");
    let said = debugger.log().iter().find(|m| m["type"] == "node.token").expect("the text");
    assert_eq!(said["payload"]["deltas"], json!([{"t": "text", "v": "bye"}]));
}

#[test]
fn a_panic_in_the_host_is_its_own_and_is_seen() {
    let mut debugger = Debugger::start(json!([]), "run");
    let session = session(debugger.url());
    assert!(session.attached_blocking(SOON));
    let panicking = thread::spawn(move || {
        let run = session.run("work").start();
        run.tool_blocking("t", 1, |_: i64| -> Result<i64, String> { panic!("the host's own") })
    });
    assert!(panicking.join().is_err());
    assert_eq!(debugger.next("node.error")["payload"]["error"]["name"], "panic");
    assert_eq!(debugger.next("run.finished")["payload"]["status"], "error");
}
