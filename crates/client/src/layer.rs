//! A `tracing` layer: spans become nodes, a span without a parent becomes a run.
//!
//! Invariant: only tells what happens. Spans have no gates: a subscriber cannot wait without blocking the code it
//! watches. Events are not logged; one of level ERROR inside a span says how the span failed.

use crate::{node::NodeGuard, run::Run, session::Session};
use serde_json::{Map, Value};
use std::fmt::Debug;
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Level, Subscriber};
use tracing_subscriber::layer::{Context, Layer};
use tracing_subscriber::registry::LookupSpan;

/// Field that says which kind of node a span is; `custom` without it.
const KIND_FIELD: &str = "node.kind";
/// Field whose value, recorded at any time, is the node's output.
const OUTPUT_FIELD: &str = "output";
/// Field of an event that carries streamed text.
const TEXT_FIELD: &str = "stream.text";

/// Turns spans into nodes.
///
/// The field `node.kind` names the kind (`"tool"`, `"llm"`, …), the other fields are the input, a field `output` is the
/// output, and an event with the field `stream.text` streams text. An event of level ERROR marks its span as failed.
///
/// ```
/// use tracing_subscriber::layer::SubscriberExt;
///
/// let session = client::Session::new("support");
/// let subscriber = tracing_subscriber::registry().with(client::SpanLayer::new(session));
/// tracing::subscriber::with_default(subscriber, || {
///     let answer = tracing::info_span!("answer", question = "Where is my parcel?").entered();
///     let search = tracing::info_span!("search", node.kind = "retriever", output = tracing::field::Empty).entered();
///     search.record("output", "3 pages");
///     drop((search, answer));
/// });
/// ```
#[derive(Clone, Debug)]
pub struct SpanLayer {
    session: Session,
}

impl SpanLayer {
    /// A layer that tells the debugger of `session`.
    pub fn new(session: Session) -> Self {
        Self { session }
    }
}

/// What a span carries with it.
struct SpanNode {
    guard: NodeGuard,
    /// The run, for a span without a parent.
    run: Option<Run>,
    output: Value,
    failed: Option<String>,
}

impl<S: Subscriber + for<'a> LookupSpan<'a>> Layer<S> for SpanLayer {
    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, context: Context<'_, S>) {
        let Some(span) = context.span(id) else { return };
        let mut fields = Fields::default();
        attributes.record(&mut fields);
        let name = span.name();
        let kind = fields.take_text(KIND_FIELD).unwrap_or_else(|| "custom".to_owned());
        let kind = wire::Kind::new(kind.into());
        let output = fields.0.remove(OUTPUT_FIELD).unwrap_or(Value::Null);
        let above = span.parent().and_then(|parent| {
            let extensions = parent.extensions();
            extensions.get::<SpanNode>().map(|node| (**node.guard.node()).clone())
        });
        let run = above.is_none().then(|| self.session.run(name).without_root().start());
        let Some(scope) = above.or_else(|| run.as_ref().map(|run| (**run).clone())) else { return };
        let guard = scope.node(kind, name).start(&Value::Object(fields.0));
        span.extensions_mut().insert(SpanNode { guard, run, output, failed: None });
    }

    fn on_record(&self, id: &Id, values: &Record<'_>, context: Context<'_, S>) {
        let Some(span) = context.span(id) else { return };
        let mut fields = Fields::default();
        values.record(&mut fields);
        if let (Some(output), Some(node)) =
            (fields.0.remove(OUTPUT_FIELD), span.extensions_mut().get_mut::<SpanNode>())
        {
            node.output = output;
        }
    }

    fn on_event(&self, event: &Event<'_>, context: Context<'_, S>) {
        let Some(span) = context.event_span(event) else { return };
        let mut extensions = span.extensions_mut();
        let Some(node) = extensions.get_mut::<SpanNode>() else { return };
        let mut fields = Fields::default();
        event.record(&mut fields);
        if let Some(text) = fields.take_text(TEXT_FIELD) {
            node.guard.text(&text);
        }
        if *event.metadata().level() == Level::ERROR {
            let message = fields.take_text("message").or_else(|| fields.take_text("error"));
            node.failed = Some(message.unwrap_or_else(|| event.metadata().name().to_owned()));
        }
    }

    fn on_close(&self, id: Id, context: Context<'_, S>) {
        let Some(span) = context.span(&id) else { return };
        let Some(SpanNode { guard, run, output, failed }) = span.extensions_mut().remove::<SpanNode>() else {
            return;
        };
        let result = match failed {
            None => {
                guard.finish(&output);
                Ok(())
            }
            Some(message) => {
                guard.fail(message.as_str());
                Err(message)
            }
        };
        // The run says it on the wire; the layer has nobody to hand it to.
        run.into_iter().for_each(|run| drop(run.finish(result.clone())));
    }
}

/// Fields as JSON members.
#[derive(Default)]
struct Fields(Map<String, Value>);

impl Fields {
    fn take_text(&mut self, name: &str) -> Option<String> {
        match self.0.remove(name)? {
            Value::String(text) => Some(text),
            other => Some(other.to_string()),
        }
    }

    fn put(&mut self, field: &Field, value: impl Into<Value>) {
        self.0.insert(field.name().to_owned(), value.into());
    }
}

impl Visit for Fields {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.put(field, format!("{value:?}"));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.put(field, value);
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.put(field, value);
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.put(field, value);
    }

    fn record_f64(&mut self, field: &Field, value: f64) {
        self.put(field, value);
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.put(field, value);
    }

    fn record_error(&mut self, field: &Field, value: &(dyn std::error::Error + 'static)) {
        self.put(field, value.to_string());
    }
}
