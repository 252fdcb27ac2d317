//! Raw JSON: values that stay the text they were.
//!
//! Decides well-formedness and how text is read; knows nothing of the contract. A [`Raw`] is always one well-formed
//! value without blanks around it, so it can be written anywhere a value may stand.
mod number;
mod scan;
mod text;

pub use number::{MAX_SAFE_INTEGER, count, finite, write_number};
pub use scan::{Fault, Key, Scanner};
pub use text::{repair_surrogates, unescape, write_string};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::DeserializeOwned};
use serde_json::value::RawValue;
use std::borrow::Cow;

impl<'a> Key<'a> {
    /// The name with its escapes read.
    #[inline]
    pub fn name(&self) -> Cow<'a, str> {
        unescape(self.raw, self.escaped)
    }
}

/// What kind of value a [`Raw`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JsonKind {
    /// `null`
    Null,
    /// `true` or `false`
    Bool,
    /// A number
    Number,
    /// A string
    String,
    /// An array
    Array,
    /// An object
    Object,
}

/// One well-formed JSON value as its text. Equality is equality of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Raw<'a>(&'a str);

impl<'a> Raw<'a> {
    /// The value `null`.
    pub const NULL: Raw<'static> = Raw("null");

    /// Checks that `text` is exactly one value.
    ///
    /// ```
    /// let raw = wire::Raw::parse(r#" {"n": 1.0} "#).unwrap();
    /// assert_eq!(raw.get(), r#"{"n": 1.0}"#);
    /// ```
    pub fn parse(text: &'a str) -> Result<Self, Fault> {
        let mut scanner = Scanner::new(text);
        let raw = Self::scan(&mut scanner)?;
        scanner.end()?;
        Ok(raw)
    }

    /// The next value of a scanner.
    #[inline]
    pub fn scan(scanner: &mut Scanner<'a>) -> Result<Self, Fault> {
        scanner.peek();
        let start = scanner.at();
        scanner.skip()?;
        Ok(Self(scanner.slice(start, scanner.at())))
    }

    /// Text that a scanner has just stepped over as one value.
    pub(crate) fn trusted(text: &'a str) -> Self {
        Self(text)
    }

