//! What happened during a span: its events, in whatever container they stood.

use super::{Attributes, body};
use crate::adapter::ObjectWriter;
use crate::span::{Span, SpanError};

/// One event of a span.
#[derive(Debug, Clone, Default)]
pub(crate) struct Happening {
    pub name: String,
    pub at_ms: Option<f64>,
    pub attributes: Attributes,
}

/// The error of a span that failed: the last exception among its events, else the words of its status.
pub(crate) fn error_of(events: &[Happening], message: String) -> SpanError {
    let is_exception = |event: &&Happening| event.name == "exception" || event.attributes.any("exception.");
    let exception = events.iter().rev().find(is_exception).map(|event| &event.attributes);
    let text = |name: &str| exception.and_then(|attributes| attributes.text(name));
    SpanError {
        name: text("exception.type").unwrap_or_else(|| "Error".to_owned()),
        message: text("exception.message").unwrap_or(message),
        stack: text("exception.stacktrace"),
    }
}

/// Gives a span what its events know: messages, the first token, and every event for the viewer.
pub(crate) fn tell(events: &[Happening], span: &mut Span) {
    if events.is_empty() {
        return;
    }
    let (input, output) = body::from_events(events);
    span.input = span.input.take().or(input);
    span.output = span.output.take().or(output);
    let first = events.iter().find(|event| is_first_token(&event.name)).and_then(|event| event.at_ms);
    span.first_token_ms = span.first_token_ms.or(first);
    let shown: Vec<String> = events.iter().map(Happening::to_json).collect();
    span.extra.push(("events".to_owned(), format!("[{}]", shown.join(","))));
}

fn is_first_token(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name.contains("first token") || name.contains("first_token") || name == "ai.stream.firstchunk"
}

impl Happening {
    fn to_json(&self) -> String {
        let mut object = ObjectWriter::new();
        object.text("name", &self.name);
        if let Some(at) = self.at_ms {
            object.number("ts", at);
        }
        object.raw("attributes", &self.attributes.to_json());
        object.finish()
    }
}
