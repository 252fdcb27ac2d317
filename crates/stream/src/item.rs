//! One thing that happened in a stream, and how it travels in the GraphMind envelope.
//!
//! `graph.event` carries an event, `graph.part` a part; their payload is the context members and one of `event`, `part`.
//! Any other event of the wire is the harness's (model, tool and agent nodes); the context of the graph task it runs in
//! stands in the payload's `graph` member.
use crate::{Context, GraphEvent, Json, StreamPart, event::EventError};
use wire::{Decoded, Header, Message, NodeId, Raw, RunId};

/// Message type of a graph event.
pub const GRAPH_EVENT: &str = "graph.event";
/// Message type of a stream part.
pub const GRAPH_PART: &str = "graph.part";
/// Payload member of a harness event that holds the context of its graph task.
pub const GRAPH_MEMBER: &str = "graph";

/// Something that happened, with its place.
#[derive(Clone, Debug, PartialEq)]
pub struct StreamItem {
    /// Sequence number of the envelope.
    pub seq: u64,
    /// Time of the envelope, milliseconds since 1970.
    pub ts_ms: f64,
    /// Run id of the envelope; `context.run_id` may name a run inside it.
    pub run: RunId,
    /// Where it belongs. `node`, `task_id` and `step` are filled from the event where the producer left them out.
    pub context: Context,
    /// What happened.
    pub body: Body,
    /// The payload as it was received: unknown members and other producers' fields are here.
    pub payload: Json,
}

/// What happened.
#[derive(Clone, Debug, PartialEq)]
pub enum Body {
    /// A graph event.
    Event(GraphEvent),
    /// A part that its producer wrote itself.
    Part(Box<StreamPart>),
    /// An event of a model, tool or agent.
    Harness {
        /// Message type, for example `node.token`; its members are in [`StreamItem::payload`].
        kind: String,
    },
}

impl StreamItem {
    /// Reads a decoded frame. `None` for a frame that is no event: a control, a handshake, an unknown type.
    ///
    /// ```
    /// let frame = stream::encode_event(4, 1.0, "r1", &stream::Context::default(),
    ///     &stream::GraphEvent::RecursionDepthChanged { depth: 2 });
    /// let item = stream::StreamItem::decode(&wire::decode(&frame)).unwrap().unwrap();
    /// assert_eq!((item.seq, item.run.as_str()), (4, "r1"));
    /// ```
    pub fn decode(decoded: &Decoded<'_>) -> Result<Option<Self>, EventError> {
        match decoded {
            Decoded::UnknownType(opaque) => Self::read(&opaque.header, opaque.payload),
            Decoded::Ok(envelope) => Self::harness(&envelope.header, &envelope.message, envelope.raw),
            Decoded::VersionMismatch { .. } | Decoded::Invalid(_) => Ok(None),
        }
    }

    /// Reads a graph event or part from its payload; `None` for any other message type.
    pub fn read(header: &Header<'_>, payload: Raw<'_>) -> Result<Option<Self>, EventError> {
        let (name, expected) = match &*header.kind {
            GRAPH_EVENT => ("event", "a graph event"),
            GRAPH_PART => ("part", "a stream part"),
            _ => return Ok(None),
        };
        let (mut context, mut found) = (Context::default(), None);
        for (key, value) in payload.members() {
            let key = key.name();
            if *key == *name { found = Some(value) } else { context.put(&key, value)? }
        }
        let found = found.ok_or_else(|| EventError::new(name.to_owned(), expected, payload))?;
        let body = match name {
            "event" => Body::Event(GraphEvent::parse(found)?),
            _ => Body::Part(Box::new(part(found)?)),
        };
        Ok(Some(Self::placed(header, context, body, Json::from(payload))))
    }

