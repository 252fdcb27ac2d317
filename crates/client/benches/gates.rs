//! What a gate costs that does not hold: detached, and attached to a debugger whose breakpoints do not match.
//!
//! Prints nanoseconds a gate and its ratio to an uncontended atomic load in the same run.
//! `cargo bench -p client --bench gates`

#[path = "../tests/sockets/debugger.rs"]
#[expect(dead_code, reason = "the tests' debugger; only its start is needed here")]
mod debugger;

use client::{Decision, NodeGuard, Point, Session};
use debugger::{Debugger, SOON};
use serde_json::json;
use std::hint::black_box;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Instant;

const ROUNDS: u32 = 5_000_000;
const REPEATS: usize = 5;

/// Best of several rounds, nanoseconds each.
fn measure(mut act: impl FnMut()) -> f64 {
    let mut once = || {
        let start = Instant::now();
        (0..ROUNDS).for_each(|_| act());
        start.elapsed().as_secs_f64() * 1e9 / f64::from(ROUNDS)
    };
    (0..REPEATS).map(|_| once()).fold(f64::INFINITY, f64::min)
}

fn gate(guard: &NodeGuard) -> f64 {
    measure(|| assert!(black_box(guard).gate_blocking(Point::Before) == Decision::Continue))
}

fn poll_gate(guard: &NodeGuard) -> f64 {
    use futures_util::FutureExt;
    measure(|| assert!(black_box(guard).gate(Point::Before).now_or_never() == Some(Decision::Continue)))
}

fn main() {
    let flag = AtomicU8::new(0);
    let floor = measure(|| {
        black_box(black_box(&flag).load(Ordering::Relaxed));
    });
    let print = |what: &str, ns: f64| println!("{what:<44} {ns:>8.2} ns  {:>7.1} x a load", ns / floor);
    print("an atomic load", floor);

    let alone = Session::builder("bench").url("ws://127.0.0.1:1/ingest").start();
    let run = alone.run("bench").start();
    let guard = run.node("tool", "fetch").start(&());
    print("a detached gate", poll_gate(&guard));
    print("a detached gate, blocking", gate(&guard));

    let others =
        json!([{"name": "a"}, {"kind": "llm"}, {"name": "b", "point": "before"}, {"point": "error"}]);
    for (what, breakpoints) in [("none set", json!([])), ("four that do not match", others)] {
        let debugger = Debugger::start(breakpoints, "run");
        let session = Session::builder("bench").url(debugger.url()).start();
        assert!(session.attached_blocking(SOON));
        let run = session.run("bench").start();
        let guard = run.node("tool", "fetch").start(&());
        print(&format!("an attached gate, {what}"), poll_gate(&guard));
    }
}
