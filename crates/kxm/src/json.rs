//! A parsed JSON document that borrows its text: what the rules are checked against.
//!
//! Invariant: a member name stands once (the last one given wins, as every common parser has it), members keep
//! the order of their first appearance, and numbers keep only what a verdict needs. It knows no rule.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};

/// One JSON value; text without escapes is borrowed from the input.
#[derive(Debug, Clone, PartialEq)]
pub enum Json<'a> {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number that fits 64 bits as written.
    Int(i128),
    /// Any other number, as the nearest double.
    Float(f64),
    /// A string, unescaped.
    Text(Cow<'a, str>),
    /// An array.
    Array(Vec<Json<'a>>),
    /// An object; names are unique.
    Object(Vec<(Cow<'a, str>, Json<'a>)>),
}

/// Objects with more members than this find repeated names by hashing, not by looking back.
const LOOK_BACK_MAX: usize = 48;

impl<'a> Json<'a> {
    /// Parses one document.
    ///
    /// # Errors
    /// The parser's own words, with line and column, where the text is not JSON or nests deeper than 128.
    pub fn parse(text: &'a str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(text)
    }

    /// The member called `name`, if this is an object that has it.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Json<'a>> {
        match self {
            Self::Object(members) => members.iter().find(|(key, _)| key == name).map(|(_, value)| value),
            _ => None,
        }
    }

    /// The text of a string.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// A number as a double.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "bounds in the schema are far below 2^53")]
    pub fn as_f64(&self) -> Option<f64> {
        match self {
            Self::Int(int) => Some(*int as f64),
            Self::Float(float) => Some(*float),
            _ => None,
        }
    }

    /// Whether this is a number without a fractional part, however it is written (`1`, `1.0`, `1e2`, `-0`).
    #[must_use]
    pub fn is_integer(&self) -> bool {
        match self {
            Self::Int(_) => true,
            Self::Float(float) => float.fract() == 0.0,
            _ => false,
        }
    }

    /// The name JSON Schema has for the type of this value.
    #[must_use]
    pub fn type_name(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "boolean",
            Self::Int(_) | Self::Float(_) => "number",
            Self::Text(_) => "string",
            Self::Array(_) => "array",
            Self::Object(_) => "object",
        }
    }

    /// Writes compact JSON.
    pub fn write(&self, out: &mut String) {
        match self {
            Self::Null => out.push_str("null"),
            Self::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
            Self::Int(int) => out.push_str(&int.to_string()),
            Self::Float(float) => out.push_str(&serde_json::json!(float).to_string()),
            Self::Text(text) => write_text(text, out),
            Self::Array(items) => write_list(items, out, ('[', ']'), |item, out| item.write(out)),
            Self::Object(members) => write_list(members, out, ('{', '}'), |(name, value), out| {
                write_text(name, out);
                out.push(':');
                value.write(out);
            }),
        }
    }
}

/// Writes one JSON string with its quotes.
pub(crate) fn write_text(text: &str, out: &mut String) {
    out.push_str(&serde_json::Value::from(text).to_string());
}

fn write_list<T>(items: &[T], out: &mut String, ends: (char, char), each: impl Fn(&T, &mut String)) {
    out.push(ends.0);
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        each(item, out);
    }
    out.push(ends.1);
}

impl<'de: 'a, 'a> Deserialize<'de> for Json<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Tree)
    }
}

struct Tree;

impl<'de> Visitor<'de> for Tree {
    type Value = Json<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E: Error>(self) -> Result<Json<'de>, E> {
        Ok(Json::Null)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Json<'de>, E> {
        Ok(Json::Bool(value))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Json<'de>, E> {
        Ok(Json::Int(value.into()))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Json<'de>, E> {
        Ok(Json::Int(value.into()))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Json<'de>, E> {
        Ok(Json::Float(value))
    }

    fn visit_borrowed_str<E: Error>(self, value: &'de str) -> Result<Json<'de>, E> {
        Ok(Json::Text(Cow::Borrowed(value)))
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Json<'de>, E> {
        Ok(Json::Text(Cow::Owned(value.to_owned())))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Json<'de>, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = seq.next_element()? {
            items.push(item);
        }
        Ok(Json::Array(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Json<'de>, A::Error> {
        let mut members = Members::default();
        while let Some(Name(name)) = map.next_key()? {
            members.put(name, map.next_value()?);
        }
        Ok(Json::Object(members.list))
    }
}

/// A member name; `Cow` alone would always copy.
struct Name<'a>(Cow<'a, str>);

impl<'de: 'a, 'a> Deserialize<'de> for Name<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match deserializer.deserialize_str(Tree)? {
            Json::Text(text) => Ok(Self(text)),
            _ => Err(D::Error::custom("a member name is a string")),
        }
    }
}

#[derive(Default)]
struct Members<'a> {
    list: Vec<(Cow<'a, str>, Json<'a>)>,
    places: HashMap<Cow<'a, str>, usize>,
}

impl<'a> Members<'a> {
    fn put(&mut self, name: Cow<'a, str>, value: Json<'a>) {
        match self.find(&name) {
            Some(place) => self.list[place].1 = value,
            None => self.list.push((name, value)),
        }
    }

    fn find(&mut self, name: &str) -> Option<usize> {
        if self.list.len() < LOOK_BACK_MAX {
            return self.list.iter().position(|(key, _)| key == name);
        }
        for place in self.places.len()..self.list.len() {
            self.places.insert(self.list[place].0.clone(), place);
        }
        self.places.get(name).copied()
    }
}
