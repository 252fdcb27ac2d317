//! How one typed value is read, written, found bodies in, and described. Everything the contract types is made of these.
//!
//! Invariant: reading never fails outright: it consumes exactly one value and reports what was wrong with it.
use crate::{
    error::Issues,
    json::{Fault, JsonKind, Raw, Scanner, count, finite, write_number, write_string},
    schema::Defs,
};
use serde_json::{Value, json};
use std::{borrow::Cow, ops::Range};

/// A type that can stand as a member's value in the contract.
pub(crate) trait Field<'a>: Sized {
    /// What a reader accepts, for messages: "a string".
    const EXPECTED: &'static str;
    /// Whether `null` is a value of this type (and not merely "absent").
    const NULLABLE: bool = false;

    /// Reads the value at the cursor. `None` after an issue was noted; the value is stepped over either way.
    fn read(scanner: &mut Scanner<'a>, issues: &mut Issues) -> Option<Self>;

    /// What the member is when it is not there; `None` where it is required.
    fn absent() -> Option<Self> {
        None
    }

    /// Whether the member is left out when written.
    fn is_absent(&self) -> bool {
        false
    }

    /// Appends the value as JSON.
    fn write(&self, out: &mut String);

    /// Collects the byte ranges of values that may be replaced by a stub. Steps over the value.
    fn bodies(scanner: &mut Scanner<'a>, _bodies: &mut Bodies) -> Result<(), Fault> {
        scanner.skip()
    }

    /// The JSON Schema of the value.
    fn schema(defs: &mut Defs) -> Value;
}

/// Byte ranges of values, in order.
pub(crate) type Bodies = Vec<Range<usize>>;

/// Notes the next value as a body.
pub(crate) fn body(scanner: &mut Scanner<'_>, bodies: &mut Bodies) -> Result<(), Fault> {
    scanner.peek();
    let start = scanner.at();
    scanner.skip()?;
    bodies.push(start..scanner.at());
    Ok(())
}

impl<'a> Field<'a> for Cow<'a, str> {
    const EXPECTED: &'static str = "a string";

    #[inline]
    fn read(scanner: &mut Scanner<'a>, issues: &mut Issues) -> Option<Self> {
        if scanner.peek() != Some(b'"') {
            return issues.mismatch(scanner, Self::EXPECTED);
        }
        let (raw, escaped) = scanner.string().ok()?;
        Some(crate::json::unescape(raw, escaped))
    }

    fn write(&self, out: &mut String) {
        write_string(self, out);
    }

    fn schema(_: &mut Defs) -> Value {
        json!({"type": "string"})
    }
}

impl<'a> Field<'a> for bool {
    const EXPECTED: &'static str = "true or false";

    fn read(scanner: &mut Scanner<'a>, issues: &mut Issues) -> Option<Self> {
        if !matches!(scanner.peek(), Some(b't' | b'f')) {
            return issues.mismatch(scanner, Self::EXPECTED);
        }
        Raw::scan(scanner).ok()?.as_bool()
    }

    fn write(&self, out: &mut String) {
        out.push_str(if *self { "true" } else { "false" });
    }

    fn schema(_: &mut Defs) -> Value {
        json!({"type": "boolean"})
    }
}

/// Reads a number through `parse`, which says `None` for one that is out of range.
fn number<'a, T>(
    scanner: &mut Scanner<'a>,
    issues: &mut Issues,
    expected: &'static str,
    parse: impl Fn(&str) -> Option<T>,
) -> Option<T> {
    let mut ahead = scanner.clone();
    match ahead.number().ok().and_then(parse) {
        Some(value) => {
            *scanner = ahead;
            Some(value)
        }
        None => issues.mismatch(scanner, expected),
    }
}

/// Durations and the like: zero or more, fractions allowed.
impl<'a> Field<'a> for f64 {
    const EXPECTED: &'static str = "a number, zero or more";

    fn read(scanner: &mut Scanner<'a>, issues: &mut Issues) -> Option<Self> {
        number(scanner, issues, Self::EXPECTED, |text| finite(text).filter(|value| *value >= 0.0))
    }

    fn write(&self, out: &mut String) {
        write_number(*self, out);
    }

    fn schema(_: &mut Defs) -> Value {
        json!({"type": "number", "minimum": 0})
    }
}

impl<'a> Field<'a> for u64 {
    const EXPECTED: &'static str = "an integer from 0 to 2^53-1";

    fn read(scanner: &mut Scanner<'a>, issues: &mut Issues) -> Option<Self> {
        number(scanner, issues, Self::EXPECTED, count)
    }

    fn write(&self, out: &mut String) {
        out.push_str(&self.to_string());
    }

    fn schema(_: &mut Defs) -> Value {
        json!({"type": "integer", "minimum": 0, "maximum": crate::json::MAX_SAFE_INTEGER})
    }
}

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

impl<'a, T: Field<'a>> Field<'a> for Option<T> {
    const EXPECTED: &'static str = T::EXPECTED;
    const NULLABLE: bool = T::NULLABLE;

    #[inline]
    fn read(scanner: &mut Scanner<'a>, issues: &mut Issues) -> Option<Self> {
        T::read(scanner, issues).map(Some)
    }

    fn absent() -> Option<Self> {
        Some(None)
    }

    fn is_absent(&self) -> bool {
        self.is_none()
    }

    fn write(&self, out: &mut String) {
        match self {
            Some(value) => value.write(out),
            None => out.push_str("null"),
        }
    }

    fn bodies(scanner: &mut Scanner<'a>, bodies: &mut Bodies) -> Result<(), Fault> {
        if scanner.peek() == Some(b'n') { scanner.skip() } else { T::bodies(scanner, bodies) }
    }

    fn schema(defs: &mut Defs) -> Value {
        T::schema(defs)
    }
}

impl<'a, T: Field<'a>> Field<'a> for Vec<T> {
    const EXPECTED: &'static str = "an array";

    fn read(scanner: &mut Scanner<'a>, issues: &mut Issues) -> Option<Self> {
        if !scanner.take(b'[') {
            return issues.mismatch(scanner, Self::EXPECTED);
        }
        let (mut items, mut first, mut good, mut seen) = (Self::new(), true, true, 0);
        while scanner.item(&mut first).ok()? {
            let mark = issues.len();
            match T::read(scanner, issues) {
                Some(item) => items.push(item),
                None => {
                    issues.under(mark, &format!("[{seen}]"));
                    good = false;
                }
            }
            seen += 1;
        }
        good.then_some(items)
    }

    fn write(&self, out: &mut String) {
        out.push('[');
        for (index, item) in self.iter().enumerate() {
            if index > 0 {
                out.push(',');
            }
            item.write(out);
        }
        out.push(']');
    }

    fn bodies(scanner: &mut Scanner<'a>, bodies: &mut Bodies) -> Result<(), Fault> {
        let mut first = true;
        if !scanner.take(b'[') {
            return scanner.skip();
        }
        while scanner.item(&mut first)? {
            T::bodies(scanner, bodies)?;
        }
        Ok(())
    }

    fn schema(defs: &mut Defs) -> Value {
        json!({"type": "array", "items": T::schema(defs)})
    }
}
