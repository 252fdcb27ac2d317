//! Events for tests: a sentence each, and random stories of them.

use graph::{Change, EdgeKind, NodeStatus, Run, RunKey, Store, project};
use proptest::prelude::*;
use serde_json::{Value, json};

/// An envelope of run `r1`; `ts` grows by 10 ms.
pub(crate) fn event(seq: u64, kind: &str, payload: Value) -> String {
    event_of("r1", seq, kind, payload)
}

/// An envelope of any run.
pub(crate) fn event_of(run: &str, seq: u64, kind: &str, payload: Value) -> String {
    json!({"gm": 1, "seq": seq, "ts": 1000.0 + 10.0 * seq as f64, "runId": run, "type": kind, "payload": payload})
        .to_string()
}

/// `run.started`.
pub(crate) fn run_started(seq: u64) -> String {
    event(seq, "run.started", json!({"app": "demo", "sdk": {"name": "test", "version": "1"}}))
}

/// `run.finished`.
pub(crate) fn run_finished(seq: u64) -> String {
    event(seq, "run.finished", json!({"status": "ok"}))
}

/// `node.started` under a parent.
pub(crate) fn started(seq: u64, node: &str, parent: Option<&str>, instance: &str) -> String {
    let mut payload = json!({"nodeId": node, "kind": kind_of(node), "name": node, "instanceId": instance});
    if let Some(parent) = parent {
        payload["parentId"] = parent.into();
    }
    event(seq, "node.started", payload)
}

/// `node.finished` with status ok.
pub(crate) fn finished(seq: u64, node: &str, instance: Option<&str>) -> String {
    let mut payload = json!({"nodeId": node, "durationMs": 5, "status": "ok"});
    if let Some(instance) = instance {
        payload["instanceId"] = instance.into();
    }
    event(seq, "node.finished", payload)
}

/// `node.error`.
pub(crate) fn failed(seq: u64, node: &str, instance: Option<&str>) -> String {
    let mut payload = json!({"nodeId": node, "error": {"name": "Boom", "message": "it broke"}});
    if let Some(instance) = instance {
        payload["instanceId"] = instance.into();
    }
    event(seq, "node.error", payload)
}

/// `exec.paused`.
pub(crate) fn paused(seq: u64, pause: &str, node: &str, point: &str) -> String {
    event(seq, "exec.paused", json!({"pauseId": pause, "nodeId": node, "point": point}))
}

/// `exec.resumed`.
pub(crate) fn resumed(seq: u64, pause: &str, action: &str) -> String {
    event(seq, "exec.resumed", json!({"pauseId": pause, "action": action}))
}

/// `node.token` with one delta of text.
pub(crate) fn token(seq: u64, node: &str, instance: Option<&str>, text: &str) -> String {
    let mut payload = json!({"nodeId": node, "deltas": [{"t": "text", "v": text}]});
    if let Some(instance) = instance {
        payload["instanceId"] = instance.into();
    }
    event(seq, "node.token", payload)
}

fn kind_of(node: &str) -> &'static str {
    match node.as_bytes().first() {
        Some(b'a') => "agent",
        Some(b'l') => "llm",
        Some(b't' | b'w') => "tool",
        _ => "chain",
    }
}

/// Applies frames as a recording.
pub(crate) fn apply_all<S: AsRef<str>>(
    store: &mut Store,
    frames: impl IntoIterator<Item = S>,
) -> Vec<Change> {
    frames.into_iter().map(|frame| store.apply(&wire::decode(frame.as_ref()))).collect()
}

/// A store of frames, settled.
pub(crate) fn store_of<S: AsRef<str>>(frames: impl IntoIterator<Item = S>) -> Store {
    let mut store = Store::new();
    apply_all(&mut store, frames);
    store.settle();
    store
}

/// The key of run `r1`.
pub(crate) fn r1() -> RunKey {
    RunKey::from("r1")
}

const NODES: [&str; 6] = ["agent", "b", "llm", "tool", "w", "c"];

