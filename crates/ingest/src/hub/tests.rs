//! Sessions replayed without sockets, clock or disk: what the hub decides, claim by claim.
//!
//! The rig plays the rim: it keeps appended lines as the journal, and answers loads and snapshots from them at once or
//! when a test says so.

mod claims;
mod controls;
mod gaps;
mod noise;
mod records;
mod retention;
mod viewers;

use std::collections::BTreeMap;

use graph::{RunKey, Store};
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::Utf8Bytes;
use wire::viewer::{RunSummary, ServerFrame};

use super::{Debug, Hub, Input, Now, Output, SessionId, Settings, ViewerId};

const GRACE_MS: u64 = 15_000;

/// A hub with a rim of memory.
struct Rig {
    hub: Hub,
    now: Now,
    journal: BTreeMap<RunKey, Vec<Utf8Bytes>>,
    to_apps: Vec<(SessionId, Value)>,
    to_viewers: Vec<(ViewerId, Utf8Bytes)>,
    closed: Vec<(SessionId, u16)>,
    remembered: Vec<String>,
    debug_file: Option<String>,
    snapshots: Vec<(RunKey, std::sync::Arc<Store>)>,
    /// Snapshots wait until a test lets them go.
    slow: bool,
}

impl Rig {
    fn new() -> Self {
        Self::with(Debug::from_file(None, None))
    }

    fn with(debug: Debug) -> Self {
        let settings = Settings { grace_ms: GRACE_MS, ..Settings::default() };
        Self {
            hub: Hub::new(settings, debug),
            now: Now { wall_ms: 1_000.0, mono_ms: 0 },
            journal: BTreeMap::new(),
            to_apps: Vec::new(),
            to_viewers: Vec::new(),
            closed: Vec::new(),
            remembered: Vec::new(),
            debug_file: None,
            snapshots: Vec::new(),
            slow: false,
        }
    }

    /// One input and the end of its turn, with everything that follows from it.
    fn input(&mut self, input: Input) {
        let mut out = Vec::new();
        self.hub.step(self.now, input, &mut out);
        self.hub.finish_turn(&mut out);
        self.perform(out);
        while self.hub.has_work() {
            let mut out = Vec::new();
            self.hub.finish_turn(&mut out);
            self.perform(out);
        }
    }

    fn perform(&mut self, out: Vec<Output>) {
        let mut next = Vec::new();
        for output in out {
            match output {
                Output::Append { key, text, .. } => self.journal.entry(key).or_default().push(text),
                Output::ToSession { session, text, .. } => self.to_apps.push((session, parse(&text))),
                Output::CloseSession { session, code, .. } => self.closed.push((session, code)),
                Output::ToViewer { viewer, text } => {
                    self.to_viewers.push((viewer, text));
                }
                Output::SaveDebug { text } => self.debug_file = Some(text),
                Output::Remember { line } => self.remembered.push(line),
                Output::Load { key, live, source, known } => {
                    let mut store = Store::with_source(&source);
                    for line in self.journal.get(&key).into_iter().flatten() {
                        store.apply_to(&key, &wire::decode(line));
                    }
                    known.iter().for_each(|(from, to)| store.account(&key, *from, *to));
                    store.set_live(&key, live);
                    next.push(Input::Loaded { key, store: store.into() });
                }
                Output::Snapshot { key, store } => self.snapshots.push((key, store)),
                Output::Sidecar { .. }
                | Output::Read { .. }
                | Output::Import { .. }
                | Output::Delete { .. }
                | Output::Receipt { .. }
                | Output::Live { .. }
                | Output::Demo => {}
            }
        }
        next.into_iter().for_each(|input| self.input(input));
        if !self.slow {
            self.finish_snapshots();
        }
    }

    fn finish_snapshots(&mut self) {
        for (key, store) in std::mem::take(&mut self.snapshots) {
            let state = store.run(&key).map(|run| serde_json::to_string(run).expect("a run serialises"));
            drop(store);
            let text = format!(
                "{{\"t\":\"snapshot\",\"run\":{},\"state\":{}}}",
                json!(key.as_str()),
                state.expect("a run")
            );
            self.input(Input::SnapshotReady { key, text: text.into() });
        }
    }

    fn app(&mut self, id: u64) -> SessionId {
        let session = SessionId(id);
        self.input(Input::SessionOpened { session, token: format!("token-{id}").into() });
        session
    }

    /// An app that has said hello with number 1.
    fn greeted(&mut self, id: u64) -> SessionId {
        let session = self.app(id);
        self.send(session, &hello(1, None, true));
        session
    }

    fn send(&mut self, session: SessionId, frame: &str) {
        self.input(Input::Frames { session, frames: vec![frame.into()] });
    }

