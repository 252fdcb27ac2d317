//! What a subscriber of a run reads: one JSON object a line, the same from a live run and from a recording.
//!
//! An item line is `{"mode":…,"seq":…,"ts":…,"run":…, context members, "part"|"event"|"harness":…}`. Whatever was chosen,
//! `{"outcome":…}` comes when the outcome has changed, `{"missed":…}` when the reader was too slow, `{"end":{}}` last.
use crate::{
    Body, Context, GraphEvent, Interrupt, Json, RunFold, RunStatus, StreamFilter, StreamItem, StreamMode,
    StreamPart, event::EventError, project_to,
};
use serde::{Deserialize, Serialize};
use wire::{
    Raw, RunId,
    json::{write_number, write_string},
};

/// What a run has come to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Outcome {
    /// How it stands.
    pub status: RunStatus,
    /// What it gave so far.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub final_output: Option<Json>,
    /// Whether it waits for a person.
    pub interrupted: bool,
    /// What it asks.
    pub pending_interrupts: Vec<Interrupt>,
}

impl RunFold {
    /// The whole answer at once.
    pub fn outcome(&self) -> Outcome {
        Outcome {
            status: self.status(),
            final_output: self.final_output().cloned(),
            interrupted: self.is_interrupted(),
            pending_interrupts: self.pending_interrupts().to_vec(),
        }
    }
}

/// One line.
#[derive(Clone, Debug, PartialEq)]
pub enum StreamLine {
    /// Something happened.
    Item(Box<LineItem>),
    /// The outcome has changed.
    Outcome(Outcome),
    /// The reader was too slow.
    Missed {
        /// The last number that was sent.
        after_seq: u64,
        /// How many items were left out.
        count: u64,
    },
    /// The run has ended and nothing follows.
    End,
}

/// Something that happened, in one mode.
#[derive(Clone, Debug, PartialEq)]
pub struct LineItem {
    /// The mode it is shown in.
    pub mode: StreamMode,
    /// Sequence number of the envelope.
    pub seq: u64,
    /// Time of the envelope, milliseconds since 1970.
    pub ts_ms: f64,
    /// Run id of the envelope.
    pub run: RunId,
    /// Where it belongs.
    pub context: Context,
    /// What happened.
    pub body: LineBody,
}

/// What happened.
#[derive(Clone, Debug, PartialEq)]
pub enum LineBody {
    /// A part of the mode.
    Part(Box<StreamPart>),
    /// A graph event, in the mode `events`.
    Event(GraphEvent),
    /// A harness event, in the mode `events`.
    Harness {
        /// Message type.
        kind: String,
        /// Its payload.
        payload: Json,
    },
}

/// The lines an item gives a subscriber; none where it is not wanted.
///
/// ```
/// use stream::{GraphEvent, StreamFilter, StreamItem, lines};
/// let event = GraphEvent::StateUpdated { node: "plan".into(), update: "x".into() };
/// let frame = stream::encode_event(3, 5.0, "r1", &Default::default(), &event);
/// let item = StreamItem::decode(&wire::decode(&frame)).unwrap().unwrap();
/// let filter = StreamFilter::from_query("modes=updates").unwrap();
/// assert_eq!(lines(&item, &filter), [concat!(
///     r#"{"mode":"updates","seq":3,"ts":5,"run":"r1","run_id":"r1","node":"plan","#,
///     r#""part":{"Updates":{"namespace":[],"data":{"plan":"x"}}}}"#)]);
/// ```
pub fn lines(item: &StreamItem, filter: &StreamFilter) -> Vec<String> {
    if !filter.matches(item) {
        return Vec::new();
    }
    let parts = project_to(item, &|mode| filter.wants(mode)).into_iter();
    let mut lines: Vec<_> =
        parts.map(|part| line(item, part.mode(), |out| write_part(item, &part, out))).collect();
    if filter.wants(StreamMode::Events) && !matches!(item.body, Body::Part(_)) {
        lines.push(line(item, StreamMode::Events, |out| write_event(item, out)));
    }
    lines
}

