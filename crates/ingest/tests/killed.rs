//! Ten times the server is killed in the middle of its work and its files are damaged; what it had shown is there.
//!
//! Shown means that a viewer had it, so the server had read it. The program starts itself as the server (`serve DIR`):
//! only a process of its own can be killed like one. Where to kill and what to damage comes from a seed.

use std::collections::BTreeSet;
use std::error::Error;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use testkit::Chance;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::process::{Child, Command};
use tokio::sync::oneshot;
use tokio_tungstenite::tungstenite::Message;

type Outcome<T> = Result<T, Box<dyn Error>>;
type Socket = tokio_tungstenite::WebSocketStream<tokio_tungstenite::MaybeTlsStream<tokio::net::TcpStream>>;

const KILLS: u64 = 10;
const PATIENCE: Duration = Duration::from_secs(60);

fn main() -> Outcome<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    match args.as_slice() {
        [serve, dir] if serve == "serve" => runtime.block_on(serve_until_killed(dir)),
        _ => runtime.block_on(async { tokio::time::timeout(PATIENCE * 5, kill_again_and_again()).await? }),
    }
}

async fn serve_until_killed(dir: &str) -> Outcome<()> {
    let config = ingest::ServerConfig { port: 0, ..ingest::ServerConfig::new(dir) };
    let server = ingest::start(config).await?;
    println!("{} {}", server.addr, server.token);
    std::future::pending().await
}

/// A server in a process of its own.
struct Server {
    process: Child,
    addr: String,
    token: String,
}

impl Server {
    async fn start(dir: &Path) -> Outcome<Self> {
        let mut command = Command::new(std::env::current_exe()?);
        command.arg("serve").arg(dir).stdout(Stdio::piped()).kill_on_drop(true);
        let mut process = command.spawn()?;
        let mut line = String::new();
        BufReader::new(process.stdout.take().ok_or("no stdout")?).read_line(&mut line).await?;
        let (addr, token) = line.trim().split_once(' ').ok_or("the server did not start")?;
        Ok(Self { process, addr: addr.to_owned(), token: token.to_owned() })
    }

    /// SIGKILL, or what the system has for it.
    async fn kill(mut self) -> Outcome<()> {
        Ok(self.process.kill().await?)
    }

    async fn dial(&self, path: &str) -> Outcome<Socket> {
        Ok(tokio_tungstenite::connect_async(format!("ws://{}{path}", self.addr)).await?.0)
    }

    /// The program again, under the identity it had.
    async fn app(&self, token: &mut Option<String>, seq: u64) -> Outcome<Socket> {
        let mut app = self.dial("/ingest").await?;
        let hello = json!({
            "versions": { "protocol": 1, "client": "t" }, "capabilities": ["run-claim"], "resumeToken": token,
        });
        app.send(Message::text(testkit::e_of("*", seq, "hello", &hello.to_string()))).await?;
        let ack: Value = serde_json::from_str(app.next().await.ok_or("no answer")??.to_text()?)?;
        *token = ack["payload"]["sessionToken"].as_str().map(str::to_owned);
        Ok(app)
    }

    async fn get(&self, path: &str) -> Outcome<Value> {
        let mut stream = tokio::net::TcpStream::connect(&self.addr).await?;
        let (addr, token) = (&self.addr, &self.token);
        let ask = format!(
            "GET {path} HTTP/1.1\r\nHost: {addr}\r\nAuthorization: Bearer {token}\r\nConnection: close\r\n\r\n"
        );
        stream.write_all(ask.as_bytes()).await?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await?;
        Ok(serde_json::from_str(answer.split_once("\r\n\r\n").ok_or("no body")?.1)?)
    }

    /// Every number stored for a run, which must be ascending and without doubles.
    async fn stored(&self, run: &str) -> Outcome<Vec<u64>> {
        let (mut all, mut after) = (Vec::new(), String::new());
        loop {
            let page = self.get(&format!("/api/runs/{run}/events?limit=5000{after}")).await?;
            let events = page["events"].as_array().ok_or_else(|| format!("run {run}: {page}"))?;
            all.extend(events.iter().filter_map(|event| event["seq"].as_u64()));
            match page["nextAfterSeq"].as_u64() {
                Some(next) => after = format!("&afterSeq={next}"),
                None => break,
            }
        }
        assert!(all.windows(2).all(|pair| pair[0] < pair[1]), "doubled or out of order");
        Ok(all)
    }
}

/// Sends run after run until the server dies; gives the number after the last one sent.
async fn send(mut app: Socket, run: String, mut seq: u64) -> u64 {
    loop {
        for _ in 0..20 {
            let frame = testkit::e_of(&run, seq, "node.token", &testkit::token("a", "text"));
            if app.feed(Message::text(frame)).await.is_err() {
                return seq;
            }
            seq += 1;
        }
        if app.flush().await.is_err() {
            return seq;
        }
        tokio::task::yield_now().await;
    }
}