    fn harness(header: &Header<'_>, message: &Message<'_>, raw: &str) -> Result<Option<Self>, EventError> {
        let (node, extra) = match message {
            Message::RunStarted(payload) => (None, &payload.extra),
            Message::RunFinished(payload) => (None, &payload.extra),
            Message::NodeStarted(payload) => (Some(&payload.node_id), &payload.extra),
            Message::NodeToken(payload) => (Some(&payload.node_id), &payload.extra),
            Message::NodeFinished(payload) => (Some(&payload.node_id), &payload.extra),
            Message::NodeError(payload) => (Some(&payload.node_id), &payload.extra),
            Message::ExecPaused(payload) => (Some(&payload.node_id), &payload.extra),
            Message::ExecResumed(payload) => (None, &payload.extra),
            _ => return Ok(None),
        };
        let mut context = extra.get(GRAPH_MEMBER).map_or_else(|| Ok(Context::default()), Context::read)?;
        context.node = context.node.or_else(|| node.map(NodeId::from).filter(|node| !node.is_empty()));
        let payload = Raw::parse(raw).ok().and_then(|envelope| envelope.member("payload"));
        let payload = payload.map(Json::from).unwrap_or_default();
        Ok(Some(Self::placed(header, context, Body::Harness { kind: header.kind.to_string() }, payload)))
    }

    fn placed(header: &Header<'_>, mut context: Context, body: Body, payload: Json) -> Self {
        let run = RunId::from(&header.run_id);
        context.run_id = context.run_id.or_else(|| (!run.is_empty()).then(|| run.clone()));
        match &body {
            Body::Event(event) => {
                context.node = context.node.or_else(|| event.node().cloned());
                context.task_id = context.task_id.or_else(|| event.task().cloned());
                context.step = context.step.or_else(|| event.step());
                context.checkpoint_id = context.checkpoint_id.or_else(|| event.checkpoint().cloned());
            }
            Body::Part(part) if context.namespace.is_empty() => context.namespace = part.namespace().to_vec(),
            Body::Part(_) | Body::Harness { .. } => {}
        }
        Self { seq: header.seq, ts_ms: header.ts, run, context, body, payload }
    }

    /// A member of the event as it was received, also one that [`GraphEvent`] has no field for, such as `fork`.
    pub fn member(&self, name: &str) -> Option<Raw<'_>> {
        let payload = self.payload.raw();
        match &self.body {
            Body::Event(event) => payload.member("event")?.member(event.name())?.member(name),
            Body::Part(_) => payload.member("part")?.members().next()?.1.member(name),
            Body::Harness { .. } => payload.member(name),
        }
    }

    /// What kind of event it is: the variant, the part's mode, or the message type.
    pub fn kind(&self) -> &str {
        match &self.body {
            Body::Event(event) => event.name(),
            Body::Part(part) => part.mode().as_str(),
            Body::Harness { kind } => kind,
        }
    }
}

fn part(raw: Raw<'_>) -> Result<StreamPart, EventError> {
    raw.parse_as()
        .map_err(|_| EventError::new("part".to_owned(), "a stream part such as {\"Values\": {…}}", raw))
}

/// Writes an event as a `graph.event` envelope.
pub fn encode_event(seq: u64, ts_ms: f64, run: &str, context: &Context, event: &GraphEvent) -> String {
    encode(seq, ts_ms, run, GRAPH_EVENT, context, |out| {
        out.push_str("\"event\":");
        event.write(out);
    })
}

/// Writes a part as a `graph.part` envelope.
pub fn encode_part(seq: u64, ts_ms: f64, run: &str, context: &Context, part: &StreamPart) -> String {
    encode(seq, ts_ms, run, GRAPH_PART, context, |out| {
        out.push_str("\"part\":");
        // Plain values with string keys serialise without fail.
        out.push_str(&serde_json::to_string(part).unwrap_or_default());
    })
}

fn encode(
    seq: u64,
    ts_ms: f64,
    run: &str,
    kind: &str,
    context: &Context,
    body: impl Fn(&mut String),
) -> String {
    wire::encode_with(seq, ts_ms, run, kind, |out| {
        out.push('{');
        context.write(out);
        body(out);
        out.push('}');
    })
}
