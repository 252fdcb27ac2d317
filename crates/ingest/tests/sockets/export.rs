//! Runs on their way out, and imports that take long: through the host's own reader and writer, over real sockets.

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::sync::Arc;

use ingest::{
    Envelopes, ExportAsk, ExportForm, Exported, Exporter, ImportError, ImportFile, ImportProgress, Imported,
    Importer,
};

use super::*;

/// Writes what it is asked and the envelopes; the form `broken` fails halfway.
struct Plain;

impl Exporter for Plain {
    fn form(&self, to: &str) -> Option<ExportForm> {
        ["plain", "broken"].contains(&to).then_some(ExportForm { ending: "txt", mime: "text/plain" })
    }

    fn export(
        &self,
        ask: &ExportAsk,
        run: &mut dyn Envelopes,
        out: &mut (dyn Write + Send),
    ) -> io::Result<Exported> {
        let mut events = 0;
        writeln!(out, "{} {}", ask.title, ask.redact)?;
        for _ in 0..2 {
            run.read(&mut |line| {
                events += 1;
                writeln!(out, "{line}")
            })?;
        }
        if ask.to == "broken" {
            return Err(io::Error::other("the pen broke"));
        }
        Ok(Exported { events, replaced: 3, notes: vec!["2 µ left out".to_owned()] })
    }
}

fn envelope(seq: u64, kind: &str, payload: &Value) -> String {
    json!({ "gm": 1, "seq": seq, "ts": 1_000 + seq, "runId": "r 1", "type": kind, "payload": payload })
        .to_string()
}

async fn with_a_run(config: ServerConfig) -> Server {
    let server = ingest::start(config).await.expect("a server");
    let (mut app, _) = Peer::app(&server, None, 0).await;
    app.say(&envelope(1, "run.started", &json!({ "app": "a", "sdk": { "name": "s", "version": "1" } })))
        .await;
    app.say(&envelope(2, "run.finished", &json!({ "status": "ok" }))).await;
    stored(&server, "r%201", 2).await;
    server
}

