//! One line of a transcript.

use wire::{JsonKind, Raw};

use crate::attributes::count;
use crate::read::{either, text};
use crate::span::SpanUsage;
use crate::time::time_ms;

/// What a line says.
#[derive(Debug, Default)]
pub(super) struct Line {
    pub kind: String,
    pub uuid: Option<String>,
    pub parent_uuid: Option<String>,
    pub ts_ms: Option<f64>,
    /// Id of the sub-agent that wrote it.
    pub agent: Option<String>,
    /// It belongs to a sub-agent.
    pub side: bool,
    /// The call that spawned its writer, where the line says so.
    pub parent_call: Option<String>,
    pub message: Option<Message>,
    /// The sub-agent whose result this line brings.
    pub result_of: Option<String>,
    /// The last line of a stream: whether it failed, and the words.
    pub outcome: Option<(bool, String)>,
    /// The conversation was compacted here.
    pub compacted: bool,
}

/// A message of the model or of the person.
#[derive(Debug, Default)]
pub(super) struct Message {
    pub id: Option<String>,
    pub model: Option<String>,
    pub usage: Option<SpanUsage>,
    pub blocks: Vec<Block>,
}

/// A piece of a message; values are JSON texts.
#[derive(Debug)]
pub(super) enum Block {
    Text(String),
    Thinking(String),
    Call { id: String, name: String, input: String },
    Result { id: String, content: String, failed: bool },
    Other(String),
}

impl Line {
    pub(super) fn read(raw: Raw<'_>) -> Result<Self, String> {
        let kind = text(raw, &["type"]).ok_or_else(|| format!("no type; members are {}", names(raw)))?;
        let truth = |name: &str| either(raw, &[name]).and_then(Raw::as_bool) == Some(true);
        let parent_call = text(raw, &["parent_tool_use_id"]);
        let result = either(raw, &["toolUseResult"]).filter(|result| result.kind() == JsonKind::Object);
        Ok(Self {
            uuid: text(raw, &["uuid"]),
            parent_uuid: text(raw, &["parentUuid"]),
            ts_ms: either(raw, &["timestamp", "_audit_timestamp"]).and_then(time_ms),
            agent: text(raw, &["agentId"]),
            side: truth("isSidechain") || parent_call.is_some(),
            message: either(raw, &["message"]).map(message),
            result_of: result.and_then(|result| text(result, &["agentId"])),
            outcome: (kind == "result")
                .then(|| (truth("is_error"), text(raw, &["result", "error"]).unwrap_or_default())),
            compacted: text(raw, &["subtype"]).as_deref() == Some("compact_boundary"),
            parent_call,
            kind,
        })
    }
}

fn names(raw: Raw<'_>) -> String {
    raw.members().take(8).map(|(key, _)| key.name().into_owned()).collect::<Vec<_>>().join(", ")
}

fn message(raw: Raw<'_>) -> Message {
    let content = either(raw, &["content"]);
    let blocks = match content.map(|content| (content.kind(), content)) {
        Some((JsonKind::String, content)) => vec![Block::Text(content.get().to_owned())],
        Some((JsonKind::Array, content)) => content.items().map(block).collect(),
        _ => Vec::new(),
    };
    Message {
        id: text(raw, &["id"]),
        model: text(raw, &["model"]),
        usage: either(raw, &["usage"]).map(usage).filter(|usage| !usage.is_empty()),
        blocks,
    }
}

fn block(raw: Raw<'_>) -> Block {
    let value =
        |name: &str| either(raw, &[name]).map_or_else(|| "null".to_owned(), |value| value.get().to_owned());
    match text(raw, &["type"]).unwrap_or_default().as_str() {
        "text" => Block::Text(value("text")),
        "thinking" => Block::Thinking(text(raw, &["thinking"]).unwrap_or_default()),
        "tool_use" | "server_tool_use" => Block::Call {
            id: text(raw, &["id"]).unwrap_or_default(),
            name: text(raw, &["name"]).unwrap_or_default(),
            input: value("input"),
        },
        word if word.ends_with("tool_result") => Block::Result {
            id: text(raw, &["tool_use_id"]).unwrap_or_default(),
            content: value("content"),
            failed: either(raw, &["is_error"]).and_then(Raw::as_bool) == Some(true),
        },
        _ => Block::Other(raw.get().to_owned()),
    }
}

/// Input excludes what came from the cache; the figures are the message's own.
fn usage(raw: Raw<'_>) -> SpanUsage {
    let at = |name: &str| either(raw, &[name]).and_then(count);
    SpanUsage {
        input: at("input_tokens"),
        output: at("output_tokens"),
        cache_read: at("cache_read_input_tokens"),
        cache_write: at("cache_creation_input_tokens"),
        inclusive: Some(false),
        own: true,
        source: Some("message.usage".to_owned()),
        ..SpanUsage::default()
    }
}
