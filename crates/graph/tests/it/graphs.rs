//! Graph runtimes: their events and the node events of one run are one graph.

use graph::{EdgeKind, NodeStatus, Run, Status, Store, TickKind, project};
use serde_json::{Value, json};

use crate::support::*;

fn told(seq: u64, place: Value, event: Value) -> String {
    let mut payload = place;
    payload["event"] = event;
    event_of("r1", seq, "graph.event", payload)
}

fn part(seq: u64, place: Value, part: Value) -> String {
    let mut payload = place;
    payload["part"] = part;
    event_of("r1", seq, "graph.part", payload)
}

fn root() -> Value {
    json!({"run_id": "r1"})
}

fn only(store: &Store) -> &Run {
    store.run(&r1()).expect("run r1")
}

fn card<'a>(run: &'a Run, node: &str) -> project::Card<'a> {
    project::card(run, run.find_node(node).unwrap_or_else(|| panic!("no node {node}")), None)
}

fn edges(run: &Run, kind: EdgeKind) -> Vec<(&str, &str, u32)> {
    let id = |ix| run.node(ix).id.as_str();
    let mut edges: Vec<_> =
        run.edges().filter(|e| e.kind == kind).map(|e| (id(e.from), id(e.to), e.count)).collect();
    edges.sort();
    edges
}

fn parent(run: &Run, node: &str) -> Option<String> {
    let tree = project::Tree::new(run);
    Some(run.node(tree.parent(run.find_node(node)?)?).id.to_string())
}

#[test]
fn tasks_are_instances_and_routes_are_edges_with_counts() {
    let start = |seq, task: &str, node: &str| {
        told(seq, root(), json!({"TaskStarted": {"task_id": task, "node": node, "triggers": []}}))
    };
    let end = |seq, task: &str, node: &str| {
        told(seq, root(), json!({"TaskCompleted": {"task_id": task, "node": node}}))
    };
    let route = |seq, from: &str, to: Value| {
        told(seq, root(), json!({"RouteSelected": {"node": from, "routes": to}}))
    };
    let store = store_of([
        told(1, root(), json!({"RunStarted": {"run_id": "r1", "graph_id": "support"}})),
        told(2, root(), json!({"StepStarted": {"step": 1, "active": ["plan"]}})),
        start(3, "t1", "plan"),
        end(4, "t1", "plan"),
        route(5, "plan", json!([{"Node": "act"}, "End"])),
        start(6, "t2", "act"),
        end(7, "t2", "act"),
        route(8, "act", json!(["plan"])),
        start(9, "t3", "plan"),
        end(10, "t3", "plan"),
        route(11, "plan", json!(["act", "never"])),
        told(12, root(), json!({"CheckpointSaved": {"checkpoint_id": "c1"}})),
        told(13, root(), json!({"RunCompleted": {"run_id": "r1"}})),
    ]);
    let run = only(&store);
    assert_eq!((run.app(), run.status()), ("support", Status::Ok));
    assert_eq!(card(run, "plan").counts.ok, 2);
    assert_eq!(edges(run, EdgeKind::Route), [("act", "plan", 1), ("plan", "act", 2), ("plan", "never", 1)]);
    assert_eq!(edges(run, EdgeKind::Flow), [], "stated routes replace inferred order");
    assert_eq!(card(run, "never").status, NodeStatus::Unreached);
    let ticks: Vec<(TickKind, &str)> = run.ticks().iter().map(|tick| (tick.kind, &*tick.label)).collect();
    assert_eq!(ticks, [(TickKind::Step, ""), (TickKind::Checkpoint, "c1")]);
    assert_eq!(run.node(run.find_node("plan").unwrap()).kind.as_str(), "chain");
}

#[test]
fn the_nodes_of_one_superstep_are_never_each_others_predecessors() {
    let mut seq = 0;
    let mut run = |events: &[(&str, &str, u64)]| -> Vec<String> {
        let tell = |(what, node, step): &(&str, &str, u64)| {
            seq += 1;
            told(seq, root(), json!({*what: {"node": node, "step": step}}))
        };
        events.iter().map(tell).collect()
    };
    let store = store_of(run(&[
        ("NodeStarted", "start", 1),
        ("NodeCompleted", "start", 1),
        ("NodeStarted", "left", 2),
        ("NodeCompleted", "left", 2),
        ("NodeStarted", "right", 2),
        ("NodeCompleted", "right", 2),
        ("NodeStarted", "join", 3),
        ("NodeCompleted", "join", 3),
    ]));
    assert_eq!(
        edges(only(&store), EdgeKind::Flow),
        [("left", "join", 1), ("right", "join", 1), ("start", "left", 1), ("start", "right", 1)]
    );
}

