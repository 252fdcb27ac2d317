//! A Rust program under the debugger while the debugger is killed and comes back.

use crate::program::{Folder, SOON, until};
use client::Session;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::thread;
use std::time::Duration;

#[test]
fn held_gates_go_on_when_the_server_is_killed_and_nothing_is_lost_or_doubled() {
    let folder = Folder::new();
    let mut server = folder.serve();
    let port = server.port();
    folder.ok(&["break", "set", "--kind", "tool"]);
    let retry = Duration::from_millis(100);
    let session = Session::builder("survivor").url(server.field("ingest")).retry_every(retry).start();
    assert!(session.attached_blocking(SOON));
    let work = |n: i64| {
        let session = session.clone();
        thread::spawn(move || {
            let run = session.run("work").id(format!("run-{n}")).start();
            let result = run.tool_blocking("double", n, |n: i64| Ok::<_, String>(n * 2));
            run.finish(result)
        })
    };
    let working: Vec<_> = (1..=3).map(work).collect();
    folder.holds(3);
    server.running.kill();
    let results: Vec<_> = working.into_iter().map(|work| work.join().expect("no panic")).collect();
    assert_eq!(results, [Ok(2), Ok(4), Ok(6)]);
    drop(server);

    let _again = folder.serve_at(&port, &[]);
    until(|| (session.status().attached_count == 2).then_some(()));
    let ended = |run: &Value| run["status"] == "ok";
    let runs = until(|| {
        let runs = folder.json(&["runs"])["runs"].as_array().cloned().unwrap_or_default();
        (runs.len() == 3 && runs.iter().all(ended)).then_some(runs)
    });
    let names: BTreeSet<&str> = runs.iter().filter_map(|run| run["runId"].as_str()).collect();
    assert_eq!(names, BTreeSet::from(["run-1", "run-2", "run-3"]));
    let mut seqs = Vec::new();
    for run in &names {
        let shown = folder.json(&["show", run])["runs"][0].clone();
        assert_eq!(shown["notes"], json!([]), "{run}");
        assert_eq!(shown["holds"][0]["action"], "continue");
        let events = folder.json(&["events", run]);
        seqs.extend(
            events["events"].as_array().expect("events").iter().filter_map(|event| event["seq"].as_u64()),
        );
    }
    let different: BTreeSet<u64> = seqs.iter().copied().collect();
    assert_eq!(different.len(), seqs.len(), "nothing doubled");
    let last = *different.last().expect("events");
    let missing: Vec<u64> = (1..=last).filter(|seq| !different.contains(seq)).collect();
    // The two hellos take a number each; the second may be behind the last event.
    assert!(missing.first() == Some(&1) && missing.len() <= 2, "nothing lost: {missing:?}");
}
