//! The envelope's part of the JSON Schema: one branch a message type.
use crate::{field::Field, limits::GM, message::Message, schema::Defs};
use serde_json::{Value, json};

/// Every known message as one branch; an unknown type is a good envelope too, which the last branch says.
pub(crate) fn build() -> Value {
    let mut defs = Defs::default();
    let seq = u64::schema(&mut defs);
    let mut branches: Vec<Value> = Message::schemas(&mut defs)
        .into_iter()
        .map(|(kind, direction, about, payload)| {
            json!({
                "title": kind,
                "description": format!("{} ({})", about.trim(), direction.as_str()),
                "properties": {"type": {"const": kind}, "payload": payload},
            })
        })
        .collect();
    branches.push(json!({
        "title": "unknown type",
        "description": "Any other type is a good envelope: ignore it, or show it raw.",
        "properties": {"type": {"not": {"enum": Message::KINDS}}},
    }));
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "GraphMind wire contract, protocol 1",
        "description": "Every frame is one JSON text message. All objects are loose: unknown members are kept.",
        "type": "object",
        "required": ["gm", "seq", "ts", "runId", "type", "payload"],
        "properties": {
            "gm": {"const": GM, "description": "Protocol major."},
            "seq": seq,
            "ts": {"type": "number", "description": "Sender's clock in milliseconds since 1970."},
            "runId": {"type": "string", "description": "The run, or * for messages that belong to none."},
            "type": {"type": "string"},
            "payload": {"type": "object"},
        },
        "additionalProperties": true,
        "oneOf": branches,
        "$defs": defs.into_value(),
    })
}