/// One random event without its number.
fn payload() -> impl Strategy<Value = (&'static str, Value)> {
    let node = || prop::sample::select(&NODES[..]);
    let maybe_instance = || prop::option::weighted(0.6, 0..4u8);
    let pause = || (0..3u8).prop_map(|p| format!("p{p}"));
    let text = || prop_oneof![4 => "[a-zäß]{0,6}", 1 => (200..700usize).prop_map(|n| "xy".repeat(n / 2))];
    let with = |mut payload: Value, instance: Option<u8>| {
        if let Some(i) = instance {
            payload["instanceId"] = format!("i{i}").into();
        }
        payload
    };
    prop_oneof![
        6 => (node(), prop::option::of(node()), 0..4u8, text(), prop::option::weighted(0.2, place())).prop_map(|(node, parent, i, input, graph)| {
            let mut payload = json!({"nodeId": node, "kind": kind_of(node), "name": node, "instanceId": format!("i{i}"), "input": {"text": input}});
            if let Some(parent) = parent {
                payload["parentId"] = parent.into();
            }
            if let Some(mut graph) = graph {
                graph["node"] = "c".into();
                payload["graph"] = graph;
            }
            ("node.started", payload)
        }),
        5 => (node(), maybe_instance(), 0..3usize, text(), any::<bool>(), prop::option::of(0..900u32)).prop_map(move |(node, i, status, output, injected, tokens)| {
            let status = ["ok", "error", "aborted"][status];
            let mut payload = json!({"nodeId": node, "durationMs": 7.25, "heldMs": 0.5, "status": status, "output": output});
            if injected {
                payload["injected"] = true.into();
            }
            if let Some(tokens) = tokens {
                payload["usage"] = json!({"inputTokens": tokens, "outputTokens": 3, "cacheReadTokens": 2});
            }
            ("node.finished", with(payload, i))
        }),
        2 => (node(), maybe_instance(), text()).prop_map(move |(node, i, message)| {
            ("node.error", with(json!({"nodeId": node, "error": {"name": "Boom", "message": message, "stack": "s".repeat(400)}}), i))
        }),
        6 => (node(), prop::option::weighted(0.3, 0..4u8), 0..3usize, text()).prop_map(move |(node, i, t, v)| {
            let t = ["text", "reasoning", "tool-args"][t];
            ("node.token", with(json!({"nodeId": node, "deltas": [{"t": t, "v": v}, {"t": "text", "v": "."}]}), i))
        }),
        3 => (pause(), node(), maybe_instance(), 0..3usize).prop_map(move |(pause, node, i, point)| {
            let point = ["before", "after", "error"][point];
            ("exec.paused", with(json!({"pauseId": pause, "nodeId": node, "point": point, "editable": true}), i))
        }),
        3 => (pause(), 0..4usize).prop_map(|(pause, action)| {
            let action = ["continue", "retry", "inject", "abort"][action];
            ("exec.resumed", json!({"pauseId": pause, "action": action}))
        }),
        1 => pause().prop_map(|pause| ("exec.refused", json!({"pauseId": pause, "code": "shape"}))),
        1 => (node(), node()).prop_map(|(node, parent)| {
            ("graph.hint", json!({"nodes": [{"nodeId": node, "kind": "tool", "name": "hinted", "parentId": parent}]}))
        }),
        1 => (0..60u64, 0..4u64).prop_map(|(from, n)| ("gap", json!({"fromSeq": from, "toSeq": from + n}))),
        1 => Just(("custom.event", json!({"what": "x".repeat(300)}))),
        8 => graph_event(),
        2 => graph_part(),
    ]
}

/// Where a random graph event belongs.
fn place() -> impl Strategy<Value = Value> {
    let namespace = prop::collection::vec(prop::sample::select(&["b", "sub:t1", "sub:t2"][..]), 0..3);
    (namespace, prop::option::of(0..3u8), prop::option::of(0..3u8)).prop_map(|(namespace, task, step)| {
        let mut place = json!({"run_id": "r1", "namespace": namespace, "root_run_id": "root"});
        if let Some(task) = task {
            place["task_id"] = format!("t{task}").into();
        }
        if let Some(step) = step {
            place["step"] = step.into();
        }
        place
    })
}

