//! Exports of tracing services, each as small as it can be and still be one.

mod support {
    pub(crate) mod story;
}

use support::story::check;

#[test]
fn jaeger() {
    let span = |id: &str, refs: &str| {
        format!(
            r#"{{"traceID":"t","spanID":"{id}","operationName":"op-{id}","references":{refs},"startTime":1000000,"duration":500,"processID":"p1","tags":[{{"key":"error","type":"bool","value":true}}],"logs":[]}}"#
        )
    };
    let trace = format!(
        r#"{{"traceID":"t","spans":[{},{}],"processes":{{"p1":{{"serviceName":"svc"}}}}}}"#,
        span("a", "[]"),
        span(
            "b",
            r#"[{"refType":"FOLLOWS_FROM","spanID":"x"},{"refType":"CHILD_OF","traceID":"t","spanID":"a"}]"#
        )
    );
    let in_list = format!(r#"{{"data":[{trace}]}}"#);
    let by_itself = format!(r#"{{"data":{trace},"id":"t","state":"FETCH_DONE"}}"#);
    for text in [in_list, by_itself, trace] {
        check(
            &text,
            "Jaeger JSON",
            &[
                "run t svc",
                "+ custom:op-a < - [a] null",
                "+ custom:op-b < custom:op-a [b] null",
                "! Error: ",
                "- custom:op-b error null",
                "! Error: ",
                "- custom:op-a error null",
                "end error",
            ],
        );
    }
}

#[test]
fn zipkin() {
    let text = r#"[{"traceId":"t","id":"a","name":"get","timestamp":1000,"duration":10,"localEndpoint":{"serviceName":"svc"},"tags":{}}]"#;
    check(
        text,
        "Zipkin v2 JSON",
        &["run t svc", "+ custom:get < - [a] null", "- custom:get ok null", "end ok"],
    );
}

#[test]
fn langfuse() {
    let text = r#"{"trace":{"id":"t","name":"chat"},"observations":[
        {"id":"a","type":"AGENT","name":"root","startTime":"2026-01-01T00:00:00Z","endTime":"2026-01-01T00:00:02Z","input":"\"{\\\"q\\\":1}\""},
        {"id":"b","parentObservationId":"a","type":"GENERATION","name":"call","startTime":"2026-01-01T00:00:01Z","endTime":"2026-01-01T00:00:02Z","level":"ERROR","statusMessage":"no","usageDetails":{"input":5,"output":2,"input_cache_read":9}}]}"#;
    check(
        text,
        "Langfuse export",
        &[
            "run t chat",
            "+ agent:root < - [a] {\"q\":1}",
            "+ llm:call < agent:root [b] null",
            "! Error: no",
            "- llm:call error null 5/2 r9",
            "- agent:root ok null",
            "end ok",
        ],
    );
}

#[test]
fn langsmith_runs_and_batches() {
    let post = r#"{"id":"b","trace_id":"a","dotted_order":"20260101T000000000000Za.20260101T000001000000Zb","run_type":"llm","name":"call","start_time":"2026-01-01T00:00:01","inputs":{"q":1}}"#;
    let root = r#"{"id":"a","trace_id":"a","dotted_order":"20260101T000000000000Za","run_type":"chain","name":"root","start_time":"2026-01-01T00:00:00","end_time":"2026-01-01T00:00:03","inputs":{},"outputs":{}}"#;
    let patch = r#"{"id":"b","end_time":"2026-01-01T00:00:02","outputs":{"usage_metadata":{"input_tokens":3,"output_tokens":4}},"error":"ValueError('bad')"}"#;
    let expected = [
        "run a root",
        "+ chain:root < - [a] {}",
        "+ llm:call < chain:root [b] {\"q\":1}",
        "! ValueError: ValueError('bad')",
        "- llm:call error {\"usage_metadata\":{\"input_tokens\":3,\"output_tokens\":4}} 3/4",
        "- chain:root ok {}",
        "end ok",
    ];
    check(&format!(r#"{{"post":[{root},{post}],"patch":[{patch}]}}"#), "LangSmith ingest batch", &expected);
    check(&format!("{root}\n{post}\n{patch}"), "LangSmith runs", &expected);
}

#[test]
fn openai_agents_objects_and_log() {
    let text = r#"{"object":"trace","id":"trace_1","workflow_name":"flow"}
{"object":"trace.span","id":"s2","trace_id":"trace_1","parent_id":"s1","started_at":"2026-01-01T00:00:01Z","ended_at":"2026-01-01T00:00:02Z","span_data":{"type":"generation","model":"m","usage":{"input_tokens":1,"output_tokens":2}}}
{"object":"trace.span","id":"s1","trace_id":"trace_1","parent_id":null,"started_at":"2026-01-01T00:00:00Z","ended_at":"2026-01-01T00:00:03Z","span_data":{"type":"agent","name":"A"}}"#;
    let expected = [
        "run trace_1 flow",
        "+ agent:A < - [s1] null",
        "+ llm:generation < agent:A [s2] null",
        "- llm:generation ok null 1/2",
        "- agent:A ok null",
        "end ok",
    ];
    check(text, "OpenAI Agents trace", &expected);
    let log = r#"{"event":"trace_start","id":"t","workflow_name":"flow"}
{"event":"span_start","id":"s1","trace_id":"t","started_at":"2026-01-01T00:00:00Z","span_data":{"type":"function","name":"f","input":"x"}}
{"event":"span_end","id":"s1","timestamp":"2026-01-01T00:00:01Z"}"#;
    check(
        log,
        "OpenAI Agents event log",
        &["run t flow", "+ tool:f < - [s1] \"x\"", "- tool:f ok null", "end ok"],
    );
}

#[test]
fn mlflow() {
    let text = r#"{"info":{"request_id":"tr"},"data":{"spans":[{"name":"predict","context":{"span_id":"0x1","trace_id":"0x2"},"parent_id":null,"start_time":1700000000123456789,"end_time":1700000000223456789,"status_code":"OK","attributes":{"mlflow.spanType":"\"AGENT\"","mlflow.spanInputs":"{\"q\":1}","mlflow.spanOutputs":"\"yes\""}}]}}"#;
    check(
        text,
        "MLflow trace",
        &[
            "run tr predict",
            "+ agent:predict < - [0x1] {\"q\":1}",
            "- agent:predict ok \"\\\"yes\\\"\"",
            "end ok",
        ],
    );
}
