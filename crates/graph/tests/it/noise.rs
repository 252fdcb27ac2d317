//! What must hold of any lines at all: nothing panics, order and a snapshot do not show.

use std::collections::BTreeSet;

use graph::{Run, RunKey, Store, project};

/// Applies lines as frames of one run, forwards and backwards.
pub(crate) fn check(text: &str) {
    let mut seen = BTreeSet::new();
    let frames: Vec<_> = text
        .lines()
        .map(wire::decode)
        .filter(|frame| frame.header().is_none_or(|header| seen.insert(header.seq)))
        .collect();
    let key = RunKey::from("r");
    let (mut forwards, mut backwards) = (Store::new(), Store::new());
    for frame in &frames {
        forwards.apply_to(&key, frame);
    }
    for frame in frames.iter().rev() {
        backwards.apply_to(&key, frame);
    }
    forwards.settle();
    let Some(run) = forwards.run(&key) else { return };
    project::show(run);
    let last = run.last_seq().unwrap_or_default();
    project::at(run, last / 2);
    let copy: Run = serde_json::from_str(&serde_json::to_string(run).expect("a snapshot")).expect("a run");
    assert_eq!(copy.digest(), run.digest());
    // Runs are named by their first frame; compare what does not hang on it.
    assert_eq!(backwards.run(&key).map(|run| run.event_count()), Some(run.event_count()));
}

#[test]
fn noise_changes_nothing_it_should_not() {
    for text in [
        "",
        "{",
        "null\n[]\n{\"gm\":1}",
        "{\"gm\":1,\"seq\":1,\"ts\":0,\"runId\":\"r\",\"type\":\"graph.event\",\"payload\":{\"event\":\"X\"}}",
    ] {
        check(text);
    }
    let deep = format!(
        "{{\"gm\":1,\"seq\":2,\"ts\":0,\"runId\":\"r\",\"type\":\"graph.part\",\"payload\":{{\"part\":{}1{}}}}}",
        "{\"Values\":".repeat(5000),
        "}".repeat(5000)
    );
    check(&deep);
}
