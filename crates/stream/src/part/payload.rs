//! What the parts hold.
use crate::{CheckpointId, GraphId, Interrupt, Json, TaskId, ThreadId};
use serde::{Deserialize, Serialize};
use wire::{NodeId, RunId};

/// What a node has changed in the state.
pub type StateUpdate = Json;

/// A message of a harness, whole or a piece.
///
/// ```
/// let piece = stream::Message { delta: true, content: "Hel".into(), ..Default::default() };
/// assert_eq!(serde_json::to_string(&piece).unwrap(), r#"{"content":"Hel","delta":true}"#);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Message {
    /// Names the message; pieces of one message share it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Who speaks, for example `assistant`; empty where it is not known.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub role: String,
    /// The text.
    pub content: String,
    /// Which text it is: absent for the answer, else `reasoning`, `tool-args` or a sender's own word.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub channel: Option<String>,
    /// Whether it continues a message.
    pub delta: bool,
    /// Tool calls it makes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tool_calls: Vec<Json>,
    /// Tokens used, as the producer counts them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub usage: Option<Json>,
}

/// Where a message comes from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct StreamMetadata {
    /// The run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run_id: Option<RunId>,
    /// The conversation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thread_id: Option<ThreadId>,
    /// The graph.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub graph_id: Option<GraphId>,
    /// The superstep.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<usize>,
    /// The node.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub node: Option<NodeId>,
    /// The task.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub task_id: Option<TaskId>,
    /// What made the node run.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub triggers: Vec<String>,
    /// The model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
}

/// A saved state.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CheckpointPayload<State = Json> {
    /// Names it.
    pub checkpoint_id: CheckpointId,
    /// The one it continues; several that share it are forks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent_checkpoint_id: Option<CheckpointId>,
    /// The superstep behind which it was saved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<usize>,
    /// The state, where the producer says it.
    #[serde(default = "none", skip_serializing_if = "Option::is_none")]
    pub values: Option<State>,
    /// The nodes that run next.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub next: Vec<NodeId>,
}

/// A default that asks nothing of `T`.
fn none<T>() -> Option<T> {
    None
}

/// How a task ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TaskResult {
    /// With a result.
    Ok,
    /// From the cache.
    Cached,
    /// With an error.
    Error,
    /// It asks and waits.
    Interrupted,
}

/// A task that begins or ends.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum TaskStreamPayload {
    /// It begins.
    Start {
        /// The task; empty where the producer has none.
        #[serde(default, skip_serializing_if = "TaskId::is_empty")]
        task_id: TaskId,
        /// Its node.
        node: NodeId,
        /// What it gets.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        input: Option<Json>,
        /// What made it run.
        #[serde(default)]
        triggers: Vec<String>,
    },
    /// It ends.
    Finish {
        /// The task; empty where the producer has none.
        #[serde(default, skip_serializing_if = "TaskId::is_empty")]
        task_id: TaskId,
        /// Its node.
        node: NodeId,
        /// How.
        status: TaskResult,
        /// What it gave.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        result: Option<Json>,
        /// Why it failed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        error: Option<String>,
        /// What it asks.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        interrupts: Vec<Interrupt>,
    },
}

impl TaskStreamPayload {
    /// The task.
    pub fn task_id(&self) -> &TaskId {
        match self {
            Self::Start { task_id, .. } | Self::Finish { task_id, .. } => task_id,
        }
    }

    /// Its node.
    pub fn node(&self) -> &NodeId {
        match self {
            Self::Start { node, .. } | Self::Finish { node, .. } => node,
        }
    }
}

/// What a debugger sees of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum DebugPayload<State = Json> {
    /// A saved state.
    Checkpoint(CheckpointPayload<State>),
    /// A task.
    Task(TaskStreamPayload),
}