    /// The text.
    pub fn get(self) -> &'a str {
        self.0
    }

    /// What kind of value it is, by its first byte.
    pub fn kind(self) -> JsonKind {
        match self.0.as_bytes().first() {
            Some(b'{') => JsonKind::Object,
            Some(b'[') => JsonKind::Array,
            Some(b'"') => JsonKind::String,
            Some(b't' | b'f') => JsonKind::Bool,
            Some(b'n') | None => JsonKind::Null,
            Some(_) => JsonKind::Number,
        }
    }

    /// The characters of a string value.
    pub fn as_str(self) -> Option<Cow<'a, str>> {
        let (raw, escaped) = Scanner::new(self.0).string().ok()?;
        Some(unescape(raw, escaped))
    }

    /// A boolean value.
    pub fn as_bool(self) -> Option<bool> {
        match self.0 {
            "true" => Some(true),
            "false" => Some(false),
            _ => None,
        }
    }

    /// A finite number.
    pub fn as_f64(self) -> Option<f64> {
        if self.kind() == JsonKind::Number { finite(self.0) } else { None }
    }

    /// An integer from 0 to 2^53 - 1.
    pub fn as_u64(self) -> Option<u64> {
        if self.kind() == JsonKind::Number { count(self.0) } else { None }
    }

    /// The members of an object in order, duplicates included; empty for any other value.
    pub fn members(self) -> Members<'a> {
        let mut scanner = Scanner::new(self.0);
        let open = scanner.take(b'{');
        Members { scanner, first: true, open }
    }

    /// The items of an array; empty for any other value.
    pub fn items(self) -> Items<'a> {
        let mut scanner = Scanner::new(self.0);
        let open = scanner.take(b'[');
        Items { scanner, first: true, open }
    }

    /// A member of an object by name; of duplicates the last one, as a JavaScript reader has it.
    pub fn member(self, name: &str) -> Option<Raw<'a>> {
        self.members().filter(|(key, _)| key.name() == name).last().map(|(_, value)| value)
    }

    /// The value a JSON pointer (RFC 6901) leads to.
    ///
    /// ```
    /// let raw = wire::Raw::parse(r#"{"payload":{"input":[1,{"a/b":2}]}}"#).unwrap();
    /// assert_eq!(raw.pointer("/payload/input/1/a~1b").unwrap().get(), "2");
    /// ```
    pub fn pointer(self, pointer: &str) -> Option<Raw<'a>> {
        if pointer.is_empty() {
            return Some(self);
        }
        pointer.strip_prefix('/')?.split('/').try_fold(self, |value, token| {
            let name = token.replace("~1", "/").replace("~0", "~");
            match value.kind() {
                JsonKind::Array => value.items().nth(name.parse().ok()?),
                _ => value.member(&name),
            }
        })
    }

    /// How many brackets are open at the deepest place; 0 for a scalar.
    pub fn depth(self) -> usize {
        let (mut depth, mut deepest, mut in_string, mut escaped) = (0_usize, 0_usize, false, false);
        for byte in self.0.bytes() {
            match byte {
                _ if escaped => escaped = false,
                b'\\' if in_string => escaped = true,
                b'"' => in_string = !in_string,
                b'{' | b'[' if !in_string => {
                    depth += 1;
                    deepest = deepest.max(depth);
                }
                b'}' | b']' if !in_string => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
        deepest
    }

    /// The value as any serde type. Values nested deeper than [`crate::limits::VALUE_DEPTH_MAX`] fail here and stay raw.
    /// Lone surrogates are read as U+FFFD.
    pub fn parse_as<T: DeserializeOwned>(self) -> Result<T, serde_json::Error> {
        serde_json::from_str(self.0).or_else(|error| match repair_surrogates(self.0) {
            Cow::Owned(repaired) => serde_json::from_str(&repaired),
            Cow::Borrowed(_) => Err(error),
        })
    }

    /// The value for serde; costs one more pass over it.
    pub fn to_raw_value(self) -> Box<RawValue> {
        RawValue::from_string(self.0.to_owned()).unwrap_or_else(|_| RawValue::NULL.to_owned())
    }
}

impl<'a> From<&'a RawValue> for Raw<'a> {
    fn from(value: &'a RawValue) -> Self {
        Self(value.get().trim_matches([' ', '\n', '\r', '\t']))
    }
}

impl Serialize for Raw<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.to_raw_value().serialize(serializer)
    }
}

/// One well-formed JSON value that owns its text. Equality is equality of text.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RawBuf(Box<str>);

impl RawBuf {
    /// The value.
    pub fn raw(&self) -> Raw<'_> {
        Raw(&self.0)
    }

    /// The text.
    pub fn get(&self) -> &str {
        &self.0
    }
}

impl From<Raw<'_>> for RawBuf {
    fn from(raw: Raw<'_>) -> Self {
        Self(raw.get().into())
    }
}

impl From<Box<RawValue>> for RawBuf {
    fn from(value: Box<RawValue>) -> Self {
        Self(Raw::from(&*value).get().into())
    }
}

impl Serialize for RawBuf {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.raw().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for RawBuf {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Box::<RawValue>::deserialize(deserializer).map(Self::from)
    }
}

/// Iterator over an object's members.
#[derive(Clone, Debug)]
pub struct Members<'a> {
    scanner: Scanner<'a>,
    first: bool,
    open: bool,
}

impl<'a> Iterator for Members<'a> {
    type Item = (Key<'a>, Raw<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        if !self.open {
            return None;
        }
        let key = self.scanner.member(&mut self.first).ok().flatten();
        let member = key.and_then(|key| Some((key, Raw::scan(&mut self.scanner).ok()?)));
        self.open = member.is_some();
        member
    }
}

/// Iterator over an array's items.
#[derive(Clone, Debug)]
pub struct Items<'a> {
    scanner: Scanner<'a>,
    first: bool,
    open: bool,
}

impl<'a> Iterator for Items<'a> {
    type Item = Raw<'a>;

    fn next(&mut self) -> Option<Raw<'a>> {
        if !self.open {
            return None;
        }
        self.open = self.scanner.item(&mut self.first).unwrap_or(false);
        if self.open { Raw::scan(&mut self.scanner).ok() } else { None }
    }
}
