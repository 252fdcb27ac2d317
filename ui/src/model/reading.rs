//! A body as a conversation: messages with their roles, text, calls of tools and their results, however the usual
//! providers spell them. Nothing is guessed: a body that is none of these shapes is read as a tree.

use serde_json::Value;

use super::encoded::{self, Encoded};
use super::markdown::{self, Block};

/// Bytes of a body that is read as a conversation at most; a longer one is a tree.
pub const BYTES_MAX: usize = 4 << 20;
/// Messages read at most.
const MESSAGES_MAX: usize = 200;
/// Parts of a message read at most.
const PARTS_MAX: usize = 64;

/// A part of a message.
#[derive(Clone, Debug, PartialEq)]
pub enum Part {
    /// Prose, and whether more of it was left out.
    Prose(Vec<Block>, bool),
    /// The model's reasoning, the same.
    Reasoning(Vec<Block>, bool),
    /// A call: the tool's name and its arguments as printed JSON.
    Call(String, String),
    /// What a call gave, as text.
    Result(String, String),
    /// An encoded value, such as an image, with its text.
    Encoded(Encoded, String),
    /// Anything else, as printed JSON.
    Other(String),
}

/// One message.
#[derive(Clone, Debug, PartialEq)]
pub struct Message {
    /// Who speaks: `system`, `user`, `assistant`, `tool` or what the sender calls it. Empty for a plain text.
    pub role: String,
    /// What is said.
    pub parts: Vec<Part>,
}

/// Messages of a body, and how many more there are.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reading {
    /// In order.
    pub messages: Vec<Message>,
    /// Left out.
    pub more: usize,
}

/// Reads whole JSON text; `None` when it is no conversation and no prose.
pub fn read(json: &str) -> Option<Reading> {
    if json.len() > BYTES_MAX {
        return None;
    }
    let value: Value = serde_json::from_str(json).ok()?;
    if let Value::String(text) = &value {
        let part = text_part(text);
        return Some(Reading { messages: vec![Message { role: String::new(), parts: vec![part] }], more: 0 });
    }
    let list = messages(&value)?;
    let read = list.iter().take(MESSAGES_MAX).map(|value| message(value)).collect();
    Some(Reading { messages: read, more: list.len().saturating_sub(MESSAGES_MAX) })
}

/// The messages of a body: a list of them, one alone, or a list under the names that providers use.
fn messages(value: &Value) -> Option<Vec<&Value>> {
    let is_message = |value: &Value| speaker(value).is_some() && content(value).is_some();
    match value {
        Value::Array(list) if !list.is_empty() && list.iter().all(is_message) => Some(list.iter().collect()),
        Value::Object(_) if is_message(value) => Some(vec![value]),
        Value::Object(map) => {
            let named = ["messages", "input", "contents"].iter().find_map(|name| map.get(*name));
            if let Some(list) = named.and_then(messages) {
                let system =
                    map.get("system").or(map.get("instructions")).filter(|system| system.is_string());
                return Some(system.into_iter().chain(list).collect());
            }
            let choices = map.get("choices").and_then(Value::as_array)?;
            let said: Vec<&Value> = choices.iter().filter_map(|choice| choice.get("message")).collect();
            (!said.is_empty()).then_some(said)
        }
        _ => None,
    }
}

fn speaker(value: &Value) -> Option<&str> {
    ["role", "type"].iter().find_map(|name| value.get(*name)).and_then(Value::as_str)
}

fn content(value: &Value) -> Option<&Value> {
    let calls = value.get("tool_calls").filter(|calls| calls.as_array().is_some_and(|list| !list.is_empty()));
    value.get("content").or(value.get("parts")).or(calls)
}

fn message(value: &Value) -> Message {
    if let Value::String(system) = value {
        return Message { role: "system".to_owned(), parts: vec![text_part(system)] };
    }
    let mut parts = Vec::new();
    match value.get("content").or(value.get("parts")) {
        Some(Value::String(text)) if value.get("role").and_then(Value::as_str) == Some("tool") => {
            let name = value.get("name").or(value.get("tool_call_id")).and_then(Value::as_str).unwrap_or("");
            parts.push(Part::Result(name.to_owned(), text.clone()));
        }
        Some(Value::String(text)) if text.is_empty() => {}
        Some(Value::String(text)) => parts.push(text_part(text)),
        Some(Value::Array(list)) => parts.extend(list.iter().take(PARTS_MAX).map(part)),
        Some(Value::Null) | None => {}
        Some(other) => parts.push(Part::Other(printed(other))),
    }
    let calls = value.get("tool_calls").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    parts.extend(calls.iter().take(PARTS_MAX).map(call));
    Message { role: speaker(value).unwrap_or("").to_owned(), parts }
}

fn text_part(text: &str) -> Part {
    match encoded::of_text(text) {
        Some(found) => Part::Encoded(found, text.to_owned()),
        None => {
            let (blocks, cut) = markdown::blocks(text);
            Part::Prose(blocks, cut)
        }
    }
}

