//! A Python program with the real client of the contract, held at its error and answered from the command line: what the
//! program gets is what was injected, and the debugger tells the same story.

use acceptance::{Agent, Folder, Served, holdpoint, json, python_agent, serve, wait_for};
use serde_json::Value;

/// The one hold there is, once there is one.
fn hold(folder: &Folder) -> Value {
    wait_for("a hold", || {
        let holds = json(folder, &["holds"]);
        let first = holds["holds"].get(0).cloned();
        first.ok_or_else(|| holds.to_string())
    })
}

/// Starts a program of other gates and gives it with its server.
fn gates(folder: &Folder, scenario: &str) -> (Served, Agent) {
    let served = serve(folder);
    let agent = python_agent("gates.py", &served.ingest, &[scenario]);
    (served, agent)
}

/// Runs the program, answers its hold and gives what it printed.
fn answered(mode: &str, answer: &[&str]) -> (Folder, Served, Value) {
    let folder = Folder::new();
    let served = serve(&folder);
    let agent = python_agent("invoice.py", &served.ingest, &[mode]);
    let hold = hold(&folder);
    assert_eq!(hold["point"], "error", "{hold}");
    let pause = hold["pauseId"].as_str().expect("a hold has an id");
    holdpoint(&folder, &[&["resume", pause, "--action"], answer].concat());
    let printed = serde_json::from_str(&agent.output()).expect("the program prints JSON");
    (folder, served, printed)
}

fn instances_of(folder: &Folder, node: &str) -> Value {
    wait_for("the run's end", || {
        let shown = json(folder, &["runs"]);
        let run = &shown["runs"][0];
        if run["status"] == "running" { Err(shown.to_string()) } else { Ok(()) }
    });
    let runs = json(folder, &["runs"]);
    let run = runs["runs"][0]["runId"].as_str().expect("a run has an id");
    let shown = json(folder, &["show", run]);
    let nodes = shown["runs"][0]["nodes"].as_array().cloned().unwrap_or_default();
    let node = nodes.into_iter().find(|candidate| candidate["nodeId"] == node);
    node.unwrap_or_else(|| panic!("no such node: {shown}"))["instances"].clone()
}

#[test]
fn an_injected_value_is_what_the_program_gets() {
    for (mode, node) in [("sync", "tool:parse_amount"), ("async", "tool:parse_amount_async")] {
        let (folder, _served, printed) = answered(mode, &["inject", "--output", "1284.5"]);
        assert_eq!(printed["value"], 1284.5, "{mode}: {printed}");
        let instances = instances_of(&folder, node);
        assert_eq!(instances["ok"], 1, "{mode}: {instances}");
        assert_eq!(instances["error"], 0, "{mode}: {instances}");
    }
}

#[test]
fn the_example_of_the_readme_runs_as_it_stands() {
    let readme = include_str!("../../README.md");
    let (_, rest) = readme.split_once("```python\n").expect("the README has an example in Python");
    let (example, _) = rest.split_once("```").expect("the example ends");
    let (folder, files) = (Folder::new(), Folder::new());
    let program = files.path().join("example.py");
    std::fs::write(&program, example).expect("a file can be written");
    let served = serve(&folder);
    let agent = python_agent(&program, &served.ingest, &[]);
    let hold = hold(&folder);
    assert_eq!((&hold["nodeId"], &hold["point"]), (&"tool:parse_amount".into(), &"error".into()), "{hold}");
    let pause = hold["pauseId"].as_str().expect("a hold has an id");
    holdpoint(&folder, &["resume", pause, "--action", "inject", "--output", "1284.5"]);
    assert_eq!(agent.output(), "1284.5\n");
}

#[test]
fn continue_lets_the_error_happen() {
    let (folder, _served, printed) = answered("sync", &["continue"]);
    assert!(printed["error"].as_str().is_some_and(|error| error.contains("1,284.50")), "{printed}");
    assert_eq!(instances_of(&folder, "tool:parse_amount")["error"], 1);
}

#[test]
fn abort_ends_the_call_with_the_clients_own_error() {
    let (folder, _served, printed) = answered("sync", &["abort"]);
    assert_eq!(printed["aborted"], true, "{printed}");
    assert_eq!(instances_of(&folder, "tool:parse_amount")["aborted"], 1);
}

#[test]
fn retry_runs_the_call_again() {
    let folder = Folder::new();
    let (_served, agent) = gates(&folder, "flaky");
    let pause = hold(&folder);
    assert_eq!(pause["name"], "flaky", "{pause}");
    holdpoint(&folder, &["resume", pause["pauseId"].as_str().expect("an id"), "--action", "retry"]);
    assert_eq!(agent.output().trim(), "\"A-17 after 2 calls\"");
    assert_eq!(instances_of(&folder, "tool:flaky")["ok"], 1);
}

#[test]
fn a_breakpoint_by_name_holds_before_the_call_and_an_inject_stands_in_for_it() {
    let folder = Folder::new();
    let served = serve(&folder);
    holdpoint(&folder, &["break", "set", "--kind", "tool", "--name", "calm"]);
    let agent = python_agent("gates.py", &served.ingest, &["calm"]);
    let pause = hold(&folder);
    assert_eq!((&pause["name"], &pause["point"]), (&"calm".into(), &"before".into()), "{pause}");
    holdpoint(
        &folder,
        &["resume", pause["pauseId"].as_str().expect("an id"), "--action", "inject", "--output", "7"],
    );
    assert_eq!(agent.output().trim(), "7");
}

#[test]
fn step_mode_holds_at_each_gate_and_run_mode_lets_go() {
    let folder = Folder::new();
    let served = serve(&folder);
    holdpoint(&folder, &["mode", "step"]);
    let agent = python_agent("gates.py", &served.ingest, &["calm"]);
    let pause = hold(&folder);
    assert_eq!(pause["point"], "before", "{pause}");
    holdpoint(&folder, &["mode", "run"]);
    holdpoint(&folder, &["resume", pause["pauseId"].as_str().expect("an id"), "--action", "continue"]);
    assert_eq!(agent.output().trim(), "\"A-17 is shipped\"");
}

#[test]
fn parallel_calls_are_held_and_answered_each_by_itself() {
    let folder = Folder::new();
    let (_served, agent) = gates(&folder, "parallel");
    let holds = wait_for("three holds", || {
        let holds = json(&folder, &["holds"]);
        let all = holds["holds"].as_array().filter(|all| all.len() == 3).cloned();
        all.ok_or_else(|| holds.to_string())
    });
    for (value, pause) in holds.iter().enumerate().rev() {
        let id = pause["pauseId"].as_str().expect("an id");
        holdpoint(&folder, &["resume", id, "--action", "inject", "--output", &value.to_string()]);
    }
    assert_eq!(agent.output().trim(), "[0, 1, 2]");
    assert_eq!(instances_of(&folder, "tool:fetch")["ok"], 3);
}
