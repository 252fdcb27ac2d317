//! Answers to holds and the debug state.

use super::*;

fn held() -> (Rig, SessionId, ViewerId) {
    let mut rig = Rig::new();
    let viewer = rig.viewer(9);
    let app = rig.greeted(1);
    rig.send_all(
        app,
        [start("r1", 2), node("r1", 3, "a", "{\"n\":1}"), pause("r1", 4, "a", "p", "error")]
            .iter()
            .map(String::as_str),
    );
    (rig, app, viewer)
}

fn resume(action: &str) -> Value {
    json!({ "t": "resume", "run": "r1", "pauseId": "p", "action": action })
}

#[test]
fn a_hold_moves_only_when_the_app_says_so() {
    let (mut rig, app, viewer) = held();
    assert_eq!(rig.run("r1").holds[0].name, "a");
    let mut inject = resume("inject");
    inject["output"] = json!({ "v": 1 });
    assert_eq!(rig.control(viewer, inject).0, "sent", "the receipt follows when it is on the socket");
    assert_eq!(rig.sent(app, "exec.resume")[0]["output"], json!({ "v": 1 }));
    assert_eq!(rig.run("r1").holds.len(), 1);
    rig.input(Input::Delivered { viewer, req: 9 });
    assert_eq!(rig.shown(viewer, "control")[0]["stage"], "delivered");
    rig.send(app, &release("r1", 5, "p", "inject"));
    assert!(rig.run("r1").holds.is_empty());
}