fn part(value: &Value) -> Part {
    let text = |name: &str| value.get(name).and_then(Value::as_str);
    let kind = text("type").unwrap_or("");
    match kind {
        "tool_use" | "tool-call" | "function_call" | "tool_call" => call(value),
        "tool_result" | "tool-result" | "function_call_output" => {
            let name = text("tool_use_id").or(text("toolName")).or(text("call_id")).unwrap_or("");
            let body = ["content", "output", "result"].iter().find_map(|name| value.get(*name));
            Part::Result(name.to_owned(), body.map(plain).unwrap_or_default())
        }
        "thinking" | "reasoning" => {
            let (blocks, cut) = markdown::blocks(text("thinking").or(text("text")).unwrap_or(""));
            Part::Reasoning(blocks, cut)
        }
        _ => {
            let data =
                value.pointer("/source/data").or(value.pointer("/image_url/url")).or(value.get("image_url"));
            let data = data.and_then(Value::as_str);
            match (text("text"), data.and_then(encoded::of_text)) {
                (Some(text), _) => text_part(text),
                (None, Some(found)) => Part::Encoded(found, data.unwrap_or("").to_owned()),
                (None, None) => value.as_str().map_or_else(|| Part::Other(printed(value)), text_part),
            }
        }
    }
}

fn call(value: &Value) -> Part {
    let function = value.get("function").unwrap_or(value);
    let name = ["name", "toolName"].iter().find_map(|name| function.get(*name)).and_then(Value::as_str);
    let arguments = ["arguments", "input", "args"].iter().find_map(|name| function.get(*name));
    let arguments = match arguments {
        Some(Value::String(text)) => {
            serde_json::from_str::<Value>(text).map_or_else(|_| text.clone(), |v| printed(&v))
        }
        Some(other) => printed(other),
        None => String::new(),
    };
    Part::Call(name.unwrap_or("tool").to_owned(), arguments)
}

/// Text as it is, several texts one under the other, anything else printed.
fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(list) => {
            let texts: Option<Vec<&str>> =
                list.iter().map(|item| item.get("text").and_then(Value::as_str)).collect();
            texts.map_or_else(|| printed(value), |texts| texts.join("\n"))
        }
        other => printed(other),
    }
}

fn printed(value: &Value) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `role: part part; role: part`.
    fn shape(json: &str) -> String {
        let Some(reading) = read(json) else { return "none".to_owned() };
        let part = |part: &Part| match part {
            Part::Prose(blocks, _) => format!("prose({})", blocks.len()),
            Part::Reasoning(..) => "reasoning".to_owned(),
            Part::Call(name, arguments) => format!("call({name} {})", arguments.replace(['\n', ' '], "")),
            Part::Result(name, text) => format!("result({name} {text})"),
            Part::Encoded(found, _) => found.kind.to_owned(),
            Part::Other(_) => "other".to_owned(),
        };
        let said = |message: &Message| {
            format!("{}: {}", message.role, message.parts.iter().map(part).collect::<Vec<_>>().join(" "))
        };
        reading.messages.iter().map(said).collect::<Vec<_>>().join("; ")
    }

    #[test]
    fn conversations_of_the_usual_providers_are_read() {
        let table = [
            (r#""plain **text**""#, ": prose(1)"),
            (r#"{"messages":[{"role":"user","content":"hi"}]}"#, "user: prose(1)"),
            (
                r#"{"system":"be brief","messages":[{"role":"user","content":"hi"}]}"#,
                "system: prose(1); user: prose(1)",
            ),
            (
                r#"[{"role":"assistant","content":[{"type":"thinking","thinking":"hm"},{"type":"tool_use","name":"f","input":{"a":1}}]}]"#,
                "assistant: reasoning call(f {\"a\":1})",
            ),
            (
                r#"{"role":"assistant","content":null,"tool_calls":[{"function":{"name":"g","arguments":"{\"b\":2}"}}]}"#,
                "assistant: call(g {\"b\":2})",
            ),
            (r#"[{"role":"tool","tool_call_id":"c1","content":"42"}]"#, "tool: result(c1 42)"),
            (
                r#"[{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":[{"type":"text","text":"ok"}]}]}]"#,
                "user: result(t ok)",
            ),
            (r#"{"choices":[{"message":{"role":"assistant","content":"x"}}]}"#, "assistant: prose(1)"),
            (
                r#"[{"type":"human","content":"x"},{"type":"ai","content":"y"}]"#,
                "human: prose(1); ai: prose(1)",
            ),
            (r#"{"amount":99.5}"#, "none"),
            ("[1,2]", "none"),
            ("[]", "none"),
            ("{", "none"),
        ];
        for (json, expect) in table {
            assert_eq!(shape(json), expect, "{json}");
        }
    }

    #[test]
    fn an_image_is_a_part_of_its_own() {
        let data = "iVBORw0KGgo".to_owned() + &"A".repeat(600);
        let json = format!(
            r#"[{{"role":"user","content":[{{"type":"image","source":{{"type":"base64","media_type":"image/png","data":"{data}"}}}}]}}]"#
        );
        assert_eq!(shape(&json), "user: image/png");
    }
}
