//! What a subscriber wants. Every list that is not empty must be met (and), by any of its entries (or).
//!
//! A filter decides what is shown, never what is known: [`crate::RunFold`] sees every item before it is filtered.
use crate::{
    Body, Context, EventClass, StreamItem, StreamMode, StreamPart, TaskId, ThreadId, context::segment_node,
};
use std::{fmt, str::FromStr};
use wire::{NodeId, RunId};

/// Families that a subscriber can choose. Source: graph streaming and events, "subscribers can filter …".
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Family {
    /// All graph lifecycle events.
    GraphEvents,
    /// Events of models, tools and agents.
    HarnessEvents,
    /// Sub-agents beginning and ending.
    SubAgentEvents,
    /// Changes of the state.
    StateUpdates,
    /// Tasks beginning and ending.
    TaskPayloads,
    /// Messages and token deltas.
    Messages,
    /// States saved and restored.
    Checkpoints,
}

impl Family {
    /// All families.
    pub const ALL: [Self; 7] = [
        Self::GraphEvents,
        Self::HarnessEvents,
        Self::SubAgentEvents,
        Self::StateUpdates,
        Self::TaskPayloads,
        Self::Messages,
        Self::Checkpoints,
    ];

    /// The family's name in a query.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::GraphEvents => "graph-events",
            Self::HarnessEvents => "harness-events",
            Self::SubAgentEvents => "sub-agent-events",
            Self::StateUpdates => "state-updates",
            Self::TaskPayloads => "task-payloads",
            Self::Messages => "messages",
            Self::Checkpoints => "checkpoints",
        }
    }

    /// Whether an item belongs to the family.
    pub fn holds(self, item: &StreamItem) -> bool {
        match &item.body {
            Body::Event(event) => match self {
                Self::GraphEvents => true,
                Self::SubAgentEvents => event.class() == EventClass::SubAgent,
                Self::StateUpdates => event.class() == EventClass::State,
                Self::TaskPayloads => event.class() == EventClass::Task,
                Self::Checkpoints => event.class() == EventClass::Checkpoint,
                Self::HarnessEvents | Self::Messages => false,
            },
            Body::Part(part) => matches!(
                (self, &**part),
                (Self::StateUpdates, StreamPart::Values { .. } | StreamPart::Updates { .. })
                    | (Self::TaskPayloads, StreamPart::Tasks { .. } | StreamPart::Debug { .. })
                    | (Self::Checkpoints, StreamPart::Checkpoint { .. } | StreamPart::Debug { .. })
                    | (Self::Messages | Self::HarnessEvents, StreamPart::Messages { .. })
                    | (Self::GraphEvents, StreamPart::Custom { .. })
            ),
            Body::Harness { kind } => {
                self == Self::HarnessEvents || (self == Self::Messages && kind == "node.token")
            }
        }
    }
}

impl FromStr for Family {
    type Err = FilterError;

    fn from_str(name: &str) -> Result<Self, FilterError> {
        Self::ALL.into_iter().find(|family| family.as_str() == name).ok_or_else(|| {
            let names: Vec<_> = Self::ALL.iter().map(|family| family.as_str()).collect();
            FilterError(format!("unknown family {name:?}; there are {}", names.join(", ")))
        })
    }
}

/// A query that cannot be read: what was seen and what is accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilterError(String);

impl fmt::Display for FilterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for FilterError {}

/// A subscriber's choice; empty takes everything.
///
/// ```
/// let filter = stream::StreamFilter::from_query("modes=updates,custom&namespace=research/search&nodes=plan").unwrap();
/// assert_eq!(filter.namespace.as_deref(), Some(&["research".to_owned(), "search".to_owned()][..]));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StreamFilter {
    /// Modes to project to.
    pub modes: Vec<StreamMode>,
    /// Families of items.
    pub families: Vec<Family>,
    /// Runs: the envelope's, or the one inside it that the context names.
    pub runs: Vec<RunId>,
    /// Threads.
    pub threads: Vec<ThreadId>,
    /// First segments of the namespace; a segment is met by its text or by its node name alone.
    pub namespace: Option<Vec<String>>,
    /// Nodes.
    pub nodes: Vec<NodeId>,
    /// Tasks.
    pub tasks: Vec<TaskId>,
    /// Event kinds: variants, modes of parts, message types.
    pub kinds: Vec<String>,
}

