//! Declares the contract's types from one table each: reading, writing, bodies and schema cannot drift apart.

/// A loose object: the named members typed, all others kept in `extra`. Of duplicate members the last one counts, as
/// with `JSON.parse`. A `null` in an optional member counts as absent and is kept in `extra`.
macro_rules! loose {
    ($(
        $(#[doc = $doc:literal])+
        pub struct $name:ident { $( $(#[doc = $about:literal])+ $field:ident: $ty:ty = $wire:literal, )* }
    )+) => { $(
        $(#[doc = $doc])+
        #[derive(Clone, Debug, Default, PartialEq)]
        pub struct $name<'a> {
            $( $(#[doc = $about])+ pub $field: $ty, )*
            /// Members this version does not know.
            pub extra: $crate::Extra<'a>,
        }

        impl<'a> $crate::field::Field<'a> for $name<'a> {
            const EXPECTED: &'static str = "an object";

            fn read(scanner: &mut $crate::json::Scanner<'a>, issues: &mut $crate::error::Issues) -> Option<Self> {
                if !scanner.take(b'{') {
                    return issues.mismatch(scanner, Self::EXPECTED);
                }
                let mark = issues.len();
                let mut first = true;
                let mut extra = $crate::Extra::default();
                $( let mut $field = $crate::loose::Slot::<'a, $ty>::Absent; )*
                while let Some(key) = scanner.member(&mut first).ok()? {
                    match key.name().as_ref() {
                        $( $wire => $field.fill(key, scanner, issues, mark, $wire), )*
                        _ => extra.push(key, $crate::json::Raw::scan(scanner).ok()?),
                    }
                }
                $( let $field = $field.finish($wire, issues, &mut extra); )*
                Some(Self { $( $field: $field?, )* extra })
            }

            fn write(&self, out: &mut String) {
                let mut first = true;
                out.push('{');
                $( if !self.$field.is_absent() {
                    if !std::mem::take(&mut first) {
                        out.push(',');
                    }
                    out.push_str(concat!("\"", $wire, "\":"));
                    self.$field.write(out);
                } )*
                self.extra.write(&mut first, out);
                out.push('}');
            }

            fn bodies(
                scanner: &mut $crate::json::Scanner<'a>,
                bodies: &mut $crate::field::Bodies,
            ) -> Result<(), $crate::json::Fault> {
                let mut first = true;
                if !scanner.take(b'{') {
                    return scanner.skip();
                }
                while let Some(key) = scanner.member(&mut first)? {
                    match key.name().as_ref() {
                        $( $wire => <$ty as $crate::field::Field<'a>>::bodies(scanner, bodies)?, )*
                        // The place of a graph task: structure, however deep the graphs are nested.
                        "graph" => scanner.skip()?,
                        _ => $crate::field::body(scanner, bodies)?,
                    }
                }
                Ok(())
            }

            fn schema(defs: &mut $crate::schema::Defs) -> serde_json::Value {
                defs.object(stringify!($name), concat!($($doc),+), |defs| vec![
                    $( $crate::schema::Member::of::<$ty>(defs, $wire, concat!($($about),+)), )*
                ])
            }
        }
    )+ };
}
pub(crate) use loose;

use crate::{
    error::Issues,
    extra::Extra,
    field::Field,
    json::{Key, Raw, Scanner},
};

/// What has been seen of one member so far.
pub(crate) enum Slot<'a, T> {
    Absent,
    Null(Key<'a>),
    Bad,
    Got(T),
}

impl<'a, T: Field<'a>> Slot<'a, T> {
    /// Reads the value at the cursor into the slot; what an earlier duplicate said no longer counts.
    #[inline]
    pub(crate) fn fill(
        &mut self,
        key: Key<'a>,
        scanner: &mut Scanner<'a>,
        issues: &mut Issues,
        mark: usize,
        name: &str,
    ) {
        if matches!(self, Self::Bad) {
            issues.retract(mark, name);
        }
        if !T::NULLABLE && T::absent().is_some() && scanner.peek() == Some(b'n') {
            *self = if scanner.skip().is_ok() { Self::Null(key) } else { Self::Bad };
            return;
        }
        let before = issues.len();
        *self = match T::read(scanner, issues) {
            Some(value) => Self::Got(value),
            None => {
                issues.under(before, name);
                Self::Bad
            }
        };
    }

    /// The member's value, `None` where it is bad or missing.
    #[inline]
    pub(crate) fn finish(self, name: &str, issues: &mut Issues, extra: &mut Extra<'a>) -> Option<T> {
        match self {
            Self::Got(value) => Some(value),
            Self::Bad => None,
            Self::Null(key) => {
                extra.push(key, Raw::NULL);
                T::absent()
            }
            Self::Absent => match T::absent() {
                Some(value) => Some(value),
                None => issues.missing(name, T::EXPECTED),
            },
        }
    }
}
