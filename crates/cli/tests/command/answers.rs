//! The demo, held at its bug, and every answer to it.

use crate::program::{Folder, Running, Server, text};
use serde_json::{Value, json};

/// A server, the demo held at its bug, and the hold's id.
fn held() -> (Folder, Server, Running, String) {
    let folder = Folder::new();
    let server = folder.serve();
    let demo = folder.start(&["demo", "--fast", "--json"]);
    let hold = folder.holds(1).remove(0);
    assert_eq!((text(&hold, "point"), text(&hold, "reason")), ("error".to_owned(), "error".to_owned()));
    let pause = text(&hold, "pauseId");
    (folder, server, demo, pause)
}

fn counts(folder: &Folder, node: &str) -> Value {
    let shown = folder.json(&["show"])["runs"][0].clone();
    let nodes = shown["nodes"].as_array().cloned().unwrap_or_default();
    let found = nodes.into_iter().find(|candidate| candidate["nodeId"] == node);
    found.unwrap_or_else(|| panic!("no {node}: {shown}"))["instances"].clone()
}

#[test]
fn an_injected_value_lets_the_agent_finish_with_the_right_total() {
    for value in [r#"{"amount":1284.5,"currency":"EUR","line":3}"#, "1284.50"] {
        let (folder, _server, demo, pause) = held();
        let said = folder.json(&["resume", &pause, "--action", "inject", "--output", value]);
        assert_eq!(
            (&said["asked"], &said["stage"], &said["done"]),
            (&json!("inject"), &json!("done"), &json!("inject"))
        );
        let output = demo.output();
        let printed: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        assert_eq!(printed, json!({"total": 4876.35, "balanced": true}));
        folder.run_with_status("ok");
        let parsed = counts(&folder, "tool:parse_amount");
        assert_eq!((&parsed["total"], &parsed["ok"], &parsed["error"]), (&json!(6), &json!(6), &json!(0)));
        assert_eq!(parsed["injected"], 1);
        assert_eq!(counts(&folder, "chain:lookup")["ok"], 3);
        assert_eq!(counts(&folder, "custom:ask_owner")["total"], 0);
    }
}

#[test]
fn a_wrong_value_is_noticed_by_the_agent_itself() {
    let (folder, _server, demo, pause) = held();
    folder.ok(&["resume", &pause, "--action", "inject", "--output", "1.28"]);
    let printed: Value = serde_json::from_slice(&demo.output().stdout).expect("JSON");
    assert_eq!(printed["balanced"], false);
    assert_eq!(counts(&folder, "custom:ask_owner")["ok"], 1);
}

#[test]
fn a_retry_fails_again_and_an_edited_one_works() {
    let (folder, _server, demo, pause) = held();
    folder.ok(&["resume", &pause, "--action", "retry"]);
    let again = text(&folder.holds(1)[0], "pauseId");
    assert_ne!(again, pause);
    let input = folder.file("input.json", r#"{"text":"1284.50","currency":"EUR","line":3}"#);
    folder.ok(&["resume", &again, "--action", "retry", "--input", &format!("@{input}")]);
    assert!(demo.output().status.success());
    let parsed = counts(&folder, "tool:parse_amount");
    assert_eq!((&parsed["ok"], &parsed["injected"]), (&json!(6), &json!(0)));
}

#[test]
fn continue_lets_the_error_end_the_run() {
    let (folder, _server, demo, pause) = held();
    folder.ok(&["resume", &pause, "--action", "continue"]);
    let output = demo.output();
    assert!(String::from_utf8_lossy(&output.stderr).contains("1.284,50") && !output.status.success());
    folder.run_with_status("error");
    assert_eq!(counts(&folder, "tool:parse_amount")["error"], 1);
}

#[test]
fn abort_ends_the_run_as_aborted() {
    let (folder, _server, demo, pause) = held();
    folder.ok(&["resume", &pause, "--action", "abort"]);
    assert!(!demo.output().status.success());
    folder.run_with_status("aborted");
}

#[test]
fn what_does_not_fit_is_refused_and_stays_held() {
    let (folder, _server, mut demo, pause) = held();
    let check = |args: &[&str], words: &str| {
        let (said, code) = folder.fails(&[&["resume", &pause, "--action"], args].concat());
        assert!(said.contains(words) && code != 0, "{args:?}: {said}");
    };
    check(&["inject", "--output", "\"many\""], "does not fit Amount");
    check(&["inject", "--output", "many"], "no JSON");
    check(&["inject"], "needs a");
    check(&["continue", "--input", "1"], "");
    check(&["explode"], "continue");
    let (said, _) = folder.fails(&["resume", "no-such-pause", "--action", "continue"]);
    assert!(said.contains(&pause), "the holds there are: {said}");
    assert_eq!(text(&folder.holds(1)[0], "pauseId"), pause);
    demo.kill();
}

#[test]
fn show_and_events_tell_the_same_story() {
    let (folder, _server, demo, pause) = held();
    folder.ok(&["resume", &pause, "--action", "inject", "--output", "1284.5"]);
    demo.output();
    let run = folder.run_with_status("ok");
    let id = text(&run, "runId");
    let shown = folder.json(&["show", &id])["runs"][0].clone();
    let events = folder.json(&["events", &id]);
    assert_eq!(events["total"], shown["events"]);
    assert_eq!(events["nextAfterSeq"], Value::Null);
    let list = events["events"].as_array().expect("events");
    let seqs: Vec<u64> = list.iter().map(|event| event["seq"].as_u64().expect("a number")).collect();
    assert!(seqs.is_sorted_by(|a, b| a + 1 == *b), "no gap: {seqs:?}");
    let of = |kind: &str| list.iter().filter(|event| event["type"] == kind).count();
    assert_eq!((of("exec.paused"), of("exec.resumed"), of("node.error")), (1, 1, 1));
    assert_eq!(shown["holds"][0]["action"], "inject");
    assert_eq!(shown["notes"], json!([]));
    let page = folder.json(&["events", &id, "--after", &seqs[4].to_string(), "--limit", "3"]);
    assert_eq!(page["events"], json!(list[5..8]));
    assert_eq!(page["nextAfterSeq"], json!(seqs[7]));
}
