//! Where an event belongs. Source: graph streaming and events, "every streamed event carries run id, thread id,
//! namespace, step, and node/task metadata when available".
use crate::{CheckpointId, GraphId, Json, TaskId, ThreadId, codec::Member, event::EventError};
use wire::{JsonKind, NodeId, Raw, RunId};

/// Context of an event, each member where it is known. `namespace` is a path of segments; the root is the empty path.
///
/// ```
/// let payload = wire::Raw::parse(r#"{"run_id":"r1","namespace":["research:7f"],"step":2,"offset":9}"#).unwrap();
/// let context = stream::Context::read(payload).unwrap();
/// assert_eq!((context.step, context.seq), (Some(2), Some(9)));
/// assert_eq!(context.namespace, ["research:7f"]);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Context {
    /// Names the event.
    pub event_id: Option<String>,
    /// The run.
    pub run_id: Option<RunId>,
    /// The outermost run of the tree it belongs to.
    pub root_run_id: Option<RunId>,
    /// The run that started it.
    pub parent_run_id: Option<RunId>,
    /// The conversation.
    pub thread_id: Option<ThreadId>,
    /// The graph.
    pub graph_id: Option<GraphId>,
    /// Path of nested graphs.
    pub namespace: Vec<String>,
    /// The superstep.
    pub step: Option<usize>,
    /// The task.
    pub task_id: Option<TaskId>,
    /// The node.
    pub node: Option<NodeId>,
    /// The newest checkpoint.
    pub checkpoint_id: Option<CheckpointId>,
    /// The producer's own counter: order by it, not by clock.
    pub seq: Option<u64>,
    /// The producer's clock, milliseconds since 1970.
    pub ts_ms: Option<f64>,
}

impl Context {
    /// Reads the context members of an object, in the spellings producers use; other members are not looked at.
    pub fn read(raw: Raw<'_>) -> Result<Self, EventError> {
        let mut context = Self::default();
        for (key, value) in raw.members() {
            context.put(&key.name(), value)?;
        }
        Ok(context)
    }

    /// The context as an object, as harness events carry it in their `graph` member.
    ///
    /// ```
    /// let context = stream::Context { step: Some(2), ..stream::Context::default() };
    /// assert_eq!(context.to_json().get(), r#"{"step":2}"#);
    /// ```
    pub fn to_json(&self) -> Json {
        let mut out = String::from("{");
        self.write(&mut out);
        out.truncate(out.trim_end_matches(',').len());
        out.push('}');
        // What `write` has written is well-formed.
        Json::parse(&out).unwrap_or_default()
    }

    /// Takes a member if it is one of the context's.
    pub(crate) fn put(&mut self, name: &str, raw: Raw<'_>) -> Result<(), EventError> {
        if raw.kind() == JsonKind::Null {
            return Ok(());
        }
        match name {
            "event_id" => self.event_id = read(name, raw)?,
            "run_id" => self.run_id = read(name, raw)?,
            "root_run_id" => self.root_run_id = read(name, raw)?,
            "parent_run_id" => self.parent_run_id = read(name, raw)?,
            "thread_id" => self.thread_id = read(name, raw)?,
            "graph_id" => self.graph_id = read(name, raw)?,
            "namespace" | "ns" => {
                self.namespace =
                    path(raw).ok_or_else(|| EventError::new(name.to_owned(), "a list of strings", raw))?;
            }
            "step" => self.step = read(name, raw)?,
            "task_id" => self.task_id = read(name, raw)?,
            "node" => self.node = read(name, raw)?,
            "checkpoint_id" => self.checkpoint_id = read(name, raw)?,
            "offset" | "seq" => self.seq = Some(number(name, raw, Raw::as_u64)?),
            "ts_ms" => self.ts_ms = Some(number(name, raw, Raw::as_f64)?),
            _ => {}
        }
        Ok(())
    }

    /// Appends the members, each with a comma behind it.
    pub(crate) fn write(&self, out: &mut String) {
        put("event_id", self.event_id.as_ref(), out);
        put("run_id", self.run_id.as_ref(), out);
        put("root_run_id", self.root_run_id.as_ref(), out);
        put("parent_run_id", self.parent_run_id.as_ref(), out);
        put("thread_id", self.thread_id.as_ref(), out);
        put("graph_id", self.graph_id.as_ref(), out);
        put("namespace", (!self.namespace.is_empty()).then_some(&self.namespace), out);
        put("step", self.step.as_ref(), out);
        put("task_id", self.task_id.as_ref(), out);
        put("node", self.node.as_ref(), out);
        put("checkpoint_id", self.checkpoint_id.as_ref(), out);
        put("offset", self.seq.map(|seq| seq as usize).as_ref(), out);
        if let Some(ts_ms) = self.ts_ms {
            out.push_str("\"ts_ms\":");
            wire::json::write_number(ts_ms, out);
            out.push(',');
        }
    }
}

/// A member's value; an empty id is none.
fn read<T: Member>(name: &str, raw: Raw<'_>) -> Result<Option<T>, EventError> {
    let value = T::read(raw).ok_or_else(|| EventError::new(name.to_owned(), T::EXPECTED, raw))?;
    Ok((!value.is_absent()).then_some(value))
}

fn number<'a, T>(
    name: &str,
    raw: Raw<'a>,
    as_number: impl Fn(Raw<'a>) -> Option<T>,
) -> Result<T, EventError> {
    as_number(raw).ok_or_else(|| EventError::new(name.to_owned(), "a number", raw))
}

fn put<T: Member>(name: &str, value: Option<&T>, out: &mut String) {
    let Some(value) = value.filter(|value| !value.is_absent()) else { return };
    out.push('"');
    out.push_str(name);
    out.push_str("\":");
    value.write(out);
    out.push(',');
}

/// A namespace as a list, or as text with `|` between segments; `""` and `()` are the root.
pub(crate) fn path(raw: Raw<'_>) -> Option<Vec<String>> {
    if let Some(text) = raw.as_str() {
        let root = text.is_empty() || text == "()";
        return Some(if root { Vec::new() } else { text.split('|').map(String::from).collect() });
    }
    if raw.kind() == JsonKind::Array {
        raw.items().map(|item| item.as_str().map(String::from)).collect()
    } else {
        None
    }
}

/// The node name of a namespace segment: `node:task_id` without the task, which changes on every replay.
pub fn segment_node(segment: &str) -> &str {
    segment.split_once(':').map_or(segment, |(node, _)| node)
}
