//! OTLP traces as JSON, in the spellings that exporters really write.
//!
//! Snake case and camel case, ids as hex, base64 or bytes, numbers as text, enums as words, requests one by one, one
//! a line or in a list, and the containers' older names: all give one model. What the attributes say is decided
//! elsewhere. Each span counts as one record of the report.

mod any_value;
mod fields;

use std::collections::HashSet;

use wire::Raw;

use crate::adapter::{Adapter, Item, Out};
use crate::attributes::{Attributes, Happening, error_of, tell};
use crate::detect::{Format, Look};
use crate::read::{Fields, either, list};
use crate::span::{Span, SpanError, Spans};
use any_value::attributes;
use fields::{Id, status_is_error, time_ms};

pub(crate) const FORMATS: &[Format] = &[Format {
    name: "OpenTelemetry (OTLP)",
    recognises: |look| {
        let wrapped = look.get("trace").map(Look::new);
        let spans = |look: &Look<'_>| SPANS.iter().any(|name| look.get(name).is_some());
        spans(look) || wrapped.is_some_and(|trace| spans(&trace))
    },
    adapter: || Box::new(Otlp::default()),
}];

/// Names of the list of resources.
const SPANS: &[&str] = &["resourceSpans", "resource_spans", "batches"];

#[derive(Default)]
struct Otlp {
    spans: Spans,
    /// Copies that a library writes at the start of a span: id of the real one, run, copy.
    pending: Vec<(String, String, Span)>,
    /// Runs and ids of spans whose library writes such copies.
    seen: HashSet<(String, String)>,
}

impl Adapter for Otlp {
    fn take(&mut self, item: Item<'_>, out: &mut Out<'_>) -> Result<(), String> {
        // Tempo answers with the request inside another object.
        let request = &Fields::of(item.raw);
        let inner = || either(request, &["trace"]).and_then(|trace| list(trace, SPANS));
        let resources = list(request, SPANS).or_else(inner).ok_or("no list of resource spans")?;
        for resource in resources.items() {
            let resource = &Fields::of(resource);
            let service = either(resource, &["resource"]).map(attributes).unwrap_or_default();
            let scopes = list(
                resource,
                &[
                    "scopeSpans",
                    "scope_spans",
                    "instrumentationLibrarySpans",
                    "instrumentation_library_spans",
                ],
            );
            for scope in scopes.into_iter().flat_map(Raw::items) {
                let scope = &Fields::of(scope);
                let library = either(scope, &["scope", "instrumentationLibrary", "instrumentation_library"]);
                for span in list(scope, &["spans"]).into_iter().flat_map(Raw::items) {
                    match self.span(span, &service, library) {
                        Ok(()) => out.report.used(),
                        Err(reason) => out.report.skip(item.line, reason),
                    }
                }
            }
        }
        Ok(())
    }

    fn finish(&mut self, out: &mut Out<'_>) {
        // A copy that knows less gives way to the span itself, where that comes.
        for (real, run, copy) in std::mem::take(&mut self.pending) {
            if !self.seen.contains(&(run.clone(), real.clone())) {
                self.spans.run(&run).spans.push(Span { id: real, ..copy });
            }
        }
        self.spans.finish("OpenTelemetry", out);
    }
}

impl Otlp {
    fn span(&mut self, raw: Raw<'_>, service: &Attributes, library: Option<Raw<'_>>) -> Result<(), String> {
        let raw = &Fields::of(raw);
        let run = Id::read(raw, &["traceId", "trace_id"], 16).ok_or("a span without a trace id")?;
        let id = Id::read(raw, &["spanId", "span_id"], 8).ok_or("a span without an id")?;
        let mut span = Span {
            id,
            parent: Id::read(raw, &["parentSpanId", "parent_span_id"], 8),
            name: either(raw, &["name"]).and_then(Raw::as_str).unwrap_or_default().into_owned(),
            start_ms: time_ms(raw, &["startTimeUnixNano", "start_time_unix_nano"]),
            end_ms: time_ms(raw, &["endTimeUnixNano", "end_time_unix_nano"]),
            ..Span::default()
        };
        let own = attributes(raw);
        let events = events(raw);
        span.error = error(raw, &events);
        span.links = links(raw);
        span.aborted = own.text("holdpoint.status").as_deref() == Some("aborted");
        own.describe(&mut span);
        tell(&events, &mut span);
        let facts = &mut self.spans.run(&run).facts;
        if facts.app.is_none() {
            facts.app = service.text("service.name");
        }
        if facts.sdk.is_none() {
            facts.sdk = library.and_then(|library| {
                let text =
                    |name: &str| either(library, &[name]).and_then(Raw::as_str).map(|text| text.into_owned());
                Some((text("name")?, text("version").unwrap_or_default()))
            });
        }
        self.keep(run, span, &own);
        Ok(())
    }

    /// A pending copy waits: it counts only if the span itself never comes.
    fn keep(&mut self, run: String, span: Span, own: &Attributes) {
        if own.text("logfire.span_type").as_deref() != Some("pending_span") {
            if own.any("logfire.") {
                self.seen.insert((run.clone(), span.id.clone()));
            }
            self.spans.run(&run).spans.push(span);
            return;
        }
        let parent = own.text("logfire.pending_parent_id").filter(|id| !id.bytes().all(|byte| byte == b'0'));
        if let Some(real) = span.parent.clone() {
            self.pending.push((real, run, Span { parent, end_ms: None, ..span }));
        }
    }
}

fn events(span: &Fields<'_>) -> Vec<Happening> {
    let happening = |event: Raw<'_>| Happening {
        name: either(event, &["name"]).and_then(Raw::as_str).unwrap_or_default().into_owned(),
        at_ms: time_ms(event, &["timeUnixNano", "time_unix_nano"]),
        attributes: attributes(event),
    };
    list(span, &["events"]).into_iter().flat_map(Raw::items).map(happening).collect()
}

fn error(span: &Fields<'_>, events: &[Happening]) -> Option<SpanError> {
    let status = either(span, &["status"])?;
    if !status_is_error(either(status, &["code", "statusCode", "status_code"])?) {
        return None;
    }
    let message = either(status, &["message"]).and_then(Raw::as_str).unwrap_or_default().into_owned();
    Some(error_of(events, message))
}

fn links(span: &Fields<'_>) -> Vec<String> {
    list(span, &["links"])
        .into_iter()
        .flat_map(Raw::items)
        .filter_map(|link| Id::read(link, &["spanId", "span_id"], 8))
        .collect()
}
