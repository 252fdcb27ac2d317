//! The sink a graph runtime calls for each of its events, and interrupts as holds.
//!
//! Invariant: the sink never waits; an interrupt waits only while a debugger is attached. Graph events and node events
//! of one run are one graph: nodes hung under [`Scope::in_task`] carry their task's context.

use crate::{
    arm::Why,
    gate::{self, Gate},
    node::{Decision, decide},
    place::{Place, Site},
    scope::Scope,
};
use std::sync::Arc;
use stream::{Context, GraphEvent, Interrupt, StreamPart};
use wire::{InstanceId, Kind, NodeId, PauseId, Point};

impl Scope {
    /// Tells an event of a graph runtime.
    ///
    /// ```
    /// use client::stream::{Context, GraphEvent};
    ///
    /// # let session = client::Session::disabled();
    /// let run = session.run("support").without_root().start();
    /// let context = Context { thread_id: Some("t1".into()), step: Some(1), ..Context::default() };
    /// run.graph_event(&context, &GraphEvent::StepStarted { step: 1, active: vec!["plan".into()] });
    /// ```
    pub fn graph_event(&self, context: &Context, event: &GraphEvent) {
        let run = &self.run.id;
        self.run.shared.emit_with(run, |seq, ts| stream::encode_event(seq, ts, run.as_str(), context, event));
    }

    /// Tells a stream part that the runtime writes itself, such as whole state values.
    pub fn graph_part(&self, context: &Context, part: &StreamPart) {
        let run = &self.run.id;
        self.run.shared.emit_with(run, |seq, ts| stream::encode_part(seq, ts, run.as_str(), context, part));
    }

    /// The same place, for what runs inside a task of a graph: models, tools and agents hung under it are shown under
    /// the task's node.
    ///
    /// ```
    /// use client::stream::Context;
    ///
    /// # let session = client::Session::disabled();
    /// let run = session.run("support").without_root().start();
    /// let task = Context { task_id: Some("a1".into()), node: Some("search".into()), ..Context::default() };
    /// run.in_task(&task).llm("rank").start(&"pages").finish(&"page 3");
    /// ```
    pub fn in_task(&self, context: &Context) -> Self {
        Self { graph: Some(Arc::new(context.to_json())), ..self.clone() }
    }

    /// Asks a person through the debugger: tells the interrupt, then holds until it is answered.
    ///
    /// [`Decision::Inject`] carries the answer. [`Decision::Continue`] means that nobody answered here: without a
    /// debugger it comes at once, and the runtime goes its own way.
    pub async fn interrupt(&self, context: &Context, interrupt: &Interrupt) -> Decision {
        self.graph_event(context, &GraphEvent::InterruptEmitted { interrupt: interrupt.clone() });
        if !self.run.shared.armed.is_attached() {
            return Decision::Continue;
        }
        let place = self.asking_place(context, interrupt);
        let gate = Gate {
            place: &place,
            point: Point::Before,
            why: Why::Interrupt,
            facts: None,
            editable: false,
            pause_id: (!interrupt.id.is_empty()).then(|| PauseId::from(interrupt.id.as_str())),
        };
        let decision = gate::hold(gate, decide).await.unwrap_or(Decision::Continue);
        if decision == Decision::Abort {
            self.run.abort();
        }
        decision
    }

    /// The node that asks, as a place to hold at; it was started by the runtime's own events.
    fn asking_place(&self, context: &Context, interrupt: &Interrupt) -> Arc<Place> {
        let node =
            [Some(&interrupt.node), context.node.as_ref()].into_iter().flatten().find(|id| !id.is_empty());
        let node = node.cloned().unwrap_or_else(|| NodeId::from("interrupt"));
        let task = context.task_id.as_ref().map_or("", |task| task.as_str());
        Place::new(Site {
            run: Arc::clone(&self.run),
            parent: self.place.clone(),
            name: node.as_str().to_owned(),
            node_id: node,
            instance_id: InstanceId::from(task),
            kind: Kind::Custom,
            graph: Some(Arc::new(context.to_json())),
        })
    }
}
