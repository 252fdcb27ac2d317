//! From items to the parts of each mode. Pure: an item's parts depend on that item alone, so a subscriber that comes late
//! or reads a recording sees what a live one saw.
use crate::{
    Body, CheckpointId, CheckpointPayload, DebugPayload, EventClass, GraphEvent, Interrupt, Json, Message,
    StreamItem, StreamMetadata, StreamMode, StreamPart, TaskId, TaskResult, TaskStreamPayload,
};
use indexmap::IndexMap;
use wire::{NodeId, Raw};

/// Key under which an interrupt stands in `updates`.
pub const INTERRUPT_KEY: &str = "__interrupt__";

/// The parts of an item, each of another mode. The mode `events` has no part: there the item itself is shown.
///
/// ```
/// use stream::{GraphEvent, StreamItem, StreamMode, project};
/// let event = GraphEvent::TaskCached { task_id: "t1".into(), node: "plan".into() };
/// let frame = stream::encode_event(1, 0.0, "r1", &Default::default(), &event);
/// let item = StreamItem::decode(&wire::decode(&frame)).unwrap().unwrap();
/// let modes: Vec<_> = project(&item).iter().map(|part| part.mode()).collect();
/// assert_eq!(modes, [StreamMode::Tasks, StreamMode::Debug]);
/// ```
pub fn project(item: &StreamItem) -> Vec<StreamPart> {
    project_to(item, &|_| true)
}

/// Like [`project`], only for the modes that are wanted.
pub fn project_to(item: &StreamItem, wants: &dyn Fn(StreamMode) -> bool) -> Vec<StreamPart> {
    let mut parts = Vec::new();
    match &item.body {
        Body::Event(event) if mode_of(event).is_some_and(|mode| shows(mode, wants)) => {
            parts.extend(from_event(item, event));
        }
        Body::Part(part) if shows(part.mode(), wants) => parts.push((**part).clone()),
        Body::Harness { kind } if kind == "node.token" && wants(StreamMode::Messages) => {
            return messages(item, item.payload.raw());
        }
        _ => {}
    }
    if wants(StreamMode::Debug) {
        parts.extend(parts.first().and_then(debug_of));
    }
    parts.retain(|part| wants(part.mode()));
    parts
}

/// Whether a part of `mode` is shown, itself or within `debug`.
fn shows(mode: StreamMode, wants: &dyn Fn(StreamMode) -> bool) -> bool {
    let debugs = matches!(mode, StreamMode::Tasks | StreamMode::Checkpoints);
    wants(mode) || (debugs && wants(StreamMode::Debug))
}

/// The mode an event has a part in, `debug` and `events` aside.
fn mode_of(event: &GraphEvent) -> Option<StreamMode> {
    match event.class() {
        EventClass::Task => Some(StreamMode::Tasks),
        EventClass::State | EventClass::Interrupt => Some(StreamMode::Updates),
        EventClass::Checkpoint => Some(StreamMode::Checkpoints),
        EventClass::Custom => Some(StreamMode::Custom),
        _ => None,
    }
}

/// What `debug` shows of a part.
fn debug_of(part: &StreamPart) -> Option<StreamPart> {
    let (namespace, data) = match part {
        StreamPart::Tasks { namespace, data } => (namespace, DebugPayload::Task(data.clone())),
        StreamPart::Checkpoint { namespace, data } => (namespace, DebugPayload::Checkpoint(data.clone())),
        _ => return None,
    };
    Some(StreamPart::Debug { namespace: namespace.clone(), data })
}

/// The modes in which an item shows something.
pub fn modes_of(item: &StreamItem) -> Vec<StreamMode> {
    let mut modes: Vec<_> = project(item).iter().map(StreamPart::mode).collect();
    if !matches!(item.body, Body::Part(_)) {
        modes.push(StreamMode::Events);
    }
    modes.dedup();
    modes
}

