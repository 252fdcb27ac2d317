//! JSON Schema (draft 2020-12) of the contract, made from the same tables that read and write it.
use crate::{envelope_schema, field::Field};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Who sends a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    /// Program to debugger.
    Event,
    /// Debugger to program.
    Control,
    /// Either, once a connection.
    Handshake,
}

impl Direction {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Event => "event",
            Self::Control => "control",
            Self::Handshake => "handshake",
        }
    }
}

/// One member of a loose object.
pub(crate) struct Member {
    name: &'static str,
    required: bool,
    schema: Value,
}

impl Member {
    /// Describes a member of type `T`.
    pub(crate) fn of<'a, T: Field<'a>>(defs: &mut Defs, name: &'static str, about: &str) -> Self {
        let mut schema = T::schema(defs);
        if let Some(object) = schema.as_object_mut() {
            object.insert("description".to_owned(), json!(about.trim()));
        }
        Self { name, required: T::absent().is_none(), schema }
    }
}

/// Named definitions collected while a schema is built.
#[derive(Default)]
pub(crate) struct Defs(BTreeMap<&'static str, Value>);

impl Defs {
    /// A reference to the loose object `name`, defining it at first use.
    pub(crate) fn object(
        &mut self,
        name: &'static str,
        about: &str,
        members: impl FnOnce(&mut Self) -> Vec<Member>,
    ) -> Value {
        if !self.0.contains_key(name) {
            let members = members(self);
            let required: Vec<_> =
                members.iter().filter(|member| member.required).map(|member| member.name).collect();
            let properties: serde_json::Map<_, _> =
                members.into_iter().map(|member| (member.name.to_owned(), member.schema)).collect();
            let about = about.trim();
            self.0.insert(
                name,
                json!({
                    "type": "object",
                    "description": about,
                    "properties": properties,
                    "required": required,
                    "additionalProperties": true,
                }),
            );
        }
        json!({"$ref": format!("#/$defs/{name}")})
    }

    /// A reference to a word list; an open one accepts any string and gives its words as examples.
    pub(crate) fn words(&mut self, name: &'static str, about: &str, words: &[&str], closed: bool) -> Value {
        let about = about.trim();
        let schema = if closed {
            json!({"description": about, "enum": words})
        } else {
            json!({"description": about, "type": "string", "examples": words})
        };
        self.0.insert(name, schema);
        json!({"$ref": format!("#/$defs/{name}")})
    }

    pub(crate) fn into_value(self) -> Value {
        self.0
            .into_iter()
            .map(|(name, schema)| (name.to_owned(), schema))
            .collect::<serde_json::Map<_, _>>()
            .into()
    }
}

/// The whole contract as JSON Schema.
pub fn schema() -> Value {
    envelope_schema::build()
}

/// The schema as text: members in alphabetical order, two blanks a level, one line end at the end.
pub fn schema_text() -> String {
    let mut out = String::new();
    print(&schema(), 1, &mut out);
    out.push('\n');
    out
}

/// Prints with sorted members whatever order the map type keeps. Recursion is bounded by the schema's own depth.
fn print(value: &Value, level: usize, out: &mut String) {
    let rows: Vec<(Option<&String>, &Value)> = match value {
        Value::Object(map) => {
            map.iter().collect::<BTreeMap<_, _>>().into_iter().map(|(k, v)| (Some(k), v)).collect()
        }
        Value::Array(items) => items.iter().map(|item| (None, item)).collect(),
        scalar => return out.push_str(&scalar.to_string()),
    };
    let (open, close) = if value.is_object() { ('{', '}') } else { ('[', ']') };
    out.push(open);
    for (index, (name, item)) in rows.iter().enumerate() {
        out.push_str(if index == 0 { "\n" } else { ",\n" });
        out.push_str(&"  ".repeat(level));
        if let Some(name) = name {
            crate::json::write_string(name, out);
            out.push_str(": ");
        }
        print(item, level + 1, out);
    }
    if !rows.is_empty() {
        out.push('\n');
        out.push_str(&"  ".repeat(level - 1));
    }
    out.push(close);
}
