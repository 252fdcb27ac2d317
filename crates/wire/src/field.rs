//! How one typed value is read, written, found bodies in, and described. Everything the contract types is made of these.
//!
//! Invariant: reading never fails outright: it consumes exactly one value and reports what was wrong with it.
mod scalar;
mod value;

pub use value::{Record, Text};

use crate::{
    error::Issues,
    json::{Fault, Scanner},
    schema::Defs,
};
use serde_json::{Value, json};
use std::ops::Range;

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
