//! Exports as files: what comes back in, what never gets out, what is refused.

use crate::program::Folder;
use serde_json::{Value, json};
use std::fs;

const SECRET: &str = "sk-ant-api03-Zq8vT2mXw4Lk9RbN1yHc";

/// An agent with a model call and two calls of a tool, one of which fails, all full of secrets.
fn recording() -> String {
    let event = |seq: u32, kind: &str, payload: Value| {
        json!({"gm": 1, "seq": seq, "ts": 1_767_323_045_000.0 + f64::from(seq) * 10.0, "runId": "r1", "type": kind,
               "payload": payload})
        .to_string()
    };
    let start = |kind: &str, name: &str, parent: Option<&str>, id: &str, input: Value| {
        let node = format!("{kind}:{name}");
        let mut payload =
            json!({"nodeId": node, "kind": kind, "name": name, "instanceId": id, "input": input});
        if let Some(parent) = parent {
            payload["parentId"] = parent.into();
        }
        payload
    };
    let end = |node: &str, id: &str, status: &str, usage: Value| {
        json!({"nodeId": node, "instanceId": id, "output": {"n": 1, "cookie": "c"}, "durationMs": 10,
               "status": status, "usage": usage})
    };
    let lead = Some("agent:lead");
    let usage = json!({"inputTokens": 100, "outputTokens": 20, "cacheReadTokens": 40, "inclusive": true});
    let none = json!({"inputTokens": 0, "outputTokens": 0});
    let error = json!({"name": "ValueError", "message": format!("bad key {SECRET}"), "stack": format!("at {SECRET}")});
    [
        event(1, "run.started", json!({"app": "a", "sdk": {"name": "s", "version": "1"}})),
        event(
            2,
            "node.started",
            start("agent", "lead", None, "a1", json!({"prompt": "the secret plan of ana"})),
        ),
        event(3, "node.started", start("llm", "chat", lead, "l1", json!({"api_key": SECRET}))),
        event(
            4,
            "node.token",
            json!({"nodeId": "llm:chat", "deltas": [{"t": "text", "v": "sk-ant-api03-Zq8v"}]}),
        ),
        event(
            5,
            "node.token",
            json!({"nodeId": "llm:chat", "deltas": [{"t": "text", "v": "T2mXw4Lk9RbN1yHc ok"}]}),
        ),
        event(6, "node.finished", end("llm:chat", "l1", "ok", usage)),
        event(7, "node.started", start("tool", "read", lead, "t1", json!({"path": "/home/ana/x"}))),
        event(8, "node.finished", end("tool:read", "t1", "ok", none.clone())),
        event(9, "node.started", start("tool", "read", lead, "t2", json!(format!("Bearer {SECRET}")))),
        event(10, "node.error", json!({"nodeId": "tool:read", "instanceId": "t2", "error": error})),
        event(11, "node.finished", end("tool:read", "t2", "error", none.clone())),
        event(12, "node.finished", end("agent:lead", "a1", "ok", none)),
        event(13, "run.finished", json!({"status": "ok"})),
    ]
    .join("\n")
    .replace("\\\n", "\n")
        + "\n"
}

fn export(folder: &Folder, from: &str, to: &str, more: &[&str]) -> (String, Value) {
    let out = folder.path().join(format!("out.{to}")).to_string_lossy().into_owned();
    let told = folder.json(&[&["export", from, "--to", to, "--out", &out, "--force"], more].concat());
    (out, told)
}

/// Kinds, names, parents and counts of nodes, as `show` has them.
fn shape(shown: &Value) -> Vec<Value> {
    let nodes = shown["runs"][0]["nodes"].as_array().expect("a list").iter();
    nodes
        .map(|node| json!([node["nodeId"], node["kind"], node["name"], node["parentId"], node["instances"]]))
        .collect()
}

#[test]
fn a_recording_comes_back_as_it_went_out() {
    let folder = Folder::new();
    let path = folder.file("in.ndjson", &recording());
    for to in ["ndjson", "zst"] {
        let (out, told) = export(&folder, &path, to, &["--no-redact"]);
        assert_eq!((&told["events"], &told["valuesReplaced"]), (&json!(13), &json!(0)));
        assert_eq!(
            folder.json(&["show", &out])["runs"][0]["nodes"],
            folder.json(&["show", &path])["runs"][0]["nodes"]
        );
        assert_eq!(folder.json(&["events", &out]), folder.json(&["events", &path]), "{to}");
    }
    let (out, _) = export(&folder, &path, "ndjson", &["--no-redact"]);
    assert_eq!(fs::read_to_string(out).expect("written"), recording());
}

