//! The timeline of a run of a graph runtime: what is marked on its ruler, and where a click leads.

use serde_json::{Value, json};

use crate::window::{Window, summary, welcome};

const GRAPH_RUNTIME: &str = include_str!("../canvas/recordings/graph_runtime.ndjson");

/// The window with the first events of the recorded example.
fn window(events: usize) -> Window {
    let mut window = Window::empty();
    let mut known = summary(false);
    known["app"] = json!("Graph runtime");
    window.serve(&welcome(&[known]));
    let frames = GRAPH_RUNTIME.lines().take(events).map(|line| {
        let mut frame: Value = serde_json::from_str(line).unwrap();
        frame["runId"] = json!("7f3a");
        frame
    });
    let frames: Vec<Value> = frames.collect();
    window.serve(&json!({ "t": "events", "run": "7f3a", "events": frames }));
    window
}

#[test]
fn supersteps_and_errors_are_marked_on_the_ruler_and_a_click_looks_at_the_moment() {
    let mut window = window(usize::MAX);
    window.picture("timeline-graph-runtime");
    for words in ["Superstep 1 at", "Superstep 2 with 2 nodes side by side", "Error of fetch_page at"] {
        assert!(window.says(words), "{words}: {:?}", window.names());
    }
    let name = window.names().into_iter().find(|name| name.starts_with("Superstep 2 with")).unwrap();
    window.click(&name);
    assert!(window.says("You are in the past"), "{:?}", window.names());
}
