//! What a run has come to, whatever was subscribed: final output, whether it is interrupted, what it asks.
//!
//! Feed every item, wanted or not. Invariant: the answer depends on the items and their order only; an interrupt that
//! shows in several parts counts once.
use crate::{Body, GraphEvent, Interrupt, Json, StreamItem, StreamPart};
use indexmap::IndexMap;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use wire::{Raw, RunId};

/// So many pending interrupts are kept; a program that asks more is counted, not followed.
pub const PENDING_MAX: usize = 1024;

/// How a run stands.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RunStatus {
    /// Nothing was seen of it yet.
    #[default]
    Unseen,
    /// It runs.
    Running,
    /// It ends as soon as it can.
    Draining {
        /// Why.
        reason: String,
    },
    /// It asks a person and waits.
    Interrupted,
    /// It has ended well.
    Completed,
    /// It has failed.
    Failed {
        /// Why.
        error: String,
    },
    /// It was ended from outside.
    Aborted,
}

/// Folds the items of one run.
///
/// ```
/// use stream::{GraphEvent, Interrupt, RunFold, StreamItem};
/// let mut fold = RunFold::default();
/// let interrupt = Interrupt { id: "i1".into(), node: "review".into(), payload: "go on?".into() };
/// let frame = stream::encode_event(1, 0.0, "r1", &Default::default(), &GraphEvent::InterruptEmitted { interrupt });
/// fold.apply(&StreamItem::decode(&wire::decode(&frame)).unwrap().unwrap());
/// assert!(fold.is_interrupted());
/// assert_eq!(fold.pending_interrupts()[0].id, "i1");
/// ```
#[derive(Clone, Debug, Default)]
pub struct RunFold {
    root: Option<RunId>,
    status: RunStatus,
    values: Option<Json>,
    output: Option<Json>,
    /// Output of the last node below an outermost one, for programs whose outermost node gives none.
    inner_output: Option<Json>,
    pending: IndexMap<String, Pending>,
    pending_list: Vec<Interrupt>,
    pending_beyond: u64,
    /// Nodes without a parent, and the nodes right below them.
    outermost: BTreeSet<String>,
    below: BTreeSet<String>,
}

/// An interrupt and the place it was asked at.
#[derive(Clone, Debug)]
struct Pending {
    interrupt: Interrupt,
    namespace: Vec<String>,
}

impl RunFold {
    /// What the graph gave: the last state or output of its outermost level. Also there while it runs.
    pub fn final_output(&self) -> Option<&Json> {
        self.output.as_ref().or(self.values.as_ref()).or(self.inner_output.as_ref())
    }

    /// The final output as a type; `None` where there is none.
    pub fn final_output_as<T: serde::de::DeserializeOwned>(&self) -> Option<Result<T, serde_json::Error>> {
        self.final_output().map(Json::parse_as)
    }

    /// Whether it waits for a person.
    pub fn is_interrupted(&self) -> bool {
        self.status() == RunStatus::Interrupted
    }

    /// What it asks, oldest first, each once.
    pub fn pending_interrupts(&self) -> &[Interrupt] {
        &self.pending_list
    }

    /// How many interrupts were asked beyond the [`PENDING_MAX`] that are kept.
    pub fn pending_beyond(&self) -> u64 {
        self.pending_beyond
    }

    /// How it stands.
    pub fn status(&self) -> RunStatus {
        match &self.status {
            RunStatus::Unseen | RunStatus::Running if !self.pending.is_empty() => RunStatus::Interrupted,
            status => status.clone(),
        }
    }

    /// Whether it has ended; an interrupted run has not.
    pub fn is_finished(&self) -> bool {
        matches!(self.status, RunStatus::Completed | RunStatus::Failed { .. } | RunStatus::Aborted)
    }

    /// Takes the next item.
    pub fn apply(&mut self, item: &StreamItem) {
        if self.status == RunStatus::Unseen {
            self.status = RunStatus::Running;
        }
        match &item.body {
            Body::Event(event) => self.event(item, event),
            Body::Part(part) => self.part(part),
            Body::Harness { kind } => self.harness(kind, item.payload.raw()),
        }
    }

    fn event(&mut self, item: &StreamItem, event: &GraphEvent) {
        use GraphEvent as E;
        match event {
            E::RunStarted { run_id, .. } => self.run_started(item, run_id),
            E::InterruptEmitted { interrupt } => self.ask(interrupt, &item.context.namespace),
            E::TaskStarted { node, .. } | E::NodeStarted { node, .. } => {
                self.answered(|pending| {
                    pending.interrupt.node == *node && pending.namespace == item.context.namespace
                });
            }
            E::RunDraining { run_id, reason } if self.is_root(item, run_id) => {
                self.status = RunStatus::Draining { reason: reason.clone() };
            }
            E::RunCompleted { run_id } if self.is_root(item, run_id) => self.end(RunStatus::Completed),
            E::RunFailed { run_id, error } if self.is_root(item, run_id) => {
                self.end(RunStatus::Failed { error: error.clone() });
            }
            _ => {}
        }
    }

