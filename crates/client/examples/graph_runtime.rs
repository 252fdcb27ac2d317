//! A small superstep runtime, streamed to the debugger: a supervisor, two parallel sub-agents, subgraphs nested three
//! deep, a cached task, a task that fails and is retried, an interrupt that a person answers, and a custom event.
//!
//! Start `holdpoint serve` or the window, then `cargo run -p client --example graph_runtime`. Without a debugger it runs
//! through by itself.

use client::stream::{Context, GraphEvent, Interrupt, Json, RouteTarget};
use client::{Decision, Scope, Session};
use serde_json::{Value, json};
use std::time::Duration;

/// How long a task works.
const WORK: Duration = Duration::from_millis(400);

/// One graph, at its place in the tree of graphs.
#[derive(Clone)]
struct Graph {
    scope: Scope,
    run: String,
    namespace: Vec<String>,
}

impl Graph {
    fn at(&self, step: usize, node: &str, task: &str) -> Context {
        Context {
            run_id: Some(self.run.as_str().into()),
            root_run_id: Some("report-1".into()),
            thread_id: Some("thread-1".into()),
            namespace: self.namespace.clone(),
            step: Some(step),
            node: Some(node.into()),
            task_id: Some(task.into()),
            ..Context::default()
        }
    }

    fn step(&self, step: usize, active: &[&str]) {
        let active = active.iter().map(|node| (*node).into()).collect();
        let context = Context { node: None, task_id: None, ..self.at(step, "", "") };
        self.scope.graph_event(&context, &GraphEvent::StepStarted { step, active });
    }

    fn begin(&self, step: usize, node: &str, from: &str) -> Context {
        let task = format!("{}-{node}-{step}", self.run);
        let context = self.at(step, node, &task);
        let triggers = vec![format!("{from}:{node}")];
        let started = GraphEvent::TaskStarted { task_id: task.as_str().into(), node: node.into(), triggers };
        self.scope.graph_event(&context, &started);
        context
    }

    fn end(&self, context: &Context, node: &str, update: Value) {
        let update = Json::from(update);
        self.scope.graph_event(context, &GraphEvent::StateUpdated { node: node.into(), update });
        let task_id = context.task_id.clone().unwrap_or_default();
        self.scope.graph_event(context, &GraphEvent::TaskCompleted { task_id, node: node.into() });
    }

    fn route(&self, context: &Context, node: &str, targets: &[&str]) {
        let routes = targets.iter().map(|target| RouteTarget::Node((*target).into())).collect();
        self.scope.graph_event(context, &GraphEvent::RouteSelected { node: node.into(), routes });
    }

    /// A graph inside `node` of this one.
    fn inside(&self, context: &Context, node: &str) -> Self {
        let mut namespace = self.namespace.clone();
        namespace.push(format!("{node}:{}", context.task_id.as_ref().map_or("", |task| task.as_str())));
        let run = format!("{}/{node}", self.run);
        let child_run_id = run.as_str().into();
        let started =
            GraphEvent::SubgraphStarted { node: node.into(), child_run_id, namespace: namespace.clone() };
        self.scope.graph_event(context, &started);
        Self { scope: self.scope.clone(), run, namespace }
    }

    fn left(&self, context: &Context, node: &str, inner: &Self) {
        let child_run_id = inner.run.as_str().into();
        self.scope.graph_event(context, &GraphEvent::SubgraphCompleted { node: node.into(), child_run_id });
    }
}

fn main() {
    let session = Session::new("Graph runtime");
    session.attached_blocking(Duration::from_secs(2));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
    runtime.block_on(report(&session));
}

/// Supervisor, researchers side by side, review by a person, publication.
async fn report(session: &Session) {
    let run = session.run("report").id("report-1").without_root().start();
    let graph = Graph { scope: (*run).clone(), run: "report-1".to_owned(), namespace: Vec::new() };
    let root = graph.at(0, "", "");
    graph
        .scope
        .graph_event(&root, &GraphEvent::RunStarted { run_id: "report-1".into(), graph_id: "report".into() });

    graph.step(1, &["supervisor"]);
    let supervisor = graph.begin(1, "supervisor", "__start__");
    think(
        &graph,
        &supervisor,
        "plan",
        "Two questions can be answered side by side: the market and the rules.",
    )
    .await;
    graph.end(&supervisor, "supervisor", json!({"plan": ["market", "rules"]}));
    graph.route(&supervisor, "supervisor", &["market", "rules"]);

    graph.step(2, &["market", "rules"]);
    tokio::join!(sub_agent(&graph, "market"), sub_agent(&graph, "rules"));

    graph.step(3, &["review"]);
    review(&graph).await;

    graph.step(4, &["publish"]);
    publish(&graph).await;
    graph.scope.graph_event(&root, &GraphEvent::RunCompleted { run_id: "report-1".into() });
    drop(run);
}