fn graph_event() -> impl Strategy<Value = (&'static str, Value)> {
    let node = || prop::sample::select(&NODES[..]);
    let task = || (0..3u8).prop_map(|t| format!("t{t}"));
    let long = || prop_oneof![3 => Just("short".to_owned()), 1 => Just("e\"".repeat(2500))];
    let event = prop_oneof![
        3 => (task(), node(), node()).prop_map(|(task, node, from)| json!({"TaskStarted": {"task_id": task, "node": node, "triggers": [format!("{from}:{node}"), format!("branch:to:{node}")]}})),
        3 => (node(), 0..3u8).prop_map(|(node, step)| json!({"NodeStarted": {"node": node, "step": step}})),
        3 => (node(), 0..3u8).prop_map(|(node, step)| json!({"NodeCompleted": {"node": node, "step": step}})),
        1 => (node(), long()).prop_map(|(node, error)| json!({"NodeFailed": {"node": node, "step": 1, "error": error}})),
        1 => node().prop_map(|node| json!({"NodeRetryScheduled": {"node": node, "step": 1, "attempt": 2}})),
        2 => (task(), node()).prop_map(|(task, node)| json!({"TaskCompleted": {"task_id": task, "node": node}})),
        1 => (task(), node()).prop_map(|(task, node)| json!({"TaskCached": {"task_id": task, "node": node}})),
        2 => (node(), node()).prop_map(|(node, to)| json!({"RouteSelected": {"node": node, "routes": [{"Node": to}, "End"]}})),
        1 => node().prop_map(|node| json!({"StateUpdated": {"node": node, "update": "u".repeat(300)}})),
        1 => (node(), node()).prop_map(|(node, agent)| json!({"SubAgentStarted": {"node": node, "agent": agent, "child_run_id": "kid"}})),
        1 => node().prop_map(|node| json!({"SubgraphStarted": {"node": node, "child_run_id": "kid", "namespace": [node]}})),
        2 => (0..3u8, node()).prop_map(|(p, node)| json!({"InterruptEmitted": {"interrupt": {"id": format!("p{p}"), "node": node, "payload": "q".repeat(300)}}})),
        1 => Just(json!({"StepStarted": {"step": 1, "active": ["agent", "c"]}})),
        1 => Just(json!({"CheckpointSaved": {"checkpoint_id": "cp"}})),
        1 => Just(json!({"RunCompleted": {"run_id": "r1"}})),
        1 => long().prop_map(|error| json!({"RunFailed": {"run_id": "r1", "error": error}})),
        1 => Just(json!({"RunStarted": {"run_id": "r1", "graph_id": "g"}})),
        1 => Just(json!({"Mystery": {"x": 1}})),
        1 => Just(json!({"StepStarted": {"step": "wrong"}})),
    ];
    (place(), event).prop_map(|(mut payload, event)| {
        payload["event"] = event;
        ("graph.event", payload)
    })
}

fn graph_part() -> impl Strategy<Value = (&'static str, Value)> {
    let node = || prop::sample::select(&NODES[..]);
    let part = prop_oneof![
        (node(), 0..3u8, 0..50u32, any::<bool>()).prop_map(|(node, id, tokens, piece)| json!({"Messages": {"message": {
            "id": format!("m{id}"), "content": "hello", "delta": piece, "usage": {"inputTokens": tokens, "outputTokens": 1}},
            "metadata": {"node": node}}})),
        (node(), 0..3u8).prop_map(|(node, task)| json!({"Tasks": {"data": {"Start": {"task_id": format!("t{task}"), "node": node, "triggers": []}}}})),
        (node(), 0..3u8).prop_map(|(node, task)| json!({"Tasks": {"data": {"Finish": {"task_id": format!("t{task}"), "node": node, "status": "ok", "result": "r".repeat(300)}}}})),
        (0..3u8).prop_map(|p| json!({"Values": {"data": {"a": "v".repeat(300)}, "interrupts": [{"id": format!("p{p}"), "payload": 1}]}})),
        node().prop_map(|node| json!({"Updates": {"data": {node: "u".repeat(300)}}})),
    ];
    (place(), part).prop_map(|(mut payload, part)| {
        payload["part"] = part;
        ("graph.part", payload)
    })
}

/// A random run: numbered events, some numbers left out.
pub(crate) fn story() -> impl Strategy<Value = Vec<String>> {
    let steps = prop::collection::vec((payload(), prop::bool::weighted(0.1)), 1..32);
    (steps, any::<bool>(), any::<bool>()).prop_map(|(steps, begins, ends)| {
        let mut seq = 1;
        let mut frames = Vec::new();
        if begins {
            frames.push(run_started(seq));
        }
        for ((kind, payload), skip) in steps {
            seq += 1 + u64::from(skip);
            frames.push(event(seq, kind, payload));
        }
        if ends {
            frames.push(run_finished(seq + 1));
        }
        frames
    })
}

pub(crate) fn run_of(frames: &[String]) -> Store {
    store_of(frames)
}

pub(crate) fn only(store: &Store) -> &Run {
    store.run(&r1()).expect("run r1")
}

pub(crate) fn status(run: &Run, node: &str) -> NodeStatus {
    run.node_status(run.find_node(node).expect(node))
}

pub(crate) fn edges(run: &Run, kind: EdgeKind) -> Vec<(String, String, u32)> {
    let id = |ix| run.node(ix).id.to_string();
    let mut edges: Vec<_> =
        run.edges().filter(|e| e.kind == kind).map(|e| (id(e.from), id(e.to), e.count)).collect();
    edges.sort();
    edges
}

pub(crate) fn edge(from: &str, to: &str, count: u32) -> (String, String, u32) {
    (from.to_owned(), to.to_owned(), count)
}

pub(crate) fn texts(run: &Run) -> Vec<String> {
    project::notes(run).into_iter().map(|note| note.text).collect()
}
