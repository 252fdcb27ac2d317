//! A recording inside the page: it answers what a server would, from the envelopes it holds. Nothing is held in it and
//! nothing can be changed, so answers to holds are refused with a word; breakpoints are kept, for stepping.

mod reads;

use std::collections::{BTreeMap, VecDeque};
use std::ops::Range;

use graph::{Run, RunKey, Store};
use serde_json::value::RawValue;
use wire::viewer::{BreakpointState, ControlStage, DebugState, ServerFrame, ViewerFrame};

use super::{Link, Transport};
use crate::transport::recording::reads::Lines;

/// Said to whoever wants to steer the past.
const PAST: &str = "This is a recording: what happened in it cannot be changed";

/// The transport of a page that holds its runs.
pub struct Recording {
    name: String,
    text: String,
    store: Store,
    lines: BTreeMap<RunKey, Lines>,
    debug: DebugState,
    waiting: VecDeque<String>,
    wake: Box<dyn Fn()>,
}

impl std::fmt::Debug for Recording {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Recording").field("name", &self.name).field("waiting", &self.waiting.len()).finish()
    }
}

impl Recording {
    /// A recording from its text, one envelope a line; lines that are none are passed over. `wake` is called when an
    /// answer waits.
    pub fn new(name: &str, text: String, wake: Box<dyn Fn()>) -> Self {
        let mut store = Store::with_source(name);
        let mut lines: BTreeMap<RunKey, Lines> = BTreeMap::new();
        for range in ranges(&text) {
            let decoded = wire::decode(&text[range.clone()]);
            let change = store.apply(&decoded);
            if let (Some(key), Some(header), false) = (change.run, decoded.header(), change.duplicate) {
                lines.entry(key).or_default().insert(header.seq, range);
            }
        }
        store.settle();
        let mut recording = Self {
            name: name.to_owned(),
            text,
            store,
            lines,
            debug: DebugState::default(),
            waiting: VecDeque::new(),
            wake,
        };
        recording.welcome();
        recording
    }

    fn welcome(&mut self) {
        let welcome = ServerFrame::Welcome {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            protocol: wire::viewer::VERSION,
            ingest_url: String::new(),
            viewer_url: String::new(),
            data_dir: String::new(),
            debug: self.debug.clone(),
            runs: self.store.runs().map(graph::project::summary).collect(),
            demo: false,
            import: false,
            export: false,
        };
        self.say(&welcome);
    }

    fn say(&mut self, frame: &ServerFrame) {
        self.waiting.push_back(frame.encode());
        (self.wake)();
    }

    fn answer(&mut self, frame: ViewerFrame) {
        match frame {
            ViewerFrame::Watch { run } => self.snapshot(run),
            ViewerFrame::BodyGet { req, run, seq, pointer, offset, limit } => {
                let found =
                    self.of(&run).and_then(|lines| lines.body(&self.text, seq, &pointer, offset, limit));
                self.say(&match found {
                    Ok((offset, total_bytes, text)) => {
                        ServerFrame::Body { req, run, seq, pointer, offset, total_bytes, text }
                    }
                    Err(reason) => ServerFrame::Failed { req, reason },
                });
            }
            ViewerFrame::EventsGet { req, run, after_seq, limit } => {
                let found = self.of(&run).map(|lines| lines.page(&self.text, after_seq, limit));
                self.say(&match found {
                    Ok((total, events, next_after_seq)) => {
                        ServerFrame::EventPage { req, run, total, events, next_after_seq }
                    }
                    Err(reason) => ServerFrame::Failed { req, reason },
                });
            }
            ViewerFrame::StreamGet { req, run, node_id, instance_id } => {
                let found =
                    self.of(&run).map(|lines| lines.stream(&self.text, &node_id, instance_id.as_deref()));
                self.say(&match found {
                    Ok([text, reasoning, tool_args]) => {
                        let total_bytes = (text.len() + reasoning.len() + tool_args.len()) as u64;
                        ServerFrame::StreamText { req, run, text, reasoning, tool_args, total_bytes }
                    }
                    Err(reason) => ServerFrame::Failed { req, reason },
                });
            }
            ViewerFrame::Unwatch { .. } | ViewerFrame::Credit { .. } => {}
            other => self.control(other),
        }
    }

    /// What would change something: breakpoints do, the past does not.
    fn control(&mut self, frame: ViewerFrame) {
        let (req, done) = match frame {
            ViewerFrame::BreakpointSet { req, spec } => {
                self.debug.breakpoints.retain(|known| known.spec.matcher != spec.matcher);
                self.debug.breakpoints.push(BreakpointState {
                    spec,
                    bound: true,
                    ..BreakpointState::default()
                });
                (req, true)
            }
            ViewerFrame::BreakpointClear { req, matcher } => {
                self.debug.breakpoints.retain(|known| known.spec.matcher != matcher);
                (req, true)
            }
            ViewerFrame::Resume { req, .. }
            | ViewerFrame::ModeSet { req, .. }
            | ViewerFrame::PauseOnError { req, .. }
            | ViewerFrame::PauseAll { req }
            | ViewerFrame::ContinueAll { req, .. }
            | ViewerFrame::RunDelete { req, .. }
            | ViewerFrame::DemoStart { req }
            | ViewerFrame::ImportCancel { req, .. }
            | ViewerFrame::Open { req, .. } => (req, false),
            _ => return,
        };
        let stage = if done { ControlStage::Delivered } else { ControlStage::Refused };
        if done {
            self.say(&ServerFrame::Debug { debug: self.debug.clone() });
        }
        self.say(&ServerFrame::Control { req, stage, reason: (!done).then(|| PAST.to_owned()) });
    }