#[test]
fn triggers_name_their_sources_and_a_join_names_all() {
    let start = |seq, node: &str, triggers: Value| {
        told(seq, root(), json!({"TaskStarted": {"task_id": node, "node": node, "triggers": triggers}}))
    };
    let store = store_of([
        start(1, "a", json!(["__start__"])),
        start(2, "b", json!(["a:b"])),
        start(3, "c", json!(["branch:to:c"])),
        start(4, "d", json!(["branch:to:d", "join:b+c:d"])),
    ]);
    assert_eq!(edges(only(&store), EdgeKind::Route), [("a", "b", 1), ("b", "d", 1), ("c", "d", 1)]);
}

#[test]
fn a_fan_out_without_tasks_is_told_apart_by_order() {
    let at = |seq, what: &str| told(seq, root(), json!({what: {"node": "worker", "step": 2}}));
    let store = store_of([
        at(1, "NodeStarted"),
        at(2, "NodeStarted"),
        at(3, "NodeStarted"),
        at(4, "NodeCompleted"),
        told(5, root(), json!({"NodeFailed": {"node": "worker", "step": 2, "error": "no route"}})),
        told(6, root(), json!({"RunFailed": {"run_id": "r1", "error": "worker failed"}})),
    ]);
    let run = only(&store);
    let worker = run.find_node("worker").unwrap();
    let states: Vec<Status> = run.node(worker).instances.iter().map(|i| run.instance_status(*i)).collect();
    assert_eq!(states, [Status::Ok, Status::Error, Status::Abandoned]);
    assert_eq!(run.status(), Status::Error);
    assert_eq!(run.failure(run.node(worker).instances[1]).map(|f| &*f.message), Some("no route"));
    assert_eq!(run.end().and_then(|end| end.failure.as_ref()).map(|f| &*f.message), Some("worker failed"));
}

#[test]
fn a_scheduled_retry_is_the_same_instance_again() {
    let store = store_of([
        told(1, root(), json!({"NodeStarted": {"node": "flaky", "step": 1}})),
        told(2, root(), json!({"NodeRetryScheduled": {"node": "flaky", "step": 1, "attempt": 2}})),
        told(3, root(), json!({"NodeRetryScheduled": {"node": "flaky", "step": 1, "attempt": 3}})),
        told(4, root(), json!({"NodeCompleted": {"node": "flaky", "step": 1}})),
    ]);
    let flaky = card(only(&store), "flaky");
    assert_eq!(
        (flaky.status, flaky.counts.total, flaky.retried()),
        (NodeStatus::Ok, 1, Some("retried 2 times".into()))
    );
}

#[test]
fn a_task_from_the_cache_is_ok_and_marked() {
    let store = store_of([
        told(1, root(), json!({"TaskStarted": {"task_id": "t", "node": "embed", "triggers": []}})),
        told(2, root(), json!({"TaskCached": {"task_id": "t", "node": "embed"}})),
        told(3, root(), json!({"TaskCached": {"task_id": "u", "node": "embed"}})),
    ]);
    let embed = card(only(&store), "embed");
    assert_eq!((embed.counts.total, embed.counts.ok, embed.counts.cached), (2, 2, 2));
    assert!(project::notes(only(&store)).is_empty(), "a cached task needs no start");
}