    /// A run at the outermost level begins, or goes on under a new id of the same thread.
    fn run_started(&mut self, item: &StreamItem, run: &RunId) {
        let run = if run.is_empty() { item.context.run_id.clone() } else { Some(run.clone()) };
        let inner = item.context.parent_run_id.as_ref().is_some_and(|parent| Some(parent) != run.as_ref());
        let may_begin = self.root.is_none() || self.is_settled();
        if may_begin && !inner && item.context.namespace.is_empty() {
            self.root = run;
            self.status = RunStatus::Running;
        }
    }

    /// Whether another outermost run may begin: the one before has ended or waits.
    fn is_settled(&self) -> bool {
        self.is_finished() || !self.pending.is_empty()
    }

    fn is_root(&self, item: &StreamItem, run: &RunId) -> bool {
        let run = if run.is_empty() { item.context.run_id.as_ref() } else { Some(run) };
        item.context.namespace.is_empty() && (self.root.is_none() || self.root.as_ref() == run)
    }

    fn part(&mut self, part: &StreamPart) {
        match part {
            StreamPart::Values { namespace, data, interrupts } => {
                if namespace.is_empty() {
                    self.values = Some(data.clone());
                    self.answered(|pending| interrupts.is_empty() && pending.interrupt.node.is_empty());
                }
                interrupts.iter().for_each(|interrupt| self.ask(interrupt, namespace));
            }
            StreamPart::Tasks { namespace, data } => self.task(namespace, data),
            StreamPart::Updates { namespace, data } => {
                let asked = data.get(crate::project::INTERRUPT_KEY);
                let asked =
                    asked.into_iter().flat_map(|list| list.raw().items()).filter_map(Interrupt::from_raw);
                asked.for_each(|interrupt| self.ask(&interrupt, namespace));
            }
            _ => {}
        }
    }

    fn task(&mut self, namespace: &[String], task: &crate::TaskStreamPayload) {
        match task {
            crate::TaskStreamPayload::Start { node, .. } => {
                self.answered(|pending| pending.interrupt.node == *node && pending.namespace == namespace);
            }
            crate::TaskStreamPayload::Finish { node, interrupts, .. } => {
                for interrupt in interrupts {
                    let node = if interrupt.node.is_empty() { node.clone() } else { interrupt.node.clone() };
                    self.ask(&Interrupt { node, ..interrupt.clone() }, namespace);
                }
            }
        }
    }

    fn harness(&mut self, kind: &str, payload: Raw<'_>) {
        let text =
            |name: &str| payload.member(name).and_then(Raw::as_str).map(String::from).unwrap_or_default();
        match kind {
            "run.finished" => self.run_finished(payload),
            "node.started" => self.node_started(text("nodeId"), text("parentId")),
            "node.finished" => self.node_finished(&text("nodeId"), payload.member("output")),
            "exec.resumed" => {
                let answered = text("pauseId");
                self.answered(|pending| pending.interrupt.id == answered);
            }
            _ => {}
        }
    }

    fn node_started(&mut self, node: String, parent: String) {
        if parent.is_empty() || parent == node {
            self.outermost.insert(node);
        } else if self.outermost.contains(&parent) {
            self.below.insert(node);
        }
    }

    fn node_finished(&mut self, node: &str, output: Option<Raw<'_>>) {
        let Some(output) = output else { return };
        if self.outermost.contains(node) {
            self.output = Some(Json::from(output));
        } else if self.below.contains(node) {
            self.inner_output = Some(Json::from(output));
        }
    }

    fn run_finished(&mut self, payload: Raw<'_>) {
        let member = |path: &str| payload.pointer(path).and_then(Raw::as_str);
        let status = match member("/status").as_deref() {
            Some("error") => {
                RunStatus::Failed { error: member("/error/message").map(String::from).unwrap_or_default() }
            }
            Some("aborted") => RunStatus::Aborted,
            _ => RunStatus::Completed,
        };
        self.end(status);
    }

    fn end(&mut self, status: RunStatus) {
        self.status = status;
        self.answered(|_| true);
    }

    fn ask(&mut self, interrupt: &Interrupt, namespace: &[String]) {
        let key = match interrupt.id.as_str() {
            "" => format!("{}\n{}", interrupt.node, interrupt.payload),
            id => id.to_owned(),
        };
        if let Some(index) = self.pending.get_index_of(&key) {
            // A later part may know the node that an earlier one did not name.
            if self.pending_list[index].node.is_empty() {
                self.pending_list[index].node = interrupt.node.clone();
                self.pending[index].interrupt.node = interrupt.node.clone();
            }
        } else if self.pending.len() < PENDING_MAX {
            self.pending.insert(key, Pending { interrupt: interrupt.clone(), namespace: namespace.to_vec() });
            self.pending_list.push(interrupt.clone());
        } else {
            self.pending_beyond += 1;
        }
    }

    fn answered(&mut self, which: impl Fn(&Pending) -> bool) {
        let before = self.pending.len();
        self.pending.retain(|_, pending| !which(pending));
        if self.pending.len() != before {
            self.pending_list = self.pending.values().map(|pending| pending.interrupt.clone()).collect();
        }
    }
}