/// Watches a run to the death of the server and tells when it begins; gives the numbers it was shown.
async fn watch(mut viewer: Socket, run: String, begun: oneshot::Sender<()>) -> BTreeSet<u64> {
    let (mut shown, mut begun) = (BTreeSet::new(), Some(begun));
    let mut watching = false;
    while let Some(Ok(Message::Text(text))) = viewer.next().await {
        let Ok(frame) = serde_json::from_str::<Value>(&text) else { break };
        if !watching && frame["t"] == "run" && frame["run"]["run"] == run.as_str() {
            watching = true;
            let ask = json!({ "t": "watch", "run": run }).to_string();
            let _ = viewer.send(Message::text(ask)).await;
        }
        if frame["t"] == "events" {
            let events = frame["events"].as_array().into_iter().flatten();
            shown.extend(events.filter_map(|event| event["seq"].as_u64()));
            let _ = viewer.send(Message::text(r#"{"t":"credit","frames":1}"#)).await;
            begun.take().map(|begun| begun.send(()));
        }
    }
    shown
}

fn journals(dir: &Path) -> Outcome<Vec<PathBuf>> {
    let mut found: Vec<PathBuf> =
        fs::read_dir(dir.join("runs"))?.flatten().map(|entry| entry.path()).collect();
    found.retain(|path| path.extension().is_some_and(|extension| extension == "ndjson"));
    found.sort();
    Ok(found)
}

/// Damages files as a crash, a full disk or a bad sector would. Bytes are flipped in the run `victim` alone.
fn damage(dir: &Path, chance: &mut Chance) -> Outcome<()> {
    for journal in journals(dir)? {
        let sidecar = journal.with_extension("json");
        match chance.below(4) {
            0 => drop(fs::remove_file(sidecar)),
            1 => fs::write(sidecar, r#"{"v":1,"bytes":12,"facts":"#)?,
            2 if sidecar.exists() => flip(&sidecar, chance)?,
            _ => {}
        }
        if chance.one_in(2) {
            fs::OpenOptions::new().append(true).open(&journal)?.write_all(br#"{"gm":1,"seq":41,"ts":17"#)?;
        }
        if journal.file_name().is_some_and(|name| name.to_string_lossy().starts_with("victim")) {
            flip(&journal, chance)?;
        }
    }
    if chance.one_in(2) {
        fs::OpenOptions::new().append(true).open(dir.join("sessions.ndjson"))?.write_all(br#"{"token":"#)?;
    }
    Ok(())
}

fn flip(path: &Path, chance: &mut Chance) -> Outcome<()> {
    let mut bytes = fs::read(path)?;
    if !bytes.is_empty() {
        let at = chance.below(bytes.len());
        bytes[at] ^= 0x55;
    }
    Ok(fs::write(path, bytes)?)
}

async fn kill_again_and_again() -> Outcome<()> {
    let dir = std::env::temp_dir().join(format!("holdpoint-killed-{}", std::process::id()));
    let mut chance = Chance::new(17);
    let mut token = None;
    let mut known: Vec<(String, BTreeSet<u64>)> = Vec::new();
    let mut next = 1;
    let mut shown_in_all = 0;
    for round in 0..KILLS {
        let server = Server::start(&dir).await?;
        for (run, shown) in &known {
            let stored: BTreeSet<u64> = server.stored(run).await?.into_iter().collect();
            let lost: Vec<_> = shown.difference(&stored).collect();
            assert!(lost.is_empty(), "round {round}, run {run}: {lost:?} had been shown and are gone");
        }
        let mut app = server.app(&mut token, next).await?;
        let victim = testkit::e_of("victim", next + 1, "x", "{}");
        app.send(Message::text(victim)).await?;
        let run = format!("r{round}");
        let (begins, begun) = oneshot::channel();
        let viewer = tokio::spawn(watch(
            server.dial(&format!("/ws/ui?token={}", server.token)).await?,
            run.clone(),
            begins,
        ));
        let sender = tokio::spawn(send(app, run.clone(), next + 2));
        begun.await?;
        tokio::time::sleep(Duration::from_millis(chance.below(200) as u64)).await;
        server.kill().await?;
        let shown = viewer.await?;
        next = sender.await? + 1;
        shown_in_all += shown.len();
        known.push((run, shown));
        damage(&dir, &mut chance)?;
    }
    let server = Server::start(&dir).await?;
    for (run, shown) in &known {
        let stored: BTreeSet<u64> = server.stored(run).await?.into_iter().collect();
        assert!(shown.is_subset(&stored), "run {run}");
    }
    // The program sends again what it sent last, as clients do: nothing is doubled, nothing is refused.
    let mut app = server.app(&mut token, next).await?;
    let (run, _) = known.last().ok_or("no run")?;
    let before = server.stored(run).await?;
    let (first, last) = (*before.first().ok_or("no event")?, *before.last().ok_or("no event")?);
    for seq in first..=last + 10 {
        app.feed(Message::text(testkit::e_of(run, seq, "node.token", &testkit::token("a", "text")))).await?;
    }
    app.flush().await?;
    while server.stored(run).await?.last() != Some(&(last + 10)) {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    assert_eq!(server.stored(run).await?, (first..=last + 10).collect::<Vec<u64>>());
    server.kill().await?;
    fs::remove_dir_all(&dir)?;
    println!("killed {KILLS} times; {shown_in_all} events had been shown and are there");
    Ok(())
}