#[tokio::test]
async fn a_run_leaves_as_a_file_with_what_was_replaced_and_nothing_stays_behind() {
    let dir = Dir::new();
    let server = with_a_run(ServerConfig { exporter: Some(Arc::new(Plain)), ..dir.config() }).await;
    let (addr, token) = (server.addr, server.token.clone());
    let ask = |path: &str| {
        let head = format!("Host: {addr}\r\nAuthorization: Bearer {token}\r\nConnection: close");
        format!("GET /api/runs/r%201/export{path} HTTP/1.1\r\n{head}\r\n\r\n")
    };
    let (status, head, body) = raw(addr, &ask("?to=plain")).await;
    assert_eq!(status, 200, "{body}");
    assert!(head.contains("attachment; filename=\"r_1.txt\""), "{head}");
    assert!(head.contains("content-type: text/plain"), "{head}");
    assert!(head.contains("\"events\":4") && head.contains("\"replaced\":3"), "{head}");
    assert!(head.contains("2 \\u00b5 left out"), "{head}");
    let lines: Vec<&str> = body.lines().collect();
    assert_eq!(lines.len(), 5, "{body}");
    assert_eq!(lines[0], "r 1 true");
    assert_eq!((lines[1], lines[2]), (lines[3], lines[4]));
    assert!(raw(addr, &ask("?to=plain&redact=false")).await.2.starts_with("r 1 false"));
    for (path, status, words) in [
        ("?to=docx", 400, "docx"),
        ("", 400, "no form"),
        ("?to=plain&redact=yes", 400, "true or false"),
        ("?to=broken", 422, "the pen broke"),
    ] {
        let (seen, _, body) = raw(addr, &ask(path)).await;
        assert_eq!(seen, status, "{path}: {body}");
        assert!(body.contains(words), "{path}: {body}");
    }
    let spool = dir.0.join("data/exports");
    let left = || std::fs::read_dir(&spool).expect("the folder").count();
    let gone = async {
        while left() > 0 {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    tokio::time::timeout(PATIENCE, gone).await.expect("nothing stays");
    server.shutdown().await;
}

#[tokio::test]
async fn a_chosen_file_is_whole_or_as_it_was() {
    let dir = Dir::new();
    let server = with_a_run(ServerConfig { exporter: Some(Arc::new(Plain)), ..dir.config() }).await;
    assert_eq!(server.export_name("r 1", "plain").as_deref(), Some("r_1.txt"));
    assert_eq!(server.export_name("r 1", "docx"), None);
    let out = dir.0.join("out.txt");
    let done = server.export("r 1", "plain", true, out.clone()).await.expect("an export");
    assert_eq!((done.events, done.replaced), (4, 3));
    let before = read(&out);
    assert_eq!(before.lines().count(), 5);
    for (run, to, words) in [("r 1", "broken", "pen"), ("r 2", "plain", "no run"), ("r 1", "docx", "no form")]
    {
        let error = server.export(run, to, true, out.clone()).await.expect_err("no export");
        assert!(error.contains(words), "{error}");
    }
    assert_eq!(read(&out), before);
    let names = std::fs::read_dir(&dir.0).expect("the folder").flatten().map(|entry| entry.file_name());
    let names: Vec<_> = names.collect();
    assert!(!names.iter().any(|name| name.to_string_lossy().ends_with(".part")), "{names:?}");
    server.shutdown().await;
}

#[tokio::test]
async fn a_server_without_an_exporter_says_so() {
    let dir = Dir::new();
    let server = with_a_run(dir.config()).await;
    let (status, body) = get(&server, "/api/runs/r%201/export?to=plain").await;
    assert_eq!(status, 501, "{body}");
    let url = format!("ws://{}/ws/ui?token={}", server.addr, server.token);
    let welcome = Peer::dial(&url).await.until(|frame| frame["t"] == "welcome").await;
    assert_eq!(welcome["export"], false);
    server.shutdown().await;
}

/// Reads for as long as nobody stops it.
struct Endless;

impl Importer for Endless {
    fn import(
        &self,
        _files: Vec<ImportFile>,
        sink: &mut dyn FnMut(&str) -> ControlFlow<()>,
        watch: &mut dyn FnMut(ImportProgress) -> ControlFlow<()>,
    ) -> Result<Imported, ImportError> {
        for seq in 1.. {
            std::thread::sleep(Duration::from_millis(1));
            let progress = ImportProgress { read_bytes: seq * 10, total_bytes: 1 << 40 };
            let read = sink(&envelope(seq, "note", &json!({})));
            if read.is_break() || watch(progress).is_break() {
                break;
            }
        }
        Ok(Imported { source: "endless".to_owned(), report: "{}".to_owned() })
    }
}

#[tokio::test]
async fn a_long_import_tells_how_far_it_is_and_leaves_nothing_when_it_is_cancelled() {
    let dir = Dir::new();
    let config = ServerConfig { importer: Some(Arc::new(Endless)), ..dir.config() };
    let server = ingest::start(config).await.expect("a server");
    let mut viewer = Peer::viewer(&server).await;
    viewer.ask(json!({ "t": "open", "req": 7, "path": "/nowhere/endless.bin" })).await;
    let frame = viewer.until(|frame| frame["t"] == "importing").await;
    assert_eq!(frame["name"], "endless.bin");
    assert_eq!(frame["over"], false);
    assert!(frame["events"].as_u64() > Some(0) && frame["readBytes"].as_u64() > Some(0), "{frame}");
    let mut late = Peer::viewer(&server).await;
    late.until(|frame| frame["t"] == "importing").await;
    viewer.ask(json!({ "t": "importCancel", "req": 8, "id": frame["id"] })).await;
    let over = viewer.until(|frame| frame["t"] == "importing" && frame["over"] == true).await;
    assert_eq!(over["id"], frame["id"]);
    let answer = viewer.until(|frame| frame["t"] == "control" && frame["req"] == 7).await;
    assert_eq!(answer["stage"], "refused");
    assert!(answer["reason"].as_str().is_some_and(|why| why.contains("cancelled")), "{answer}");
    assert_eq!(get_json(&server, "/api/runs").await["runs"], json!([]));
    assert!(dir.journals().is_empty());
    viewer.ask(json!({ "t": "importCancel", "req": 9, "id": frame["id"] })).await;
    let answer = viewer.until(|frame| frame["t"] == "control" && frame["req"] == 9).await;
    assert_eq!(answer["stage"], "refused");
    server.shutdown().await;
}
