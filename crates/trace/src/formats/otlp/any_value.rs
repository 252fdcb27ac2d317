//! OTLP attribute values to plain JSON.
//!
//! Invariant: nesting costs no stack beyond [`DEPTH_MAX`]; deeper values stay in their wrappers.

use wire::{JsonKind, Raw};

use crate::adapter::ObjectWriter;
use crate::attributes::Attributes;
use crate::read::{Members, either};

/// Lists and maps inside one value that are unwrapped.
const DEPTH_MAX: usize = 64;

/// The attributes of a span, an event or a resource: a list of pairs, or an object where an exporter wrote one.
pub(crate) fn attributes<'a>(owner: impl Members<'a>) -> Attributes {
    let mut attributes = Attributes::default();
    let Some(list) = either(owner, &["attributes"]) else { return attributes };
    if list.kind() == JsonKind::Object {
        return Attributes::from_object(list);
    }
    for pair in list.items() {
        let Some(key) = either(pair, &["key", "Key"]).and_then(Raw::as_str) else { continue };
        let value =
            either(pair, &["value", "Value"]).map_or_else(|| "null".to_owned(), |value| plain(value, 0));
        attributes.push(key, value);
    }
    attributes
}

fn plain(value: Raw<'_>, depth: usize) -> String {
    if value.kind() != JsonKind::Object || depth > DEPTH_MAX {
        return value.get().to_owned();
    }
    let Some((key, inner)) = value.members().next() else { return "null".to_owned() };
    match key.name().as_ref() {
        "stringValue" | "string_value" | "StringValue" | "bytesValue" | "bytes_value" | "BytesValue" => {
            inner.get().to_owned()
        }
        "boolValue" | "bool_value" | "BoolValue" => inner.get().to_owned(),
        "intValue" | "int_value" | "IntValue" | "doubleValue" | "double_value" | "DoubleValue" => {
            number(inner)
        }
        "arrayValue" | "array_value" | "ArrayValue" => {
            let values = either(inner, &["values", "Values"]);
            let items: Vec<String> =
                values.into_iter().flat_map(Raw::items).map(|item| plain(item, depth + 1)).collect();
            format!("[{}]", items.join(","))
        }
        "kvlistValue" | "kvlist_value" | "KvlistValue" => pairs(inner, depth),
        "Value" | "value" => plain(inner, depth + 1),
        _ => value.get().to_owned(),
    }
}

/// A number, also where it is written as a text; NaN and the infinities stay texts.
fn number(value: Raw<'_>) -> String {
    match value.as_str() {
        Some(text) if Raw::parse(text.trim()).is_ok_and(|raw| raw.kind() == JsonKind::Number) => {
            text.trim().to_owned()
        }
        _ => value.get().to_owned(),
    }
}

fn pairs(list: Raw<'_>, depth: usize) -> String {
    let mut object = ObjectWriter::new();
    for pair in either(list, &["values", "Values"]).into_iter().flat_map(Raw::items) {
        let Some(key) = either(pair, &["key", "Key"]).and_then(Raw::as_str) else { continue };
        let value = either(pair, &["value", "Value"])
            .map_or_else(|| "null".to_owned(), |value| plain(value, depth + 1));
        object.raw(&key, &value);
    }
    object.finish()
}
