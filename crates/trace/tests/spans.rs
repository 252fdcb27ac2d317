//! Span formats through the importer, seen as the run that the reducer makes of them.

use std::ops::ControlFlow;

use trace::{Report, Source, import};

fn events(text: &str) -> (Report, Vec<serde_json::Value>) {
    let source = Source::Bytes { name: "trace".into(), bytes: text.as_bytes().to_vec() };
    let mut lines = Vec::new();
    let report = import(&[source], &mut |line| {
        assert!(matches!(wire::decode(line), wire::Decoded::Ok(_) | wire::Decoded::UnknownType(_)), "{line}");
        lines.push(serde_json::from_str(line).expect("an envelope is JSON"));
        ControlFlow::Continue(())
    });
    (report.unwrap_or_else(|failure| panic!("{failure}")), lines)
}

/// One line an event: type, node, and what matters of it.
fn story(text: &str) -> Vec<String> {
    let (_, events) = events(text);
    let line = |event: &serde_json::Value| {
        let payload = &event["payload"];
        let part =
            |name: &str| payload[name].as_str().map(|text| format!(" {name}={text}")).unwrap_or_default();
        format!(
            "{}{}{}{}{}",
            event["type"].as_str().unwrap_or_default(),
            part("nodeId"),
            part("parentId"),
            part("instanceId"),
            part("status")
        )
    };
    events.iter().map(line).collect()
}

const TRACE: &str = "5b8efff798038103d269b633813fc60c";

fn otlp(spans: &str) -> String {
    format!(
        r#"{{"resourceSpans":[{{"resource":{{"attributes":[{{"key":"service.name","value":{{"stringValue":"bot"}}}}]}},"scopeSpans":[{{"scope":{{"name":"lib"}},"spans":[{spans}]}}]}}]}}"#
    )
}

fn span(id: &str, parent: &str, name: &str, start: u64, end: u64) -> String {
    format!(
        r#"{{"traceId":"{TRACE}","spanId":"{id}","parentSpanId":"{parent}","name":"{name}","startTimeUnixNano":"{start}000000","endTimeUnixNano":"{end}000000"}}"#
    )
}

const ROOT: &str = "00000000000000a1";
const CHILD: &str = "00000000000000b2";

#[test]
fn parents_enclose_children_whatever_the_order_of_the_file() {
    let expected = [
        "run.started",
        "node.started nodeId=custom:root instanceId=00000000000000a1",
        "node.started nodeId=custom:step parentId=custom:root instanceId=00000000000000b2",
        "node.finished nodeId=custom:step instanceId=00000000000000b2 status=ok",
        "node.finished nodeId=custom:root instanceId=00000000000000a1 status=ok",
        "run.finished status=ok",
    ];
    let (root, child) = (span(ROOT, "", "root", 1, 9), span(CHILD, ROOT, "step", 1, 9));
    assert_eq!(story(&otlp(&format!("{root},{child}"))), expected);
    assert_eq!(story(&otlp(&format!("{child},{root}"))), expected);
}

#[test]
fn one_trace_in_many_spellings_is_one_model() {
    let plain = otlp(&span(ROOT, "", "root", 1, 9));
    let expected = events(&plain).1;
    let numbers = plain.replace("\"1000000\"", "1000000").replace("\"9000000\"", "9e6");
    let snake = plain
        .replace("resourceSpans", "resource_spans")
        .replace("scopeSpans", "scope_spans")
        .replace("traceId", "trace_id")
        .replace("spanId", "span_id")
        .replace("parentSpanId", "parent_span_id")
        .replace("startTimeUnixNano", "start_time_unix_nano")
        .replace("endTimeUnixNano", "end_time_unix_nano");
    let base64 = plain.replace(TRACE, "W47/95gDgQPSabYzgT/GDA==").replace(ROOT, "AAAAAAAAAKE=");
    let bytes = plain.replace(&format!("\"{ROOT}\""), "[0,0,0,0,0,0,0,161]");
    let batches =
        plain.replace("resourceSpans", "batches").replace("scopeSpans", "instrumentationLibrarySpans");
    for spelling in [numbers, snake, base64, bytes, batches, format!("[{plain}]"), plain.replace(',', ",\n")]
    {
        assert_eq!(events(&spelling).1, expected, "{spelling}");
    }
}

