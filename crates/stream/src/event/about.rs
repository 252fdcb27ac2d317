//! What an event is about: its node, task, step and class, without knowing each variant.
use super::GraphEvent;
use crate::{CheckpointId, TaskId};
use serde::{Deserialize, Serialize};
use wire::NodeId;

/// The family an event belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EventClass {
    /// A run begins or ends.
    Run,
    /// A superstep begins or ends.
    Step,
    /// A task or node begins or ends.
    Task,
    /// The state changes.
    State,
    /// A way is chosen.
    Route,
    /// A context is forked or joined.
    Fork,
    /// A graph inside a graph.
    Subgraph,
    /// An agent inside a graph.
    SubAgent,
    /// A state is saved or restored.
    Checkpoint,
    /// A person is asked.
    Interrupt,
    /// A program's own event.
    Custom,
    /// A variant this version does not know.
    Unknown,
}

impl GraphEvent {
    /// The family it belongs to.
    pub fn class(&self) -> EventClass {
        use GraphEvent as E;
        match self {
            E::RunStarted { .. }
            | E::RunStreamingStarted { .. }
            | E::RunDraining { .. }
            | E::RunCompleted { .. }
            | E::RunFailed { .. }
            | E::RecursionDepthChanged { .. } => EventClass::Run,
            E::StepStarted { .. } | E::StepCompleted { .. } => EventClass::Step,
            E::StateUpdated { .. } => EventClass::State,
            E::RouteSelected { .. } => EventClass::Route,
            E::ContextForked { .. } | E::ContextForkJoined { .. } => EventClass::Fork,
            E::SubgraphStarted { .. } | E::SubgraphCompleted { .. } => EventClass::Subgraph,
            E::SubAgentStarted { .. } | E::SubAgentCompleted { .. } => EventClass::SubAgent,
            E::CheckpointSaved { .. } | E::CheckpointRestored { .. } => EventClass::Checkpoint,
            E::InterruptEmitted { .. } => EventClass::Interrupt,
            E::Custom { .. } => EventClass::Custom,
            E::Unknown { .. } => EventClass::Unknown,
            E::TaskStarted { .. }
            | E::TaskCompleted { .. }
            | E::TaskCached { .. }
            | E::TaskFailed { .. }
            | E::TaskScheduled { .. }
            | E::NodeStarted { .. }
            | E::NodeCompleted { .. }
            | E::NodeFailed { .. }
            | E::NodeRetryScheduled { .. } => EventClass::Task,
        }
    }

    /// The node it names.
    pub fn node(&self) -> Option<&NodeId> {
        use GraphEvent as E;
        let node = match self {
            E::TaskStarted { node, .. }
            | E::TaskCompleted { node, .. }
            | E::TaskCached { node, .. }
            | E::TaskFailed { node, .. }
            | E::StateUpdated { node, .. }
            | E::RouteSelected { node, .. }
            | E::SubgraphStarted { node, .. }
            | E::SubgraphCompleted { node, .. }
            | E::SubAgentStarted { node, .. }
            | E::SubAgentCompleted { node, .. }
            | E::TaskScheduled { node, .. }
            | E::NodeStarted { node, .. }
            | E::NodeCompleted { node, .. }
            | E::NodeFailed { node, .. }
            | E::NodeRetryScheduled { node, .. } => node,
            E::InterruptEmitted { interrupt } => &interrupt.node,
            _ => return None,
        };
        (!node.is_empty()).then_some(node)
    }

    /// The task it names.
    pub fn task(&self) -> Option<&TaskId> {
        use GraphEvent as E;
        let task = match self {
            E::TaskStarted { task_id, .. }
            | E::TaskCompleted { task_id, .. }
            | E::TaskCached { task_id, .. }
            | E::TaskFailed { task_id, .. } => task_id,
            E::ContextForked { child_task_id, .. } | E::ContextForkJoined { child_task_id, .. } => {
                child_task_id
            }
            _ => return None,
        };
        (!task.is_empty()).then_some(task)
    }

    /// The superstep it names.
    pub fn step(&self) -> Option<usize> {
        use GraphEvent as E;
        match self {
            E::StepStarted { step, .. }
            | E::StepCompleted { step }
            | E::TaskScheduled { step, .. }
            | E::NodeStarted { step, .. }
            | E::NodeCompleted { step, .. }
            | E::NodeFailed { step, .. }
            | E::NodeRetryScheduled { step, .. } => Some(*step),
            _ => None,
        }
    }

    /// The checkpoint it names.
    pub fn checkpoint(&self) -> Option<&CheckpointId> {
        match self {
            Self::CheckpointSaved { checkpoint_id } | Self::CheckpointRestored { checkpoint_id } => {
                (!checkpoint_id.is_empty()).then_some(checkpoint_id)
            }
            _ => None,
        }
    }
}
