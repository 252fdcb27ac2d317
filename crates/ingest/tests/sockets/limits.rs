//! Floods, oversized, malformed and stalled peers: their own socket suffers, nobody else.

use testkit::Chance;

use super::*;

#[tokio::test]
async fn a_frame_over_the_limit_is_refused_with_1009_and_said() {
    let dir = Dir::new();
    let server = dir.start().await;
    let mut viewer = Peer::viewer(&server).await;
    let (mut app, _) = Peer::app(&server, None, 1).await;
    // The send itself may be cut off by the refusal.
    let _ = app.0.send(Message::text("x".repeat(17 << 20))).await;
    assert_eq!(app.until_closed().await, Some(1009));
    let notice = viewer.until(|frame| frame["t"] == "notice").await;
    assert!(notice["text"].as_str().is_some_and(|text| text.contains("too large")), "{notice}");
    let (mut app, _) = Peer::app(&server, None, 1).await;
    let long = format!("\"{}\"", "y".repeat(15 << 20));
    let payload = format!(r#"{{"nodeId":"a","kind":"tool","name":"a","instanceId":"i","input":{long}}}"#);
    app.say(&testkit::e(2, "node.started", &payload)).await;
    stored(&server, "r1", 1).await;
    server.shutdown().await;
}

#[tokio::test]
async fn what_is_no_text_is_said_and_the_session_goes_on() {
    let dir = Dir::new();
    let server = dir.start().await;
    let mut viewer = Peer::viewer(&server).await;
    let (mut app, _) = Peer::app(&server, None, 1).await;
    app.0.send(Message::binary(vec![0u8, 255, 1])).await.expect("sent");
    let notice = viewer.until(|frame| frame["t"] == "notice").await;
    assert!(notice["text"].as_str().is_some_and(|text| text.contains("binary frame of 3 bytes")), "{notice}");
    app.say(&"[".repeat(200_000)).await;
    app.say(&format!("{}{}", "[".repeat(200_000), "]".repeat(200_000))).await;
    let deep = format!("{}1{}", "[".repeat(200_000), "]".repeat(200_000));
    let payload = format!(r#"{{"nodeId":"a","kind":"tool","name":"a","instanceId":"i","input":{deep}}}"#);
    app.say(&testkit::e(2, "node.started", &payload)).await;
    stored(&server, "r1", 1).await;
    viewer.ask(json!({ "t": "watch", "run": "r1" })).await;
    viewer.until(|frame| frame["t"] == "snapshot").await;
    server.shutdown().await;
}

#[tokio::test]
async fn text_that_is_not_utf_8_closes_its_own_socket_with_1007() {
    use tokio_tungstenite::tungstenite::protocol::frame::{
        Frame,
        coding::{Data, OpCode},
    };
    let dir = Dir::new();
    let server = dir.start().await;
    let mut viewer = Peer::viewer(&server).await;
    let (mut app, _) = Peer::app(&server, None, 1).await;
    let (mut other, _) = Peer::app(&server, None, 1).await;
    let broken = Frame::message(vec![b'"', 0xff, 0xfe, b'"'], OpCode::Data(Data::Text), true);
    app.0.send(Message::Frame(broken)).await.expect("sent");
    assert_eq!(app.until_closed().await, Some(1007));
    let notice = viewer.until(|frame| frame["t"] == "notice").await;
    assert!(notice["text"].as_str().is_some_and(|text| text.contains("not UTF-8")), "{notice}");
    other.say(&testkit::e(2, "x", "{}")).await;
    stored(&server, "r1", 1).await;
    server.shutdown().await;
}

#[tokio::test]
async fn twenty_thousand_random_frames_are_survived() {
    let dir = Dir::new();
    let server = dir.start().await;
    let (mut app, _) = Peer::app(&server, None, 1).await;
    let mut chance = Chance::new(3);
    for at in 0..20_000u64 {
        let frame = match chance.below(4) {
            0 => {
                let good = testkit::any_frame(&mut chance, "noise", at);
                testkit::corrupt(&mut chance, &good)
            }
            1 => testkit::any_json(&mut chance, 4),
            _ => testkit::any_frame(&mut chance, "noise", at),
        };
        app.0.feed(Message::text(frame)).await.expect("sent");
    }
    app.0.flush().await.expect("sent");
    app.say(&testkit::e(1, "run.finished", r#"{"status":"ok"}"#)).await;
    stored(&server, "r1", 1).await;
    // As text: envelopes may carry what a JSON value in memory cannot, such as half a surrogate pair.
    let (status, page) = get(&server, "/api/runs/noise/events?limit=5").await;
    assert_eq!(status, 200);
    assert!(page.starts_with("{\"runId\":\"noise\",\"total\":"), "{page:.100}");
    server.shutdown().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_flood_from_many_apps_is_stored_whole_while_newcomers_are_answered() {
    const APPS: u64 = 40;
    const EVENTS: u64 = 500;
    let dir = Dir::new();
    let server = dir.start().await;
    let url = server.ingest_url.clone();
    let floods: Vec<_> = (0..APPS)
        .map(|id| {
            let url = url.clone();
            tokio::spawn(async move {
                let mut app = Peer::dial(&url).await;
                for seq in 0..EVENTS {
                    let token = r#"{"nodeId":"a","deltas":[{"t":"text","v":"x"}]}"#;
                    app.0
                        .feed(Message::text(testkit::e_of(&format!("r{id}"), seq, "node.token", token)))
                        .await
                        .expect("sent");
                }
                app.0.flush().await.expect("sent");
                app
            })
        })
        .collect();
    for _ in 0..5 {
        Peer::app(&server, None, 1).await;
    }
    let mut apps = Vec::new();
    for flood in floods {
        apps.push(flood.await.expect("a flood"));
    }
    for id in 0..APPS {
        stored(&server, &format!("r{id}"), EVENTS).await;
    }
    server.shutdown().await;
}

#[tokio::test]
async fn half_open_connections_do_not_keep_apps_out() {
    let dir = Dir::new();
    let server = dir.start().await;
    let mut idle = Vec::new();
    for at in 0..ingest::limits::HALF_OPEN_MAX + 50 {
        let mut stream = TcpStream::connect(server.addr).await.expect("a connection");
        if at % 2 == 0 {
            stream.write_all(b"GET /ingest HTT").await.expect("written");
        }
        idle.push(stream);
    }
    let (mut app, _) = Peer::app(&server, None, 1).await;
    app.say(&testkit::e(2, "run.finished", r#"{"status":"ok"}"#)).await;
    stored(&server, "r1", 1).await;
    // The oldest had to go: its socket reads its end.
    let mut rest = Vec::new();
    let end = tokio::time::timeout(PATIENCE, idle[0].read_to_end(&mut rest)).await;
    assert!(end.is_ok(), "still open");
    server.shutdown().await;
}

#[tokio::test]
async fn a_viewer_that_never_reads_hinders_nobody() {
    let dir = Dir::new();
    let server = dir.start().await;
    let (mut app, _) = Peer::app(&server, None, 1).await;
    app.say(&testkit::e(2, "run.started", r#"{"app":"t","sdk":{"name":"t","version":"1"}}"#)).await;
    stored(&server, "r1", 1).await;
    let mut stalled = Peer::viewer(&server).await;
    stalled.ask(json!({ "t": "watch", "run": "r1" })).await;
    let mut viewer = Peer::viewer(&server).await;
    viewer.ask(json!({ "t": "watch", "run": "r1" })).await;
    viewer.until(|frame| frame["t"] == "snapshot").await;
    let text = "z".repeat(64 << 10);
    for seq in 3..500 {
        let payload = format!(r#"{{"nodeId":"a","deltas":[{{"t":"text","v":"{text}"}}]}}"#);
        app.say(&testkit::e(seq, "node.token", &payload)).await;
    }
    app.say(&testkit::e(500, "run.finished", r#"{"status":"ok"}"#)).await;
    viewer.until(|frame| frame["t"] == "run" && frame["run"]["status"] == "ok").await;
    stored(&server, "r1", 499).await;
    server.shutdown().await;
}
