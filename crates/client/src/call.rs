//! Running a function as a node: start, gates, the function itself, end.
//!
//! Invariant: the function's own result reaches its caller unchanged unless a person decided otherwise at a gate. A
//! retry is the same execution going on: one start, one end.

use crate::{
    block::block_on,
    emit::End,
    error::{Aborted, type_label},
    gate::{self, Gate},
    judge::{Next, judge},
    node::{Node, NodeGuard, stack},
    place::{Place, Site},
    scope::Scope,
};
use serde::{Serialize, de::DeserializeOwned};
use std::fmt::{Debug, Display};
use std::future::{Future, ready};
use std::sync::Arc;
use wire::{Kind, NodeId, Point, RunOutcome};

/// A node about to run: what it is, then [`call`](Self::call), [`call_blocking`](Self::call_blocking) or
/// [`start`](Self::start).
///
/// ```
/// use serde_json::{Value, json};
///
/// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
/// # let session = client::Session::disabled();
/// let run = session.run("support").start();
/// let answer = run
///     .llm("draft")
///     .model("small-1")
///     .call(json!({"question": "Where is my parcel?"}), |node, question| async move {
///         for word in ["On ", "its ", "way."] {
///             node.text(word);
///         }
///         node.usage(client::Usage::tokens(12, 3));
///         Ok::<Value, String>(json!({"answer": "On its way.", "to": question["question"]}))
///     })
///     .await?;
/// assert_eq!(answer["answer"], "On its way.");
/// # Ok::<_, String>(()) }).unwrap();
/// ```
#[derive(Clone, Debug)]
#[must_use = "a call does nothing until it is run"]
pub struct Call {
    scope: Scope,
    kind: Kind<'static>,
    name: String,
    id: Option<NodeId>,
    model: Option<String>,
    collapsed: bool,
    editable: bool,
    instance: Option<wire::InstanceId>,
}

impl Call {
    pub(crate) fn new(scope: Scope, kind: Kind<'static>, name: String) -> Self {
        let (id, model, instance) = (None, None, None);
        Self { scope, kind, name, id, model, collapsed: false, editable: true, instance }
    }

    /// Names the place in the code; `kind:name` unless told otherwise.
    pub fn id(mut self, id: impl Into<NodeId>) -> Self {
        self.id = Some(id.into());
        self
    }

    /// The model that is called.
    pub fn model(mut self, model: impl Into<String>) -> Self {
        self.model = Some(model.into());
        self
    }

    /// Shows the node folded at first.
    pub fn collapsed(mut self) -> Self {
        self.collapsed = true;
        self
    }

    /// Forbids edited inputs at this node's gates.
    pub fn fixed_input(mut self) -> Self {
        self.editable = false;
        self
    }

    pub(crate) fn instance(mut self, instance: wire::InstanceId) -> Self {
        self.instance = Some(instance);
        self
    }

    /// Starts the node; the guard ends it.
    pub fn start<I: Serialize + ?Sized>(self, input: &I) -> NodeGuard {
        NodeGuard::new(self.begin(input))
    }

    /// Runs `function` as this node.
    ///
    /// The function gets a handle to stream into and to nest under, and the input: again, with a clone, when a person
    /// asks for a retry. Its errors are shown as `Display` says them.
    pub async fn call<I, O, E, F, Fut>(self, input: I, mut function: F) -> Result<O, E>
    where
        I: Serialize + DeserializeOwned + Clone,
        O: Serialize + DeserializeOwned,
        E: From<Aborted> + Display + Debug,
        F: FnMut(Node, I) -> Fut,
        Fut: Future<Output = Result<O, E>>,
    {
        if self.scope.run.is_aborted() {
            return Err(Aborted.into());
        }
        let editable = self.editable;
        let running = Running { guard: self.start(&input), editable };
        let mut input = input;
        loop {
            match running.before().await {
                Next::Go(None) | Next::Again(None) => {}
                Next::Go(Some(edited)) | Next::Again(Some(edited)) => input = edited,
                Next::Give(output) => return Ok(running.injected(output, End::Injected)),
                Next::Abort => return Err(running.aborted()),
            }
            let result = function(running.guard.node().clone(), input.clone()).await;
            let step = match result {
                Ok(output) => running.after(output).await,
                Err(error) => running.failed(error).await,
            };
            match step {
                Step::Done(result) => return result,
                Step::Again(None) => {}
                Step::Again(Some(edited)) => input = edited,
            }
        }
    }

