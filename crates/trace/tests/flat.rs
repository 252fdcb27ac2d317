//! Spans printed one by one: Phoenix, the Python console exporter, JavaScript dumps.

use std::ops::ControlFlow;

use trace::{Source, import};

/// Ids, kinds and parents of the started nodes, and the notes.
fn check(text: &str, format: &str, nodes: &[&str], notes: &[&str]) {
    let source = Source::Bytes { name: "trace".into(), bytes: text.as_bytes().to_vec() };
    let mut started = Vec::new();
    let report = import(&[source], &mut |line| {
        let event: serde_json::Value = serde_json::from_str(line).expect("an envelope is JSON");
        if event["type"] == "node.started" {
            let payload = &event["payload"];
            started.push(format!(
                "{} {} {}",
                event["ts"],
                payload["nodeId"].as_str().unwrap_or_default(),
                payload["parentId"].as_str().unwrap_or("-")
            ));
        }
        ControlFlow::Continue(())
    });
    let report = report.unwrap_or_else(|failure| panic!("{failure} {:?}", failure.report));
    assert_eq!(
        (report.format.as_str(), started, report.notes()),
        (
            format,
            nodes.iter().map(ToString::to_string).collect(),
            notes.iter().map(ToString::to_string).collect()
        )
    );
}

#[test]
fn phoenix_spans_nest() {
    let span = |id: &str, parent: &str, kind: &str| {
        format!(
            r#"{{"name":"{kind} x","span_kind":"{kind}","context":{{"trace_id":"t1","span_id":"{id}"}},"parent_id":{parent},"start_time":"2026-01-02T03:04:05+00:00","end_time":"2026-01-02T03:04:06+00:00","status_code":"OK","attributes":{{"llm":{{"model_name":"x"}}}}}}"#
        )
    };
    let list = format!("[{},{}]", span("a", "null", "AGENT"), span("b", "\"a\"", "LLM"));
    let expected = ["1767323045000 agent:AGENT -", "1767323045000 llm:LLM agent:AGENT"];
    check(&list, "Phoenix / OpenInference spans", &expected, &[]);
    check(&format!("{{\"spans\":{list}}}"), "Phoenix / OpenInference spans", &expected, &[]);
}

#[test]
fn console_spans_stand_back_to_back() {
    let span = |id: &str, parent: &str| {
        format!(
            "{{\n    \"name\": \"work\",\n    \"context\": {{\n        \"trace_id\": \"0xab\",\n        \"span_id\": \"0x{id}\",\n        \"trace_state\": \"[]\"\n    }},\n    \"kind\": \"SpanKind.INTERNAL\",\n    \"parent_id\": {parent},\n    \"start_time\": \"2026-01-02T03:04:05.250000Z\",\n    \"end_time\": null,\n    \"status\": {{\"status_code\": \"UNSET\"}},\n    \"attributes\": {{}}\n}}\n"
        )
    };
    let text = format!("{}{}", span("01", "null"), span("02", "\"0x01\""));
    let expected = ["1767323045250 custom:work -", "1767323045250 custom:work#2 custom:work"];
    check(
        &text,
        "OpenTelemetry console exporter (Python)",
        &expected,
        &["the run has no end: what is open in it is shown as abandoned"],
    );
}

#[test]
fn readable_spans_without_parents_say_so() {
    let text = r#"{"op":{"name":"chat m","spanContext":{"traceId":"t","spanId":"s"},"startTime":[1,500000000],"endTime":[2,0],"attributes":{"gen_ai.operation.name":"chat","gen_ai.request.model":"m"},"status":{"code":1}}}"#;
    check(
        text,
        "OpenTelemetry ReadableSpan dump (JavaScript)",
        &["1500 llm:chat -"],
        &["no span names a parent: every span stands by itself"],
    );
}