    fn snapshot(&mut self, run: String) {
        let state = self.store.find(&run).and_then(state_of);
        let frame = match state {
            Some(state) => ServerFrame::Snapshot { run, state },
            None => ServerFrame::Failed { req: 0, reason: format!("The recording has no run {run}") },
        };
        self.say(&frame);
    }

    fn of(&self, run: &str) -> Result<&Lines, String> {
        self.lines.get(&RunKey::from(run)).ok_or_else(|| format!("The recording has no run {run}"))
    }
}

fn state_of(run: &Run) -> Option<Box<RawValue>> {
    serde_json::to_string(run).ok().and_then(|state| RawValue::from_string(state).ok())
}

/// Where the lines of a text stand.
fn ranges(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut start = 0;
    text.split('\n').map(move |line| {
        let range = start..start + line.len();
        start = range.end + 1;
        range
    })
}

impl Transport for Recording {
    fn poll(&mut self, _now_s: f64, limit: usize, into: &mut Vec<String>) -> bool {
        let take = self.waiting.len().min(limit);
        into.extend(self.waiting.drain(..take));
        !self.waiting.is_empty()
    }

    fn send(&mut self, frame: String) -> bool {
        if let Ok(frame) = ViewerFrame::decode(&frame) {
            self.answer(frame);
        }
        true
    }

    fn link(&self) -> Link {
        Link::Open
    }

    fn epoch(&self) -> u64 {
        1
    }

    fn reconnect(&mut self) {}

    fn address(&self) -> String {
        self.name.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = concat!(
        r#"{"gm":1,"seq":1,"ts":0,"runId":"r1","type":"run.started","payload":{"app":"a","sdk":{"name":"s","version":"1"}}}"#,
        "\n",
        r#"{"gm":1,"seq":2,"ts":1,"runId":"r1","type":"node.started","payload":{"nodeId":"n","kind":"llm","name":"n","instanceId":"i","input":{"q":"é1"}}}"#,
        "\n\n",
        r#"{"gm":1,"seq":3,"ts":2,"runId":"r1","type":"node.token","payload":{"nodeId":"n","deltas":[{"t":"text","v":"hi"}]}}"#,
        "\n",
    );

    fn said(recording: &mut Recording) -> Vec<serde_json::Value> {
        let mut frames = Vec::new();
        assert!(!recording.poll(0.0, usize::MAX, &mut frames));
        frames.iter().map(|frame| serde_json::from_str(frame).expect("JSON")).collect()
    }

    fn check(ask: &str, expect: &[(&str, &str)]) {
        let mut recording = Recording::new("x", TEXT.to_owned(), Box::new(|| {}));
        said(&mut recording);
        assert!(recording.send(ask.to_owned()));
        let answers = said(&mut recording);
        let answer = answers.last().expect("an answer");
        for (pointer, value) in expect {
            assert_eq!(answer.pointer(pointer).map(ToString::to_string).as_deref(), Some(*value), "{answer}");
        }
    }

    #[test]
    fn a_recording_answers_as_a_server_does() {
        check(r#"{"t":"watch","run":"r1"}"#, &[("/t", "\"snapshot\""), ("/run", "\"r1\"")]);
        check(r#"{"t":"watch","run":"other"}"#, &[("/t", "\"failed\"")]);
        check(
            r#"{"t":"bodyGet","req":7,"run":"r1","seq":2,"pointer":"/payload/input","offset":0,"limit":99}"#,
            &[("/req", "7"), ("/text", r#""{\"q\":\"é1\"}""#), ("/totalBytes", "11")],
        );
        check(
            r#"{"t":"eventsGet","req":8,"run":"r1","afterSeq":1,"limit":1}"#,
            &[("/total", "3"), ("/events/0/seq", "2"), ("/nextAfterSeq", "2")],
        );
        check(
            r#"{"t":"streamGet","req":9,"run":"r1","nodeId":"n","instanceId":null}"#,
            &[("/text", "\"hi\""), ("/totalBytes", "2")],
        );
        check(r#"{"t":"pauseAll","req":3}"#, &[("/stage", "\"refused\"")]);
    }

    #[test]
    fn its_first_word_names_its_runs() {
        let mut recording = Recording::new("x", TEXT.to_owned(), Box::new(|| {}));
        let welcome = said(&mut recording).remove(0);
        assert_eq!(welcome["runs"][0]["events"], 3);
    }
}