#[test]
fn missing_and_wrong_ends_are_said() {
    let open = span(ROOT, "", "root", 5, 0);
    let (report, _) = events(&otlp(&open));
    assert_eq!(report.notes(), ["the run has no end: what is open in it is shown as abandoned"]);
    let back = span(ROOT, "", "root", 5, 2);
    assert_eq!(events(&otlp(&back)).0.notes(), ["an end before its start was moved to the start"]);
    let orphan = span(CHILD, ROOT, "step", 1, 9);
    let (report, events) = events(&otlp(&orphan));
    assert_eq!(report.notes(), ["a span names a parent that is not in the file: shown under a ghost"]);
    assert_eq!(events[1]["payload"]["parentId"], format!("span:{ROOT}"));
}

/// The usage that a span with these attributes reports.
fn check_usage(attributes: &str, expected: serde_json::Value) {
    let span = span(ROOT, "", "chat gpt-x", 1, 2)
        .replace("\"name\"", &format!("\"attributes\":{attributes},\"name\""));
    let (_, events) = events(&otlp(&span));
    let finished = events.iter().find(|event| event["type"] == "node.finished").expect("the span ended");
    let mut usage = finished["payload"]["usage"].clone();
    if let Some(members) = usage.as_object_mut() {
        members.remove("source");
    }
    assert_eq!(usage, expected, "{attributes}");
}

#[test]
fn usage_is_read_from_each_dialect() {
    use serde_json::json;
    check_usage(
        r#"{"gen_ai.usage.input_tokens":17903,"gen_ai.usage.cache_read.input_tokens":17817}"#,
        json!({"inputTokens":17903,"outputTokens":0,"cacheReadTokens":17817}),
    );
    check_usage(
        r#"{"llm.token_count.prompt":17903,"llm.token_count.prompt_details.cache_read":17817}"#,
        json!({"inputTokens":17903,"outputTokens":0,"cacheReadTokens":17817,"inclusive":true,"outputInclusive":true}),
    );
    check_usage(
        r#"[{"key":"ai.usage.promptTokens","value":{"intValue":"5"}},{"key":"ai.usage.completionTokens","value":{"intValue":7}}]"#,
        json!({"inputTokens":5,"outputTokens":7,"inclusive":true,"outputInclusive":true}),
    );
    check_usage(
        r#"{"langfuse.observation.usage_details":"{\"input\":3,\"output\":4}"}"#,
        json!({"inputTokens":3,"outputTokens":4,"inclusive":false,"outputInclusive":false}),
    );
}

#[test]
fn a_parents_repeat_of_its_childrens_tokens_is_kept_apart() {
    let with = |span: String, tokens: u64| {
        span.replace("\"name\"", &format!(r#""attributes":{{"gen_ai.usage.input_tokens":{tokens},"gen_ai.usage.output_tokens":1}},"name""#))
    };
    let text = otlp(&format!(
        "{},{}",
        with(span(ROOT, "", "outer", 1, 9), 10),
        with(span(CHILD, ROOT, "inner", 2, 8), 10)
    ));
    let (_, events) = events(&text);
    let ends: Vec<_> = events.iter().filter(|event| event["type"] == "node.finished").collect();
    assert!(ends[0]["payload"]["usage"].is_object() && ends[1]["payload"]["usage"].is_null());
    assert!(ends[1]["payload"]["usageRepeated"].is_object());
}

#[test]
fn a_chain_of_spans_costs_no_stack() {
    let count = 50_000_u64;
    let spans: Vec<String> = (1..=count)
        .map(|n| {
            span(
                &format!("{n:016x}"),
                &if n == 1 { String::new() } else { format!("{:016x}", n - 1) },
                "step",
                n,
                2 * count - n,
            )
        })
        .collect();
    let (report, events) = events(&otlp(&spans.join(",")));
    assert_eq!((report.imported, events.len() as u64), (count, 2 * count + 2));
}

#[test]
fn status_and_exception_make_an_error() {
    let failed = span(ROOT, "", "root", 1, 9).replace(
        "\"name\"",
        r#""status":{"code":"STATUS_CODE_ERROR","message":"short"},"events":[{"name":"exception","timeUnixNano":"5000000","attributes":[{"key":"exception.type","value":{"stringValue":"ValueError"}},{"key":"exception.message","value":{"stringValue":"bad"}}]}],"name""#,
    );
    let (_, events) = events(&otlp(&failed));
    let error = events.iter().find(|event| event["type"] == "node.error").expect("an error");
    assert_eq!(error["payload"]["error"], serde_json::json!({"name":"ValueError","message":"bad"}));
    assert_eq!(events.last().expect("an end")["payload"]["status"], "error");
}
