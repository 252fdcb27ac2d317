//! CPU from socket to journal against a floor (a program that reads the same frames and appends them to a file), and the
//! time from an app to a viewer against a bare socket, also while another viewer opens a run of a million events.
//!
//! `cargo bench -p ingest` prints ratios measured in one run; the sender is a process of its own, so that only the
//! receiving side counts. Linux only (CPU time is read from `/proc`).

use std::error::Error;
use std::io::Write;
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use futures_util::{SinkExt, StreamExt};
use tokio_tungstenite::tungstenite::Message;

type Outcome<T> = Result<T, Box<dyn Error>>;

const INSTANCES: u64 = 8_000;
const NODES: u64 = 200;
const RUN: &str = "bench";

fn main() -> Outcome<()> {
    let mut args = std::env::args().skip(1);
    match (args.next().as_deref(), args.next()) {
        (Some("send"), Some(url)) => runtime()?.block_on(send(&url)),
        (Some("view"), Some(url)) => runtime()?.block_on(view(&url)),
        (Some("pace"), Some(url)) => runtime()?.block_on(pace(&url)),
        (Some("measure"), Some(url)) => runtime()?.block_on(measure(&url)),
        (Some("open"), Some(url)) => runtime()?.block_on(open(&url)),
        _ => compare(),
    }
}

fn runtime() -> Outcome<tokio::runtime::Runtime> {
    Ok(tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?)
}

/// The standard mix: a start with 600 bytes of input, ten tokens, an end with 1 KB of output an instance.
fn frames() -> Vec<String> {
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

async fn send(url: &str) -> Outcome<()> {
    let frames = frames();
    let (mut socket, _) = tokio_tungstenite::connect_async(url).await?;
    let hello = r#"{"gm":1,"seq":1,"ts":1,"runId":"*","type":"hello","payload":{"versions":{"protocol":1,"client":"bench"},"capabilities":[]}}"#;
    socket.send(Message::text(hello)).await?;
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

async fn view(url: &str) -> Outcome<()> {
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

const PACED: u64 = 8_000;
const HELLO: &str = r#"{"gm":1,"seq":1,"ts":1,"runId":"*","type":"hello","payload":{"versions":{"protocol":1,"client":"bench"},"capabilities":[]}}"#;

fn wall_ms() -> f64 {
    std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default().as_secs_f64()
        * 1_000.0
}

/// 2,000 events a second, each with the time it left.
async fn pace(url: &str) -> Outcome<()> {
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

fn percentiles(mut ages: Vec<f64>) -> String {
    ages.sort_by(f64::total_cmp);
    let at =
        |share: f64| ages.get((share * (ages.len().max(1) - 1) as f64) as usize).copied().unwrap_or(f64::NAN);
    format!("{} events, p50 {:.3} ms, p99 {:.3} ms, max {:.3} ms", ages.len(), at(0.5), at(0.99), at(1.0))
}

/// A viewer that prints how old events are when they arrive.
async fn measure(url: &str) -> Outcome<()> {
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
async fn open(url: &str) -> Outcome<()> {
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

async fn bare_latency() -> Outcome<String> {
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

async fn our_latency(dir: &Path, with_million: bool) -> Outcome<()> {
    let data = dir.join(format!("latency-{with_million}"));
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
    let server = ingest::start(ingest::ServerConfig { port: 0, ..ingest::ServerConfig::new(data) }).await?;
    let url = format!("ws://{}/ws/ui?token={}", server.addr, server.token);
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

fn child(what: &str, url: &str) -> Outcome<Child> {
    Ok(Command::new(std::env::current_exe()?).args([what, url]).stdout(Stdio::null()).spawn()?)
}

/// User and system time of this process.
fn cpu() -> Outcome<Duration> {
    let stat = std::fs::read_to_string("/proc/self/stat")?;
    let fields: Vec<&str> = stat.rsplit_once(')').ok_or("no stat")?.1.split_whitespace().collect();
    let ticks: u64 = fields[11].parse::<u64>()? + fields[12].parse::<u64>()?;
    Ok(Duration::from_millis(ticks * 10))
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
    let config =
        ingest::ServerConfig { port: 0, ..ingest::ServerConfig::new(dir.join(format!("data-{viewers}"))) };
    let server = ingest::start(config).await?;
    let watch = format!("ws://{}/ws/ui?token={}", server.addr, server.token);
    let mut children = (0..viewers).map(|_| child("view", &watch)).collect::<Outcome<Vec<_>>>()?;
    if viewers > 0 {
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
    let before = cpu()?;
    children.push(child("send", &server.ingest_url)?);
    for child in &mut children {
        while child.try_wait()?.is_none() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }
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

fn compare() -> Outcome<()> {
    let dir = std::env::temp_dir().join(format!("holdpoint-bench-{}", std::process::id()));
    std::fs::create_dir_all(&dir)?;
    let runtime = runtime()?;
    let outcome = runtime.block_on(async {
        for round in 0..2 {
            let floor_plain = floor(&dir, false).await?;
            let floor_buffered = floor(&dir, true).await?;
            let alone = ours(&dir, 0).await?;
            let watched = ours(&dir, 1).await?;
            let ratio = |a: Duration, b: Duration| a.as_secs_f64() / b.as_secs_f64();
            println!(
                "round {round}: {} frames; floor {floor_plain:?} (a write a frame), {floor_buffered:?} (buffered); \
                 stored {alone:?} = {:.2} x floor, {:.2} x buffered floor; with a viewer {watched:?} = {:.2} x stored",
                INSTANCES * 12 + 2,
                ratio(alone, floor_plain),
                ratio(alone, floor_buffered),
                ratio(watched, alone),
            );
            for entry in std::fs::read_dir(&dir)?.flatten() {
                let _ = std::fs::remove_dir_all(entry.path()).or_else(|_| std::fs::remove_file(entry.path()));
            }
        }
        println!("bare socket: {}", bare_latency().await?);
        print!("app to viewer: ");
        std::io::stdout().flush()?;
        our_latency(&dir, false).await?;
        print!("app to viewer while a million events are opened: ");
        std::io::stdout().flush()?;
        our_latency(&dir, true).await?;
        Ok::<(), Box<dyn Error>>(())
    });
    std::fs::remove_dir_all(&dir)?;
    outcome
}