    /// [`call`](Self::call) for a plain function, on this thread; a hold blocks it. Needs no runtime.
    pub fn call_blocking<I, O, E>(
        self,
        input: I,
        mut function: impl FnMut(&Node, I) -> Result<O, E>,
    ) -> Result<O, E>
    where
        I: Serialize + DeserializeOwned + Clone,
        O: Serialize + DeserializeOwned,
        E: From<Aborted> + Display + Debug,
    {
        block_on(self.call(input, |node, input| ready(function(&node, input))))
    }

    fn begin<I: Serialize + ?Sized>(self, input: &I) -> Arc<Place> {
        let Self { scope, kind, name, id, model, collapsed, instance, .. } = self;
        let shared = Arc::clone(&scope.run.shared);
        let place = Place::new(Site {
            node_id: id.unwrap_or_else(|| NodeId::from(format!("{kind}:{name}"))),
            instance_id: instance.unwrap_or_else(|| shared.instance_id()),
            run: scope.run,
            parent: scope.place,
            kind,
            name,
            graph: scope.graph,
        });
        place.emit_started(input, model.as_deref(), collapsed);
        place
    }
}

/// What follows once the function has returned.
enum Step<I, O, E> {
    Done(Result<O, E>),
    Again(Option<I>),
}

/// A call between its start and its end.
struct Running {
    guard: NodeGuard,
    editable: bool,
}

impl Running {
    fn place(&self) -> &Arc<Place> {
        self.guard.place()
    }

    async fn gate<I: DeserializeOwned, O: DeserializeOwned>(&self, point: Point) -> Next<I, O> {
        let place = self.place();
        let Some((why, facts)) = gate::wanted(place, point) else { return Next::Go(None) };
        let editable = self.editable && place.may_edit();
        let gate = Gate { place, point, why, facts, editable, pause_id: None };
        gate::hold(gate, |answer| judge(point, editable, answer)).await.unwrap_or(Next::Go(None))
    }

    /// What to do about an error, and whether a person has seen it: here, or below where they let it go on.
    async fn error_gate<I: DeserializeOwned, O: DeserializeOwned>(
        &self,
        message: &str,
    ) -> (Next<I, O>, bool) {
        let place = self.place();
        if place.was_let_go(message) {
            return (Next::Go(None), true);
        }
        let seen = gate::wanted(place, Point::Error).is_some();
        (self.gate(Point::Error).await, seen)
    }

    async fn before<I: DeserializeOwned, O: DeserializeOwned>(&self) -> Next<I, O> {
        self.gate(Point::Before).await
    }

    async fn after<I, O, E>(&self, output: O) -> Step<I, O, E>
    where
        I: DeserializeOwned,
        O: Serialize + DeserializeOwned,
        E: From<Aborted>,
    {
        match self.gate(Point::After).await {
            Next::Again(edited) => Step::Again(edited),
            Next::Give(output) => Step::Done(Ok(self.injected(output, End::Injected))),
            Next::Abort => Step::Done(Err(self.aborted())),
            Next::Go(_) => {
                let place = self.place();
                place.end(RunOutcome::Ok, place.output_body(&output), End::Own);
                Step::Done(Ok(output))
            }
        }
    }

    async fn failed<I, O, E>(&self, error: E) -> Step<I, O, E>
    where
        I: DeserializeOwned,
        O: Serialize + DeserializeOwned,
        E: From<Aborted> + Display + Debug,
    {
        let place = self.place();
        if place.run.is_aborted() {
            place.end(RunOutcome::Aborted, None, End::Own);
            return Step::Done(Err(error));
        }
        let message = error.to_string();
        place.emit_error(type_label::<E>(), &message, stack(&error).as_deref());
        let (next, seen) = self.error_gate(&message).await;
        match next {
            Next::Again(edited) => Step::Again(edited),
            Next::Give(output) => Step::Done(Ok(self.injected(output, End::Recovered))),
            Next::Abort => Step::Done(Err(self.aborted())),
            Next::Go(_) => {
                place.end(RunOutcome::Error, None, End::Own);
                if seen && let Some(parent) = &place.parent {
                    parent.note_let_go(&message);
                }
                Step::Done(Err(error))
            }
        }
    }

    fn injected<O: Serialize>(&self, output: O, end: End) -> O {
        let place = self.place();
        place.end(RunOutcome::Ok, place.output_body(&output), end);
        output
    }

    fn aborted<E: From<Aborted>>(&self) -> E {
        self.place().run.abort();
        self.place().end(RunOutcome::Aborted, None, End::Own);
        Aborted.into()
    }
}
