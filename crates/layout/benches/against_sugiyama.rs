//! Full passes against `rust-sugiyama` (without transpose) on its own kind of shapes, and appends against full passes,
//! all in one run: only the ratios mean anything.
//!
//! `cargo bench -p layout`

use std::hint::black_box;
use std::time::Instant;

use layout::{Edge, Item, Key, Request, Size, plan, solve};
use rust_sugiyama::configure::{Config, CrossingMinimization};

const CARD: Size = Size::new(184.0, 56.0);

fn main() {
    println!(
        "{:<14} {:>6} {:>12} {:>12} {:>8} {:>12} {:>8}",
        "shape", "nodes", "sugiyama", "full", "ratio", "append", "1/ratio"
    );
    for nodes in [300, 2_000] {
        for (name, edges) in shapes(nodes) {
            report(name, nodes, &edges);
        }
    }
    for (name, request) in large() {
        let full = best(3, || black_box(solve(plan(None, &request), None, &request)));
        println!("{name:<14} {:>6} {:>12} {:>12}", request.items.len(), "", micros(full));
    }
}

fn report(name: &str, nodes: u32, edges: &[(u32, u32)]) {
    let request = request(nodes, edges);
    let rounds = if nodes > 1_000 { 15 } else { 60 };
    let theirs = best(if nodes > 1_000 { 3 } else { 15 }, || black_box(sugiyama(nodes, edges)));
    let full = best(rounds, || black_box(solve(plan(None, &request), None, &request)));
    let append = append(&request);
    println!(
        "{name:<14} {nodes:>6} {:>12} {:>12} {:>8.3} {:>12} {:>8.0}",
        micros(theirs),
        micros(full),
        full / theirs,
        micros(append),
        full / append
    );
}

/// Seconds of the fastest of some rounds.
fn best<T>(rounds: u32, mut work: impl FnMut() -> T) -> f64 {
    let mut least = f64::INFINITY;
    for _ in 0..rounds {
        let start = Instant::now();
        let result = work();
        least = least.min(start.elapsed().as_secs_f64());
        drop(result);
    }
    least
}

/// Mean seconds of planning and placing one more node with one edge, at the end of the given size. The first append
/// is not counted: it grows every vector once, which later ones share.
fn append(request: &Request) -> f64 {
    const ADDED: u64 = 50;
    let count = request.items.len() as u64;
    let mut least = f64::INFINITY;
    for _ in 0..10 {
        let mut now = request.clone();
        let mut layout = solve(plan(None, &now), None, &now);
        let mut spent = 0.0;
        for k in 0..=ADDED {
            now.items.push(Item::card(count + k, None, CARD));
            now.edges.push(Edge::down((k * 37) % count, count + k));
            let start = Instant::now();
            let next = plan(Some(&layout), &now);
            layout = solve(next, Some(layout), &now);
            spent += if k == 0 { 0.0 } else { start.elapsed().as_secs_f64() };
        }
        least = least.min(spent / ADDED as f64);
        black_box(&layout);
    }
    least
}

fn micros(seconds: f64) -> String {
    format!("{:.1} us", seconds * 1e6)
}

fn request(nodes: u32, edges: &[(u32, u32)]) -> Request {
    Request {
        items: (0..u64::from(nodes)).map(|k| Item::card(k, None, CARD)).collect(),
        edges: edges.iter().map(|&(u, v)| Edge::down(u64::from(u), u64::from(v))).collect(),
        ..Request::default()
    }
}

fn sugiyama(nodes: u32, edges: &[(u32, u32)]) -> usize {
    let vertices: Vec<(u32, (f64, f64))> = (0..nodes).map(|v| (v, (184.0, 56.0))).collect();
    let config =
        Config { transpose: false, c_minimization: CrossingMinimization::Barycenter, ..Config::default() };
    rust_sugiyama::from_vertices_and_edges(&vertices, edges, &config).len()
}

/// Edges of each shape, as many nodes as asked.
fn shapes(nodes: u32) -> [(&'static str, Vec<(u32, u32)>); 4] {
    let tree = (1..nodes).map(|v| ((v - 1) / 2, v)).collect();
    let star = (1..nodes).map(|v| (0, v)).collect();
    let chain = (1..nodes).map(|v| (v - 1, v)).collect();
    [("agent steps", agent_steps(nodes)), ("tree", tree), ("star", star), ("chain", chain)]
}

/// A model call, three tools it calls, the next model call, and so on.
fn agent_steps(nodes: u32) -> Vec<(u32, u32)> {
    let mut edges = Vec::new();
    for v in 1..nodes {
        let step = v - v % 4;
        if v % 4 == 0 {
            edges.extend((v - 3..v).map(|tool| (tool, v)));
        } else {
            edges.push((step, v));
        }
    }
    edges
}

fn large() -> [(&'static str, Request); 3] {
    let nested = Request {
        items: (0..50_000_u64).map(|k| Item::open_box(k, k.checked_sub(1).map(Key))).collect(),
        ..Request::default()
    };
    let chain: Vec<_> = (1..50_000).map(|v| (v - 1, v)).collect();
    let star: Vec<_> = (1..10_000).map(|v| (0, v)).collect();
    [("chain", request(50_000, &chain)), ("nested", nested), ("star", request(10_000, &star))]
}
