//! Handles of one execution of a node: [`Node`] to stream into and to nest under, [`NodeGuard`] to end it by hand.

use crate::{
    emit::End,
    error::type_label,
    gate::{self, Gate, Refusal, Verdict},
    hold::Answer,
    place::Place,
    scope::Scope,
    usage::Usage,
};
use serde::Serialize;
use serde_json::{Value, value::RawValue};
use std::fmt::{Debug, Display};
use std::ops::Deref;
use std::sync::Arc;
use wire::{Action, Channel, Point, RefusalCode, RunOutcome};

/// One execution of a node, while it runs. A [`Scope`] too: nodes can be hung under it.
#[derive(Clone, Debug)]
pub struct Node {
    scope: Scope,
}

impl Deref for Node {
    type Target = Scope;

    fn deref(&self) -> &Scope {
        &self.scope
    }
}

impl Node {
    pub(crate) fn new(place: Arc<Place>) -> Self {
        let (run, graph) = (Arc::clone(&place.run), place.graph.clone());
        Self { scope: Scope { run, place: Some(place), graph } }
    }

    fn with(&self, act: impl FnMut(&Arc<Place>)) {
        self.scope.place.as_ref().into_iter().for_each(act);
    }

    /// Streams words of the answer. Cheap: texts are joined and sent as one event after a moment.
    pub fn text(&self, text: &str) {
        self.with(|place| place.push_delta(Channel::Text, text));
    }

    /// Streams words of the model's reasoning.
    pub fn reasoning(&self, text: &str) {
        self.with(|place| place.push_delta(Channel::Reasoning, text));
    }

    /// Streams a piece of a tool call's arguments.
    pub fn tool_args(&self, text: &str) {
        self.with(|place| place.push_delta(Channel::ToolArgs, text));
    }

    /// Says what the model call has cost; sent with the node's end. The last word counts.
    pub fn usage(&self, usage: Usage) {
        self.with(|place| place.set_usage(usage.clone()));
    }
}

/// What a person decided at a gate that a program holds by hand.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Decision {
    /// Go on (also when there is no debugger).
    Continue,
    /// Run the node again.
    Retry,
    /// Go on with this value as the node's output.
    Inject(Value),
    /// End the run.
    Abort,
}

/// A node that the program starts and ends by hand, where [`Call::call`](crate::Call::call) does not fit.
///
/// Dropped without an end it ends as aborted, and as failed while its thread panics.
///
/// ```
/// use client::{Decision, Point};
///
/// # let session = client::Session::disabled();
/// let run = session.run("crawler").start();
/// let fetch = run.node("retriever", "fetch").start(&"https://example.org");
/// if fetch.gate_blocking(Point::Before) == Decision::Abort {
///     return;
/// }
/// fetch.finish(&"<html></html>");
/// ```
pub struct NodeGuard {
    node: Node,
    place: Arc<Place>,
}

impl Deref for NodeGuard {
    type Target = Node;

    fn deref(&self) -> &Node {
        &self.node
    }
}

impl NodeGuard {
    pub(crate) fn new(place: Arc<Place>) -> Self {
        Self { node: Node::new(Arc::clone(&place)), place }
    }

    pub(crate) fn place(&self) -> &Arc<Place> {
        &self.place
    }

    /// A handle to pass on.
    pub fn node(&self) -> &Node {
        &self.node
    }

    /// Ends the node well.
    pub fn finish<T: Serialize + ?Sized>(self, output: &T) {
        self.place.end(RunOutcome::Ok, self.place.output_body(output), End::Own);
    }

    /// Ends the node as failed, without a gate; see [`gate`](Self::gate) with [`Point::Error`] to hold first.
    pub fn fail<E: Display + Debug + ?Sized>(self, error: &E) {
        self.place.emit_error(type_label::<E>(), &error.to_string(), stack(error).as_deref());
        self.place.end(RunOutcome::Error, None, End::Own);
    }

    /// Holds here if a debugger wants it. Inputs cannot be edited at such a gate.
    pub async fn gate(&self, point: Point) -> Decision {
        let Some((why, facts)) = gate::wanted(&self.place, point) else { return Decision::Continue };
        let gate = Gate { place: &self.place, point, why, facts, editable: false, pause_id: None };
        let decision = gate::hold(gate, decide).await.unwrap_or(Decision::Continue);
        if decision == Decision::Abort {
            self.place.run.abort();
        }
        decision
    }

    /// [`gate`](Self::gate) for a thread without a runtime.
    pub fn gate_blocking(&self, point: Point) -> Decision {
        crate::block::block_on(self.gate(point))
    }
}

impl Debug for NodeGuard {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("NodeGuard").field("node", &self.node).finish()
    }
}

impl Drop for NodeGuard {
    fn drop(&mut self) {
        if self.place.is_ended() {
            return;
        }
        if std::thread::panicking() {
            self.place.emit_error("panic", "the node's thread panicked", None);
            self.place.end(RunOutcome::Error, None, End::Own);
        } else {
            self.place.end(RunOutcome::Aborted, None, End::Own);
        }
    }
}

pub(crate) fn decide(answer: Answer) -> Result<Verdict<Decision>, Refusal> {
    if answer.input.is_some() {
        return Err(Refusal::new(RefusalCode::Disabled, "the input of this gate cannot be edited"));
    }
    let value = match answer.action {
        Action::Continue => Decision::Continue,
        Action::Retry => Decision::Retry,
        Action::Abort => Decision::Abort,
        Action::Inject => Decision::Inject(injected(answer.output)?),
    };
    Ok(Verdict { value, done: answer.action, edited: None })
}

fn injected(output: Option<Box<RawValue>>) -> Result<Value, Refusal> {
    let missing = || Refusal::new(RefusalCode::Shape, "inject needs an output, seen none");
    let output = output.ok_or_else(missing)?;
    serde_json::from_str(output.get()).map_err(|error| Refusal::new(RefusalCode::Schema, error.to_string()))
}

/// What an error tells beyond its message: its `Debug` text, where that has several lines (causes, a backtrace).
pub(crate) fn stack<E: Debug + ?Sized>(error: &E) -> Option<String> {
    let text = format!("{error:?}");
    text.contains('\n').then_some(text)
}
