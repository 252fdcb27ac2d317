//! Streamed text on the wire.

use crate::debugger::{Debugger, SOON};
use client::{Session, Usage};
use serde_json::{Value, json};

#[test]
fn words_travel_in_few_events_in_order_and_before_the_end() {
    let mut debugger = Debugger::start(json!([]), "run");
    let session = Session::builder("test").url(debugger.url()).start();
    assert!(session.attached_blocking(SOON));
    let run = session.run("work").start();
    let node = run.llm("say").model("small-1").start(&"count");
    for n in 0..2_000 {
        node.text(&format!("{n} "));
    }
    node.reasoning("hm");
    node.usage(Usage::tokens(5, 7).cache_read(2));
    node.finish(&"done");
    let end = debugger.next("node.finished");
    assert_eq!(end["payload"]["usage"]["cacheReadTokens"], 2);
    let log = debugger.log();
    let tokens: Vec<&Value> = log.iter().filter(|m| m["type"] == "node.token").collect();
    assert!(tokens.len() < 50, "{} events", tokens.len());
    let text: String = tokens
        .iter()
        .flat_map(|m| m["payload"]["deltas"].as_array().expect("deltas"))
        .filter(|delta| delta["t"] == "text")
        .filter_map(|delta| delta["v"].as_str())
        .collect();
    assert_eq!(text, (0..2_000).map(|n| format!("{n} ")).collect::<String>());
    assert!(tokens.iter().all(|m| m["payload"]["instanceId"] == end["payload"]["instanceId"]));
}
