//! Measures `decode` and `slim` on one core: `cargo run --release -p wire --example decode_speed`.
use std::{hint::black_box, time::Instant};

const BATCH: u32 = 1_000;
const BATCHES: u32 = 400;

fn envelope(kind: &str, payload: &str) -> String {
    format!(
        r#"{{"gm": 1, "seq": 123456, "ts": 1756200000000, "runId": "run_ab12cd34ef56", "type": "{kind}", "payload": {payload}}}"#
    )
}

/// The best of many short batches: other load on the machine only ever adds.
fn best_ns<T>(work: impl Fn() -> T) -> u128 {
    let batch = || {
        let start = Instant::now();
        for _ in 0..BATCH {
            black_box(work());
        }
        start.elapsed().as_nanos() / u128::from(BATCH)
    };
    (0..BATCHES).map(|_| batch()).min().unwrap_or_default()
}

fn measure(name: &str, frame: &str) {
    let decode_ns = best_ns(|| wire::decode(black_box(frame)));
    let slim_ns = best_ns(|| wire::slim(black_box(frame)));
    let skip_ns = best_ns(|| wire::Raw::parse(black_box(frame)).is_ok());
    let general_ns =
        best_ns(|| serde_json::from_str::<&serde_json::value::RawValue>(black_box(frame)).is_ok());
    println!(
        "{name:<24} {:>6} bytes  decode {decode_ns:>6} ns  slim {slim_ns:>6} ns  skip {skip_ns:>6} ns  general parser's skip {general_ns:>6} ns",
        frame.len(),
    );
}

fn main() {
    measure(
        "token",
        &envelope("node.token", r#"{"nodeId": "llm:step", "deltas": [{"t": "text", "v": "Hello wor"}]}"#),
    );
    let members: Vec<_> = (0..40).map(|i| format!(r#""key{i}": "value {i}""#)).collect();
    let input = format!("{{{}}}", members.join(", "));
    measure(
        "started, 1 KB of members",
        &envelope(
            "node.started",
            &format!(
                r#"{{"nodeId": "tool:search", "parentId": "agent:r", "kind": "tool", "name": "search", "instanceId": "i1", "input": {input}}}"#
            ),
        ),
    );
    let text = "The quick brown fox. ".repeat(40);
    measure(
        "finished, 1 KB of text",
        &envelope(
            "node.finished",
            &format!(
                r#"{{"nodeId": "llm:step", "instanceId": "i1", "durationMs": 12.5, "status": "ok", "output": "{text}"}}"#
            ),
        ),
    );
    measure(
        "unknown type",
        &envelope("graph.event", r#"{"step": 3, "event": {"StepStarted": {"step": 3, "active": ["plan"]}}}"#),
    );
}
