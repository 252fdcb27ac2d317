//! A debugger of a few lines: accepts one program at a time, answers its hello, records what it says.

use serde_json::{Value, json};
use std::io::ErrorKind;
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};
use tokio_tungstenite::tungstenite::{Error, Message, WebSocket, accept};

/// How long a test waits for what must come.
pub(crate) const SOON: Duration = Duration::from_secs(10);
const TICK: Duration = Duration::from_millis(5);

enum Order {
    Say(String),
    CloseWith(u16),
    Leave,
}

pub(crate) struct Debugger {
    port: u16,
    seen: Receiver<Value>,
    orders: Sender<Order>,
    log: Vec<Value>,
    thread: Option<JoinHandle<()>>,
}

/// `hello.ack` for these breakpoints and mode.
pub(crate) fn ack(breakpoints: &Value, mode: &str) -> Value {
    json!({"versions": {"protocol": 1, "viewer": "test"}, "capabilities": [], "breakpoints": breakpoints,
           "mode": mode, "sessionToken": "token-1"})
}

fn frame(kind: &str, payload: &Value) -> String {
    json!({"gm": 1, "seq": 1, "ts": 1, "runId": "*", "type": kind, "payload": payload}).to_string()
}

impl Debugger {
    pub(crate) fn start(breakpoints: Value, mode: &str) -> Self {
        Self::on(TcpListener::bind("127.0.0.1:0").expect("a free port"), ack(&breakpoints, mode))
    }

    /// One that answers at `port` from now on.
    pub(crate) fn again(port: u16, breakpoints: Value, mode: &str) -> Self {
        let end = Instant::now() + SOON;
        loop {
            match TcpListener::bind(("127.0.0.1", port)) {
                Ok(listener) => return Self::on(listener, ack(&breakpoints, mode)),
                Err(error) => assert!(Instant::now() < end, "port {port}: {error}"),
            }
            thread::sleep(TICK);
        }
    }

    fn on(listener: TcpListener, ack: Value) -> Self {
        let port = listener.local_addr().expect("bound").port();
        let (say, seen) = mpsc::channel();
        let (orders, ordered) = mpsc::channel();
        let thread = thread::spawn(move || {
            let (stream, _) = listener.accept().expect("a program");
            drop(listener);
            serve(stream, &ack, &say, &ordered);
        });
        Self { port, seen, orders, log: Vec::new(), thread: Some(thread) }
    }

    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    pub(crate) fn url(&self) -> String {
        format!("ws://127.0.0.1:{}/ingest", self.port)
    }

    /// The next message of that type; all before it are kept in the log.
    pub(crate) fn next(&mut self, kind: &str) -> Value {
        let end = Instant::now() + SOON;
        loop {
            let left = end.saturating_duration_since(Instant::now());
            let Ok(message) = self.seen.recv_timeout(left) else {
                panic!("no {kind} came; seen {:#?}", self.kinds());
            };
            self.log.push(message.clone());
            if message["type"] == kind {
                return message;
            }
        }
    }

    /// Everything seen so far, in order.
    pub(crate) fn log(&mut self) -> &[Value] {
        self.log.extend(self.seen.try_iter());
        &self.log
    }

    pub(crate) fn kinds(&mut self) -> Vec<String> {
        self.log().iter().map(|m| m["type"].as_str().unwrap_or("?").to_owned()).collect()
    }

    pub(crate) fn say(&self, kind: &str, payload: Value) {
        self.orders.send(Order::Say(frame(kind, &payload))).expect("serving");
    }

    /// Answers the hold `pause` with further members of `exec.resume`.
    pub(crate) fn resume(&self, pause: &Value, action: &str, more: Value) {
        let mut payload = json!({"pauseId": pause["payload"]["pauseId"], "action": action});
        let members = payload.as_object_mut().expect("an object");
        members.extend(more.as_object().cloned().unwrap_or_default());
        self.say("exec.resume", payload);
    }

    /// Cuts the connection without a word.
    pub(crate) fn leave(mut self) {
        self.orders.send(Order::Leave).ok();
        self.thread.take().into_iter().for_each(|thread| thread.join().expect("served"));
    }

    /// Closes with a code and returns what was seen.
    pub(crate) fn close_with(mut self, code: u16) -> Vec<Value> {
        self.orders.send(Order::CloseWith(code)).ok();
        self.thread.take().into_iter().for_each(|thread| thread.join().expect("served"));
        self.log().to_vec()
    }
}

fn serve(stream: TcpStream, ack: &Value, say: &Sender<Value>, ordered: &Receiver<Order>) {
    let mut socket = accept(stream).expect("an upgrade");
    socket.get_ref().set_read_timeout(Some(TICK)).expect("a timeout");
    loop {
        match ordered.try_recv() {
            Ok(Order::Say(text)) => socket.send(Message::text(text)).expect("attached"),
            Ok(Order::CloseWith(code)) => return close(socket, code, say),
            Ok(Order::Leave) => return,
            Err(_) => {}
        }
        match socket.read() {
            Ok(Message::Text(text)) => {
                let message: Value = serde_json::from_str(&text).expect("JSON");
                if message["type"] == "hello" {
                    socket.send(Message::text(frame("hello.ack", ack))).expect("attached");
                }
                say.send(message).ok();
            }
            Ok(_) => {}
            Err(Error::Io(error)) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {}
            Err(_) => return,
        }
    }
}

fn close(mut socket: WebSocket<TcpStream>, code: u16, say: &Sender<Value>) {
    let reason =
        tokio_tungstenite::tungstenite::protocol::CloseFrame { code: code.into(), reason: "test".into() };
    socket.close(Some(reason)).ok();
    let end = Instant::now() + SOON;
    while Instant::now() < end {
        match socket.read() {
            Ok(Message::Text(text)) => {
                say.send(serde_json::from_str(&text).expect("JSON")).ok();
            }
            Err(Error::Io(error)) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {}
            Ok(_) => {}
            Err(_) => return,
        }
    }
}

/// A port that nothing listens on.
pub(crate) fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    listener.local_addr().expect("bound").port()
}

/// A list shared with a function under test.
#[derive(Clone, Default)]
pub(crate) struct Seen<T>(Arc<Mutex<Vec<T>>>);

impl<T: Clone> Seen<T> {
    pub(crate) fn push(&self, value: T) {
        self.0.lock().expect("free").push(value);
    }

    pub(crate) fn all(&self) -> Vec<T> {
        self.0.lock().expect("free").clone()
    }
}
