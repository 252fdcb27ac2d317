//! Breakpoints, mode and pause on error: set from the command line, kept by the server, carried out by programs.

use crate::program::{Folder, text};
use serde_json::json;

#[test]
fn breakpoints_are_listed_with_what_became_of_them_and_cleared_exactly() {
    let folder = Folder::new();
    let _server = folder.serve();
    let now = folder.json(&["break", "set", "--kind", "tool", "--name", "fetch", "--hit", ">= 2"]);
    assert_eq!(now["breakpoints"][0]["hit"], ">= 2");
    folder.ok(&["break", "set", "--kind", "llm", "--point", "after", "--condition", "nonsense ("]);
    let listed = folder.json(&["break", "list"]);
    assert_eq!(listed["breakpoints"].as_array().map(Vec::len), Some(2));
    let error = text(&listed["breakpoints"][1], "error");
    assert!(error.contains("condition"), "{error}");
    let (said, _) = folder.fails(&["break", "clear", "--kind", "tool"]);
    assert!(said.contains("tool fetch at before"), "{said}");
    folder.ok(&["break", "clear", "--kind", "tool", "--name", "fetch"]);
    folder.ok(&["break", "clear", "--all"]);
    assert_eq!(folder.json(&["break", "list"])["breakpoints"], json!([]));
}

#[test]
fn they_survive_a_restart_and_hold_a_program_that_comes_later() {
    let folder = Folder::new();
    let mut server = folder.serve();
    folder.ok(&["break", "set", "--name", "bank_feed"]);
    folder.ok(&["pause-on-error", "off"]);
    server.running.kill();
    drop(server);
    let _again = folder.serve();
    assert_eq!(folder.json(&["mode"]), json!({"mode": "run", "pauseOnError": false}));
    let mut demo = folder.start(&["demo", "--fast"]);
    let hold = folder.holds(1).remove(0);
    assert_eq!(
        (text(&hold, "nodeId"), text(&hold, "point")),
        ("server:bank_feed".to_owned(), "before".to_owned())
    );
    assert_eq!(folder.json(&["break", "list"])["breakpoints"][0]["held"], 1);
    demo.kill();
}

#[test]
fn step_mode_holds_at_every_gate_until_it_ends() {
    let folder = Folder::new();
    let _server = folder.serve_at("0", &["--pause-on-error", "off"]);
    folder.ok(&["mode", "step"]);
    let demo = folder.start(&["demo", "--fast"]);
    let first = folder.holds(1).remove(0);
    assert_eq!(
        (text(&first, "nodeId"), text(&first, "reason")),
        ("agent:reconcile".to_owned(), "step".to_owned())
    );
    folder.ok(&["resume", &text(&first, "pauseId"), "--action", "continue"]);
    folder.holds(4);
    folder.ok(&["mode", "run"]);
    folder.ok(&["continue-all"]);
    assert!(!demo.output().status.success(), "the bug ends it: nothing holds at errors");
    folder.run_with_status("error");
}
