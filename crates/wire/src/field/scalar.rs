//! Strings, booleans and numbers as the contract has them.
use super::Field;
use crate::{
    error::Issues,
    json::{Raw, Scanner, count, finite, write_number, write_string},
    schema::Defs,
};
use serde_json::{Value, json};
use std::borrow::Cow;

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
