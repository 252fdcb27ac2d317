//! Runs without a server, and recordings in files.

use crate::program::{Folder, text};
use serde_json::{Value, json};

/// A recording of one run with two calls of a tool, the second of which fails when `fails`.
fn recording(run: &str, fails: bool) -> String {
    let event = |seq: u32, kind: &str, payload: Value| {
        json!({"gm": 1, "seq": seq, "ts": seq * 10, "runId": run, "type": kind, "payload": payload})
            .to_string()
    };
    let start =
        |id: &str| json!({"nodeId": "tool:t", "kind": "tool", "name": "t", "instanceId": id, "input": 1});
    let end = |id: &str, status: &str| json!({"nodeId": "tool:t", "instanceId": id, "output": 2, "durationMs": 10, "status": status});
    let outcome = if fails { "error" } else { "ok" };
    let lines = [
        event(1, "run.started", json!({"app": "a", "sdk": {"name": "s", "version": "1"}})),
        event(2, "node.started", start("t1")),
        event(3, "node.finished", end("t1", "ok")),
        event(4, "node.started", start("t2")),
        event(5, "node.finished", end("t2", outcome)),
        event(6, "run.finished", json!({"status": outcome})),
    ];
    lines.join("\n")
}

#[test]
fn journals_are_read_without_a_server_and_say_the_same() {
    let folder = Folder::new();
    let mut server = folder.serve();
    let mut demo = folder.start(&["demo", "--fast"]);
    let hold = folder.holds(1).remove(0);
    folder.ok(&["resume", &text(&hold, "pauseId"), "--action", "continue"]);
    let run = text(&folder.run_with_status("error"), "runId");
    let (shown, events) = (folder.json(&["show", &run]), folder.json(&["events", &run]));
    server.running.kill();
    demo.kill();
    assert_eq!(folder.json(&["events", &run]), events);
    assert_eq!(folder.json(&["show", &run]), shown);
    assert_eq!(folder.json(&["runs"])["runs"][0]["runId"], json!(run));
    let (said, _) = folder.fails(&["show", "nobody"]);
    assert!(said.contains(&run), "{said}");
}

#[test]
fn show_events_and_check_take_files_with_or_without_a_server() {
    let folder = Folder::new();
    let path = folder.file("good.jsonl", &recording("r1", true));
    let read = |folder: &Folder| {
        let shown = folder.json(&["show", &path])["runs"][0].clone();
        assert_eq!((&shown["runId"], &shown["status"]), (&json!("r1"), &json!("error")));
        assert_eq!(shown["nodes"][0]["instances"]["total"], 2);
        assert_eq!(folder.json(&["events", &path])["total"], 6);
    };
    read(&folder);
    let _server = folder.serve();
    read(&folder);
    let report = folder.json(&["check", &path]);
    assert_eq!((&report["records"], &report["imported"]), (&json!(6), &json!(6)));
}

#[test]
fn check_names_each_bad_line_and_fails_where_nothing_is_good() {
    let folder = Folder::new();
    let torn = format!("{}\n42\n{{\"gm\":1,\"seq\":41,\"ts\":17", recording("r1", false));
    let report = folder.json(&["check", &folder.file("torn.jsonl", &torn)]);
    assert_eq!(report["imported"], 6);
    let reasons: Vec<&Value> =
        report["skipped"].as_array().expect("a list").iter().map(|skip| &skip["line"]).collect();
    assert_eq!(reasons, [&json!(7), &json!(8)]);
    for (name, text) in [("empty.json", ""), ("number.json", "123"), ("prose.txt", "Dear all,\n")] {
        let path = folder.file(name, text);
        let (said, code) = folder.fails(&["check", &path, "--json"]);
        assert!(code == 1 && said.starts_with("holdpoint: "), "{name}: {said}");
    }
    let (said, _) = folder.fails(&["check", "/no/such/file"]);
    assert!(said.contains("cannot be read"), "{said}");
}

#[test]
fn a_recording_opened_in_the_server_is_a_run_like_any_other() {
    let folder = Folder::new();
    let _server = folder.serve();
    folder.ok(&["open", &folder.file("good.jsonl", &recording("r1", false))]);
    let run = folder.run_with_status("ok");
    assert_eq!((&run["runId"], &run["events"]), (&json!("r1"), &json!(6)));
    folder.ok(&["delete", "r1"]);
    assert_eq!(folder.json(&["runs"])["runs"], json!([]));
}

#[test]
fn two_runs_are_compared_by_structure() {
    let folder = Folder::new();
    let (a, b) = (folder.file("a", &recording("r1", false)), folder.file("b", &recording("r2", true)));
    let (compared, code) = folder.answers(&["diff", &a, &b, "--json"]);
    let compared: Value = serde_json::from_str(&compared).expect("JSON");
    assert_eq!((&compared["status"], &compared["equal"]), (&json!(["ok", "error"]), &json!(false)));
    assert_eq!(compared["rows"][0]["firstNodeId"], "tool:t");
    assert!(compared["rows"][0]["differences"].to_string().contains("errors"), "{compared}");
    assert_eq!(folder.json(&["diff", &a, &a])["rows"][0]["differences"], json!([]));
    let (said, trouble) = folder.fails(&["diff", &a, "/no/such/file"]);
    assert_eq!((code, trouble), (1, 2), "{said}");
}

#[test]
fn long_values_are_compared_to_their_ends() {
    let folder = Folder::new();
    let with = |end: &str| {
        recording("r1", false).replace("\"output\":2", &format!("\"output\":\"{}{end}\"", "x".repeat(900)))
    };
    let (a, b) = (folder.file("a", &with("a")), folder.file("b", &with("b")));
    let (said, code) = folder.answers(&["diff", &a, &b]);
    assert!(code == 1 && said.contains("output of #1 differs"), "{said}");
    folder.ok(&["diff", &a, &a]);
}