fn line(item: &StreamItem, mode: StreamMode, body: impl FnOnce(&mut String)) -> String {
    let mut out = format!("{{\"mode\":\"{mode}\",\"seq\":{},\"ts\":", item.seq);
    write_number(item.ts_ms, &mut out);
    out.push_str(",\"run\":");
    write_string(item.run.as_str(), &mut out);
    out.push(',');
    item.context.write(&mut out);
    body(&mut out);
    out.push('}');
    out
}

/// A part its producer wrote is passed on as it was written, unknown members included.
fn write_part(item: &StreamItem, part: &StreamPart, out: &mut String) {
    out.push_str("\"part\":");
    let written = match &item.body {
        Body::Part(own) if **own == *part => item.payload.raw().member("part"),
        _ => None,
    };
    match written {
        Some(raw) => out.push_str(raw.get()),
        // Plain values with string keys serialise without fail.
        None => out.push_str(&serde_json::to_string(part).unwrap_or_default()),
    }
}

fn write_event(item: &StreamItem, out: &mut String) {
    if let Body::Harness { kind } = &item.body {
        out.push_str("\"harness\":{\"type\":");
        write_string(kind, out);
        out.push_str(",\"payload\":");
        out.push_str(item.payload.get());
        return out.push('}');
    }
    out.push_str("\"event\":");
    out.push_str(item.payload.raw().member("event").map_or("null", Raw::get));
}

impl StreamLine {
    /// Reads a line.
    pub fn parse(text: &str) -> Result<Self, EventError> {
        let raw = Raw::parse(text).map_err(|_| error("a JSON object", Raw::NULL))?;
        if let Some(outcome) = raw.member("outcome") {
            return outcome.parse_as().map(Self::Outcome).map_err(|_| error("an outcome", outcome));
        }
        if let Some(missed) = raw.member("missed") {
            let number = |name: &str| missed.member(name).and_then(Raw::as_u64).unwrap_or_default();
            return Ok(Self::Missed { after_seq: number("after_seq"), count: number("count") });
        }
        if raw.member("end").is_some() {
            return Ok(Self::End);
        }
        item(raw).map(|item| Self::Item(Box::new(item)))
    }

    /// The line of an outcome, a loss or an end; an item's line is made by [`lines`].
    pub fn encode_outcome(outcome: &Outcome) -> String {
        // Plain values with string keys serialise without fail.
        format!("{{\"outcome\":{}}}", serde_json::to_string(outcome).unwrap_or_default())
    }

    /// The line that says what a slow reader has missed.
    pub fn encode_missed(after_seq: u64, count: u64) -> String {
        format!("{{\"missed\":{{\"after_seq\":{after_seq},\"count\":{count}}}}}")
    }

    /// The last line.
    pub fn encode_end() -> String {
        "{\"end\":{}}".to_owned()
    }
}

fn error(expected: &'static str, raw: Raw<'_>) -> EventError {
    EventError::new("line".to_owned(), expected, raw)
}

fn item(raw: Raw<'_>) -> Result<LineItem, EventError> {
    let text = |name: &str| raw.member(name).and_then(Raw::as_str);
    let mode = text("mode").and_then(|mode| mode.parse().ok()).ok_or_else(|| error("a stream mode", raw))?;
    let body = if let Some(part) = raw.member("part") {
        LineBody::Part(Box::new(part.parse_as().map_err(|_| error("a stream part", part))?))
    } else if let Some(event) = raw.member("event") {
        LineBody::Event(GraphEvent::parse(event)?)
    } else {
        let harness = raw.member("harness").ok_or_else(|| error("a part, event or harness event", raw))?;
        let kind = harness.member("type").and_then(Raw::as_str).unwrap_or_default().into_owned();
        LineBody::Harness { kind, payload: harness.member("payload").map(Json::from).unwrap_or_default() }
    };
    // `seq` is the envelope's here; the producer's own counter keeps its name `offset`.
    let mut context = Context::read(raw)?;
    context.seq = raw.member("offset").and_then(Raw::as_u64);
    Ok(LineItem {
        mode,
        seq: raw.member("seq").and_then(Raw::as_u64).ok_or_else(|| error("a sequence number", raw))?,
        ts_ms: raw.member("ts").and_then(Raw::as_f64).unwrap_or_default(),
        run: RunId::from(text("run").unwrap_or_default().as_ref()),
        context,
        body,
    })
}
