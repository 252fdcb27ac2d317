//! KXM records over HTTP and over a socket: answers line by line, numbering, strangers, the same state as from a file.

use std::ops::ControlFlow;
use std::sync::Arc;

use graph::Store;
use ingest::{ImportError, ImportFile, ImportProgress, ImportSource, Imported, Importer};

use super::*;

fn record_of(run: &str, sequence: u64, kind: &str, payload: &Value) -> String {
    let hash = format!("sha256:{}", "0".repeat(64));
    json!({
        "schema": "kxm.run-event.v1", "eventId": format!("evt_{sequence:06}"), "eventType": kind,
        "projectId": "prj_000001", "runId": run, "homeRuntimeId": "rt_0000001", "sequence": sequence,
        "occurredAt": "2026-01-02T03:04:05Z", "recordedAt": "2026-01-02T03:04:05Z",
        "monotonicNs": (sequence * 1_000_000).to_string(), "configRevision": hash, "memoryRevision": "mem_000001",
        "executorPolicyRevision": hash, "toolPolicyRevision": hash, "payload": payload,
    })
    .to_string()
}

fn record(sequence: u64, kind: &str, payload: &Value) -> String {
    record_of("run_000001", sequence, kind, payload)
}

/// A whole run, and a second one that misses what the first one has numbers for.
fn two_runs() -> Vec<String> {
    let status = |sequence, status: &str| {
        record_of("run_000002", sequence, "run.status_changed", &json!({ "status": status }))
    };
    let mut all = a_run();
    all.splice(2..2, [status(1, "running")]);
    all.extend([status(4, "waiting"), status(9, "failed")]);
    all
}

fn a_run() -> Vec<String> {
    let step =
        |status: &str, before: &str| json!({ "stepId": "build", "status": status, "previousStatus": before });
    vec![
        record(1, "run.status_changed", &json!({ "status": "running" })),
        record(2, "step.entered", &json!({ "stepId": "build", "stepAttempt": 1, "status": "pending" })),
        record(3, "step.status_changed", &step("running", "pending")),
        record(4, "step.status_changed", &step("completed", "running")),
        record(5, "run.status_changed", &json!({ "status": "completed" })),
    ]
}

const NDJSON: &str = "Content-Type: application/x-ndjson\r\n";

async fn post(server: &Server, extra: &str, body: &str) -> (u16, Value) {
    let request = format!(
        "POST /ingest/kxm HTTP/1.1\r\nHost: {}\r\n{extra}Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
        server.addr,
        body.len(),
    );
    let (status, _, body) = raw(server.addr, &request).await;
    (status, serde_json::from_str(&body).unwrap_or_default())
}

#[tokio::test]
async fn each_line_gets_an_answer_and_bad_ones_cost_no_good_one() {
    let dir = Dir::new();
    let server = dir.start().await;
    let run = a_run();
    let bad = run[2].replace("\"sequence\":3", "\"sequence\":0");
    let text = format!("{}\n{bad}\n\nnot json\n{}\r\n{}\n", run[0], run[3], run[0]);
    let (status, answer) = post(&server, NDJSON, &text).await;
    assert_eq!(status, 200, "{answer}");
    assert_eq!((&answer["stored"], &answer["duplicates"]), (&json!(2), &json!(1)));
    let told: Vec<(u64, &str)> = answer["records"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|told| (told["line"].as_u64().unwrap_or(0), told["status"].as_str().unwrap_or("")))
        .collect();
    assert_eq!(told, [(1, "stored"), (2, "invalid"), (4, "invalid"), (5, "stored"), (6, "duplicate")]);
    let fault = json!({ "line": 2, "pointer": "/sequence", "rule": "must be at least 1", "seen": "0" });
    assert_eq!(answer["invalid"][0], fault);
    assert_eq!(answer["invalid"][1]["rule"], "must be one JSON document");
    stored(&server, "run_000001", 2).await;
    assert_eq!(post(&server, NDJSON, &bad).await.0, 422);
    assert_eq!(post(&server, NDJSON, " \n").await.0, 400);
    server.shutdown().await;
}

#[tokio::test]
async fn a_socket_takes_the_same_frames_and_answers_the_same_way() {
    let dir = Dir::new();
    let server = dir.start().await;
    let mut peer = Peer::dial(&format!("ws://{}/ingest/kxm", server.addr)).await;
    let run = a_run();
    peer.say(&run[0]).await;
    let answer = peer.until(|_| true).await;
    assert_eq!(
        answer["records"],
        json!([{ "line": 1, "run": "run_000001", "sequence": 1, "status": "stored" }])
    );
    peer.say(&format!("{}\n{{}}\n{}", run[1], run[1])).await;
    let answer = peer.until(|_| true).await;
    assert_eq!(
        (&answer["stored"], &answer["duplicates"], &answer["records"][1]["status"]),
        (&json!(1), &json!(1), &json!("invalid"))
    );
    peer.0.send(Message::binary(vec![1u8])).await.expect("sent");
    assert_eq!(peer.until_closed().await, Some(1003));
    server.shutdown().await;
}

/// What the trace crate does with a file of records, without the trace crate.
struct Lines;

impl Importer for Lines {
    fn import(
        &self,
        files: Vec<ImportFile>,
        sink: &mut dyn FnMut(&str) -> ControlFlow<()>,
        _watch: &mut dyn FnMut(ImportProgress) -> ControlFlow<()>,
    ) -> Result<Imported, ImportError> {
        for file in files {
            let ImportSource::Bytes(bytes) = file.source else { return Err(ImportError::default()) };
            for line in String::from_utf8_lossy(&bytes).lines() {
                let Ok(head) = kxm::decode(line) else { continue };
                let envelope = kxm::to_envelope(line, &head).unwrap_or_default();
                if sink(&envelope).is_break() {
                    break;
                }
            }
        }
        Ok(Imported { source: "KXM records".to_owned(), report: "{}".to_owned() })
    }
}