#[test]
fn nothing_secret_is_in_any_form_unless_it_is_wanted() {
    let folder = Folder::new();
    let path = folder.file("in.ndjson", &recording());
    for to in ["ndjson", "otlp", "kxm"] {
        let (out, told) = export(&folder, &path, to, &[]);
        let text = fs::read_to_string(out).expect("written");
        assert!(!text.contains("Zq8v") && !text.contains("9RbN1yHc"), "{to}: {text}");
        assert!(to == "kxm" || told["valuesReplaced"].as_u64() >= Some(6), "{to}: {told}");
        if to == "kxm" {
            assert!(!text.contains("plan") && !text.contains("/home"), "{text}");
        }
    }
    let (out, _) = export(&folder, &path, "otlp", &["--no-redact"]);
    assert!(fs::read_to_string(out).expect("written").contains(SECRET));
}

#[test]
fn spans_come_back_as_the_same_nodes_instances_errors_and_totals() {
    let folder = Folder::new();
    let path = folder.file("in.ndjson", &recording());
    let (out, told) = export(&folder, &path, "otlp", &[]);
    let (before, after) = (folder.json(&["show", &path]), folder.json(&["show", &out]));
    assert_eq!(shape(&before), shape(&after), "{told}");
    assert_eq!(before["runs"][0]["usage"], after["runs"][0]["usage"]);
    assert_eq!(before["runs"][0]["app"], after["runs"][0]["app"]);
    assert_eq!(folder.json(&["check", &out])["format"], "OpenTelemetry (OTLP)");
}

#[test]
fn records_are_valid_and_tell_what_was_left_out() {
    let folder = Folder::new();
    let path = folder.file("in.ndjson", &recording());
    let (out, told) = export(&folder, &path, "kxm", &[]);
    let report = folder.json(&["check", &out]);
    assert_eq!((&report["imported"], &report["invalid"]), (&json!(10), &json!([])), "{told}");
    let text = fs::read_to_string(&out).expect("written");
    let records: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let types: Vec<&str> = records.iter().filter_map(|record| record["eventType"].as_str()).collect();
    assert_eq!(
        types[..4],
        ["run.created", "assignment.created", "attempt.created", "attempt.status_changed"]
    );
    assert_eq!(records[3]["payload"]["usage"]["cacheReadTokens"], 40);
    assert_eq!(records[3]["payload"]["counts"]["stream_deltas"], 2);
    assert_eq!(records[7]["payload"]["error"]["class"], "value-error");
    assert!(records[2]["redaction"]["fieldsOmitted"].to_string().contains("payload.input"));
    let (again, _) = export(&folder, &out, "kxm", &[]);
    assert_eq!(folder.json(&["check", &again])["imported"], 10);
}

#[test]
fn a_file_is_never_replaced_unasked_and_an_unknown_form_is_named() {
    let folder = Folder::new();
    let path = folder.file("in.ndjson", &recording());
    let taken = folder.file("taken.ndjson", "mine");
    let (said, _) = folder.fails(&["export", &path, "--out", &taken]);
    assert!(said.contains("--force"), "{said}");
    assert_eq!(fs::read_to_string(&taken).expect("there"), "mine");
    let (said, _) = folder.fails(&["export", &path, "--out", "x.csv"]);
    assert!(said.contains("\"x.csv\"") && said.contains("ndjson, zst, html, otlp, kxm"), "{said}");
    let printed = folder.ok(&["export", &path, "--to", "ndjson", "--out", "-"]);
    assert_eq!(printed.lines().count(), 13);
    assert!(
        !folder
            .path()
            .read_dir()
            .expect("a folder")
            .any(|entry| { entry.expect("an entry").file_name().to_string_lossy().ends_with(".part") })
    );
}

#[test]
fn a_run_of_the_server_is_exported_whole() {
    let folder = Folder::new();
    let _server = folder.serve();
    let long = format!("{{\"text\": \"{}\"}}", "x".repeat(5_000));
    let line = format!(
        "{{\"gm\":1,\"seq\":1,\"ts\":0,\"runId\":\"r1\",\"type\":\"node.started\",\"payload\":{{\"nodeId\":\"n\",\"kind\":\"tool\",\"name\":\"n\",\"instanceId\":\"i\",\"input\":{long}}}}}"
    );
    folder.ok(&["open", &folder.file("long.ndjson", &line)]);
    folder.run_with_status("abandoned");
    let (out, _) = export(&folder, "r1", "ndjson", &[]);
    assert_eq!(fs::read_to_string(out).expect("written"), format!("{line}\n"));
    assert!(folder.json(&["events", "r1"]).to_string().contains(&"x".repeat(5_000)));
}
