//! Envelopes by hand: `e(1, "run.started", …)` is the `E(1, run.started, {…})` of the field cases.
use serde_json::{Value, json};

/// Time of sequence number 0; each number adds 10 ms.
pub const TS_START_MS: u64 = 1_700_000_000_000;

/// An envelope of run `r1` with its payload as JSON text; time follows the sequence number.
///
/// ```
/// let frame = testkit::e(4, "mode.set", r#"{"mode":"run"}"#);
/// assert!(matches!(wire::decode(&frame), wire::Decoded::Ok(_)));
/// ```
pub fn e(seq: u64, kind: &str, payload: &str) -> String {
    e_of("r1", seq, kind, payload)
}

/// An envelope of any run.
pub fn e_of(run: &str, seq: u64, kind: &str, payload: &str) -> String {
    let (run, kind) = (Value::from(run), Value::from(kind));
    let ts = TS_START_MS + seq * 10;
    format!(r#"{{"gm":1,"seq":{seq},"ts":{ts},"runId":{run},"type":{kind},"payload":{payload}}}"#)
}

/// Payload of `node.started`; the node's name is its id behind the last colon.
pub fn started(node: &str, instance: &str, kind: &str, parent: Option<&str>) -> String {
    let name = node.rsplit(':').next().unwrap_or(node);
    let mut payload = json!({"nodeId": node, "kind": kind, "name": name, "instanceId": instance});
    if let Some(parent) = parent {
        payload["parentId"] = parent.into();
    }
    payload.to_string()
}

/// Payload of `node.finished` with a duration of 5 ms.
pub fn finished(node: &str, instance: &str, status: &str) -> String {
    json!({"nodeId": node, "instanceId": instance, "durationMs": 5, "status": status}).to_string()
}

/// Payload of `node.token` with one piece of answer text.
pub fn token(node: &str, text: &str) -> String {
    json!({"nodeId": node, "deltas": [{"t": "text", "v": text}]}).to_string()
}

/// Builds the frames of one run in order, counting sequence numbers.
///
/// ```
/// let frames = testkit::Recording::new("r1")
///     .run_started("app")
///     .node("agent:r1", "a1", "agent", None)
///     .done("agent:r1", "a1", "ok")
///     .run_finished("ok")
///     .frames();
/// assert_eq!(frames.len(), 4);
/// ```
#[derive(Clone, Debug)]
pub struct Recording {
    run: String,
    next_seq: u64,
    frames: Vec<String>,
}

impl Recording {
    /// An empty recording of `run`; its first event has sequence number 1.
    pub fn new(run: &str) -> Self {
        Self { run: run.to_owned(), next_seq: 1, frames: Vec::new() }
    }

    /// Adds any event.
    #[must_use]
    pub fn event(mut self, kind: &str, payload: &str) -> Self {
        self.frames.push(e_of(&self.run, self.next_seq, kind, payload));
        self.next_seq += 1;
        self
    }

    /// Leaves out sequence numbers, as a lost frame does.
    #[must_use]
    pub fn skip(mut self, numbers: u64) -> Self {
        self.next_seq += numbers;
        self
    }

    /// Adds `run.started`.
    #[must_use]
    pub fn run_started(self, app: &str) -> Self {
        let payload = json!({"app": app, "sdk": {"name": "testkit", "version": "1"}});
        self.event("run.started", &payload.to_string())
    }

    /// Adds `run.finished`.
    #[must_use]
    pub fn run_finished(self, status: &str) -> Self {
        self.event("run.finished", &json!({"status": status}).to_string())
    }

    /// Adds `node.started`.
    #[must_use]
    pub fn node(self, node: &str, instance: &str, kind: &str, parent: Option<&str>) -> Self {
        self.event("node.started", &started(node, instance, kind, parent))
    }

    /// Adds `node.finished`.
    #[must_use]
    pub fn done(self, node: &str, instance: &str, status: &str) -> Self {
        self.event("node.finished", &finished(node, instance, status))
    }

    /// Adds `node.token`.
    #[must_use]
    pub fn token(self, node: &str, text: &str) -> Self {
        self.event("node.token", &token(node, text))
    }

    /// Adds `node.error`.
    #[must_use]
    pub fn error(self, node: &str, instance: &str, message: &str) -> Self {
        let error = json!({"name": "Error", "message": message});
        let payload = json!({"nodeId": node, "instanceId": instance, "error": error});
        self.event("node.error", &payload.to_string())
    }

    /// Adds `exec.paused`.
    #[must_use]
    pub fn paused(self, pause: &str, node: &str, point: &str) -> Self {
        self.event("exec.paused", &json!({"pauseId": pause, "nodeId": node, "point": point}).to_string())
    }

    /// Adds `exec.resumed`.
    #[must_use]
    pub fn resumed(self, pause: &str, action: &str) -> Self {
        self.event("exec.resumed", &json!({"pauseId": pause, "action": action}).to_string())
    }

    /// The frames.
    pub fn frames(self) -> Vec<String> {
        self.frames
    }

    /// The frames as the lines of a recording.
    pub fn lines(self) -> String {
        self.frames.into_iter().map(|frame| frame + "\n").collect()
    }
}
