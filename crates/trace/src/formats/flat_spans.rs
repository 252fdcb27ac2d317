//! Spans one by one, as tools print them: Phoenix and OpenInference exports, the Python console exporter, dumps of
//! JavaScript's `ReadableSpan`.
//!
//! The three differ in where ids and times stand; what the attributes say is decided elsewhere.

use wire::{JsonKind, Raw};

use crate::adapter::{Adapter, Item, Out};
use crate::attributes::{Attributes, Happening, error_of, tell};
use crate::detect::{Format, Look};
use crate::read::text;
use crate::span::{Span, Spans};
use crate::time::{hr_time_ms, time_ms};

pub(crate) const FORMATS: &[Format] = &[
    Format {
        name: "Phoenix / OpenInference spans",
        recognises: is_phoenix,
        adapter: || adapter("Phoenix", phoenix),
    },
    Format {
        name: "OpenTelemetry console exporter (Python)",
        recognises: is_console,
        adapter: || adapter("OpenTelemetry", console),
    },
    Format {
        name: "OpenTelemetry ReadableSpan dump (JavaScript)",
        recognises: is_readable,
        adapter: || adapter("OpenTelemetry", readable),
    },
];

fn context<'a>(look: &Look<'a>) -> Option<Look<'a>> {
    look.get("context").map(Look::new)
}

fn is_phoenix(look: &Look<'_>) -> bool {
    let span = |look: &Look<'_>| context(look).is_some_and(|context| context.has(&["trace_id", "span_id"]));
    let listed = look.first("spans").or_else(|| look.first("data"));
    (span(look) && !is_console(look)) || listed.is_some_and(|first| span(&first))
}

fn is_console(look: &Look<'_>) -> bool {
    context(look).and_then(|context| context.text("trace_id")).is_some_and(|id| id.starts_with("0x"))
}

fn is_readable(look: &Look<'_>) -> bool {
    let span = |look: &Look<'_>| {
        let own_ids =
            look.has(&["spanContext"]) || look.has(&["traceId", "id"]) || look.has(&["traceId", "spanId"]);
        own_ids && look.kind("startTime") == Some(JsonKind::Array)
    };
    // A map from an operation to its span is a list by another name.
    span(look) || look.raw.members().next().is_some_and(|(_, value)| span(&Look::new(value)))
}

