//! Apps attach, runs are stored as received, viewers watch and answer, both kinds of runtime serve.

use super::*;

#[tokio::test]
async fn an_event_is_stored_as_received_and_paged_back_byte_for_byte() {
    let dir = Dir::new();
    let server = dir.start().await;
    let (mut app, _) = Peer::app(&server, None, 1).await;
    let odd = r#"{"zz":1.50,  "gm":1,"seq":3,"ts":1.5e3,"runId":"r1","type":"node.started","payload":{"nodeId":"a","kind":"tool","name":"ü","instanceId":"i","input":{"n":1e2,"s":"\u00e9"}}}"#;
    let frames = [
        testkit::e_of("r1", 2, "run.started", r#"{"app":"t","sdk":{"name":"t","version":"1"}}"#),
        odd.to_owned(),
        testkit::e_of("r1", 4, "some.future", r#"{"deep":{"x":[1,2]}}"#),
        testkit::e_of("r1", 5, "run.finished", r#"{"status":"ok"}"#),
    ];
    for frame in &frames {
        app.say(frame).await;
    }
    let summary = stored(&server, "r1", 4).await;
    assert_eq!(
        (&summary["status"], &summary["app"], &summary["source"]),
        (&json!("ok"), &json!("t"), &json!("live"))
    );
    let (_, page) = get(&server, "/api/runs/r1/events").await;
    assert_eq!(
        page,
        format!("{{\"runId\":\"r1\",\"total\":4,\"events\":[{}],\"nextAfterSeq\":null}}", frames.join(","))
    );
    let page = get_json(&server, "/api/runs/r1/events?afterSeq=3&limit=1").await;
    assert_eq!(
        (&page["events"][0]["seq"], &page["nextAfterSeq"], &page["total"]),
        (&json!(4), &json!(4), &json!(4))
    );
    assert_eq!(read(&dir.journals()[0]), frames.join("\n") + "\n");
    let body = get_json(&server, "/api/runs/r1/body?seq=3&pointer=/payload/input").await;
    assert_eq!(body["text"], r#"{"n":1e2,"s":"\u00e9"}"#);
    let part = get_json(&server, "/api/runs/r1/body?seq=3&pointer=/payload/name&offset=1&limit=1").await;
    assert_eq!(
        (&part["text"], &part["totalBytes"]),
        (&json!("ü"), &json!(4)),
        "never cut inside a character"
    );
    server.shutdown().await;
}

#[tokio::test]
async fn localhost_and_both_loopback_addresses_reach_the_same_server() {
    let dir = Dir::new();
    let server = dir.start().await;
    for host in ["127.0.0.1", "localhost", "[::1]"] {
        let mut app = Peer::dial(&format!("ws://{host}:{}/ingest", server.addr.port())).await;
        app.say(&testkit::e_of(
            "*",
            1,
            "hello",
            r#"{"versions":{"protocol":1,"client":"t"},"capabilities":[]}"#,
        ))
        .await;
        app.until(|frame| frame["type"] == "hello.ack").await;
    }
    server.shutdown().await;
}

async fn hold_and_inject() {
    let dir = Dir::new();
    let server = dir.start().await;
    let mut viewer = Peer::viewer(&server).await;
    let (mut app, _) = Peer::app(&server, None, 1).await;
    app.say(&testkit::e_of("r1", 2, "run.started", r#"{"app":"t","sdk":{"name":"t","version":"1"}}"#)).await;
    viewer.until(|frame| frame["t"] == "run").await;
    viewer.ask(json!({ "t": "watch", "run": "r1" })).await;
    viewer.until(|frame| frame["t"] == "snapshot").await;
    app.say(&testkit::e_of("r1", 3, "exec.paused", r#"{"pauseId":"p","nodeId":"a","point":"error"}"#)).await;
    viewer.until(|frame| frame["t"] == "events").await;
    let ask = json!({ "t": "resume", "req": 4, "run": "r1", "pauseId": "p", "action": "inject", "output": [1, null] });
    viewer.ask(ask).await;
    let resume = app.until(|frame| frame["type"] == "exec.resume").await;
    assert_eq!((&resume["payload"]["output"], &resume["runId"]), (&json!([1, null]), &json!("r1")));
    let receipt = viewer.until(|frame| frame["t"] == "control").await;
    assert_eq!((&receipt["req"], &receipt["stage"]), (&json!(4), &json!("delivered")));
    app.say(&testkit::e_of("r1", 4, "exec.resumed", r#"{"pauseId":"p","action":"inject"}"#)).await;
    viewer
        .until(|frame| {
            frame["t"] == "run" && frame["run"]["holds"] == json!([]) && frame["run"]["events"] == 3
        })
        .await;
    viewer.ask(json!({ "t": "bodyGet", "req": 5, "run": "r1", "seq": 3, "pointer": "/payload/point", "offset": 0, "limit": 9 })).await;
    assert_eq!(viewer.until(|frame| frame["t"] == "body").await["text"], "\"error\"");
    server.shutdown().await;
    assert_eq!(app.until_closed().await, Some(1001));
}

#[tokio::test]
async fn a_hold_is_answered_on_a_single_threaded_runtime() {
    hold_and_inject().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_hold_is_answered_on_a_multi_threaded_runtime() {
    hold_and_inject().await;
}

#[tokio::test]
async fn a_session_goes_on_after_a_restart_of_the_server_without_loss_or_doubles() {
    let dir = Dir::new();
    let server = dir.start().await;
    let (mut app, token) = Peer::app(&server, None, 1).await;
    let frames = testkit::typical_run("r1", 7, 20);
    let half = frames.len() / 2;
    for frame in &frames[..half] {
        app.say(frame).await;
    }
    stored(&server, "r1", half as u64).await;
    server.shutdown().await;
    let server = dir.start().await;
    let (mut app, again) = Peer::app(&server, Some(&token), 9_999).await;
    assert_eq!(again, token);
    for frame in &frames {
        app.say(frame).await;
    }
    stored(&server, "r1", frames.len() as u64).await;
    assert_eq!(read(&dir.journals()[0]), frames.join("\n") + "\n");
    server.shutdown().await;
}