/// A model call inside a task: it is shown under the task's node.
async fn think(graph: &Graph, task: &Context, name: &str, words: &str) {
    let node = graph.scope.in_task(task).llm(name).start(&json!({"task": name}));
    for word in words.split_inclusive(' ') {
        node.text(word);
        tokio::time::sleep(WORK / 8).await;
    }
    node.finish(&words);
}

/// An agent of its own whose research goes three graphs deep.
async fn sub_agent(graph: &Graph, name: &str) {
    let task = graph.begin(2, name, "supervisor");
    let agent = || (name.into(), format!("report-1/{name}").as_str().into());
    let (component, child_run_id) = agent();
    graph.scope.graph_event(
        &task,
        &GraphEvent::SubAgentStarted { node: name.into(), agent: component, child_run_id },
    );
    let mut levels = vec![(graph.clone(), task.clone(), name)];
    for (depth, node) in ["research", "search"].into_iter().enumerate() {
        let (above, context, inside) = &levels[depth];
        let inner = above.inside(context, inside);
        let context = inner.begin(1, node, "__start__");
        inner.scope.graph_event(&context, &GraphEvent::RecursionDepthChanged { depth: depth + 1 });
        levels.push((inner, context, node));
    }
    let (deepest, context, node) = &levels[2];
    let pages = deepest.inside(context, node);
    fetch(&pages, name).await;
    deepest.left(context, node, &pages);
    for depth in (1..levels.len()).rev() {
        let (inner, context, node) = &levels[depth];
        inner.end(context, node, json!({"found": name}));
        let (above, outside, inside) = &levels[depth - 1];
        above.left(outside, inside, inner);
    }
    let (component, child_run_id) = agent();
    graph.scope.graph_event(
        &task,
        &GraphEvent::SubAgentCompleted { node: name.into(), agent: component, child_run_id },
    );
    graph.end(&task, name, json!({name: "3 sources"}));
}

/// One page comes from the cache, one fails and is fetched again.
async fn fetch(pages: &Graph, topic: &str) {
    let cached = pages.begin(1, "cached_page", "__start__");
    let task_id = cached.task_id.clone().unwrap_or_default();
    pages.scope.graph_event(&cached, &GraphEvent::TaskCached { task_id, node: "cached_page".into() });
    let first = pages.begin(2, "fetch_page", "cached_page");
    tokio::time::sleep(WORK).await;
    let task_id = first.task_id.clone().unwrap_or_default();
    let error = "503 Service Unavailable".to_owned();
    pages.scope.graph_event(&first, &GraphEvent::TaskFailed { task_id, node: "fetch_page".into(), error });
    let again = pages.begin(3, "fetch_page", "fetch_page");
    tokio::time::sleep(WORK).await;
    pages.end(&again, "fetch_page", json!({"topic": topic, "bytes": 48_213}));
}

/// Asks a person; without a debugger it decides by itself.
async fn review(graph: &Graph) {
    let task = graph.begin(3, "review", "supervisor");
    let interrupt = Interrupt {
        id: "approve-1".to_owned(),
        node: "review".into(),
        payload: Json::from(json!({"question": "Publish the report?", "accepts": {"approved": true}})),
    };
    let answer = match graph.scope.interrupt(&task, &interrupt).await {
        Decision::Inject(answer) => answer,
        _ => json!({"approved": true, "by": "default"}),
    };
    graph.end(&task, "review", answer);
    graph.route(&task, "review", &["publish"]);
}

async fn publish(graph: &Graph) {
    let task = graph.begin(4, "publish", "review");
    let payload = Json::from(json!({"percent": 100}));
    graph.scope.graph_event(&task, &GraphEvent::Custom { name: "progress".to_owned(), payload });
    tokio::time::sleep(WORK).await;
    graph.scope.graph_event(&task, &GraphEvent::CheckpointSaved { checkpoint_id: "checkpoint-4".into() });
    graph.end(&task, "publish", json!({"published": true}));
}
