//! Coding agents' transcripts, each as small as it can be and still hold its trap.

mod support {
    pub(crate) mod story;
}

use support::story::{check, story};
use trace::{Source, import};

fn assistant(uuid: &str, parent: &str, id: &str, second: u32, output: u64, block: &str) -> String {
    format!(
        r#"{{"type":"assistant","sessionId":"s","uuid":"{uuid}","parentUuid":"{parent}","timestamp":"2026-01-01T00:00:{second:02}Z","message":{{"id":"{id}","role":"assistant","model":"m","usage":{{"input_tokens":10,"cache_read_input_tokens":90,"output_tokens":{output}}},"content":[{block}]}}}}"#
    )
}

const SPAWN: &str =
    r#"{"type":"tool_use","id":"call1","name":"Task","input":{"subagent_type":"explorer","prompt":"look"}}"#;

fn main_file() -> String {
    [
        r#"{"type":"user","sessionId":"s","uuid":"u1","timestamp":"2026-01-01T00:00:00Z","message":{"role":"user","content":"go"}}"#.to_owned(),
        assistant("u2", "u1", "msg1", 1, 30, r#"{"type":"thinking","thinking":"hm"}"#),
        assistant("u3", "u2", "msg1", 2, 30, r#"{"type":"text","text":"ok"}"#),
        assistant("u4", "u3", "msg1", 3, 30, SPAWN),
        r#"{"type":"user","sessionId":"s","uuid":"u5","timestamp":"2026-01-01T00:00:09Z","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"call1","content":"found"}]}}"#.to_owned(),
    ]
    .join("\n")
}

#[test]
fn a_message_of_many_lines_counts_once() {
    let (report, lines) = story(&main_file());
    let ends: Vec<&String> = lines.iter().filter(|line| line.starts_with("- llm")).collect();
    assert_eq!(ends, ["- llm:assistant ok \"ok\" 10/30 r90"]);
    assert!(
        report.notes().contains(&"call call1 spawned a sub-agent whose file is missing".to_owned()),
        "{:?}",
        report.notes()
    );
}

#[test]
fn a_sub_agent_hangs_under_its_call_and_replays_count_once() {
    let side =
        |line: String| line.replacen("{\"type\"", "{\"isSidechain\":true,\"agentId\":\"a7\",\"type\"", 1);
    let sub = [
        side(r#"{"type":"user","sessionId":"s","uuid":"v1","timestamp":"2026-01-01T00:00:04Z","message":{"role":"user","content":"look"}}"#.to_owned()),
        side(assistant("v2", "v1", "msg1", 5, 30, "")),
        side(assistant("v3", "v2", "msg2", 6, 5, r#"{"type":"text","text":"seen"}"#)),
    ]
    .join("\n");
    let file = |name: &str, text: &str| Source::Bytes { name: name.into(), bytes: text.as_bytes().to_vec() };
    for order in [[0, 1, 2], [2, 1, 0]] {
        let files = [
            file("s.jsonl", &main_file()),
            file("agent-a7.jsonl", &sub),
            file("agent-a7.meta.json", r#"{"agentType":"explorer","toolUseId":"call1"}"#),
        ];
        let files: Vec<Source> = order.iter().map(|at| files[*at].clone()).collect();
        let mut lines = Vec::new();
        let report = import(&files, &mut |line| {
            lines.push(line.to_owned());
            std::ops::ControlFlow::Continue(())
        })
        .unwrap();
        let has = |parts: &[&str]| lines.iter().any(|line| parts.iter().all(|part| line.contains(part)));
        assert!(
            has(&["node.started", "\"nodeId\":\"agent:explorer\"", "\"parentId\":\"tool:Task\""]),
            "{lines:#?}"
        );
        assert!(
            has(&["node.started", "\"instanceId\":\"msg2\"", "\"parentId\":\"agent:explorer\""]),
            "{lines:#?}"
        );
        assert_eq!(
            lines
                .iter()
                .filter(|line| line.contains("\"instanceId\":\"msg1\"") && line.contains("node.started"))
                .count(),
            1
        );
        assert_eq!(report.notes(), ["a sub-agent's file repeats a message of its parent: counted once"]);
    }
}

#[test]
fn stream_json_nests_by_the_calling_tool() {
    let text = r#"{"type":"system","subtype":"init","session_id":"s"}
{"type":"assistant","session_id":"s","parent_tool_use_id":null,"message":{"id":"m1","content":[{"type":"tool_use","id":"c1","name":"Task","input":{"description":"dig"}}]}}
{"type":"assistant","session_id":"s","parent_tool_use_id":"c1","message":{"id":"m2","content":[{"type":"text","text":"deep"}]}}
{"type":"user","session_id":"s","parent_tool_use_id":null,"message":{"content":[{"type":"tool_result","tool_use_id":"c1","content":"done","is_error":true}]}}
{"type":"result","session_id":"s","is_error":true,"result":"gave up"}"#;
    let (report, lines) = story(text);
    assert_eq!(report.format, "Claude Code stream-json");
    assert!(lines.contains(&"+ agent:dig < tool:Task [agent:c1] null".to_owned()), "{lines:#?}");
    assert!(
        lines.contains(&"! Error: gave up".to_owned()) && lines.contains(&"! ToolError: done".to_owned()),
        "{lines:#?}"
    );
}

#[test]
fn codex_counts_differences_and_says_texts_once() {
    let at = |second: u32, word: &str, payload: &str| {
        format!(r#"{{"timestamp":"2026-01-01T00:00:{second:02}Z","type":"{word}","payload":{payload}}}"#)
    };
    let tokens = |total: u64| {
        format!(
            r#"{{"type":"token_count","info":{{"total_token_usage":{{"input_tokens":{total},"cached_input_tokens":0,"output_tokens":{total}}}}}}}"#
        )
    };
    let text = [
        at(0, "session_meta", r#"{"id":"r"}"#),
        at(1, "turn_context", r#"{"model":"m"}"#),
        at(1, "event_msg", r#"{"type":"user_message","message":"go"}"#),
        at(1, "response_item", r#"{"type":"message","role":"user","content":"go"}"#),
        at(
            2,
            "response_item",
            r#"{"type":"function_call","name":"shell","call_id":"c","arguments":"{\"a\":1}"}"#,
        ),
        at(2, "event_msg", &tokens(10)),
        at(2, "event_msg", &tokens(10)),
        at(
            3,
            "response_item",
            r#"{"type":"function_call_output","call_id":"c","output":"{\"metadata\":{\"exit_code\":1}}"}"#,
        ),
        at(4, "response_item", r#"{"type":"message","role":"assistant","content":"bye"}"#),
        at(4, "event_msg", &tokens(25)),
        at(5, "event_msg", r#"{"type":"task_complete"}"#),
    ]
    .join("\n");
    check(
        &text,
        "Codex rollout",
        &[
            "run r Codex",
            "+ agent:session < - [r] null",
            "+ chain:turn < agent:session [r/turn-1] null",
            "+ llm:assistant < chain:turn [r/call-1] null",
            "+ prompt:user < chain:turn [r/prompt-0] null",
            "- prompt:user ok \"go\"",
            "- llm:assistant ok null 10/10",
            "+ tool:shell < llm:assistant [c] {\"a\":1}",
            "! ExitCode: exit code 1",
            "- tool:shell error {\"metadata\":{\"exit_code\":1}}",
            "+ llm:assistant < chain:turn [r/call-2] null",
            "- llm:assistant ok \"bye\" 15/15",
            "- chain:turn ok null",
            "- agent:session ok null",
            "end ok",
        ],
    );
}
