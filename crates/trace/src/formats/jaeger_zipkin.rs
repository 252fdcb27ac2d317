//! Jaeger and Zipkin JSON, as their viewers export it.

use wire::{JsonKind, Raw};

use crate::adapter::{Adapter, Item, Out};
use crate::attributes::{Attributes, Happening, error_of, tell};
use crate::detect::{Format, Look};
use crate::read::{either, list, text};
use crate::span::{Span, SpanError, Spans};

pub(crate) const FORMATS: &[Format] = &[
    Format {
        name: "Jaeger JSON",
        recognises: |look| {
            look.first("data").is_some_and(|first| first.has(&["traceID"]))
                || look.get("data").is_some_and(|data| Look::new(data).has(&["traceID", "spans"]))
                || look.has(&["traceID", "spans", "processes"])
        },
        adapter: || Box::new(Jaeger(Spans::default())),
    },
    Format {
        name: "Zipkin v2 JSON",
        recognises: |look| {
            look.has(&["traceId", "id"])
                && (look.has(&["localEndpoint"]) || look.kind("timestamp") == Some(JsonKind::Number))
        },
        adapter: || Box::new(Zipkin(Spans::default())),
    },
];

struct Jaeger(Spans);

impl Adapter for Jaeger {
    fn take(&mut self, item: Item<'_>, out: &mut Out<'_>) -> Result<(), String> {
        // The interface's answer is a list; a page's own state holds one trace, and a file may be the trace itself.
        let data = either(item.raw, &["data"]).unwrap_or(item.raw);
        match data.kind() {
            JsonKind::Array => data.items().for_each(|trace| self.trace(item.line, trace, out)),
            _ => self.trace(item.line, data, out),
        }
        Ok(())
    }

    fn finish(&mut self, out: &mut Out<'_>) {
        self.0.finish("Jaeger", out);
    }
}

impl Jaeger {
    fn trace(&mut self, line: u64, trace: Raw<'_>, out: &mut Out<'_>) {
        let processes = either(trace, &["processes"]);
        for raw in list(trace, &["spans"]).into_iter().flat_map(Raw::items) {
            let Some((run, span)) = jaeger_span(raw) else {
                out.report.skip(line, "a span without traceID and spanID");
                continue;
            };
            let run = self.0.run(&run);
            run.spans.push(span);
            if run.facts.app.is_none() {
                let process = text(raw, &["processID"]).and_then(|id| processes?.member(&id));
                run.facts.app = process.and_then(|process| text(process, &["serviceName"]));
            }
            out.report.note_times(
                "Jaeger warns about a span",
                list(raw, &["warnings"]).map_or(0, |list| list.items().count() as u64),
            );
            out.report.used();
        }
    }
}

/// A list of `{key, value}` as attributes.
fn tags(list: Raw<'_>) -> Attributes {
    let mut attributes = Attributes::default();
    for tag in list.items() {
        if let (Some(key), Some(value)) = (text(tag, &["key"]), tag.member("value")) {
            attributes.push(key, value.get());
        }
    }
    attributes
}

fn jaeger_span(raw: Raw<'_>) -> Option<(String, Span)> {
    let start_ms = either(raw, &["startTime"]).and_then(micros);
    let duration_ms = either(raw, &["duration"]).and_then(micros);
    let mut span = Span {
        id: text(raw, &["spanID"])?,
        name: text(raw, &["operationName"]).unwrap_or_default(),
        start_ms,
        end_ms: start_ms.zip(duration_ms).map(|(start, duration)| start + duration),
        ..Span::default()
    };
    for reference in list(raw, &["references"]).into_iter().flat_map(Raw::items) {
        let Some(id) = text(reference, &["spanID"]) else { continue };
        if text(reference, &["refType"]).as_deref() == Some("CHILD_OF") && span.parent.is_none() {
            span.parent = Some(id);
        } else {
            span.links.push(id);
        }
    }
    // Before references there was one parent.
    span.parent = span.parent.take().or_else(|| text(raw, &["parentSpanID"]));
    let events = logs(raw);
    let attributes = list(raw, &["tags"]).map(tags).unwrap_or_default();
    let failed = attributes.get("error").is_some_and(|error| matches!(error.get(), "true" | "\"true\""))
        || attributes.text("otel.status_code").as_deref() == Some("ERROR");
    if failed {
        let message = attributes.text("otel.status_description").unwrap_or_default();
        span.error = Some(error_of(&events, message));
    }
    attributes.describe(&mut span);
    tell(&events, &mut span);
    Some((text(raw, &["traceID"])?, span))
}

fn logs(span: Raw<'_>) -> Vec<Happening> {
    let happening = |log: Raw<'_>| {
        let attributes = list(log, &["fields"]).map(tags).unwrap_or_default();
        let name = attributes.text("event").unwrap_or_else(|| "log".to_owned());
        Happening { name, at_ms: either(log, &["timestamp"]).and_then(micros), attributes }
    };
    list(span, &["logs"]).into_iter().flat_map(Raw::items).map(happening).collect()
}

/// Microseconds as milliseconds.
fn micros(raw: Raw<'_>) -> Option<f64> {
    raw.as_f64().map(|micros| micros / 1e3)
}

struct Zipkin(Spans);

impl Adapter for Zipkin {
    fn take(&mut self, item: Item<'_>, out: &mut Out<'_>) -> Result<(), String> {
        let raw = item.raw;
        let run = text(raw, &["traceId"]).ok_or("a span without traceId")?;
        let start_ms = either(raw, &["timestamp"]).and_then(micros);
        let duration_ms = either(raw, &["duration"]).and_then(micros);
        let mut span = Span {
            id: text(raw, &["id"]).ok_or("a span without id")?,
            parent: text(raw, &["parentId"]),
            name: text(raw, &["name"]).unwrap_or_default(),
            start_ms,
            end_ms: start_ms.zip(duration_ms).map(|(start, duration)| start + duration),
            ..Span::default()
        };
        // A server may share its caller's span and id: it is a span of its own inside the caller's.
        if either(raw, &["shared"]).and_then(Raw::as_bool) == Some(true) {
            let own = format!("{}/server", span.id);
            span.parent = Some(std::mem::replace(&mut span.id, own));
        }
        let attributes = either(raw, &["tags"]).map(Attributes::from_object).unwrap_or_default();
        span.error = attributes.get("error").map(|error| SpanError {
            name: "Error".to_owned(),
            message: error.as_str().unwrap_or_default().into_owned(),
            stack: None,
        });
        attributes.describe(&mut span);
        let annotation = |raw: Raw<'_>| Happening {
            name: text(raw, &["value"]).unwrap_or_default(),
            at_ms: either(raw, &["timestamp"]).and_then(micros),
            ..Happening::default()
        };
        let events: Vec<Happening> =
            list(raw, &["annotations"]).into_iter().flat_map(Raw::items).map(annotation).collect();
        tell(&events, &mut span);
        let run = self.0.run(&run);
        run.facts.app =
            run.facts.app.take().or_else(|| text(either(raw, &["localEndpoint"])?, &["serviceName"]));
        run.spans.push(span);
        out.report.used();
        Ok(())
    }

    fn finish(&mut self, out: &mut Out<'_>) {
        self.0.finish("Zipkin", out);
    }
}
