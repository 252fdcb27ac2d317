//! Input and output of a span, wherever its dialect keeps them.

use std::collections::BTreeMap;

use super::{Attributes, Happening, opened, quoted};
use crate::adapter::ObjectWriter;
use crate::span::Span;

const INPUTS: &[&str] = &[
    "gen_ai.tool.call.arguments",
    "ai.toolCall.args",
    "gen_ai.input.messages",
    "input.value",
    "langfuse.observation.input",
    "traceloop.entity.input",
    "ai.prompt.messages",
    "ai.prompt",
    "all_messages_events",
    "pydantic_ai.all_messages",
    "tool_arguments",
    "gen_ai.prompt",
    "ai.value",
    "ai.values",
    "request_data",
    "tool.parameters",
];

const OUTPUTS: &[&str] = &[
    "gen_ai.tool.call.result",
    "ai.toolCall.result",
    "gen_ai.output.messages",
    "output.value",
    "langfuse.observation.output",
    "traceloop.entity.output",
    "ai.response.object",
    "tool_response",
    "final_result",
    "gen_ai.completion",
    "response_data",
];

/// Whether the value of an attribute is what a span shows as its input or output.
pub(crate) fn is_shown(name: &str, json: &str, span: &Span) -> bool {
    let shown =
        |names: &[&str], value: &Option<String>| names.contains(&name) && value.as_deref() == Some(json);
    shown(INPUTS, &span.input) || shown(OUTPUTS, &span.output)
}

pub(crate) fn input(attributes: &Attributes) -> Option<String> {
    plain(attributes, INPUTS)
        .or_else(|| indexed(attributes, "llm.input_messages."))
        .or_else(|| indexed(attributes, "gen_ai.prompt."))
        .or_else(|| indexed(attributes, "embedding.embeddings."))
}

pub(crate) fn output(attributes: &Attributes) -> Option<String> {
    plain(attributes, OUTPUTS)
        .or_else(|| vercel_response(attributes))
        .or_else(|| indexed(attributes, "llm.output_messages."))
        .or_else(|| indexed(attributes, "gen_ai.completion."))
        .or_else(|| indexed(attributes, "retrieval.documents."))
        .or_else(|| indexed(attributes, "reranker.output_documents."))
}

fn plain(attributes: &Attributes, names: &[&str]) -> Option<String> {
    names.iter().find_map(|name| attributes.get(name)).map(opened)
}

/// The Vercel AI SDK splits an answer into text and tool calls.
fn vercel_response(attributes: &Attributes) -> Option<String> {
    let text = attributes.get("ai.response.text");
    let calls = attributes.get("ai.response.toolCalls").map(opened);
    match (text, calls) {
        (Some(text), None) => Some(text.get().to_owned()),
        (None, None) => None,
        (text, Some(calls)) => {
            let mut answer = ObjectWriter::new();
            if let Some(text) = text {
                answer.raw("text", text.get());
            }
            answer.raw("toolCalls", &calls);
            Some(answer.finish())
        }
    }
}

/// Attributes `prefixN.a.b` as a list of objects in the order of N; numbers may have holes.
fn indexed(attributes: &Attributes, prefix: &str) -> Option<String> {
    let mut items: BTreeMap<u64, Vec<(&str, &str)>> = BTreeMap::new();
    for (rest, json) in attributes.below(prefix) {
        let Some((number, name)) = rest.split_once('.') else { continue };
        let Ok(number) = number.parse() else { continue };
        let name = ["message.", "document.", "embedding."]
            .iter()
            .find_map(|lead| name.strip_prefix(lead))
            .unwrap_or(name);
        items.entry(number).or_default().push((name, json));
    }
    if items.is_empty() {
        return None;
    }
    let objects: Vec<String> = items.into_values().map(|members| object(&members)).collect();
    Some(format!("[{}]", objects.join(",")))
}

fn object(members: &[(&str, &str)]) -> String {
    let mut object = ObjectWriter::new();
    for (name, json) in members {
        object.raw(name, json);
    }
    object.finish()
}

/// Messages that an older convention writes as events of the span: `gen_ai.user.message`, `gen_ai.choice`.
pub(crate) fn from_events(events: &[Happening]) -> (Option<String>, Option<String>) {
    let (mut input, mut output) = (Vec::new(), Vec::new());
    for Happening { name, attributes, .. } in events {
        let Some(role) = name.strip_prefix("gen_ai.") else { continue };
        let mut message = ObjectWriter::new();
        message.raw("role", &quoted(role.trim_end_matches(".message"))).raw("content", &attributes.to_json());
        match role {
            "choice" | "content.completion" => output.push(message.finish()),
            _ if role.ends_with(".message") || role == "content.prompt" => input.push(message.finish()),
            _ => {}
        }
    }
    let list = |messages: Vec<String>| (!messages.is_empty()).then(|| format!("[{}]", messages.join(",")));
    (list(input), list(output))
}
