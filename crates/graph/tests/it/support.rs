//! Events for tests: a sentence each, and random stories of them.

use graph::{Change, RunKey, Store};
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
        6 => (node(), prop::option::of(node()), 0..4u8, text()).prop_map(|(node, parent, i, input)| {
            let mut payload = json!({"nodeId": node, "kind": kind_of(node), "name": node, "instanceId": format!("i{i}"), "input": {"text": input}});
            if let Some(parent) = parent {
                payload["parentId"] = parent.into();
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
    ]
}

/// A random run: numbered events, some numbers left out.
pub(crate) fn story() -> impl Strategy<Value = Vec<String>> {
    let steps = prop::collection::vec((payload(), prop::bool::weighted(0.1)), 1..45);
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
