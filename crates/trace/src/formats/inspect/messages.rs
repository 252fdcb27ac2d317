//! Samples without events, as old logs have them: the conversation is all there is.
//!
//! There is no clock: messages are numbered.

use wire::Raw;

use super::events::Transcript;
use super::expand::Expand;
use super::items;
use crate::detect::Look;
use crate::read::{either, text};
use crate::span::{Span, SpanError};

/// Reads the messages as spans; whether there were any.
pub(super) fn read(look: &Look<'_>, transcript: &mut Transcript, expand: &mut Expand<'_>) -> bool {
    let mut now = 0.0;
    for message in look.get("messages").into_iter().flat_map(Raw::items) {
        now += 1.0;
        let role = text(message, &["role"]).unwrap_or_else(|| "user".to_owned());
        let content = either(message, &["content"]).map(|content| expand.value(content));
        if role == "tool" {
            result(message, content, now, transcript);
            continue;
        }
        let llm = role == "assistant";
        let id = format!("{}/message-{now}", transcript.root());
        transcript.push(Span {
            id: id.clone(),
            parent: Some(transcript.root().to_owned()),
            kind: if llm { "llm" } else { "prompt" }.to_owned(),
            name: if llm { "generate".to_owned() } else { role },
            start_ms: Some(now),
            end_ms: Some(now),
            output: content,
            ..Span::default()
        });
        for call in items(message, "tool_calls") {
            let Some(called) = text(call, &["id"]) else { continue };
            transcript.push(Span {
                id: format!("{}/{called}", transcript.root()),
                parent: Some(id.clone()),
                kind: "tool".to_owned(),
                name: text(call, &["function"]).unwrap_or_else(|| "tool".to_owned()),
                start_ms: Some(now),
                input: either(call, &["arguments"]).map(|arguments| expand.value(arguments)),
                ..Span::default()
            });
        }
    }
    now > 0.0
}

fn result(message: Raw<'_>, content: Option<String>, now: f64, transcript: &mut Transcript) {
    let id = text(message, &["tool_call_id"]).map(|id| format!("{}/{id}", transcript.root()));
    let error = either(message, &["error"]).map(|error| SpanError {
        name: text(error, &["type"]).unwrap_or_else(|| "ToolError".to_owned()),
        message: text(error, &["message"]).unwrap_or_default(),
        stack: None,
    });
    if let Some(span) = id.and_then(|id| transcript.call_mut(&id)) {
        (span.end_ms, span.output, span.error) = (Some(now), content, error);
    }
}
