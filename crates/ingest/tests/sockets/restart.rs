//! What a restart of the debugger must not lose: breakpoints, mode, holds, runs, and whose they are.

use super::*;

#[tokio::test]
async fn a_restart_arms_every_app_again_in_one_message() {
    let dir = Dir::new();
    let server = dir.start().await;
    let mut viewer = Peer::viewer(&server).await;
    let specs = [
        json!({ "matcher": { "kind": "tool", "name": "search", "point": "before" }, "enabled": true }),
        json!({ "matcher": { "name": "plan", "point": "after" }, "condition": "len(output) > 3", "hit": "> 2", "enabled": true }),
        json!({ "matcher": { "kind": "llm" }, "enabled": false }),
    ];
    for (req, spec) in (1..).zip(&specs) {
        viewer.ask(json!({ "t": "breakpointSet", "req": req, "spec": spec })).await;
        viewer.until(|frame| frame["t"] == "control" && frame["req"] == req).await;
    }
    viewer.ask(json!({ "t": "modeSet", "req": 8, "mode": "step" })).await;
    viewer.ask(json!({ "t": "pauseOnError", "req": 9, "on": false })).await;
    let debug = viewer
        .until(|frame| frame["t"] == "debug" && frame["debug"]["pauseOnError"] == json!(false))
        .await["debug"]
        .clone();
    let mut tokens = Vec::new();
    for _ in 0..3 {
        tokens.push(Peer::app(&server, None, 1).await.1);
    }
    server.shutdown().await;

    let server = dir.start().await;
    let mut viewer = Peer::dial(&format!("ws://{}/ws/ui?token={}", server.addr, server.token)).await;
    assert_eq!(viewer.until(|frame| frame["t"] == "welcome").await["debug"], debug);
    for token in tokens {
        let mut app = Peer::dial(&server.ingest_url).await;
        let hello = json!({
            "versions": { "protocol": 1, "client": "t" }, "capabilities": ["pause", "run-claim"], "resumeToken": token,
        });
        app.say(&testkit::e_of("*", 2, "hello", &hello.to_string())).await;
        let first = app.until(|_| true).await;
        assert_eq!(first["type"], "hello.ack");
        assert_eq!(first["payload"]["mode"], "step");
        let armed = json!([{ "kind": "tool", "name": "search", "point": "before" }, { "name": "plan", "point": "after" }]);
        assert_eq!(first["payload"]["breakpoints"], armed);
    }
    server.shutdown().await;
}

#[tokio::test]
async fn a_hold_is_history_after_a_restart_and_holds_again_when_its_app_says_so() {
    let dir = Dir::new();
    let server = dir.start().await;
    let (mut app, token) = Peer::app(&server, None, 1).await;
    app.say(&testkit::e(2, "run.started", r#"{"app":"t","sdk":{"name":"t","version":"1"}}"#)).await;
    app.say(&testkit::e(3, "node.started", &testkit::started("tool:a", "i", "tool", None))).await;
    app.say(&testkit::e(4, "exec.paused", r#"{"pauseId":"p","nodeId":"tool:a","point":"before"}"#)).await;
    assert_eq!(stored(&server, "r1", 3).await["holds"][0]["pauseId"], "p");
    server.shutdown().await;

    let server = dir.start().await;
    let summary = stored(&server, "r1", 3).await;
    assert_eq!(
        (&summary["holds"], &summary["status"]),
        (&json!([]), &json!("abandoned")),
        "its gate has opened"
    );
    let mut viewer = Peer::viewer(&server).await;
    viewer.ask(json!({ "t": "watch", "run": "r1" })).await;
    let snapshot = viewer.until(|frame| frame["t"] == "snapshot").await;
    let run: graph::Run = serde_json::from_value(snapshot["state"].clone()).expect("a run");
    let held: Vec<&str> = run.holds().iter().map(|hold| hold.pause_id.as_str()).collect();
    assert_eq!(held, ["p"], "that it held is part of the run");

    let (mut app, same) = Peer::app(&server, Some(&token), 5).await;
    assert_eq!(same, token);
    app.say(&testkit::e(6, "exec.paused", r#"{"pauseId":"q","nodeId":"tool:a","point":"before"}"#)).await;
    let summary = stored(&server, "r1", 4).await;
    assert_eq!((&summary["holds"][0]["pauseId"], &summary["status"]), (&json!("q"), &json!("running")));
    viewer.ask(json!({ "t": "resume", "req": 1, "run": "r1", "pauseId": "q", "action": "continue" })).await;
    assert_eq!(app.until(|frame| frame["type"] == "exec.resume").await["payload"]["pauseId"], "q");
    server.shutdown().await;
}
