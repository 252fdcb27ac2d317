//! What a person can do at a gate, seen from the program and from the wire.

use crate::debugger::{Debugger, SOON, Seen};
use client::{Point, Run, Session};
use serde_json::{Value, json};
use std::thread::{self, JoinHandle};

fn session(debugger: &Debugger) -> Session {
    let session = Session::builder("test").url(debugger.url()).start();
    assert!(session.attached_blocking(SOON), "{:?}", session.status());
    session
}

/// Halves even numbers and refuses odd ones; notes what it was called with.
fn halve(run: Run, input: i64, calls: &Seen<i64>) -> JoinHandle<Result<i64, String>> {
    let calls = calls.clone();
    thread::spawn(move || {
        let result = run.tool_blocking("halve", input, |n: i64| {
            calls.push(n);
            if n % 2 == 0 { Ok(n / 2) } else { Err(format!("{n} is odd")) }
        });
        run.finish(result)
    })
}

struct Case {
    matcher: Value,
    input: i64,
    answers: Vec<(&'static str, Value)>,
}

/// Runs `halve` under one matcher, answers its holds in turn; result, calls, and the events of the tool and the run.
fn held(case: Case) -> (Result<i64, String>, Vec<i64>, Vec<Value>) {
    let mut debugger = Debugger::start(json!([case.matcher]), "run");
    let session = session(&debugger);
    let calls = Seen::default();
    let running = halve(session.run("work").start(), case.input, &calls);
    for (action, more) in case.answers {
        let pause = debugger.next("exec.paused");
        debugger.resume(&pause, action, more);
    }
    debugger.next("run.finished");
    let result = running.join().expect("no panic");
    (result, calls.all(), debugger.log().to_vec())
}

fn finished(log: &[Value]) -> Value {
    let last = log.iter().rfind(|m| m["type"] == "node.finished" && m["payload"]["nodeId"] == "tool:halve");
    last.expect("an end")["payload"].clone()
}

fn at(point: &str) -> Value {
    json!({"name": "halve", "point": point})
}

#[test]
fn an_injected_value_replaces_an_error() {
    let answers = vec![("inject", json!({"output": 21}))];
    let (result, calls, log) = held(Case { matcher: at("error"), input: 43, answers });
    assert_eq!((result, calls), (Ok(21), vec![43]));
    let end = finished(&log);
    assert_eq!((&end["status"], &end["output"]), (&json!("ok"), &json!(21)));
    assert_eq!((&end["injected"], &end["recoveredFromError"]), (&json!(true), &json!(true)));
    assert!(end["heldMs"].as_f64() <= end["durationMs"].as_f64());
    let pause = log.iter().find(|m| m["type"] == "exec.paused").expect("a hold");
    assert_eq!(pause["payload"]["reason"], "error");
    assert_eq!(pause["payload"]["instanceId"], end["instanceId"]);
}

#[test]
fn a_retry_runs_the_function_again_as_the_same_execution() {
    let answers = vec![("retry", json!({})), ("retry", json!({"input": 8}))];
    let (result, calls, log) = held(Case { matcher: at("error"), input: 43, answers });
    assert_eq!((result, calls), (Ok(4), vec![43, 43, 8]));
    let starts = log.iter().filter(|m| m["type"] == "node.started" && m["payload"]["kind"] == "tool");
    assert_eq!(starts.count(), 1);
    let resumed: Vec<&Value> = log.iter().filter(|m| m["type"] == "exec.resumed").collect();
    assert_eq!(resumed[1]["payload"]["edited"], json!({"after": 8}));
}

#[test]
fn a_continued_error_reaches_the_caller_unchanged() {
    let answers = vec![("continue", json!({}))];
    let (result, _, log) = held(Case { matcher: at("error"), input: 43, answers });
    assert_eq!(result, Err("43 is odd".to_owned()));
    assert_eq!(finished(&log)["status"], "error");
    assert_eq!(log.last().expect("an end")["payload"]["status"], "error");
}

#[test]
fn an_abort_ends_the_run_and_nothing_of_it_starts_any_more() {
    let mut debugger = Debugger::start(json!([at("before")]), "run");
    let session = session(&debugger);
    let running = thread::spawn(move || {
        let run = session.run("work").start();
        let first = run.tool_blocking("halve", 2, |n: i64| Ok::<_, String>(n / 2));
        let second = run.tool_blocking("other", 2, |n: i64| Ok::<_, String>(n / 2));
        (first, second)
    });
    let pause = debugger.next("exec.paused");
    debugger.resume(&pause, "abort", json!({}));
    let aborted = Err("aborted from the debugger".to_owned());
    assert_eq!(running.join().expect("no panic"), (aborted.clone(), aborted));
    assert_eq!(debugger.next("run.finished")["payload"]["status"], "aborted");
    assert!(!debugger.log().iter().any(|m| m["payload"]["name"] == "other"));
}

#[test]
fn a_value_given_before_the_call_is_returned_in_its_place() {
    let answers = vec![("inject", json!({"output": 5}))];
    let (result, calls, log) = held(Case { matcher: at("before"), input: 43, answers });
    assert_eq!((result, calls), (Ok(5), vec![]));
    assert_eq!(finished(&log)["injected"], json!(true));
    let (edited, calls, _) =
        held(Case { matcher: at("before"), input: 43, answers: vec![("continue", json!({"input": 6}))] });
    assert_eq!((edited, calls), (Ok(3), vec![6]));
}

#[test]
fn the_after_gate_can_replace_a_result_or_run_again() {
    let answers = vec![("retry", json!({"input": 20})), ("inject", json!({"output": 7}))];
    let (result, calls, log) = held(Case { matcher: at("after"), input: 4, answers });
    assert_eq!((result, calls), (Ok(7), vec![4, 20]));
    assert_eq!(finished(&log)["output"], json!(7));
}

#[test]
fn an_answer_that_does_not_fit_is_refused_and_the_gate_stays_held() {
    let mut debugger = Debugger::start(json!([at("error")]), "run");
    let session = session(&debugger);
    let running = halve(session.run("work").start(), 43, &Seen::default());
    let pause = debugger.next("exec.paused");
    debugger.resume(&pause, "inject", json!({"output": "many", "requestId": "q1"}));
    let refused = debugger.next("exec.refused");
    assert_eq!(
        (&refused["payload"]["code"], &refused["payload"]["requestId"]),
        (&json!("schema"), &json!("q1"))
    );
    assert_eq!(session.status().held, 1);
    debugger.resume(&pause, "inject", json!({"output": "__REDACTED__"}));
    assert_eq!(debugger.next("exec.refused")["payload"]["code"], "placeholder");
    debugger.resume(&pause, "inject", json!({"output": 3, "requestId": "q2"}));
    assert_eq!(debugger.next("exec.resumed")["payload"]["requestId"], "q2");
    assert_eq!(running.join().expect("no panic"), Ok(3));
}

#[test]
fn step_mode_holds_before_each_node_and_a_mode_change_reaches_the_program() {
    let mut debugger = Debugger::start(json!([]), "step");
    let session = session(&debugger);
    let running = thread::spawn(move || {
        session.run("work").call_blocking(4, |agent, n: i64| {
            let once = agent.tool_blocking("halve", n, |n: i64| Ok::<_, String>(n / 2))?;
            agent.tool_blocking("halve again", once, |n: i64| Ok::<_, String>(n / 2))
        })
    });
    for node in ["agent:work", "tool:halve"] {
        let pause = debugger.next("exec.paused");
        assert_eq!(
            (&pause["payload"]["nodeId"], &pause["payload"]["reason"]),
            (&json!(node), &json!("step"))
        );
        if node == "tool:halve" {
            debugger.say("mode.set", json!({"mode": "run"}));
        }
        debugger.resume(&pause, "continue", json!({}));
    }
    assert_eq!(running.join().expect("no panic"), Ok(1));
}

#[test]
fn parallel_holds_are_answered_one_by_one_in_any_order() {
    let mut debugger = Debugger::start(json!([{"kind": "tool"}]), "run");
    let session = session(&debugger);
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime without timers");
    let running = thread::spawn(move || {
        runtime.block_on(async {
            let run = session.run("work").start();
            let double = |n: i64| async move { Ok::<_, String>(n * 2) };
            let (a, b, c) = (run.tool("a", 1, double), run.tool("b", 2, double), run.tool("c", 3, double));
            futures_util::future::join3(a, b, c).await
        })
    });
    let mut pauses: Vec<Value> = (0..3).map(|_| debugger.next("exec.paused")).collect();
    pauses.reverse();
    for (pause, output) in pauses.iter().zip([30, 20, 10]) {
        debugger.resume(pause, "inject", json!({"output": output}));
    }
    assert_eq!(running.join().expect("no panic"), (Ok(10), Ok(20), Ok(30)));
}

#[test]
fn the_third_equal_call_of_a_tool_holds_by_itself() {
    let mut debugger = Debugger::start(json!([]), "run");
    let session = session(&debugger);
    let running = thread::spawn(move || {
        let run = session.run("work").start();
        for _ in 0..3 {
            run.tool_blocking("poll", json!({"id": 1}), |_: Value| Ok::<_, String>("pending".to_owned()))?;
        }
        Ok::<_, String>(())
    });
    let pause = debugger.next("exec.paused");
    assert_eq!(pause["payload"]["reason"], "loop");
    assert_eq!(pause["payload"]["loop"]["repeats"], 3);
    let first = pause["payload"]["loop"]["firstSeq"].as_u64();
    let starts: Vec<Option<u64>> = debugger
        .log()
        .iter()
        .filter(|m| m["type"] == "node.started" && m["payload"]["name"] == "poll")
        .map(|m| m["seq"].as_u64())
        .collect();
    assert_eq!(first, starts[0]);
    debugger.resume(&pause, "continue", json!({}));
    assert_eq!(running.join().expect("no panic"), Ok(()));
}

#[test]
fn an_error_let_go_at_a_tool_does_not_hold_again_at_its_parents() {
    let mut debugger = Debugger::start(json!([{"point": "error"}]), "run");
    let session = session(&debugger);
    let running = thread::spawn(move || {
        session.run("work").call_blocking(1, |agent, n: i64| {
            agent.chain("steps").call_blocking(n, |steps, n: i64| {
                let failed = steps.tool_blocking("t", n, |_: i64| Err::<i64, _>("no".to_owned()));
                failed.map_err(|error| format!("in steps: {error}"))
            })
        })
    });
    let pause = debugger.next("exec.paused");
    debugger.resume(&pause, "continue", json!({}));
    assert_eq!(debugger.next("run.finished")["payload"]["error"]["message"], "in steps: no");
    assert_eq!(running.join().expect("no panic"), Err("in steps: no".to_owned()));
    assert_eq!(debugger.kinds().iter().filter(|kind| *kind == "exec.paused").count(), 1);
}

#[test]
fn a_hold_whose_task_is_dropped_is_reported_as_released() {
    let mut debugger = Debugger::start(json!([{"name": "t"}]), "run");
    let session = session(&debugger);
    let run = session.run("work").start();
    let call = run.tool("t", 1, |n: i64| async move { Ok::<_, String>(n) });
    assert_eq!(futures_util::FutureExt::now_or_never(call), None);
    let pause = debugger.next("exec.paused");
    let resumed = debugger.next("exec.resumed");
    assert_eq!(resumed["payload"], json!({"pauseId": pause["payload"]["pauseId"], "action": "abort"}));
    assert_eq!(debugger.next("node.finished")["payload"]["status"], "aborted");
    assert_eq!(session.status().held, 0);
}

#[test]
fn a_guard_holds_by_hand() {
    let mut debugger = Debugger::start(json!([{"kind": "retriever", "point": "after"}]), "run");
    let session = session(&debugger);
    let running = thread::spawn(move || {
        let run = session.run("work").start();
        let guard = run.node("retriever", "fetch").start(&"page");
        let decision = guard.gate_blocking(Point::After);
        guard.finish(&"text");
        decision
    });
    let pause = debugger.next("exec.paused");
    assert_eq!(pause["payload"]["editable"], false);
    debugger.resume(&pause, "inject", json!({"output": {"a": 1}}));
    assert_eq!(running.join().expect("no panic"), client::Decision::Inject(json!({"a": 1})));
}
