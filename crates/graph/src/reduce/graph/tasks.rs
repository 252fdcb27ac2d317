//! Tasks, routes, nested graphs, agents and interrupts.

use stream::{GraphEvent, Interrupt, RouteTarget};
use wire::{Body, PauseId, Point};

use super::{Place, Told};
use crate::derive::Step;
use crate::facts::{Again, End, Fact, Failure, Start};
use crate::run::position;
use crate::{Change, EdgeKind, Hold, HoldIx, NodeIx, Run, Status};

/// Name of the node that stands for a graph whose interrupt names none.
const NAMELESS: &str = "graph";

impl Run {
    pub(super) fn graph_task(&mut self, told: &Told<'_>, event: &GraphEvent, change: &mut Change) {
        use GraphEvent as E;
        match event {
            E::TaskStarted { task_id, node, triggers } => {
                let ix = self.begin(told, node, some(task_id.as_str()), change);
                self.triggers(told, ix, triggers);
            }
            E::NodeStarted { node, .. } => {
                self.begin(told, node, told.place.task.as_deref(), change);
            }
            E::TaskCompleted { task_id, node } => {
                self.finish(told, node, some(task_id.as_str()), Outcome::ok(), change)
            }
            E::NodeCompleted { node, .. } => {
                self.finish(told, node, told.place.task.as_deref(), Outcome::ok(), change)
            }
            E::TaskCached { task_id, node } => {
                self.finish(told, node, some(task_id.as_str()), Outcome::cached(), change)
            }
            E::TaskFailed { task_id, node, .. } => {
                self.finish(
                    told,
                    node,
                    some(task_id.as_str()),
                    Outcome::failed(told.failure("TaskFailed")),
                    change,
                );
            }
            E::NodeFailed { node, .. } => {
                self.finish(
                    told,
                    node,
                    told.place.task.as_deref(),
                    Outcome::failed(told.failure("NodeFailed")),
                    change,
                );
            }
            E::NodeRetryScheduled { node, .. } => self.again(told, node, change),
            E::TaskScheduled { node, .. } => {
                let ix = self.graph_node(told.at.seq, &told.place, node.as_str());
                self.data.nodes[ix.at()].routed = true;
                change.node = Some(ix);
            }
            E::RouteSelected { node, routes } => self.routes(told, node, routes),
            E::SubgraphStarted { node, child_run_id, namespace } => {
                self.subgraph(told, node, child_run_id.as_str(), namespace)
            }
            E::SubgraphCompleted { node, child_run_id } => {
                self.subgraph(told, node, child_run_id.as_str(), &[])
            }
            E::SubAgentStarted { node, agent, child_run_id } => {
                let inner = self.agent(told, node, agent.as_str(), child_run_id.as_str(), change);
                self.start_in(told, inner, some(child_run_id.as_str()), None);
            }
            E::SubAgentCompleted { node, agent, child_run_id } => {
                let inner = self.agent(told, node, agent.as_str(), child_run_id.as_str(), change);
                self.end_in(told, inner, some(child_run_id.as_str()), Outcome::ok());
            }
            E::InterruptEmitted { interrupt } => self.interrupt(told, interrupt, change),
            _ => {}
        }
    }

    fn begin(
        &mut self,
        told: &Told<'_>,
        node: &stream::NodeId,
        task: Option<&str>,
        change: &mut Change,
    ) -> NodeIx {
        let ix = self.graph_node(told.at.seq, &told.place, node.as_str());
        change.node = Some(ix);
        self.start_in(told, ix, task, told.payload.member("input").map(Body::from));
        ix
    }

    /// A start of a node; without a task, an instance of its own that only order tells apart.
    pub(super) fn start_in(&mut self, told: &Told<'_>, ix: NodeIx, task: Option<&str>, input: Option<Body>) {
        let instance = match task {
            Some(task) => self.intern_instance(ix, task),
            None => self.intern_instance(ix, &format!("@{}", told.at.seq)),
        };
        let (parent, step) = (self.owner_of(ix), told.place.step);
        let start =
            Start { at: told.at, instance, parent, step, unnamed: task.is_none(), model: None, input };
        self.add_start(ix, start);
    }

    fn finish(
        &mut self,
        told: &Told<'_>,
        node: &stream::NodeId,
        task: Option<&str>,
        outcome: Outcome,
        change: &mut Change,
    ) {
        let ix = self.graph_node(told.at.seq, &told.place, node.as_str());
        change.node = Some(ix);
        self.end_in(told, ix, task, outcome);
    }

    pub(super) fn end_in(&mut self, told: &Told<'_>, ix: NodeIx, task: Option<&str>, outcome: Outcome) {
        let named = task.map(|task| self.intern_instance(ix, task));
        let output = told.payload.member("output").map(Body::from).or(outcome.output);
        self.add_end(
            ix,
            End {
                at: told.at,
                named,
                resolved: None,
                step: told.place.step,
                start: None,
                status: outcome.status,
                is_error: outcome.status == Status::Error,
                injected: false,
                cached: outcome.cached,
                duration_ms: None,
                held_ms: None,
                output,
                usage: None,
                failure: outcome.failure.map(Box::new),
            },
        );
    }