type ReadSpan = fn(Raw<'_>) -> Result<(String, Span), String>;

struct FlatSpans {
    format: &'static str,
    read: ReadSpan,
    spans: Spans,
    /// Whether any span named a parent.
    nested: bool,
}

fn adapter(format: &'static str, read: ReadSpan) -> Box<dyn Adapter> {
    Box::new(FlatSpans { format, read, spans: Spans::default(), nested: false })
}

impl Adapter for FlatSpans {
    fn take(&mut self, item: Item<'_>, out: &mut Out<'_>) -> Result<(), String> {
        let listed = item
            .raw
            .member("spans")
            .or_else(|| item.raw.member("data"))
            .filter(|list| list.kind() == JsonKind::Array);
        match listed {
            Some(list) => list.items().for_each(|span| self.one(item.line, span, out)),
            None if (self.read)(item.raw).is_err()
                && item.raw.members().all(|(_, value)| value.kind() == JsonKind::Object) =>
            {
                item.raw.members().for_each(|(_, span)| self.one(item.line, span, out));
            }
            None => self.one(item.line, item.raw, out),
        }
        Ok(())
    }

    fn finish(&mut self, out: &mut Out<'_>) {
        if !self.nested {
            out.report.note("no span names a parent: every span stands by itself");
        }
        self.spans.finish(self.format, out);
    }
}

impl FlatSpans {
    fn one(&mut self, line: u64, raw: Raw<'_>, out: &mut Out<'_>) {
        match (self.read)(raw) {
            Ok((run, span)) => {
                self.nested |= span.parent.is_some();
                let run = self.spans.run(&run);
                run.spans.push(span);
                if run.facts.app.is_none() {
                    run.facts.app = service(raw);
                }
                out.report.used();
            }
            Err(reason) => out.report.skip(line, reason),
        }
    }
}

/// The program, as the resource of a span names it.
fn service(raw: Raw<'_>) -> Option<String> {
    let attributes = Attributes::from_object(raw.member("resource")?.member("attributes")?);
    attributes.text("service.name")
}

fn phoenix(raw: Raw<'_>) -> Result<(String, Span), String> {
    python(raw, |id| id)
}

fn console(raw: Raw<'_>) -> Result<(String, Span), String> {
    python(raw, |id| id.trim_start_matches("0x").to_owned())
}

/// Spans with a `context`, times in ISO 8601 and a `status_code` or a `status`.
fn python(raw: Raw<'_>, id: fn(String) -> String) -> Result<(String, Span), String> {
    let context = raw.member("context").ok_or("a span without a context")?;
    let run = text(context, &["trace_id"]).map(id).ok_or("a span without a trace id")?;
    let mut span = Span {
        id: text(context, &["span_id"]).map(id).ok_or("a span without an id")?,
        parent: text(raw, &["parent_id"]).map(id),
        name: text(raw, &["name"]).unwrap_or_default(),
        start_ms: raw.member("start_time").and_then(time_ms),
        end_ms: raw.member("end_time").and_then(time_ms),
        ..Span::default()
    };
    let mut attributes = raw.member("attributes").map(Attributes::from_object).unwrap_or_default();
    if let Some(kind) =
        raw.member("span_kind").filter(|_| attributes.get("openinference.span.kind").is_none())
    {
        attributes.push("openinference.span.kind", kind.get());
    }
    let events = events(raw, ("timestamp", time_ms));
    let status = raw.member("status");
    let code = text(raw, &["status_code"]).or_else(|| text(status?, &["status_code"]));
    if code.is_some_and(|code| code == "ERROR") {
        let message = text(raw, &["status_message"]).or_else(|| text(status?, &["description"]));
        span.error = Some(error_of(&events, message.unwrap_or_default()));
    }
    attributes.describe(&mut span);
    tell(&events, &mut span);
    Ok((run, span))
}

/// The events of a span; `time` is where and how their moment is written.
fn events(span: Raw<'_>, time: (&str, fn(Raw<'_>) -> Option<f64>)) -> Vec<Happening> {
    let happening = |event: Raw<'_>| Happening {
        name: text(event, &["name"]).unwrap_or_default(),
        at_ms: event.member(time.0).and_then(time.1),
        attributes: event.member("attributes").map(Attributes::from_object).unwrap_or_default(),
    };
    span.member("events").into_iter().flat_map(Raw::items).map(happening).collect()
}

fn readable(raw: Raw<'_>) -> Result<(String, Span), String> {
    let context = raw.member("spanContext").or_else(|| raw.member("_spanContext")).unwrap_or(raw);
    let parent = raw.member("parentSpanContext").and_then(|parent| text(parent, &["spanId"]));
    let mut span = Span {
        id: text(context, &["spanId", "id"]).ok_or("a span without an id")?,
        parent: parent.or_else(|| text(raw, &["parentSpanId", "parentId"])),
        name: text(raw, &["name"]).unwrap_or_default(),
        start_ms: raw.member("startTime").and_then(hr_time_ms),
        end_ms: raw.member("endTime").and_then(hr_time_ms),
        ..Span::default()
    };
    let events = events(raw, ("time", hr_time_ms));
    let status = raw.member("status");
    if status.and_then(|status| status.member("code")).and_then(Raw::as_u64) == Some(2) {
        let message = status.and_then(|status| text(status, &["message"])).unwrap_or_default();
        span.error = Some(error_of(&events, message));
    }
    raw.member("attributes").map(Attributes::from_object).unwrap_or_default().describe(&mut span);
    tell(&events, &mut span);
    Ok((text(context, &["traceId"]).ok_or("a span without a trace id")?, span))
}
