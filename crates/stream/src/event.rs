//! What a graph runtime says happened. Source: graph streaming and events, "Event stream".
//!
//! The first 22 variants are the seed's, in its serde shape (externally tagged, names as in Rust); the others are what
//! real producers add. A variant this version does not know is kept whole in [`GraphEvent::Unknown`].
//! Invariant: reading is not recursive over a value's depth, and never panics. What an event *means* is `graph`'s.
mod about;

pub use about::EventClass;

use crate::{CheckpointId, ComponentId, GraphId, Interrupt, Json, RouteTarget, TaskId, codec::Member};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use wire::{JsonKind, NodeId, Raw, RunId};

/// An event of a known variant with a member of the wrong kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventError {
    /// Where, for example `StepStarted.step`.
    pub path: String,
    /// What is accepted there.
    pub expected: &'static str,
    /// What stands there, shortened.
    pub seen: String,
}

impl EventError {
    pub(crate) fn new(path: String, expected: &'static str, raw: Raw<'_>) -> Self {
        Self { path, expected, seen: raw.get().chars().take(60).collect() }
    }
}

impl fmt::Display for EventError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: expected {}, seen {}", self.path, self.expected, self.seen)
    }
}

impl std::error::Error for EventError {}

/// Declares the events from one table; aliases are other producers' names for a member.
macro_rules! events {
    ($(
        $(#[doc = $doc:literal])+
        $variant:ident { $( $(#[doc = $about:literal])+ $field:ident: $ty:ty $(| $alias:literal)*, )* },
    )+) => {
        /// One event of a graph run. A member that its producer left out is empty.
        ///
        /// ```
        /// use stream::GraphEvent;
        /// let event: GraphEvent = serde_json::from_str(r#"{"StepStarted":{"step":1,"active":["plan"]}}"#).unwrap();
        /// assert_eq!(event, GraphEvent::StepStarted { step: 1, active: vec!["plan".into()] });
        /// ```
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub enum GraphEvent {
            $(
                $(#[doc = $doc])+
                $variant { $( $(#[doc = $about])+ $field: $ty, )* },
            )+
            /// A variant this version does not know.
            Unknown {
                /// Its name.
                name: String,
                /// What it holds; none for a bare name.
                body: Option<Json>,
            },
        }

        impl GraphEvent {
            /// Every variant this version knows.
            pub const NAMES: &'static [&'static str] = &[$(stringify!($variant)),+];

            /// The variant's name.
            pub fn name(&self) -> &str {
                match self {
                    $( Self::$variant { .. } => stringify!($variant), )+
                    Self::Unknown { name, .. } => name,
                }
            }

            fn read(name: &str, body: Option<Raw<'_>>) -> Result<Self, EventError> {
                match name {
                    $( stringify!($variant) => {
                        $( let mut $field = <$ty>::default(); )*
                        for (key, value) in body.into_iter().flat_map(Raw::members) {
                            match key.name().as_ref() {
                                $( stringify!($field) $(| $alias)* => $field = member(name, stringify!($field), value)?, )*
                                _ => {}
                            }
                        }
                        Ok(Self::$variant { $($field),* })
                    } )+
                    _ => Ok(Self::Unknown { name: name.to_owned(), body: body.map(Json::from) }),
                }
            }

            /// Appends the event as JSON.
            pub fn write(&self, out: &mut String) {
                match self {
                    $( Self::$variant { $($field),* } => {
                        out.push_str(concat!("{\"", stringify!($variant), "\":{"));
                        let mut first = true;
                        $( put(stringify!($field), $field, &mut first, out); )*
                        out.push_str("}}");
                    } )+
                    Self::Unknown { name, body } => unknown(name, body.as_ref(), out),
                }
            }
        }
    };
}

fn member<T: Member>(variant: &str, name: &str, raw: Raw<'_>) -> Result<T, EventError> {
    if raw.kind() == JsonKind::Null {
        return Ok(T::default());
    }
    T::read(raw).ok_or_else(|| EventError::new(format!("{variant}.{name}"), T::EXPECTED, raw))
}

fn put<T: Member>(name: &str, value: &T, first: &mut bool, out: &mut String) {
    if value.is_absent() {
        return;
    }
    if !std::mem::take(first) {
        out.push(',');
    }
    out.push('"');
    out.push_str(name);
    out.push_str("\":");
    value.write(out);
}

fn unknown(name: &str, body: Option<&Json>, out: &mut String) {
    let Some(body) = body else { return wire::json::write_string(name, out) };
    out.push('{');
    wire::json::write_string(name, out);
    out.push(':');
    out.push_str(body.get());
    out.push('}');
}

events! {
    /// A run has begun.
    RunStarted {
        /// The run.
        run_id: RunId,
        /// Its graph.
        graph_id: GraphId,
    },
    /// A run's stream has begun.
    RunStreamingStarted {
        /// The run.
        run_id: RunId,
    },
    /// A superstep has begun.
    StepStarted {
        /// Its number.
        step: usize,
        /// The nodes that run in it.
        active: Vec<NodeId>,
    },
    /// A task has begun.
    TaskStarted {
        /// The task.
        task_id: TaskId,
        /// Its node.
        node: NodeId,
        /// What made it run: the real edges.
        triggers: Vec<String>,
    },
    /// A task has ended.
    TaskCompleted {
        /// The task.
        task_id: TaskId,
        /// Its node.
        node: NodeId,
    },
    /// A task was answered from the cache.
    TaskCached {
        /// The task.
        task_id: TaskId,
        /// Its node.
        node: NodeId,
    },
    /// A task has failed.
    TaskFailed {
        /// The task.
        task_id: TaskId,
        /// Its node.
        node: NodeId,
        /// Why.
        error: String,
    },
    /// A node has changed the state.
    StateUpdated {
        /// The node.
        node: NodeId,
        /// What it changed; `null` where the producer does not say.
        update: Json,
    },
    /// A node's next nodes were chosen.
    RouteSelected {
        /// The node.
        node: NodeId,
        /// Where it goes.
        routes: Vec<RouteTarget> | "target" | "targets",
    },
    /// A context was forked for parallel work.
    ContextForked {
        /// The task that forks; empty where the producer names a node instead.
        parent_task_id: TaskId,
        /// The fork.
        child_task_id: TaskId,
    },
    /// A fork was joined.
    ContextForkJoined {
        /// The task that had forked.
        parent_task_id: TaskId,
        /// The fork.
        child_task_id: TaskId,
    },
    /// A graph inside a node has begun.
    SubgraphStarted {
        /// The node.
        node: NodeId,
        /// The run of the inner graph.
        child_run_id: RunId,
        /// Path of the inner graph.
        namespace: Vec<String> | "ns",
    },
    /// A graph inside a node has ended.
    SubgraphCompleted {
        /// The node.
        node: NodeId,
        /// The run of the inner graph.
        child_run_id: RunId,
    },
    /// An agent inside a node has begun.
    SubAgentStarted {
        /// The node.
        node: NodeId,
        /// The agent.
        agent: ComponentId,
        /// The agent's run.
        child_run_id: RunId,
    },
    /// An agent inside a node has ended.
    SubAgentCompleted {
        /// The node.
        node: NodeId,
        /// The agent.
        agent: ComponentId,
        /// The agent's run.
        child_run_id: RunId,
    },
    /// Graphs are nested deeper or less deep than before.
    RecursionDepthChanged {
        /// The depth now.
        depth: usize,
    },
    /// A state was saved.
    CheckpointSaved {
        /// The checkpoint.
        checkpoint_id: CheckpointId,
    },
    /// The graph asks a person and waits.
    InterruptEmitted {
        /// What it asks.
        interrupt: Interrupt,
    },
    /// The run ends as soon as it can.
    RunDraining {
        /// The run.
        run_id: RunId,
        /// Why.
        reason: String,
    },
    /// A run has ended well.
    RunCompleted {
        /// The run.
        run_id: RunId,
    },
    /// A run has failed.
    RunFailed {
        /// The run.
        run_id: RunId,
        /// Why.
        error: String,
    },
    /// A program's own event.
    Custom {
        /// Its name.
        name: String,
        /// What it holds.
        payload: Json | "data",
    },
    /// A superstep has ended. (Not in the seed.)
    StepCompleted {
        /// Its number.
        step: usize,
    },
    /// A node is due to run. (Not in the seed.)
    TaskScheduled {
        /// The node.
        node: NodeId,
        /// In which superstep.
        step: usize,
    },
    /// A node has begun, where the producer has no tasks. (Not in the seed.)
    NodeStarted {
        /// The node.
        node: NodeId,
        /// In which superstep.
        step: usize,
    },
    /// A node has ended. (Not in the seed.)
    NodeCompleted {
        /// The node.
        node: NodeId,
        /// In which superstep.
        step: usize,
    },
    /// A node has failed. (Not in the seed.)
    NodeFailed {
        /// The node.
        node: NodeId,
        /// In which superstep.
        step: usize,
        /// Why.
        error: String,
    },
    /// A node is tried again. (Not in the seed.)
    NodeRetryScheduled {
        /// The node.
        node: NodeId,
        /// In which superstep.
        step: usize,
        /// Number of the coming try.
        attempt: usize,
    },
    /// A state was restored. (Not in the seed.)
    CheckpointRestored {
        /// The checkpoint.
        checkpoint_id: CheckpointId,
    },
}

impl GraphEvent {
    /// Reads an externally tagged event: `{"Name": {…}}`, or `"Name"` for one without members.
    pub fn parse(raw: Raw<'_>) -> Result<Self, EventError> {
        if let Some(name) = raw.as_str() {
            return Self::read(&name, None);
        }
        let Some((key, body)) = raw.members().next() else {
            return Err(EventError::new("event".to_owned(), "an event such as {\"StepStarted\": {…}}", raw));
        };
        Self::read(&key.name(), Some(body))
    }

    /// The event as JSON text.
    pub fn to_json(&self) -> String {
        let mut out = String::with_capacity(128);
        self.write(&mut out);
        out
    }
}

impl Serialize for GraphEvent {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Json::parse(&self.to_json()).map_err(serde::ser::Error::custom)?.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for GraphEvent {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let json = Json::deserialize(deserializer)?;
        Self::parse(json.raw()).map_err(serde::de::Error::custom)
    }
}