    fn again(&mut self, told: &Told<'_>, node: &stream::NodeId, change: &mut Change) {
        let ix = self.graph_node(told.at.seq, &told.place, node.as_str());
        let named = told.place.task.as_deref().map(|task| self.intern_instance(ix, task));
        let at = position(self.data.agains.len());
        self.data.agains.push(Again { at: told.at, named, retry: true });
        self.data.nodes[ix.at()].facts.push(Fact::Again(at));
        change.node = Some(ix);
        self.fold_in_order(ix, told.at.seq, Step::Again(at));
    }

    fn routes(&mut self, told: &Told<'_>, node: &stream::NodeId, routes: &[RouteTarget]) {
        let from = self.graph_node(told.at.seq, &told.place, node.as_str());
        for target in routes.iter().filter_map(RouteTarget::node) {
            let to = self.graph_node(told.at.seq, &told.place, target.as_str());
            self.data.nodes[to.at()].routed = true;
            self.count_edge(from, to, EdgeKind::Route, 1, told.at.seq);
        }
    }

    /// What made a task run, where it names its sources: `a:b`, or a join `join:a+b:c`. `branch:to:x` names none.
    pub(super) fn triggers(&mut self, told: &Told<'_>, to: NodeIx, triggers: &[String]) {
        let mut sources: Vec<&str> = triggers.iter().flat_map(|trigger| sources_of(trigger)).collect();
        sources.sort_unstable();
        sources.dedup();
        for source in sources {
            let from = self.graph_node(told.at.seq, &told.place, source);
            self.data.nodes[from.at()].routed = true;
            self.count_trigger(from, to, told.at.seq);
        }
    }

    fn subgraph(&mut self, told: &Told<'_>, node: &stream::NodeId, child: &str, namespace: &[String]) {
        let ix = self.graph_node(told.at.seq, &told.place, node.as_str());
        let state = &mut self.data.nodes[ix.at()];
        state.is_container = true;
        state.child_runs.extend(some(child).map(Box::from));
        if !namespace.is_empty() {
            let context = stream::Context { namespace: namespace.to_vec(), ..stream::Context::default() };
            self.place(told.at.seq, &context);
        }
    }

    /// The agent that runs inside a node.
    fn agent(
        &mut self,
        told: &Told<'_>,
        node: &stream::NodeId,
        agent: &str,
        child: &str,
        change: &mut Change,
    ) -> NodeIx {
        let outer = self.graph_node(told.at.seq, &told.place, node.as_str());
        let mut path = told.place.path.clone();
        path.push(node.as_str().into());
        let namespace = self.intern_namespace(&path);
        self.data.owners[namespace.at()] = Some(outer);
        let place = Place { path, namespace, owner: Some(outer), ..told.place.clone() };
        let inner = self.graph_node(told.at.seq, &place, agent);
        self.data.nodes[outer.at()].is_container = true;
        self.data.nodes[inner.at()].child_runs.extend(some(child).map(Box::from));
        self.mark_agent(inner, change);
        inner
    }

    /// A graph asks and stops. With the same id, a gate of the program stands for it.
    pub(super) fn interrupt(&mut self, told: &Told<'_>, interrupt: &Interrupt, change: &mut Change) {
        let name = some(interrupt.node.as_str()).or(told.place.node.as_deref());
        let node = match (name, told.place.owner) {
            (Some(name), _) => self.graph_node(told.at.seq, &told.place, name),
            (None, Some(owner)) => owner,
            (None, None) => self.graph_node(told.at.seq, &told.place, NAMELESS),
        };
        let id = some(&interrupt.id).map_or_else(|| format!("interrupt@{}", told.at.seq), str::to_owned);
        let named = told.place.task.as_deref().map(|task| self.intern_instance(node, task));
        let ix = HoldIx::from(self.data.holds.len());
        let group = self.intern_pause(&id);
        self.data.holds.push(Hold {
            named,
            interrupt: true,
            question: Some(Body::from(interrupt.payload.raw())),
            ..Hold::new(told.at, node, PauseId::from(id.as_str()), Point::Before)
        });
        change.node = Some(node);
        self.add_hold(group, ix);
    }
}

/// How a task ended.
pub(super) struct Outcome {
    pub(super) status: Status,
    pub(super) cached: bool,
    pub(super) failure: Option<Failure>,
    pub(super) output: Option<Body>,
}

impl Outcome {
    pub(super) fn ok() -> Self {
        Self { status: Status::Ok, cached: false, failure: None, output: None }
    }

    pub(super) fn cached() -> Self {
        Self { cached: true, ..Self::ok() }
    }

    pub(super) fn failed(failure: Failure) -> Self {
        Self { status: Status::Error, failure: Some(failure), ..Self::ok() }
    }
}

fn some(text: &str) -> Option<&str> {
    (!text.is_empty()).then_some(text)
}

/// The nodes a trigger names.
fn sources_of(trigger: &str) -> Vec<&str> {
    if let Some(join) = trigger.strip_prefix("join:") {
        return join.rsplit_once(':').map_or(join, |(names, _)| names).split('+').collect();
    }
    let named = trigger.split_once(':').map(|(source, _)| source);
    named
        .filter(|source| *source != "branch" && !source.starts_with("__") && !source.is_empty())
        .into_iter()
        .collect()
}