impl StreamFilter {
    /// Whether an item is wanted, modes aside.
    pub fn matches(&self, item: &StreamItem) -> bool {
        let context = &item.context;
        let kind = item.kind();
        let run = |run: &RunId| *run == item.run || context.run_id.as_ref() == Some(run);
        any(&self.families, |family| family.holds(item))
            && any(&self.runs, run)
            && any(&self.threads, |thread| context.thread_id.as_ref() == Some(thread))
            && any(&self.nodes, |node| context.node.as_ref() == Some(node))
            && any(&self.tasks, |task| context.task_id.as_ref() == Some(task))
            && any(&self.kinds, |wanted| wanted == kind)
            && self.in_namespace(context)
    }

    /// Whether a mode is wanted.
    pub fn wants(&self, mode: StreamMode) -> bool {
        any(&self.modes, |wanted| *wanted == mode)
    }

    fn in_namespace(&self, context: &Context) -> bool {
        let Some(prefix) = &self.namespace else { return true };
        let met =
            |(wanted, segment): (&String, &String)| wanted == segment || wanted == segment_node(segment);
        prefix.len() <= context.namespace.len() && prefix.iter().zip(&context.namespace).all(met)
    }

    /// Reads `modes=…&families=…&runs=…&threads=…&namespace=a/b&nodes=…&tasks=…&kinds=…`, lists with commas. Other
    /// members are the caller's. Percent escapes are read.
    pub fn from_query(query: &str) -> Result<Self, FilterError> {
        let mut filter = Self::default();
        for pair in query.split('&').filter(|pair| !pair.is_empty()) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            let words = || value.split(',').filter(|word| !word.is_empty()).map(plain);
            match name {
                "modes" | "mode" => filter.modes = all(words(), |word| word.parse().map_err(FilterError))?,
                "families" | "family" => filter.families = all(words(), |word| word.parse())?,
                "run" | "runs" => filter.runs = words().map(RunId::from).collect(),
                "threads" | "thread" => filter.threads = words().map(ThreadId::from).collect(),
                "namespace" | "ns" => filter.namespace = Some(segments(value)),
                "nodes" | "node" => filter.nodes = words().map(NodeId::from).collect(),
                "tasks" | "task" => filter.tasks = words().map(TaskId::from).collect(),
                "kinds" | "kind" => filter.kinds = words().collect(),
                _ => {}
            }
        }
        Ok(filter)
    }
}

/// An empty list is met by anything.
fn any<T>(list: &[T], met: impl Fn(&T) -> bool) -> bool {
    list.is_empty() || list.iter().any(met)
}

fn all<T>(
    words: impl Iterator<Item = String>,
    read: impl Fn(&str) -> Result<T, FilterError>,
) -> Result<Vec<T>, FilterError> {
    words.map(|word| read(&word)).collect()
}

fn segments(value: &str) -> Vec<String> {
    value.split(['/', '|']).filter(|segment| !segment.is_empty()).map(plain).collect()
}

/// Reads percent escapes; what is no escape stays as it is.
fn plain(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, tail)) = rest.split_first() {
        let escaped = (byte == b'%').then(|| tail.get(..2)).flatten();
        let value = escaped.and_then(|hex| u8::from_str_radix(std::str::from_utf8(hex).ok()?, 16).ok());
        (bytes, rest) = match value {
            Some(value) => (push(bytes, value), &tail[2..]),
            None => (push(bytes, byte), tail),
        };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn push(mut bytes: Vec<u8>, byte: u8) -> Vec<u8> {
    bytes.push(byte);
    bytes
}