#[test]
fn one_answer_to_a_gate_is_on_its_way_at_a_time() {
    let (mut rig, app, viewer) = held();
    assert_eq!(rig.control(viewer, resume("continue")).0, "sent");
    let (stage, reason) = rig.control(viewer, resume("abort"));
    assert_eq!(stage, "refused");
    assert!(reason.contains("on its way"), "{reason}");
    rig.send(app, &testkit::e_of("r1", 5, "exec.refused", r#"{"pauseId":"p","code":"shape"}"#));
    assert_eq!(
        rig.control(viewer, resume("abort")).0,
        "sent",
        "a refusal leaves the gate held and free to answer"
    );
    assert_eq!(rig.run("r1").holds.len(), 1);
}

#[test]
fn what_the_gate_does_not_take_is_refused_before_it_is_sent() {
    let check = |change: fn(&mut Value), expect: &str| {
        let (mut rig, app, viewer) = held();
        let mut ask = resume("continue");
        change(&mut ask);
        let (stage, reason) = rig.control(viewer, ask);
        assert_eq!(stage, "refused", "{expect}");
        assert!(reason.contains(expect), "expected {expect:?}, seen {reason:?}");
        assert!(rig.sent(app, "exec.resume").is_empty());
    };
    check(|ask| ask["input"] = json!([1]), "takes no edited arguments");
    check(|ask| ask["output"] = json!(1), "with inject only");
    check(|ask| ask["pauseId"] = json!("other"), "no gate holds under pause id \"other\"");
    check(|ask| ask["run"] = json!("r9"), "there is no run \"r9\"");
    check(
        |ask| {
            ask["action"] = json!("inject");
            ask["output"] = json!("x".repeat(crate::limits::APP_FRAME_BYTES_MAX));
        },
        "send a smaller value",
    );
}

#[test]
fn an_unknown_action_is_answered_with_what_is_accepted() {
    let (mut rig, _, viewer) = held();
    rig.ask(viewer, json!({ "t": "resume", "req": 3, "run": "r1", "pauseId": "p", "action": "explode" }));
    let failed = rig.shown(viewer, "failed");
    assert_eq!(failed[0]["req"], 3);
    assert!(failed[0]["reason"].as_str().is_some_and(|reason| reason.contains("continue")), "{failed:?}");
}

#[test]
fn an_app_that_is_away_takes_no_answer_and_its_holds_are_gone() {
    let (mut rig, app, viewer) = held();
    rig.input(Input::SessionClosed { session: app });
    assert!(rig.run("r1").holds.is_empty());
    assert!(rig.control(viewer, resume("continue")).1.contains("not connected"));
    let back = rig.app(2);
    rig.send(back, &hello(5, Some("token-1"), true));
    assert!(rig.run("r1").holds.is_empty(), "clients let go of every gate when their connection ends");
    rig.send(back, &pause("r1", 6, "a", "q", "error"));
    assert_eq!(rig.run("r1").holds.len(), 1);
}

#[test]
fn two_holds_are_two_rows_and_equal_pause_ids_a_warning() {
    let (mut rig, app, viewer) = held();
    rig.send(app, &pause("r1", 5, "b", "p2", "before"));
    assert_eq!(rig.run("r1").holds.len(), 2);
    rig.send(app, &release("r1", 6, "p2", "continue"));
    assert_eq!(rig.run("r1").holds.len(), 1);
    rig.send(app, &pause("r1", 7, "b", "p", "before"));
    assert_eq!(rig.run("r1").holds.len(), 2);
    assert!(rig.notices(viewer)[0].contains("one answer releases all"), "{:?}", rig.notices(viewer));
}

#[test]
fn continue_all_answers_every_gate_and_says_when_there_is_none() {
    let (mut rig, app, viewer) = held();
    rig.send(app, &pause("r1", 5, "b", "p2", "before"));
    assert_eq!(rig.control(viewer, json!({ "t": "continueAll" })).0, "delivered");
    assert_eq!(rig.sent(app, "exec.resume").len(), 2);
    rig.send_all(
        app,
        [release("r1", 6, "p", "continue"), release("r1", 7, "p2", "continue")].iter().map(String::as_str),
    );
    assert_eq!(rig.control(viewer, json!({ "t": "continueAll", "run": "r1" })).1, "nothing is held");
}

#[test]
fn the_debug_state_reaches_every_app_and_survives() {
    let mut rig = Rig::new();
    let viewer = rig.viewer(9);
    let app = rig.greeted(1);
    let matcher = json!({ "kind": "tool", "name": "a" });
    rig.control(viewer, json!({ "t": "breakpointSet", "spec": { "matcher": matcher, "enabled": true } }));
    rig.control(viewer, json!({ "t": "modeSet", "mode": "step" }));
    rig.control(viewer, json!({ "t": "pauseOnError", "on": false }));
    assert_eq!(rig.sent(app, "breakpoint.set")[0]["matcher"], matcher);
    assert_eq!(rig.sent(app, "mode.set")[0]["mode"], "step");
    assert_eq!(rig.sent(app, "breakpoint.clear")[0]["matcher"], json!({ "point": "error" }));
    let mut later = Rig::with(Debug::from_file(rig.debug_file.as_deref(), None));
    let app = later.greeted(1);
    let ack = &later.sent(app, "hello.ack")[0];
    assert_eq!((&ack["breakpoints"], &ack["mode"]), (&json!([matcher]), &json!("step")));
}

#[test]
fn a_matcher_that_two_things_want_is_armed_once_and_cleared_last() {
    let mut rig = Rig::new();
    let viewer = rig.viewer(9);
    let app = rig.greeted(1);
    let matcher = json!({ "point": "error" });
    rig.control(viewer, json!({ "t": "breakpointSet", "spec": { "matcher": matcher, "enabled": true } }));
    assert!(rig.sent(app, "breakpoint.set").is_empty(), "pause on error has armed it already");
    rig.control(viewer, json!({ "t": "pauseOnError", "on": false }));
    assert!(rig.sent(app, "breakpoint.clear").is_empty());
    rig.control(viewer, json!({ "t": "breakpointClear", "matcher": matcher }));
    assert_eq!(rig.sent(app, "breakpoint.clear").len(), 1);
    let (stage, _) = rig.control(viewer, json!({ "t": "breakpointClear", "matcher": matcher }));
    assert_eq!(stage, "refused");
}

/// Five calls with `n` from 0 to 4; which of them stay held?
fn stays_held(spec: Value) -> (Vec<u64>, Rig, ViewerId) {
    let mut rig = Rig::with(Debug::from_file(None, Some(false)));
    let viewer = rig.viewer(9);
    let app = rig.greeted(1);
    rig.control(viewer, json!({ "t": "breakpointSet", "spec": spec }));
    rig.send(app, &start("r1", 2));
    let mut held = Vec::new();
    for n in 0..5 {
        let seq = 3 + n * 3;
        rig.send(app, &node("r1", seq, "a", &format!("{{\"n\":{n}}}")));
        rig.send(app, &pause("r1", seq + 1, "a", &format!("p{n}"), "before"));
        let let_go = rig.sent(app, "exec.resume").iter().any(|resume| resume["pauseId"] == format!("p{n}"));
        assert_eq!(rig.run("r1").holds.is_empty(), let_go, "a hold that is let go is not shown");
        if !let_go {
            held.push(n);
        }
        rig.send(app, &release("r1", seq + 2, &format!("p{n}"), "continue"));
        let end = format!(r#"{{"nodeId":"tool:a","instanceId":"i{seq}","durationMs":1,"status":"ok"}}"#);
        rig.send(app, &testkit::e_of("r1", 100 + n, "node.finished", &end));
    }
    (held, rig, viewer)
}

#[test]
fn conditions_hit_counts_and_log_points_decide_in_the_hub() {
    let spec = |extra: Value| {
        let mut spec = json!({ "matcher": { "name": "a" }, "enabled": true });
        spec.as_object_mut().expect("an object").extend(extra.as_object().expect("an object").clone());
        spec
    };
    assert_eq!(stays_held(spec(json!({}))).0, [0, 1, 2, 3, 4]);
    assert_eq!(stays_held(spec(json!({ "condition": "input.n == 3" }))).0, [3]);
    assert_eq!(stays_held(spec(json!({ "hit": "% 2" }))).0, [1, 3]);
    assert_eq!(stays_held(spec(json!({ "condition": "input.n > 0", "hit": ">= 3" }))).0, [3, 4]);
    let (held, rig, viewer) = stays_held(spec(json!({ "log": "n is {input.n}" })));
    assert!(held.is_empty(), "{held:?}");
    assert_eq!(rig.notices(viewer).len(), 5);
    assert!(rig.notices(viewer)[2].ends_with("n is 2"), "{:?}", rig.notices(viewer));
    let (held, rig, viewer) = stays_held(spec(json!({ "condition": "input.x == 1" })));
    assert_eq!(held, [0, 1, 2, 3, 4], "what fails on a value holds");
    assert!(rig.notices(viewer)[0].contains("input.x is not there"), "{:?}", rig.notices(viewer));
    let (held, mut rig, _) = stays_held(spec(json!({ "condition": "input.n == 3" })));
    rig.pass(1_000);
    let debug = rig.shown(ViewerId(9), "debug");
    let state = &debug.last().expect("a debug frame")["debug"]["breakpoints"][0];
    assert_eq!(held, [3]);
    assert_eq!((&state["seen"], &state["matched"], &state["held"]), (&json!(5), &json!(1), &json!(1)));
}

#[test]
fn a_bad_expression_stays_with_its_error_and_arms_nothing() {
    let mut rig = Rig::with(Debug::from_file(None, Some(false)));
    let viewer = rig.viewer(9);
    let app = rig.greeted(1);
    let spec = json!({ "matcher": { "name": "a" }, "enabled": true, "hit": ">> 3" });
    assert_eq!(rig.control(viewer, json!({ "t": "breakpointSet", "spec": spec })).0, "delivered");
    assert!(rig.sent(app, "breakpoint.set").is_empty());
    let debug = rig.shown(viewer, "debug");
    let state = &debug[0]["debug"]["breakpoints"][0];
    assert_eq!(state["spec"]["hit"], ">> 3");
    assert!(state["error"].as_str().is_some_and(|error| error.contains("hit count")), "{state}");
}

#[test]
fn a_hold_of_another_cause_stays_whatever_breakpoints_say() {
    let mut rig = Rig::with(Debug::from_file(None, Some(false)));
    let viewer = rig.viewer(9);
    let app = rig.greeted(1);
    let spec = json!({ "matcher": { "name": "a" }, "enabled": true, "condition": "false" });
    rig.control(viewer, json!({ "t": "breakpointSet", "spec": spec }));
    rig.send_all(app, [start("r1", 2), node("r1", 3, "a", "1")].iter().map(String::as_str));
    let looped = r#"{"pauseId":"p1","nodeId":"tool:a","point":"before","reason":"loop"}"#;
    rig.send(app, &testkit::e_of("r1", 4, "exec.paused", looped));
    assert_eq!(rig.run("r1").holds.len(), 1);
    rig.control(viewer, json!({ "t": "modeSet", "mode": "step" }));
    rig.send(app, &pause("r1", 5, "a", "p2", "before"));
    assert_eq!(rig.run("r1").holds.len(), 2);
}
