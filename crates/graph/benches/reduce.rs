//! What the reducer costs beside decoding alone, as ratios, so that they compare between machines.
//!
//! `cargo bench -p graph [-- INSTANCES]`. The mix: one `node.started` with a 600-byte input, ten `node.token`, one
//! `node.finished` with a 1 KB output for each instance; 200 nodes in three levels.

use std::hint::black_box;
use std::time::{Duration, Instant};

use cap::Cap;
use graph::{RunKey, Store, project};

const NODES: usize = 200;

/// Counts the bytes that are allocated.
#[global_allocator]
static ALLOCATED: Cap<std::alloc::System> = Cap::new(std::alloc::System, usize::MAX);

fn main() {
    let instances = std::env::args().filter_map(|arg| arg.parse().ok()).next_back().unwrap_or(20_000);
    let frames = mix(instances);
    println!("{} events of {instances} instances", frames.len());
    let floor = time(|| frames.iter().for_each(|frame| drop(black_box(wire::decode(frame)))));
    report("decode only", floor, floor, frames.len());

    let before = ALLOCATED.allocated();
    let mut store = Store::new();
    apply(&mut store, &frames);
    let bytes = ALLOCATED.allocated().saturating_sub(before) / instances.max(1);
    report("decode and apply", time(|| apply(&mut Store::new(), &frames)), floor, frames.len());
    let previews = previews(&store) / instances.max(1);
    println!("{:<34}{bytes:>9} bytes an instance, {} besides previews", "allocated memory", bytes - previews);

    let tokens: Vec<&String> = frames.iter().filter(|frame| frame.contains("node.token")).collect();
    let token_floor = time(|| tokens.iter().for_each(|frame| drop(black_box(wire::decode(frame)))));
    let token_apply = time(|| apply(&mut Store::new(), &tokens));
    report("tokens: decode only", token_floor, token_floor, tokens.len());
    report("tokens: decode and apply", token_apply, token_floor, tokens.len());

    let slim: Vec<String> = frames.iter().map(|frame| wire::slim(frame).into_owned()).collect();
    report("slim: decode and apply", time(|| apply(&mut Store::new(), &slim)), floor, slim.len());
    let late = shuffled(&frames);
    let mut other = Store::new();
    report("shuffled: decode and apply", time(|| apply(&mut Store::new(), &late)), floor, late.len());
    apply(&mut other, &late);
    assert_eq!(other.digest(), store.digest(), "order must not show");

    let run = store.find("r1").expect("the run");
    let one = |name: &str, took: Duration| println!("{name:<34}{:>9.3} ms", took.as_secs_f64() * 1e3);
    one("digest", time(|| assert_ne!(black_box(run.digest()), 0)));
    let last = run.last_seq().unwrap_or_default();
    let mut stops: Vec<Duration> =
        (1..=33).map(|i| time(|| drop(black_box(project::at(run, last / 33 * i))))).collect();
    stops.sort_unstable();
    one("state at a sequence, median", stops[16]);
    let mut tree = project::Tree::default();
    one("tree", time(|| tree = project::Tree::new(run)));
    one("scene", time(|| drop(black_box(project::scene(run, &tree, &project::View::default(), None)))));
    let mut steps = project::Steps::default();
    one("steps", time(|| steps = project::Steps::new(run, &tree)));
    one(
        "one step over",
        time(|| {
            black_box(steps.next(run, last / 2, project::Step::Over));
        }),
    );
    let mut axis = project::Axis::default();
    one("axis", time(|| axis = project::Axis::new(run, 1000.0)));
    let node = run.find_node("n199").expect("a leaf");
    let mut lanes = project::Lanes::default();
    one("lanes of a node", time(|| lanes = project::lanes(run, &axis, node)));
    one(
        "bars of a node",
        time(|| drop(black_box(lanes.bars(run, &axis, axis.start, axis.end, axis.length() / 1000.0)))),
    );
    let mut text = String::new();
    one("snapshot", time(|| text = serde_json::to_string(run).expect("a snapshot")));
    one("restore", time(|| drop(black_box(serde_json::from_str::<graph::Run>(&text).expect("a run")))));
    println!("{:<34}{:>9} bytes an instance", "snapshot size", text.len() / instances.max(1));
}

fn apply<S: AsRef<str>>(store: &mut Store, frames: &[S]) {
    let key = RunKey::from("r1");
    for frame in frames {
        black_box(store.apply_to(&key, &wire::decode(frame.as_ref())));
    }
    store.settle();
}

/// The best of three, so that a busy machine shows less.
fn time(mut work: impl FnMut()) -> Duration {
    let once = || {
        let start = Instant::now();
        work();
        start.elapsed()
    };
    std::iter::repeat_with(once).take(3).min().unwrap_or_default()
}

fn report(name: &str, took: Duration, floor: Duration, events: usize) {
    let each = took.as_secs_f64() * 1e9 / events.max(1) as f64;
    println!(
        "{name:<34}{each:>9.0} ns an event, {:.2} times the floor",
        took.as_secs_f64() / floor.as_secs_f64()
    );
}

/// Bytes of inputs and outputs that are kept to be shown.
fn previews(store: &Store) -> usize {
    let run = store.find("r1").expect("the run");
    let of = |i: usize| {
        let bodies = [run.input(i.into()), run.output(i.into())];
        bodies.into_iter().flatten().map(|(body, _)| body.preview.len()).sum::<usize>()
    };
    (0..run.instances().len()).map(of).sum()
}

fn mix(instances: usize) -> Vec<String> {
    let mut frames = vec![frame(0, "run.started", r#"{"app":"bench","sdk":{"name":"bench","version":"1"}}"#)];
    let (input, output) = ("i".repeat(580), "o".repeat(1000));
    for i in 0..instances {
        let node = i % NODES;
        let parent = if node < 10 {
            String::new()
        } else {
            format!(r#""parentId":"n{}","#, if node < 60 { node % 10 } else { 10 + node % 50 })
        };
        let kind = if node < 60 { "agent" } else { "llm" };
        let seq = |frames: &Vec<String>| frames.len() as u64;
        let started = format!(
            r#"{{"nodeId":"n{node}",{parent}"kind":"{kind}","name":"node {node}","instanceId":"n{node}-{i}","input":{{"q":"{input}"}}}}"#
        );
        frames.push(frame(seq(&frames), "node.started", &started));
        for t in 0..10 {
            let token = format!(r#"{{"nodeId":"n{node}","deltas":[{{"t":"text","v":"word {t} "}}]}}"#);
            frames.push(frame(seq(&frames), "node.token", &token));
        }
        let finished = format!(
            r#"{{"nodeId":"n{node}","instanceId":"n{node}-{i}","output":{{"a":"{output}"}},"usage":{{"inputTokens":10,"outputTokens":20}},"durationMs":12.5,"status":"ok"}}"#
        );
        frames.push(frame(seq(&frames), "node.finished", &finished));
    }
    frames
}

fn frame(seq: u64, kind: &str, payload: &str) -> String {
    format!(
        r#"{{"gm":1,"seq":{seq},"ts":{},"runId":"r1","type":"{kind}","payload":{payload}}}"#,
        1_700_000_000_000 + seq * 3
    )
}

/// The same events in an order without rhyme, the same on every machine.
fn shuffled(frames: &[String]) -> Vec<&String> {
    let mut order: Vec<&String> = frames.iter().collect();
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    for i in (1..order.len()).rev() {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        order.swap(i, (state >> 33) as usize % (i + 1));
    }
    order
}
