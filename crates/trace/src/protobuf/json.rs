//! From protobuf messages to OTLP JSON, as the specification maps them.
//!
//! Recursion over values is bounded: the decoder refuses messages nested deeper than a hundred.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::message::{AnyValue, Event, KeyValue, Link, Scope, Span, TracesData, Value};
use crate::adapter::ObjectWriter;

/// Appends one request as a line.
pub(super) fn line(traces: &TracesData, out: &mut String) {
    let resources = list(&traces.resource_spans, |resource| {
        let mut json = ObjectWriter::new();
        if let Some(known) = &resource.resource {
            json.raw("resource", &object(&[("attributes", attributes(&known.attributes))]));
        }
        json.raw(
            "scopeSpans",
            &list(&resource.scope_spans, |scope| {
                let mut json = ObjectWriter::new();
                if let Some(Scope { name, version }) = &scope.scope {
                    let mut known = ObjectWriter::new();
                    known.text("name", name).text("version", version);
                    json.raw("scope", &known.finish());
                }
                json.raw("spans", &list(&scope.spans, span));
                json.finish()
            }),
        );
        json.finish()
    });
    out.push_str(&object(&[("resourceSpans", resources)]));
    out.push('\n');
}

fn span(span: &Span) -> String {
    let mut json = ObjectWriter::new();
    json.text("traceId", &hex(&span.trace_id)).text("spanId", &hex(&span.span_id));
    json.text("parentSpanId", &hex(&span.parent_span_id)).text("name", &span.name);
    json.raw("kind", &span.kind.to_string());
    json.text("startTimeUnixNano", &span.start_time_unix_nano.to_string());
    json.text("endTimeUnixNano", &span.end_time_unix_nano.to_string());
    json.raw("attributes", &attributes(&span.attributes));
    json.raw("events", &list(&span.events, event)).raw("links", &list(&span.links, link));
    if let Some(status) = &span.status {
        let mut known = ObjectWriter::new();
        known.text("message", &status.message).raw("code", &status.code.to_string());
        json.raw("status", &known.finish());
    }
    json.finish()
}

fn event(event: &Event) -> String {
    let mut json = ObjectWriter::new();
    json.text("timeUnixNano", &event.time_unix_nano.to_string()).text("name", &event.name);
    json.raw("attributes", &attributes(&event.attributes));
    json.finish()
}

fn link(link: &Link) -> String {
    let mut json = ObjectWriter::new();
    json.text("traceId", &hex(&link.trace_id)).text("spanId", &hex(&link.span_id));
    json.finish()
}

fn attributes(pairs: &[KeyValue]) -> String {
    list(pairs, |pair| {
        let mut json = ObjectWriter::new();
        json.text("key", &pair.key);
        if let Some(known) = &pair.value {
            json.raw("value", &value(known));
        }
        json.finish()
    })
}

fn value(any: &AnyValue) -> String {
    let mut json = ObjectWriter::new();
    match &any.value {
        None => {}
        Some(Value::String(text)) => {
            json.text("stringValue", text);
        }
        Some(Value::Bool(truth)) => {
            json.raw("boolValue", if *truth { "true" } else { "false" });
        }
        Some(Value::Int(number)) => {
            json.text("intValue", &number.to_string());
        }
        Some(Value::Double(number)) if number.is_finite() => {
            json.number("doubleValue", *number);
        }
        Some(Value::Double(number)) => {
            json.text(
                "doubleValue",
                if number.is_nan() {
                    "NaN"
                } else if *number > 0.0 {
                    "Infinity"
                } else {
                    "-Infinity"
                },
            );
        }
        Some(Value::Array(array)) => {
            json.raw("arrayValue", &object(&[("values", list(&array.values, value))]));
        }
        Some(Value::KeyValues(pairs)) => {
            json.raw("kvlistValue", &object(&[("values", attributes(&pairs.values))]));
        }
        Some(Value::Bytes(bytes)) => {
            json.text("bytesValue", &STANDARD.encode(bytes));
        }
    }
    json.finish()
}

fn object(members: &[(&str, String)]) -> String {
    let mut json = ObjectWriter::new();
    for (name, value) in members {
        json.raw(name, value);
    }
    json.finish()
}

fn list<T>(items: &[T], write: impl Fn(&T) -> String) -> String {
    let items: Vec<String> = items.iter().map(write).collect();
    format!("[{}]", items.join(","))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
