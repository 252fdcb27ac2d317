//! CPU from socket to journal with the standard mix, without and with a viewer, against a floor: a program that reads the
//! same frames and appends them to a file.

use std::io::Write;
use std::net::SocketAddr;
use std::path::Path;
use std::time::{Duration, Instant};

use futures_util::{SinkExt, StreamExt};
use tokio_tungstenite::tungstenite::Message;

use crate::support::{HELLO, Outcome, child, cpu, ratio, server, viewer_url, wait_for};

const INSTANCES: u64 = 8_000;
const NODES: u64 = 200;
const RUN: &str = "bench";

/// The standard mix: a start with 600 bytes of input, ten tokens, an end with 1 KB of output an instance.
pub(crate) fn frames() -> Vec<String> {
    let mut frames = Vec::new();
    let mut push = |kind: &str, payload: String| {
        let seq = frames.len() as u64 + 2;
        let ts = 1_756_200_000_000 + seq;
        frames.push(format!(
            r#"{{"gm": 1, "seq": {seq}, "ts": {ts}, "runId": "{RUN}", "type": "{kind}", "payload": {payload}}}"#
        ));
    };
    push("run.started", r#"{"app": "bench", "sdk": {"name": "bench", "version": "1"}}"#.to_owned());
    let (input, output) = ("i".repeat(600), "o".repeat(1_024));
    for instance in 0..INSTANCES {
        let node = instance % NODES;
        let parent = match node {
            0 => String::new(),
            1..=14 => r#""parentId": "n0", "#.to_owned(),
            _ => format!(r#""parentId": "n{}", "#, 1 + node % 14),
        };
        push(
            "node.started",
            format!(
                r#"{{"nodeId": "n{node}", {parent}"kind": "tool", "name": "n{node}", "instanceId": "i{instance}", "input": "{input}"}}"#
            ),
        );
        for piece in 0..10 {
            push(
                "node.token",
                format!(r#"{{"nodeId": "n{node}", "deltas": [{{"t": "text", "v": "token {piece} "}}]}}"#),
            );
        }
        push(
            "node.finished",
            format!(
                r#"{{"nodeId": "n{node}", "instanceId": "i{instance}", "durationMs": 12, "status": "ok", "output": "{output}"}}"#
            ),
        );
    }
    push("run.finished", r#"{"status": "ok"}"#.to_owned());
    frames
}

/// The app.
pub(crate) async fn send(url: &str) -> Outcome<()> {
    let frames = frames();
    let (mut socket, _) = tokio_tungstenite::connect_async(url).await?;
    socket.send(Message::text(HELLO)).await?;
    for chunk in frames.chunks(64) {
        for frame in chunk {
            socket.feed(Message::text(frame.as_str())).await?;
        }
        socket.flush().await?;
    }
    socket.close(None).await?;
    while let Some(Ok(_)) = socket.next().await {}
    Ok(())
}

/// The viewer.
pub(crate) async fn view(url: &str) -> Outcome<()> {
    let (mut socket, _) = tokio_tungstenite::connect_async(url).await?;
    let mut watching = false;
    while let Some(Ok(Message::Text(text))) = socket.next().await {
        if !watching && text.contains("\"t\":\"run\"") {
            watching = true;
            socket.send(Message::text(format!(r#"{{"t":"watch","run":"{RUN}"}}"#))).await?;
        }
        if text.starts_with("{\"t\":\"events\"") {
            socket.send(Message::text(r#"{"t":"credit","frames":1}"#)).await?;
        }
        if text.contains("\"status\":\"ok\"") && text.starts_with("{\"t\":\"run\"") {
            break;
        }
    }
    Ok(())
}

async fn floor(dir: &Path, buffered: bool) -> Outcome<Duration> {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    let url = format!("ws://{}/", listener.local_addr()?);
    let mut sender = child("send", &url)?;
    let (stream, _) = listener.accept().await?;
    let mut socket = tokio_tungstenite::accept_async(stream).await?;
    let file = std::fs::File::create(dir.join(format!("floor-{buffered}")))?;
    let mut file = std::io::BufWriter::with_capacity(if buffered { 64 << 10 } else { 0 }, file);
    let before = cpu()?;
    while let Some(Ok(message)) = socket.next().await {
        if let Message::Text(text) = message {
            let mut line = Vec::with_capacity(text.len() + 1);
            line.extend_from_slice(text.as_bytes());
            line.push(b'\n');
            file.write_all(&line)?;
        }
    }
    file.flush()?;
    let spent = cpu()? - before;
    // The sender waits for the end of the connection.
    drop(socket);
    sender.wait()?;
    Ok(spent)
}

async fn ours(dir: &Path, viewers: usize) -> Outcome<Duration> {
    let server = server(dir, &format!("data-{viewers}")).await?;
    let watch = viewer_url(&server);
    let mut children = (0..viewers).map(|_| child("view", &watch)).collect::<Outcome<Vec<_>>>()?;
    if viewers > 0 {
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
    let before = cpu()?;
    children.push(child("send", &server.ingest_url)?);
    wait_for(&mut children).await?;
    settled(server.addr, &server.token).await?;
    let spent = cpu()? - before;
    server.shutdown().await;
    Ok(spent)
}

/// Waits until the run has ended in the journal.
async fn settled(addr: SocketAddr, token: &str) -> Outcome<()> {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    let until = Instant::now() + Duration::from_secs(60);
    while Instant::now() < until {
        let mut stream = tokio::net::TcpStream::connect(addr).await?;
        let ask = format!(
            "GET /api/runs/{RUN}?token={token} HTTP/1.1\r\nHost: {addr}\r\nConnection: close\r\n\r\n"
        );
        stream.write_all(ask.as_bytes()).await?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await?;
        if answer.contains("\"status\":\"ok\"") {
            return Ok(());
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    Err("the run did not end".into())
}

/// Prints both ratios twice.
pub(crate) async fn compare(dir: &Path) -> Outcome<()> {
    for round in 0..2 {
        let floor_plain = floor(dir, false).await?;
        let floor_buffered = floor(dir, true).await?;
        let alone = ours(dir, 0).await?;
        let watched = ours(dir, 1).await?;
        println!(
            "round {round}: {} frames; floor {floor_plain:?} (a write a frame), {floor_buffered:?} (buffered); \
             stored {alone:?} = {:.2} x floor, {:.2} x buffered floor; with a viewer {watched:?} = {:.2} x stored",
            INSTANCES * 12 + 2,
            ratio(alone, floor_plain),
            ratio(alone, floor_buffered),
            ratio(watched, alone),
        );
        for entry in std::fs::read_dir(dir)?.flatten() {
            let _ = std::fs::remove_dir_all(entry.path()).or_else(|_| std::fs::remove_file(entry.path()));
        }
    }
    Ok(())
}