fn from_event(item: &StreamItem, event: &GraphEvent) -> Option<StreamPart> {
    use GraphEvent as E;
    Some(match event {
        E::TaskStarted { task_id, node, triggers } => task(item, start(task_id, node, triggers.clone())),
        E::NodeStarted { node, .. } => task(item, start(&task_of(item), node, Vec::new())),
        E::TaskCompleted { task_id, node } => task(item, finish(task_id, node, TaskResult::Ok, None)),
        E::NodeCompleted { node, .. } => task(item, finish(&task_of(item), node, TaskResult::Ok, None)),
        E::TaskCached { task_id, node } => task(item, finish(task_id, node, TaskResult::Cached, None)),
        E::TaskFailed { task_id, node, error } => {
            task(item, finish(task_id, node, TaskResult::Error, Some(error)))
        }
        E::NodeFailed { node, error, .. } => {
            task(item, finish(&task_of(item), node, TaskResult::Error, Some(error)))
        }
        E::StateUpdated { node, update } => updates(item, node.clone(), update.clone()),
        E::CheckpointSaved { checkpoint_id } => checkpoint(item, checkpoint_id.clone()),
        E::InterruptEmitted { interrupt } => interrupted(item, interrupt),
        E::Custom { name, payload } => custom(item, name, payload),
        _ => return None,
    })
}

fn namespace(item: &StreamItem) -> Vec<String> {
    item.context.namespace.clone()
}

fn task_of(item: &StreamItem) -> TaskId {
    item.context.task_id.clone().unwrap_or_default()
}

fn start(task_id: &TaskId, node: &NodeId, triggers: Vec<String>) -> TaskStreamPayload {
    TaskStreamPayload::Start { task_id: task_id.clone(), node: node.clone(), input: None, triggers }
}

fn finish(task_id: &TaskId, node: &NodeId, status: TaskResult, error: Option<&String>) -> TaskStreamPayload {
    TaskStreamPayload::Finish {
        task_id: task_id.clone(),
        node: node.clone(),
        status,
        result: None,
        error: error.cloned(),
        interrupts: Vec::new(),
    }
}

fn task(item: &StreamItem, data: TaskStreamPayload) -> StreamPart {
    StreamPart::Tasks { namespace: namespace(item), data }
}

fn checkpoint(item: &StreamItem, checkpoint_id: CheckpointId) -> StreamPart {
    let data = CheckpointPayload { checkpoint_id, step: item.context.step, ..CheckpointPayload::default() };
    StreamPart::Checkpoint { namespace: namespace(item), data }
}

fn updates(item: &StreamItem, node: NodeId, update: Json) -> StreamPart {
    StreamPart::Updates { namespace: namespace(item), data: IndexMap::from([(node, update)]) }
}

fn interrupted(item: &StreamItem, interrupt: &Interrupt) -> StreamPart {
    updates(item, NodeId::from(INTERRUPT_KEY), Json::of(&[interrupt]).unwrap_or_default())
}

fn custom(item: &StreamItem, name: &str, payload: &Json) -> StreamPart {
    let mut data = String::from("{\"name\":");
    wire::json::write_string(name, &mut data);
    data.push_str(",\"payload\":");
    data.push_str(payload.get());
    data.push('}');
    StreamPart::Custom { namespace: namespace(item), data: Json::parse(&data).unwrap_or_default() }
}

/// One part a delta: texts of different channels are never glued together.
fn messages(item: &StreamItem, payload: Raw<'_>) -> Vec<StreamPart> {
    let context = &item.context;
    let metadata = StreamMetadata {
        run_id: context.run_id.clone(),
        thread_id: context.thread_id.clone(),
        graph_id: context.graph_id.clone(),
        step: context.step,
        node: context.node.clone(),
        task_id: context.task_id.clone(),
        ..StreamMetadata::default()
    };
    let deltas = payload.member("deltas");
    let id = payload.member("instanceId").and_then(Raw::as_str).map(String::from);
    let part = |delta: Raw<'_>| {
        let channel = delta.member("t").and_then(Raw::as_str).filter(|t| *t != "text").map(String::from);
        let content = delta.member("v").and_then(Raw::as_str).map(String::from).unwrap_or_default();
        let message = Message { id: id.clone(), content, channel, delta: true, ..Message::default() };
        StreamPart::Messages { namespace: namespace(item), message, metadata: metadata.clone() }
    };
    deltas.into_iter().flat_map(Raw::items).map(part).collect()
}
