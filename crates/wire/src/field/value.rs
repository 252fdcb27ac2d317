//! A program's own values: kept as their text, and found again as bodies.
use super::{Bodies, Field, body};
use crate::{
    error::Issues,
    json::{Fault, JsonKind, Raw, Scanner},
    schema::Defs,
};
use serde_json::{Value, json};
use std::borrow::Cow;

/// A value of any kind, kept as its text.
impl<'a> Field<'a> for Raw<'a> {
    const EXPECTED: &'static str = "a JSON value";
    const NULLABLE: bool = true;

    fn read(scanner: &mut Scanner<'a>, _: &mut Issues) -> Option<Self> {
        Raw::scan(scanner).ok()
    }

    fn write(&self, out: &mut String) {
        out.push_str(self.get());
    }

    fn bodies(scanner: &mut Scanner<'a>, bodies: &mut Bodies) -> Result<(), Fault> {
        body(scanner, bodies)
    }

    fn schema(_: &mut Defs) -> Value {
        json!({})
    }
}

/// An object of any content, kept as its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record<'a>(Raw<'a>);

impl<'a> Record<'a> {
    /// The object, or `None` for any other kind of value.
    pub fn new(raw: Raw<'a>) -> Option<Self> {
        (raw.kind() == JsonKind::Object).then_some(Self(raw))
    }

    /// The object's text.
    pub fn raw(self) -> Raw<'a> {
        self.0
    }

    /// A member by name.
    pub fn get(self, name: &str) -> Option<Raw<'a>> {
        self.0.member(name)
    }
}

impl<'a> Field<'a> for Record<'a> {
    const EXPECTED: &'static str = "an object";

    fn read(scanner: &mut Scanner<'a>, issues: &mut Issues) -> Option<Self> {
        if scanner.peek() != Some(b'{') {
            return issues.mismatch(scanner, Self::EXPECTED);
        }
        Raw::scan(scanner).ok().map(Self)
    }

    fn write(&self, out: &mut String) {
        out.push_str(self.0.get());
    }

    fn bodies(scanner: &mut Scanner<'a>, bodies: &mut Bodies) -> Result<(), Fault> {
        body(scanner, bodies)
    }

    fn schema(_: &mut Defs) -> Value {
        json!({"type": "object"})
    }
}

/// Text that may be long and is looked at rarely, such as a stack: a string, or the stub a slim envelope has for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Text<'a>(Raw<'a>);

impl<'a> Text<'a> {
    /// From a string value; `None` for any other kind.
    pub fn new(raw: Raw<'a>) -> Option<Self> {
        (raw.kind() == JsonKind::String).then_some(Self(raw))
    }

    /// The value as it was sent, or its stub.
    pub fn raw(self) -> Raw<'a> {
        self.0
    }

    /// The characters, where they are here and not only referred to.
    pub fn get(self) -> Option<Cow<'a, str>> {
        self.0.as_str()
    }
}

impl<'a> Field<'a> for Text<'a> {
    const EXPECTED: &'static str = "a string";

    fn read(scanner: &mut Scanner<'a>, issues: &mut Issues) -> Option<Self> {
        let mut ahead = scanner.clone();
        let raw = Raw::scan(&mut ahead).ok()?;
        if raw.kind() != JsonKind::String && crate::body::stub_of(raw).is_none() {
            return issues.mismatch(scanner, Self::EXPECTED);
        }
        *scanner = ahead;
        Some(Self(raw))
    }

    fn write(&self, out: &mut String) {
        out.push_str(self.0.get());
    }

    fn bodies(scanner: &mut Scanner<'a>, bodies: &mut Bodies) -> Result<(), Fault> {
        body(scanner, bodies)
    }

    fn schema(_: &mut Defs) -> Value {
        json!({"type": "string"})
    }
}
