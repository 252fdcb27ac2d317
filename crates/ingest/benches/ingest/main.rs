//! The server against floors: what it costs, how long things take, in ratios of one run.
//!
//! `cargo bench -p ingest` prints all, `cargo bench -p ingest -- mix` (or `latency`, `control`, `graph`, `crowd`) a part.
//! Senders and readers are processes of their own, so that only the server's side counts. Linux only (CPU time is read
//! from `/proc`).

mod control;
mod crowd;
mod graph;
mod latency;
mod mix;
mod support;

use support::{Outcome, runtime};

fn main() -> Outcome<()> {
    let args: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with("--")).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let runtime = runtime()?;
    match args.as_slice() {
        ["send", url] => runtime.block_on(mix::send(url)),
        ["view", url] => runtime.block_on(mix::view(url)),
        ["pace", url] => runtime.block_on(latency::pace(url)),
        ["measure", url] => runtime.block_on(latency::measure(url)),
        ["open", url] => runtime.block_on(latency::open(url)),
        ["echo", url] => runtime.block_on(control::echo(url)),
        ["resume", urls] => runtime.block_on(control::resume(urls)),
        ["produce", url] => runtime.block_on(graph::produce(url)),
        ["subscribe", url] => runtime.block_on(graph::subscribe(url)),
        ["throng", url] => runtime.block_on(crowd::throng(url)),
        parts => runtime.block_on(compare(parts)),
    }
}

async fn compare(parts: &[&str]) -> Outcome<()> {
    let dir = std::env::temp_dir().join(format!("holdpoint-bench-{}", std::process::id()));
    std::fs::create_dir_all(&dir)?;
    let wanted = |part: &str| parts.is_empty() || parts.contains(&part);
    if wanted("mix") {
        mix::compare(&dir).await?;
    }
    if wanted("latency") {
        latency::compare(&dir).await?;
    }
    if wanted("control") {
        control::compare(&dir).await?;
    }
    if wanted("graph") {
        graph::compare(&dir).await?;
    }
    if wanted("crowd") {
        crowd::compare(&dir).await?;
    }
    Ok(std::fs::remove_dir_all(&dir)?)
}
