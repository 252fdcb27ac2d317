//! The server over real sockets: attach, security, limits, durability.
//!
//! Nothing here asserts a time; waits only bound how long a failing test takes.

mod attach;
mod crowd;
mod durability;
mod export;
mod limits;
mod records;
mod restart;
mod security;
mod subscribe;

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use ingest::{Server, ServerConfig};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};

const PATIENCE: Duration = Duration::from_secs(30);

/// A directory that goes away with its test.
struct Dir(PathBuf);

impl Dir {
    fn new() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let name =
            format!("holdpoint-sockets-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&path).expect("a directory");
        Self(path)
    }

    fn config(&self) -> ServerConfig {
        ServerConfig { port: 0, ..ServerConfig::new(self.0.join("data")) }
    }

    async fn start(&self) -> Server {
        ingest::start(self.config()).await.expect("a server")
    }

    fn runs(&self) -> PathBuf {
        self.0.join("data/runs")
    }

    fn journals(&self) -> Vec<PathBuf> {
        let mut found: Vec<PathBuf> =
            std::fs::read_dir(self.runs()).expect("the runs").flatten().map(|entry| entry.path()).collect();
        found.retain(|path| path.extension().is_some_and(|extension| extension == "ndjson"));
        found.sort();
        found
    }
}

impl Drop for Dir {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A WebSocket client of the server.
struct Peer(WebSocketStream<MaybeTlsStream<TcpStream>>);

impl Peer {
    async fn dial(url: &str) -> Self {
        let (socket, _) = tokio_tungstenite::connect_async(url).await.expect("a connection");
        Self(socket)
    }

    /// An app that has been answered; gives its session token.
    async fn app(server: &Server, resume: Option<&str>, seq: u64) -> (Self, String) {
        let mut app = Self::dial(&server.ingest_url).await;
        let mut payload = json!({
            "versions": { "protocol": 1, "client": "t" }, "capabilities": ["pause", "run-claim"], "app": "t",
        });
        if let Some(resume) = resume {
            payload["resumeToken"] = json!(resume);
        }
        app.say(&testkit::e_of("*", seq, "hello", &payload.to_string())).await;
        let ack = app.until(|frame| frame["type"] == "hello.ack").await;
        let token = ack["payload"]["sessionToken"].as_str().expect("a token").to_owned();
        (app, token)
    }

    async fn viewer(server: &Server) -> Self {
        let mut viewer = Self::dial(&format!("ws://{}/ws/ui?token={}", server.addr, server.token)).await;
        viewer.until(|frame| frame["t"] == "welcome").await;
        viewer
    }

    async fn say(&mut self, text: &str) {
        self.0.send(Message::text(text)).await.expect("sent");
    }

    async fn ask(&mut self, frame: Value) {
        self.say(&frame.to_string()).await;
    }

    /// The first frame that fits; the others are passed over.
    async fn until(&mut self, fits: impl Fn(&Value) -> bool) -> Value {
        let search = async {
            loop {
                match self.0.next().await.expect("still open").expect("a frame") {
                    Message::Text(text) => {
                        let frame = serde_json::from_str(&text).expect("JSON");
                        if fits(&frame) {
                            return frame;
                        }
                    }
                    Message::Close(close) => panic!("closed: {close:?}"),
                    _ => {}
                }
            }
        };
        tokio::time::timeout(PATIENCE, search).await.expect("the frame in time")
    }

    /// Reads until the other side closes; gives the close code.
    async fn until_closed(&mut self) -> Option<u16> {
        let search = async {
            loop {
                match self.0.next().await {
                    Some(Ok(Message::Close(close))) => return close.map(|close| close.code.into()),
                    Some(Ok(_)) => {}
                    Some(Err(_)) | None => return None,
                }
            }
        };
        tokio::time::timeout(PATIENCE, search).await.expect("closed in time")
    }
}

/// One plain HTTP request, written by hand so that nothing is put right on the way: status, head and body.
async fn raw(addr: SocketAddr, request: &str) -> (u16, String, String) {
    let mut stream = TcpStream::connect(addr).await.expect("a connection");
    stream.write_all(request.as_bytes()).await.expect("written");
    let mut answer = Vec::new();
    let read = tokio::time::timeout(PATIENCE, stream.read_to_end(&mut answer)).await;
    read.expect("an answer in time").expect("an answer");
    let answer = String::from_utf8_lossy(&answer).into_owned();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
    (status, head.to_ascii_lowercase(), body.to_owned())
}

async fn get(server: &Server, path: &str) -> (u16, String) {
    let (addr, token) = (server.addr, &server.token);
    let request = format!(
        "GET {path} HTTP/1.1\r\nHost: {addr}\r\nAuthorization: Bearer {token}\r\nConnection: close\r\n\r\n"
    );
    let (status, _, body) = raw(addr, &request).await;
    (status, body)
}

async fn get_json(server: &Server, path: &str) -> Value {
    let (status, body) = get(server, path).await;
    assert_eq!(status, 200, "{path}: {body}");
    serde_json::from_str(&body).expect("JSON")
}

/// Waits until a run has so many events.
async fn stored(server: &Server, run: &str, events: u64) -> Value {
    let wait = async {
        loop {
            let (status, body) = get(server, &format!("/api/runs/{run}")).await;
            let summary: Value = serde_json::from_str(&body).unwrap_or_default();
            if status == 200 && summary["events"] == events {
                return summary;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    tokio::time::timeout(PATIENCE, wait).await.expect("stored in time")
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).expect("a file")
}
