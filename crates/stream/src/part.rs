//! Stream parts: what a subscriber of a mode receives. Source: graph streaming and events, "Typed stream part".
mod payload;

pub use payload::{
    CheckpointPayload, DebugPayload, Message, StateUpdate, StreamMetadata, TaskResult, TaskStreamPayload,
};

use crate::{Interrupt, Json, StreamMode};
use indexmap::IndexMap;
use serde::{Deserialize, Serialize};
use wire::NodeId;

/// One part. `State` is what checkpoints hold and `Output` what the graph gives; both are any JSON unless a caller knows
/// better.
///
/// ```
/// use stream::{Json, StreamPart};
/// let part: StreamPart = serde_json::from_str(r#"{"Updates":{"namespace":[],"data":{"plan":{"n":1}}}}"#).unwrap();
/// let StreamPart::Updates { data, .. } = &part else { panic!() };
/// assert_eq!(data["plan"].get(), r#"{"n":1}"#);
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum StreamPart<State = Json, Output = Json> {
    /// The whole state after a step.
    Values {
        /// Path of nested graphs.
        #[serde(default)]
        namespace: Vec<String>,
        /// The state.
        data: Output,
        /// Interrupts that are pending now.
        #[serde(default)]
        interrupts: Vec<Interrupt>,
    },
    /// What nodes have changed; several when they ran in parallel.
    Updates {
        /// Path of nested graphs.
        #[serde(default)]
        namespace: Vec<String>,
        /// Changes by node.
        data: IndexMap<NodeId, StateUpdate>,
    },
    /// A message, or a piece of one.
    Messages {
        /// Path of nested graphs.
        #[serde(default)]
        namespace: Vec<String>,
        /// The message.
        message: Message,
        /// Where it comes from.
        #[serde(default)]
        metadata: StreamMetadata,
    },
    /// A program's own value.
    Custom {
        /// Path of nested graphs.
        #[serde(default)]
        namespace: Vec<String>,
        /// The value.
        data: Json,
    },
    /// A saved state.
    Checkpoint {
        /// Path of nested graphs.
        #[serde(default)]
        namespace: Vec<String>,
        /// The checkpoint.
        data: CheckpointPayload<State>,
    },
    /// A task begins or ends.
    Tasks {
        /// Path of nested graphs.
        #[serde(default)]
        namespace: Vec<String>,
        /// The task.
        data: TaskStreamPayload,
    },
    /// A checkpoint or a task, for a debugger.
    Debug {
        /// Path of nested graphs.
        #[serde(default)]
        namespace: Vec<String>,
        /// Which of them.
        data: DebugPayload<State>,
    },
}

impl<State, Output> StreamPart<State, Output> {
    /// The mode it belongs to.
    pub fn mode(&self) -> StreamMode {
        match self {
            Self::Values { .. } => StreamMode::Values,
            Self::Updates { .. } => StreamMode::Updates,
            Self::Messages { .. } => StreamMode::Messages,
            Self::Custom { .. } => StreamMode::Custom,
            Self::Checkpoint { .. } => StreamMode::Checkpoints,
            Self::Tasks { .. } => StreamMode::Tasks,
            Self::Debug { .. } => StreamMode::Debug,
        }
    }

    /// Path of nested graphs; the root is empty.
    pub fn namespace(&self) -> &[String] {
        match self {
            Self::Values { namespace, .. }
            | Self::Updates { namespace, .. }
            | Self::Messages { namespace, .. }
            | Self::Custom { namespace, .. }
            | Self::Checkpoint { namespace, .. }
            | Self::Tasks { namespace, .. }
            | Self::Debug { namespace, .. } => namespace,
        }
    }
}