/// What a viewer that comes now sees of both runs.
async fn digest(server: &Server) -> u64 {
    let mut viewer = Peer::viewer(server).await;
    let mut store = Store::new();
    for run in ["run_000001", "run_000002"] {
        viewer.ask(json!({ "t": "watch", "run": run })).await;
        let snapshot = viewer.until(|frame| frame["t"] == "snapshot").await;
        store.insert(serde_json::from_value(snapshot["state"].clone()).expect("a run"));
    }
    let gaps = store.find("run_000002").expect("the second run").gaps();
    assert_eq!(gaps, [(2, 3), (5, 8)], "whatever numbers the other run has");
    store.digest()
}

#[tokio::test]
async fn records_sent_live_and_opened_as_a_file_give_the_same_state() {
    let run = two_runs();
    let opened = Dir::new();
    let config = ServerConfig { importer: Some(Arc::new(Lines)), ..opened.config() };
    let server = ingest::start(config).await.expect("a server");
    let file = run.join("\n");
    let request = format!(
        "POST /api/import?name=x HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{file}",
        server.addr,
        server.token,
        file.len(),
    );
    assert_eq!(raw(server.addr, &request).await.0, 200);
    let expect = digest(&server).await;
    // What was opened can go on live, and what is known is not stored again.
    assert_eq!(post(&server, NDJSON, &file).await.1["duplicates"], 8);
    server.shutdown().await;

    let live = Dir::new();
    let server = live.start().await;
    let mut socket = Peer::dial(&format!("ws://{}/ingest/kxm", server.addr)).await;
    // Out of order, doubled, by three ways.
    post(&server, "Content-Type: application/json\r\n", &run[7]).await;
    post(&server, NDJSON, &[&run[4], &run[0], &run[2], &run[5]].map(String::as_str).join("\n")).await;
    socket.say(&[&run[3], &run[0], &run[6], &run[1]].map(String::as_str).join("\n")).await;
    socket.until(|_| true).await;
    let summary = stored(&server, "run_000001", 5).await;
    assert_eq!((&summary["status"], &summary["source"]), (&json!("ok"), &json!("live")));
    assert_eq!(digest(&server).await, expect);
    server.shutdown().await;
    // And after a restart, with and without what lies beside the journal.
    for _ in 0..2 {
        let server = live.start().await;
        assert_eq!(digest(&server).await, expect);
        assert_eq!(post(&server, NDJSON, &run[4]).await.1["duplicates"], 1);
        server.shutdown().await;
        let _ = std::fs::remove_file(live.journals()[0].with_extension("json"));
    }
}

#[tokio::test]
async fn what_the_disk_does_not_take_is_refused_and_never_called_stored() {
    let dir = Dir::new();
    let server = dir.start().await;
    std::fs::remove_dir_all(dir.runs()).expect("no runs yet");
    std::fs::write(dir.runs(), "in the way").expect("written");
    let (status, answer) = post(&server, NDJSON, &a_run()[0]).await;
    assert_eq!((status, &answer["refused"], &answer["stored"]), (507, &json!(1), &json!(0)), "{answer}");
    let reason = answer["records"][0]["reason"].as_str().expect("a reason");
    assert!(reason.starts_with("it could not be stored: "), "{reason}");
    server.shutdown().await;
}

#[tokio::test]
async fn deep_nesting_is_a_bad_record_and_nothing_worse() {
    let dir = Dir::new();
    let server = dir.start().await;
    let deep = format!("{}{}", "[".repeat(200_000), "]".repeat(200_000));
    let inside = a_run()[0].replace(r#""running""#, &deep);
    for text in [&deep, &"[".repeat(200_000), &inside] {
        assert_eq!(post(&server, NDJSON, text).await.0, 422);
    }
    assert_eq!(post(&server, NDJSON, &format!("{inside}\n{}", a_run()[0])).await.1["stored"], 1);
    server.shutdown().await;
}

#[tokio::test]
async fn a_web_page_cannot_forge_records_and_nobody_can_send_without_end() {
    let dir = Dir::new();
    let server = dir.start().await;
    let one = &a_run()[0];
    for (extra, status) in [
        ("", 415),
        ("Content-Type: text/plain\r\n", 415),
        ("Content-Type: application/x-www-form-urlencoded\r\n", 415),
        ("Content-Type: application/json\r\nOrigin: https://evil.example\r\n", 403),
        ("Content-Type: application/json\r\nOrigin: null\r\n", 403),
    ] {
        assert_eq!(post(&server, extra, one).await.0, status, "{extra}");
    }
    assert_eq!(get(&server, "/api/runs/run_000001").await.0, 404, "nothing was stored");
    let token = format!("Authorization: Bearer {}\r\n", server.token);
    assert_eq!(post(&server, &token, one).await.0, 200, "who has the token needs no type");
    assert_eq!(get(&server, "/ingest/kxm").await.0, 426);
    let options =
        format!("OPTIONS /ingest/kxm HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", server.addr);
    let (status, head, _) = raw(server.addr, &options).await;
    assert_eq!(status, 426);
    assert!(!head.contains("access-control-"), "{head}");
    let large = format!(
        "POST /ingest/kxm HTTP/1.1\r\nHost: {}\r\n{NDJSON}Content-Length: {}\r\nConnection: close\r\n\r\n",
        server.addr,
        ingest::limits::RECORDS_BYTES_MAX + 1,
    );
    assert_eq!(raw(server.addr, &large).await.0, 413);
    server.shutdown().await;
}
