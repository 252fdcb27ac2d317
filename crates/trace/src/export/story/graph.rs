//! Events of a graph runtime: a task is an execution of its node, a nested graph the nodes below the one it runs in.

use std::borrow::Cow;

use stream::{Context, GraphEvent, RouteTarget, segment_node};
use wire::{Kind, Raw};

use super::{At, End, Error, Outcome, Start, Told};

/// What a `graph.event` says; nothing where it cannot be read.
pub(super) fn told(payload: Raw<'_>) -> Option<Vec<Told<'_>>> {
    let event = GraphEvent::parse(payload.member("event")?).ok()?;
    let context = Context::read(payload).ok()?;
    let place = Place::of(&context);
    let error = |text: &str| Error {
        name: Cow::Borrowed("TaskFailed"),
        message: Cow::Owned(text.to_owned()),
        stack: None,
    };
    let ended = |node: &str, task: &str, outcome, error| {
        let at = place.at(node, task);
        let end = End { at, output: None, usage: None, outcome, error, first_token_ms: None, more: 0 };
        vec![Told::Ended(Box::new(end))]
    };
    let task = context.task_id.as_ref().map_or("", |task| task.as_str());
    use GraphEvent as E;
    Some(match &event {
        E::RunStarted { graph_id, .. } => {
            let app = if graph_id.is_empty() { "graph" } else { graph_id.as_str() };
            vec![Told::RunStarted { app: Cow::Owned(app.to_owned()), sdk: None }]
        }
        E::RunCompleted { .. } => vec![Told::RunEnded { outcome: Outcome::Ok, error: None }],
        E::RunFailed { error: text, .. } => {
            vec![Told::RunEnded { outcome: Outcome::Error, error: Some(error(text)) }]
        }
        E::TaskStarted { task_id, node, .. } => vec![place.started(node.as_str(), task_id.as_str())],
        E::NodeStarted { node, .. } => vec![place.started(node.as_str(), task)],
        E::TaskCompleted { task_id, node } | E::TaskCached { task_id, node } => {
            ended(node.as_str(), task_id.as_str(), Outcome::Ok, None)
        }
        E::NodeCompleted { node, .. } => ended(node.as_str(), task, Outcome::Ok, None),
        E::TaskFailed { task_id, node, error: text } => {
            ended(node.as_str(), task_id.as_str(), Outcome::Error, Some(error(text)))
        }
        E::NodeFailed { node, error: text, .. } => {
            ended(node.as_str(), task, Outcome::Error, Some(error(text)))
        }
        E::RouteSelected { node, routes } => {
            let to = |route: &RouteTarget| match route {
                RouteTarget::Node(node) | RouteTarget::Send { node, .. } => Some(node.as_str().to_owned()),
                _ => None,
            };
            let routed = |to: String| Told::Routed {
                from: Cow::Owned(place.path(node.as_str())),
                to: Cow::Owned(place.path(&to)),
            };
            routes.iter().filter_map(to).map(routed).collect()
        }
        _ => return None,
    })
}

/// Where an event stands.
struct Place {
    path: Vec<String>,
    step: Option<usize>,
}

impl Place {
    fn of(context: &Context) -> Self {
        let path = context.namespace.iter().map(|segment| segment_node(segment).to_owned()).collect();
        Self { path, step: context.step }
    }

    /// The node's id: its name below those of the graphs around it.
    fn path(&self, node: &str) -> String {
        if self.path.is_empty() { node.to_owned() } else { format!("{}/{node}", self.path.join("/")) }
    }

    fn at(&self, node: &str, task: &str) -> At<'static> {
        let named = if task.is_empty() {
            self.step.map(|step| format!("step {step}"))
        } else {
            Some(task.to_owned())
        };
        At { node: Cow::Owned(self.path(node)), instance: named.map(Cow::Owned) }
    }

    fn started(&self, node: &str, task: &str) -> Told<'static> {
        let parent = (!self.path.is_empty()).then(|| Cow::Owned(self.path.join("/")));
        Told::Started(Box::new(Start {
            at: self.at(node, task),
            parent,
            parent_instance: None,
            kind: Kind::Chain,
            name: Cow::Owned(node.to_owned()),
            input: None,
            model: None,
            provider: None,
            more: 0,
        }))
    }
}
