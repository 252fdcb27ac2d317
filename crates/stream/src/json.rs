//! Values of a program: JSON that stays the text it was.
//!
//! Kept as text, a value survives byte for byte, may be nested to any depth, and costs nothing until it is looked at.
use serde::{Deserialize, Serialize};
use std::fmt;
use wire::{Raw, RawBuf};

/// One owned JSON value. Equality is equality of text.
///
/// ```
/// use stream::Json;
/// let value = Json::from(serde_json::json!({"a": [1, 2]}));
/// assert_eq!(value.get(), r#"{"a":[1,2]}"#);
/// assert_eq!(value.raw().pointer("/a/1").unwrap().as_u64(), Some(2));
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Json(RawBuf);

impl Json {
    /// Checks that `text` is one JSON value.
    pub fn parse(text: &str) -> Result<Self, wire::json::Fault> {
        Raw::parse(text).map(Self::from)
    }

    /// A value of any type that serialises.
    pub fn of<T: Serialize + ?Sized>(value: &T) -> Result<Self, serde_json::Error> {
        serde_json::value::to_raw_value(value).map(|value| Self(value.into()))
    }

    /// The text.
    pub fn get(&self) -> &str {
        self.0.get()
    }

    /// The value for looking into it.
    pub fn raw(&self) -> Raw<'_> {
        self.0.raw()
    }

    /// The value as another type. Values nested deeper than 128 fail here and stay text.
    pub fn parse_as<T: serde::de::DeserializeOwned>(&self) -> Result<T, serde_json::Error> {
        self.raw().parse_as()
    }

    /// Whether it is `null`.
    pub fn is_null(&self) -> bool {
        self.get() == "null"
    }
}

impl Default for Json {
    fn default() -> Self {
        Self::from(Raw::NULL)
    }
}

impl fmt::Debug for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.get())
    }
}

impl fmt::Display for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.get())
    }
}

impl From<Raw<'_>> for Json {
    fn from(raw: Raw<'_>) -> Self {
        Self(raw.into())
    }
}

impl From<serde_json::Value> for Json {
    fn from(value: serde_json::Value) -> Self {
        // A value tree has string keys and finite numbers only, which serialises without fail.
        Self::of(&value).unwrap_or_default()
    }
}

impl From<&str> for Json {
    fn from(text: &str) -> Self {
        Self::from(serde_json::Value::from(text))
    }
}