#[test]
fn namespaces_are_boxes_inside_their_node_to_any_depth() {
    for depth in [1usize, 3, 12, 200] {
        let namespace: Vec<String> = (0..depth).map(|i| format!("g{i}:task{i}")).collect();
        let place = json!({"run_id": "r1", "namespace": namespace});
        let frame = told(1, place, json!({"TaskStarted": {"task_id": "t", "node": "leaf", "triggers": []}}));
        assert_eq!(store_of([wire::slim(&frame)]).digest(), store_of([&frame]).digest());
        let store = store_of([frame]);
        let run = only(&store);
        let tree = project::Tree::new(run);
        let path: Vec<String> = (0..depth).map(|i| format!("g{i}")).collect();
        let leaf = run.find_node(&format!("{}/leaf", path.join("/"))).unwrap();
        assert_eq!(tree.depth(leaf) as usize, depth);
        let shown: Vec<&str> = run.namespace(run.node(leaf).namespace).iter().map(|s| &**s).collect();
        assert_eq!(shown, path, "tasks are left out: they change on replay");
        assert_eq!(project::scene(run, &tree, &Default::default(), None).boxes.len(), depth);
        assert_eq!(run.missing_parents(), 0);
    }
}

#[test]
fn one_subgraph_run_twice_in_parallel_is_one_box_with_two_instances() {
    let inner = |seq, task: &str, what: &str| {
        let place = json!({"run_id": "r1", "namespace": [format!("research:{task}")]});
        told(seq, place, json!({what: {"task_id": format!("{task}-search"), "node": "search"}}))
    };
    let outer =
        |seq, task: &str, what: &str| told(seq, root(), json!({what: {"task_id": task, "node": "research"}}));
    let store = store_of([
        outer(1, "a", "TaskStarted"),
        outer(2, "b", "TaskStarted"),
        inner(3, "a", "TaskStarted"),
        inner(4, "b", "TaskStarted"),
        inner(5, "a", "TaskCompleted"),
        outer(6, "a", "TaskCompleted"),
    ]);
    let run = only(&store);
    assert_eq!((card(run, "research").counts.total, card(run, "research/search").counts.total), (2, 2));
    assert_eq!(parent(run, "research/search").as_deref(), Some("research"));
    assert!(run.node(run.find_node("research").unwrap()).is_container);
}

#[test]
fn a_model_call_stands_under_its_graph_node() {
    let graph =
        json!({"run_id": "r1", "namespace": ["research:7f"], "node": "search", "task_id": "t", "step": 3});
    let llm = json!({"nodeId": "llm:gpt", "parentId": "agent:r1", "kind": "llm", "name": "gpt", "instanceId": "l", "graph": graph});
    let place = json!({"run_id": "r1", "namespace": ["research:7f"]});
    let store = store_of([
        started(1, "agent:r1", None, "r1"),
        told(2, place, json!({"TaskStarted": {"task_id": "t", "node": "search", "triggers": []}})),
        event(3, "node.started", llm),
        token(4, "llm:gpt", None, "words"),
    ]);
    let run = only(&store);
    assert_eq!(parent(run, "llm:gpt").as_deref(), Some("research/search"));
    assert_eq!(parent(run, "research/search").as_deref(), Some("research"));
    let llm = run.node(run.find_node("llm:gpt").unwrap());
    assert_eq!(run.step(llm.instances[0]), Some(3));
    assert_eq!(run.tail(llm.instances[0]), "words");
    assert_eq!(run.namespace(llm.namespace).len(), 1);
}

#[test]
fn agents_inside_a_node_are_agents_and_name_their_runs() {
    let store = store_of([
        told(1, root(), json!({"NodeStarted": {"node": "delegate", "step": 1}})),
        told(
            2,
            root(),
            json!({"SubAgentStarted": {"node": "delegate", "agent": "writer", "child_run_id": "kid"}}),
        ),
        told(
            3,
            root(),
            json!({"SubgraphStarted": {"node": "delegate", "child_run_id": "graph-kid", "namespace": ["delegate"]}}),
        ),
        told(
            4,
            root(),
            json!({"SubAgentCompleted": {"node": "delegate", "agent": "writer", "child_run_id": "kid"}}),
        ),
    ]);
    let run = only(&store);
    let writer = run.node(run.find_node("delegate/writer").unwrap());
    assert_eq!((writer.kind.as_str(), card(run, "delegate/writer").status), ("agent", NodeStatus::Ok));
    assert!(writer.child_runs.contains("kid"));
    assert!(run.node(run.find_node("delegate").unwrap()).child_runs.contains("graph-kid"));
    assert_eq!(parent(run, "delegate/writer").as_deref(), Some("delegate"));
}

