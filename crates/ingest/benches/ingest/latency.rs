//! The time from an app to a viewer at 2,000 events a second against a bare socket, also while another viewer opens a run of
//! a million events.

use std::io::Write;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use futures_util::{SinkExt, StreamExt};
use tokio_tungstenite::tungstenite::Message;

use crate::mix::frames;
use crate::support::{HELLO, Outcome, child, percentiles, server, viewer_url};

const PACED: u64 = 8_000;

fn wall_ms() -> f64 {
    std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default().as_secs_f64()
        * 1_000.0
}

/// 2,000 events a second, each with the time it left.
pub(crate) async fn pace(url: &str) -> Outcome<()> {
    let (mut socket, _) = tokio_tungstenite::connect_async(url).await?;
    socket.send(Message::text(HELLO)).await?;
    let mut tick = tokio::time::interval(Duration::from_micros(500));
    tick.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Burst);
    for seq in 2..PACED + 2 {
        tick.tick().await;
        let token = r#"{"nodeId":"n","deltas":[{"t":"text","v":"token"}]}"#;
        let ts = wall_ms();
        let frame = format!(
            r#"{{"gm":1,"seq":{seq},"ts":{ts:.4},"runId":"paced","type":"node.token","payload":{token}}}"#
        );
        socket.send(Message::text(frame)).await?;
    }
    socket.close(None).await?;
    while let Some(Ok(_)) = socket.next().await {}
    Ok(())
}

/// How long ago the events in a frame left, in milliseconds.
fn ages(text: &str, into: &mut Vec<f64>) {
    let now = wall_ms();
    for part in text.split("\"ts\":").skip(1) {
        let end = part.find(',').unwrap_or(part.len());
        into.extend(part[..end].parse::<f64>().ok().map(|ts| now - ts));
    }
}

/// A viewer that prints how old events are when they arrive.
pub(crate) async fn measure(url: &str) -> Outcome<()> {
    let (mut socket, _) = tokio_tungstenite::connect_async(url).await?;
    let (mut watching, mut seen) = (false, Vec::new());
    while seen.len() + 200 < PACED as usize {
        let Some(Ok(Message::Text(text))) = socket.next().await else { break };
        if !watching && text.contains("\"run\":\"paced\"") {
            watching = true;
            socket.send(Message::text(r#"{"t":"watch","run":"paced"}"#)).await?;
        }
        if text.starts_with("{\"t\":\"events\"") {
            ages(&text, &mut seen);
            socket.send(Message::text(r#"{"t":"credit","frames":1}"#)).await?;
        }
    }
    println!("{}", percentiles(seen));
    Ok(())
}

/// A viewer that opens the run of a million events and takes it in.
pub(crate) async fn open(url: &str) -> Outcome<()> {
    let config = tokio_tungstenite::tungstenite::protocol::WebSocketConfig::default()
        .max_message_size(None)
        .max_frame_size(None);
    let (mut socket, _) = tokio_tungstenite::connect_async_with_config(url, Some(config), false).await?;
    let began = Instant::now();
    socket.send(Message::text(r#"{"t":"watch","run":"million"}"#)).await?;
    while let Some(Ok(message)) = socket.next().await {
        if let Message::Text(text) = message
            && text.starts_with("{\"t\":\"snapshot\"")
        {
            eprintln!("opened the million in {:?}, {} MB", began.elapsed(), text.len() >> 20);
            break;
        }
    }
    Ok(())
}

async fn bare() -> Outcome<String> {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    let mut sender = child("pace", &format!("ws://{}/", listener.local_addr()?))?;
    let (stream, _) = listener.accept().await?;
    stream.set_nodelay(true)?;
    let mut socket = tokio_tungstenite::accept_async(stream).await?;
    let mut seen = Vec::new();
    while let Some(Ok(message)) = socket.next().await {
        if let Message::Text(text) = message {
            ages(&text, &mut seen);
        }
    }
    drop(socket);
    sender.wait()?;
    seen.retain(|age| *age < 1e6);
    Ok(percentiles(seen))
}

async fn ours(dir: &Path, with_million: bool) -> Outcome<()> {
    let name = format!("latency-{with_million}");
    let data = dir.join(&name);
    if with_million {
        std::fs::create_dir_all(data.join("runs"))?;
        let mut file = std::io::BufWriter::new(std::fs::File::create(data.join("runs/million.ndjson"))?);
        let frames = frames();
        for seq in 0..1_000_000usize {
            // The same mix over and over, under numbers and instances of its own.
            let frame = &frames[1 + seq % (frames.len() - 2)];
            let (lap, own) = (seq / (frames.len() - 2), seq + 2);
            let rest = frame.split_once(", \"ts\"").ok_or("no ts")?.1.replace("\"bench\"", "\"million\"");
            let rest = rest.replace("\"instanceId\": \"i", &format!("\"instanceId\": \"l{lap}i"));
            writeln!(file, "{{\"gm\": 1, \"seq\": {own}, \"ts\"{rest}")?;
        }
    }
    let server = server(dir, &name).await?;
    let url = viewer_url(&server);
    let exe = std::env::current_exe()?;
    let mut viewer = Command::new(&exe).args(["measure", &url]).spawn()?;
    tokio::time::sleep(Duration::from_millis(300)).await;
    let mut sender = child("pace", &server.ingest_url)?;
    tokio::time::sleep(Duration::from_millis(1_500)).await;
    let mut opener = if with_million { Some(child("open", &url)?) } else { None };
    while viewer.try_wait()?.is_none() || sender.try_wait()?.is_none() {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    if let Some(opener) = &mut opener {
        opener.wait()?;
    }
    server.shutdown().await;
    Ok(())
}

/// Prints all three.
pub(crate) async fn compare(dir: &Path) -> Outcome<()> {
    println!("bare socket: {}", bare().await?);
    print!("app to viewer: ");
    std::io::stdout().flush()?;
    ours(dir, false).await?;
    print!("app to viewer while a million events are opened: ");
    std::io::stdout().flush()?;
    ours(dir, true).await
}