    fn send_all<'a>(&mut self, session: SessionId, frames: impl IntoIterator<Item = &'a str>) {
        frames.into_iter().for_each(|frame| self.send(session, frame));
    }

    fn viewer(&mut self, id: u64) -> ViewerId {
        let viewer = ViewerId(id);
        self.input(Input::ViewerOpened { viewer });
        viewer
    }

    fn ask(&mut self, viewer: ViewerId, frame: Value) {
        self.input(Input::ViewerFrame { viewer, text: frame.to_string().into() });
    }

    /// Asks with request number 9 and gives the answer's stage, and its reason if there is one.
    fn control(&mut self, viewer: ViewerId, mut frame: Value) -> (String, String) {
        frame["req"] = json!(9);
        let before = self.to_viewers.len();
        self.ask(viewer, frame);
        let answer = tagged(&self.to_viewers[before..], viewer, "control").next();
        answer.map_or(("sent".to_owned(), String::new()), |answer| {
            let text = |name: &str| answer[name].as_str().unwrap_or_default().to_owned();
            (text("stage"), text("reason"))
        })
    }

    fn pass(&mut self, ms: u64) {
        self.now.mono_ms += ms;
        self.now.wall_ms += ms as f64;
        self.input(Input::Tick { connections: 0, memory_bytes: 0 });
    }

    fn run(&self, key: &str) -> RunSummary {
        self.hub.find(key).unwrap_or_else(|| panic!("no run {key}")).1
    }

    fn keys(&self) -> Vec<String> {
        self.hub.summaries().into_iter().map(|run| run.run).collect()
    }

    fn stored(&self, key: &str) -> usize {
        self.journal.get(key).map_or(0, Vec::len)
    }

    /// What an app was sent, by type.
    fn sent(&self, session: SessionId, kind: &str) -> Vec<Value> {
        let own = self.to_apps.iter().filter(|(to, frame)| *to == session && frame["type"] == kind);
        own.map(|(_, frame)| frame["payload"].clone()).collect()
    }

    /// What a viewer was shown, by tag.
    fn shown(&self, viewer: ViewerId, tag: &str) -> Vec<Value> {
        tagged(&self.to_viewers, viewer, tag).collect()
    }

    fn notices(&self, viewer: ViewerId) -> Vec<String> {
        let texts = self.shown(viewer, "notice").into_iter();
        texts.map(|notice| notice["text"].as_str().unwrap_or_default().to_owned()).collect()
    }

    /// The digest of what a viewer knows of a run: its snapshot and everything after it.
    fn digest_at(&self, viewer: ViewerId, key: &str) -> u64 {
        let mut store = Store::new();
        let run_key = RunKey::from(key);
        for (_, text) in self.to_viewers.iter().filter(|(to, _)| *to == viewer) {
            match ServerFrame::decode(text).expect("a frame") {
                ServerFrame::Snapshot { run, state } if run == key => {
                    store = Store::new();
                    store.insert(serde_json::from_str(state.get()).expect("a run"));
                }
                ServerFrame::Events { run, events } if run == key => {
                    for event in events {
                        store.apply_to(&run_key, &wire::decode(event.get()));
                    }
                }
                ServerFrame::Account { run, from, to } if run == key => store.account(&run_key, from, to),
                ServerFrame::Live { run, live } if run == key => {
                    store.set_live(&run_key, live);
                }
                _ => {}
            }
        }
        store.digest()
    }

    /// The digest of the stored events of a run, as the hub would load them.
    fn digest_of_journal(&mut self, key: &str) -> u64 {
        let run_key = RunKey::from(key);
        let mut store = Store::with_source("live");
        for line in &self.journal[key] {
            store.apply_to(&run_key, &wire::decode(line));
        }
        let run = self.hub.runs.get(key).expect("a run");
        run.covered.ranges().for_each(|(from, to)| store.account(&run_key, from, to));
        store.set_live(&run_key, run.live);
        store.digest()
    }
}

fn parse(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

fn tagged<'a>(
    frames: &'a [(ViewerId, Utf8Bytes)],
    viewer: ViewerId,
    tag: &'a str,
) -> impl Iterator<Item = Value> + 'a {
    let own = frames
        .iter()
        .filter(move |(to, text)| *to == viewer && text.starts_with(&format!("{{\"t\":\"{tag}\"")));
    own.map(|(_, text)| parse(text))
}

fn hello(seq: u64, resume: Option<&str>, claims: bool) -> String {
    let capabilities = if claims { json!(["pause", "run-claim"]) } else { json!(["pause"]) };
    let mut payload = json!({
        "versions": { "protocol": 1, "client": "t" }, "capabilities": capabilities, "app": "an app",
    });
    if let Some(resume) = resume {
        payload["resumeToken"] = json!(resume);
    }
    testkit::e_of("*", seq, "hello", &payload.to_string())
}

fn start(run: &str, seq: u64) -> String {
    testkit::e_of(run, seq, "run.started", r#"{"app":"an app","sdk":{"name":"t","version":"1"}}"#)
}

fn finish(run: &str, seq: u64) -> String {
    testkit::e_of(run, seq, "run.finished", r#"{"status":"ok"}"#)
}

fn node(run: &str, seq: u64, node: &str, input: &str) -> String {
    let payload = format!(
        r#"{{"nodeId":"tool:{node}","kind":"tool","name":"{node}","instanceId":"i{seq}","input":{input}}}"#
    );
    testkit::e_of(run, seq, "node.started", &payload)
}

fn token(run: &str, seq: u64, node: &str) -> String {
    testkit::e_of(
        run,
        seq,
        "node.token",
        &format!(r#"{{"nodeId":"tool:{node}","deltas":[{{"t":"text","v":"x"}}]}}"#),
    )
}

fn pause(run: &str, seq: u64, node: &str, id: &str, point: &str) -> String {
    let payload = format!(r#"{{"pauseId":"{id}","nodeId":"tool:{node}","point":"{point}"}}"#);
    testkit::e_of(run, seq, "exec.paused", &payload)
}

fn release(run: &str, seq: u64, id: &str, action: &str) -> String {
    testkit::e_of(run, seq, "exec.resumed", &format!(r#"{{"pauseId":"{id}","action":"{action}"}}"#))
}
