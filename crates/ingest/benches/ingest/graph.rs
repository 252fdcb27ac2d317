//! A million graph events through the server to one subscriber, against a relay that reads the same frames from one bare
//! socket and sends them to another.

use std::path::Path;
use std::time::{Duration, Instant};

use futures_util::{SinkExt, StreamExt};
use stream::{Context, GraphEvent, encode_event};
use tokio_tungstenite::tungstenite::Message;

use crate::support::{HELLO, Outcome, child, cpu, ratio, server, wait_for};

const EVENTS: u64 = 1_000_000;
const RUN: &str = "graph";

/// Tasks that start, write and complete, in nested graphs.
fn event(seq: u64) -> String {
    let (step, task) = (usize::try_from(seq / 12).unwrap_or(usize::MAX), seq / 3);
    let (node, task_id) = (format!("node-{}", task % 20), format!("task-{task}"));
    let context = Context {
        step: Some(step),
        node: Some(node.as_str().into()),
        task_id: Some(task_id.as_str().into()),
        namespace: vec![format!("research:{}", task % 7)],
        ..Context::default()
    };
    let event = match seq % 3 {
        0 => GraphEvent::TaskStarted {
            task_id: task_id.into(),
            node: node.into(),
            triggers: vec!["start".into()],
        },
        1 => GraphEvent::StateUpdated { node: node.into(), update: "a short value of the state".into() },
        _ => GraphEvent::TaskCompleted { task_id: task_id.into(), node: node.into() },
    };
    encode_event(seq, 1_756_200_000_000.0 + seq as f64, RUN, &context, &event)
}

/// The app.
pub(crate) async fn produce(url: &str) -> Outcome<()> {
    let (mut socket, _) = tokio_tungstenite::connect_async(url).await?;
    socket.send(Message::text(HELLO)).await?;
    for seq in 2..EVENTS + 2 {
        socket.feed(Message::text(event(seq))).await?;
        if seq % 64 == 0 {
            socket.flush().await?;
        }
    }
    let end = format!(
        r#"{{"gm":1,"seq":{},"ts":1,"runId":"{RUN}","type":"run.finished","payload":{{"status":"ok"}}}}"#,
        EVENTS + 2
    );
    socket.send(Message::text(end)).await?;
    socket.close(None).await?;
    while let Some(Ok(_)) = socket.next().await {}
    Ok(())
}

/// The subscriber: reads to the end.
pub(crate) async fn subscribe(url: &str) -> Outcome<()> {
    let (mut socket, _) = tokio_tungstenite::connect_async(url).await?;
    let began = Instant::now();
    let mut lines = 0u64;
    while let Some(Ok(message)) = socket.next().await {
        lines += u64::from(message.is_text());
    }
    eprintln!("subscriber: {lines} lines in {:?}", began.elapsed());
    Ok(())
}

async fn accept(
    listener: &tokio::net::TcpListener,
) -> Outcome<tokio_tungstenite::WebSocketStream<tokio::net::TcpStream>> {
    let (stream, _) = listener.accept().await?;
    Ok(tokio_tungstenite::accept_async(stream).await?)
}

async fn relay() -> Outcome<Duration> {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    let url = format!("ws://{}/", listener.local_addr()?);
    let reader = child("subscribe", &url)?;
    let mut sink = accept(&listener).await?;
    let sender = child("produce", &url)?;
    let mut source = accept(&listener).await?;
    let before = cpu()?;
    while let Some(Ok(message)) = source.next().await {
        if message.is_text() {
            sink.feed(message).await?;
        }
    }
    sink.close(None).await?;
    let spent = cpu()? - before;
    drop((sink, source));
    wait_for(&mut [reader, sender]).await?;
    Ok(spent)
}

async fn ours(dir: &Path, query: &str) -> Outcome<Duration> {
    let server = server(dir, &format!("graph{}", query.len())).await?;
    let before = cpu()?;
    let url = format!("ws://{}/stream?run={RUN}&token={}{query}", server.addr, server.token);
    let reader = child("subscribe", &url)?;
    let sender = child("produce", &server.ingest_url)?;
    wait_for(&mut [reader, sender]).await?;
    let spent = cpu()? - before;
    server.shutdown().await;
    Ok(spent)
}

/// Prints the ratios.
pub(crate) async fn compare(dir: &Path) -> Outcome<()> {
    let bare = relay().await?;
    for query in ["&modes=events", "&modes=updates", "&kinds=InterruptEmitted"] {
        let ours = ours(dir, query).await?;
        println!(
            "{EVENTS} graph events, {query}: {ours:?} = {:.2} x relay over bare sockets ({bare:?})",
            ratio(ours, bare)
        );
    }
    Ok(())
}
