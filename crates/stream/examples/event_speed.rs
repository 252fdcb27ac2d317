//! Measures a graph event's way through this crate on one core: `cargo run --release -p stream --example event_speed`.
use std::{hint::black_box, time::Instant};
use stream::{Context, GraphEvent, RunFold, StreamFilter, StreamItem, encode_event, lines};

const BATCH: u32 = 1_000;
const BATCHES: u32 = 300;

/// The best of many short batches: other load on the machine only ever adds.
fn best_ns<T>(mut work: impl FnMut() -> T) -> u128 {
    let mut batch = || {
        let start = Instant::now();
        for _ in 0..BATCH {
            black_box(work());
        }
        start.elapsed().as_nanos() / u128::from(BATCH)
    };
    (0..BATCHES).map(|_| batch()).min().unwrap_or_default()
}

fn main() {
    let context = Context {
        run_id: Some("run-7f3a".into()),
        thread_id: Some("thread-1".into()),
        graph_id: Some("support".into()),
        namespace: vec!["research:5f2c".into(), "search:11aa".into()],
        step: Some(3),
        seq: Some(41),
        ts_ms: Some(1_756_200_000_000.0),
        ..Context::default()
    };
    let event = GraphEvent::TaskStarted {
        task_id: "task-9".into(),
        node: "search".into(),
        triggers: vec!["branch:to:search".into()],
    };
    let frame = encode_event(41, 1_756_200_000_000.0, "run-7f3a", &context, &event);
    let item = StreamItem::decode(&wire::decode(&frame)).unwrap_or_default().expect("a graph event");
    let filter = StreamFilter::from_query("modes=tasks&namespace=research").unwrap_or_default();
    let mut fold = RunFold::default();
    println!("{} bytes a frame", frame.len());
    println!("encode  {:>6} ns", best_ns(|| encode_event(41, 1.0, "run-7f3a", &context, &event)));
    println!("decode  {:>6} ns (envelope)", best_ns(|| wire::decode(black_box(&frame))));
    println!(
        "item    {:>6} ns (envelope and event)",
        best_ns(|| StreamItem::decode(&wire::decode(black_box(&frame))))
    );
    println!("fold    {:>6} ns", best_ns(|| fold.apply(black_box(&item))));
    println!("lines   {:>6} ns (filter, one mode)", best_ns(|| lines(black_box(&item), &filter)));
}