#[test]
fn lineage_links_a_run_to_its_tree() {
    let place = json!({"run_id": "r1", "root_run_id": "top", "parent_run_id": "mid", "thread_id": "chat", "graph_id": "g"});
    let store = store_of([told(1, place, json!({"RunStarted": {"run_id": "r1"}}))]);
    let lineage = only(&store).lineage();
    let ids = [&lineage.root, &lineage.parent, &lineage.thread, &lineage.graph]
        .map(|m| m.as_ref().map(|(_, id)| &**id));
    assert_eq!(ids, [Some("top"), Some("mid"), Some("chat"), Some("g")]);
    assert_eq!(only(&store).app(), "g");
}

#[test]
fn an_interrupt_is_one_hold_however_often_it_is_told() {
    let interrupt =
        json!({"InterruptEmitted": {"interrupt": {"id": "i1", "node": "review", "payload": "go on?"}}});
    let values = json!({"Values": {"data": {}, "interrupts": [{"id": "i1", "payload": "go on?"}]}});
    let place = json!({"run_id": "r1", "task_id": "t"});
    let frames = [
        told(1, place.clone(), json!({"TaskStarted": {"task_id": "t", "node": "review", "triggers": []}})),
        told(2, place.clone(), interrupt.clone()),
        part(3, root(), values),
        told(4, place.clone(), interrupt),
    ];
    let mut store = store_of(&frames);
    store.set_live(&r1(), true);
    let rows = project::holds(only(&store));
    assert_eq!(rows.len(), 1);
    assert_eq!((rows[0].node_id, rows[0].interrupt), ("review", true));
    assert_eq!(only(&store).hold(rows[0].hold).question.as_ref().map(|q| &*q.preview), Some("\"go on?\""));
    let refused = store.check(&r1(), "i1", wire::Action::Inject, false, true).unwrap_err().to_string();
    assert!(refused.contains("no gate waits there"), "{refused}");
    assert_eq!(project::show(only(&store)).holds.len(), 1);

    // A gate of the program under the same id can be answered, and is the one hold.
    let mut gated = store.clone();
    apply_all(&mut gated, [paused(5, "i1", "review", "before")]);
    gated.settle();
    assert_eq!(project::holds(only(&gated)).len(), 1);
    assert_eq!(gated.check(&r1(), "i1", wire::Action::Inject, false, true), Ok(()));
    apply_all(&mut gated, [resumed(6, "i1", "inject")]);
    gated.settle();
    assert!(project::holds(only(&gated)).is_empty());

    // Without one, the task's next start is the answer.
    apply_all(
        &mut store,
        [told(7, place, json!({"TaskStarted": {"task_id": "t", "node": "review", "triggers": []}}))],
    );
    assert!(project::holds(only(&store)).is_empty());
    assert!(only(&store).pending_interrupts().is_empty());
    assert_eq!(card(only(&store), "review").retried(), None, "going on is no retry");
}

#[test]
fn pieces_of_a_message_stream_under_their_task_and_its_tokens_count_once() {
    let piece = |seq, text: &str, output: u64| {
        let message = json!({"id": "m1", "type": "AIMessageChunk", "content": text, "usage_metadata": {"input_tokens": 10, "output_tokens": output}});
        let place = json!({"run_id": "r1", "task_id": "t", "node": "model", "namespace": []});
        part(seq, place, json!({"Messages": {"message": message, "metadata": {"langgraph_node": "model"}}}))
    };
    let store = store_of([
        told(1, root(), json!({"TaskStarted": {"task_id": "t", "node": "model", "triggers": []}})),
        piece(2, "Hel", 1),
        piece(3, "lo", 2),
    ]);
    let run = only(&store);
    let model = run.node(run.find_node("model").unwrap());
    assert_eq!(run.tail(model.instances[0]), "Hello");
    assert_eq!((model.usage.total, run.usage().output), (12, 2));
}

#[test]
fn a_graph_event_that_cannot_be_read_is_named() {
    let mut store = Store::new();
    let changes = apply_all(
        &mut store,
        [told(1, root(), json!({"StepStarted": {"step": "one"}})), told(2, root(), json!({"Warp": {}}))],
    );
    assert!(changes[0].notes[0].text.contains("StepStarted.step"), "{:?}", changes[0].notes);
    assert!(changes[1].notes[0].text.contains("Warp"), "{:?}", changes[1].notes);
    assert_eq!(only(&store).event_count(), 2);
}
