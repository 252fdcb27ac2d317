//! How a record type is declared: one declaration makes the Rust type, its rule, its reader and its writer.
//!
//! Invariant: nothing about the shape of a record is written twice. Reading expects a document that the rule
//! accepts; on any other it gives nothing, never a panic.

use crate::json::{Json, write_text};
use crate::rule::Rule;

/// A type that stands for one definition of the schema.
pub trait Typed: Sized {
    /// What a document must look like to be read as this type.
    const RULE: Rule;

    /// Reads an accepted value.
    fn read(json: &Json<'_>) -> Option<Self>;

    /// Writes the value as compact JSON.
    fn write(&self, out: &mut String);
}

impl Typed for bool {
    const RULE: Rule = Rule::Bool;

    fn read(json: &Json<'_>) -> Option<Self> {
        match json {
            Json::Bool(value) => Some(*value),
            _ => None,
        }
    }

    fn write(&self, out: &mut String) {
        out.push_str(if *self { "true" } else { "false" });
    }
}

/// Writes `"name":value`, with a comma in front of all but the first member.
pub(crate) fn write_member<T: Typed>(name: &str, value: &T, first: &mut bool, out: &mut String) {
    if !std::mem::take(first) {
        out.push(',');
    }
    write_text(name, out);
    out.push(':');
    value.write(out);
}

/// A list with at least `MIN` and at most `MAX` items; `UNIQUE` as in `uniqueItems`.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct List<T, const MIN: usize, const MAX: usize, const UNIQUE: bool>(pub Vec<T>);

impl<T: Typed + 'static, const MIN: usize, const MAX: usize, const UNIQUE: bool> Typed
    for List<T, MIN, MAX, UNIQUE>
{
    const RULE: Rule = Rule::Array { items: &T::RULE, min: MIN, max: MAX, unique: UNIQUE };

    fn read(json: &Json<'_>) -> Option<Self> {
        match json {
            Json::Array(items) => items.iter().map(T::read).collect::<Option<_>>().map(Self),
            _ => None,
        }
    }

    fn write(&self, out: &mut String) {
        out.push('[');
        for (index, item) in self.0.iter().enumerate() {
            if index > 0 {
                out.push(',');
            }
            item.write(out);
        }
        out.push(']');
    }
}

/// Declares string types: `Name: min..=max` code points, then a pattern where there is one.
macro_rules! texts {
    ($($(#[$doc:meta])* $name:ident: $min:literal..=$max:expr $(, $pattern:expr)?;)*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub String);

        impl $crate::record::Typed for $name {
            const RULE: $crate::rule::Rule = $crate::rule::Rule::Text {
                min: $min,
                max: $max,
                pattern: $crate::record::texts!(@pattern $($pattern)?),
            };

            fn read(json: &$crate::json::Json<'_>) -> Option<Self> {
                json.as_str().map(|text| Self(text.to_owned()))
            }

            fn write(&self, out: &mut String) {
                $crate::json::write_text(&self.0, out);
            }
        }
    )*};
    (@pattern) => { None };
    (@pattern $pattern:expr) => { Some(&$pattern) };
}

/// Declares closed sets of words: `Name { Variant = "word", … }`.
macro_rules! words {
    ($($(#[$doc:meta])* $name:ident { $($variant:ident = $word:literal),* $(,)? })*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[expect(missing_docs, reason = "each variant is the word it is written as")]
        pub enum $name { $($variant),* }

        impl $name {
            /// The word on the wire.
            #[must_use]
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word),* }
            }
        }

        impl $crate::record::Typed for $name {
            const RULE: $crate::rule::Rule = $crate::rule::Rule::Enum(&[$($word),*]);

            fn read(json: &$crate::json::Json<'_>) -> Option<Self> {
                match json.as_str()? { $($word => Some(Self::$variant),)* _ => None }
            }

            fn write(&self, out: &mut String) {
                $crate::json::write_text(self.as_str(), out);
            }
        }
    )*};
}

/// Declares integers: `Name: min..=max`, both as doubles.
macro_rules! integers {
    ($($(#[$doc:meta])* $name:ident: $min:literal..=$max:expr;)*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub u64);

        impl $crate::record::Typed for $name {
            const RULE: $crate::rule::Rule = $crate::rule::Rule::Integer { min: $min, max: $max };

            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss,
                reason = "values beyond 64 bits are valid by the schema and saturate here")]
            fn read(json: &$crate::json::Json<'_>) -> Option<Self> {
                match json {
                    $crate::json::Json::Int(int) => u64::try_from(*int).ok().map(Self),
                    _ if json.is_integer() => json.as_f64().map(|float| Self(float as u64)),
                    _ => None,
                }
            }

            fn write(&self, out: &mut String) {
                out.push_str(&self.0.to_string());
            }
        }
    )*};
}

/// Declares a closed object type; `req` members are plain fields, `opt` members are `Option`s.
macro_rules! record {
    (
        $(#[$doc:meta])*
        $name:ident as $definition:literal, min $min:literal {
            $($(#[$field_doc:meta])* $field:ident: $presence:ident $ty:ty = $wire:literal,)*
        }
        $(laws $($laws:expr),+)?
    ) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq)]
        #[expect(missing_docs, reason = "each field is the member of its name in the schema")]
        pub struct $name { $($(#[$field_doc])* pub $field: $crate::record::record!(@field $presence $ty),)* }

        impl $crate::record::Typed for $name {
            const RULE: $crate::rule::Rule = $crate::rule::Rule::Object(&$crate::rule::Object {
                name: $definition,
                members: &[$($crate::rule::Member {
                    name: $wire,
                    required: $crate::record::record!(@required $presence),
                    rule: &<$ty as $crate::record::Typed>::RULE,
                }),*],
                min: $min,
                laws: $crate::record::record!(@laws $($($laws),+)?),
            });

            fn read(json: &$crate::json::Json<'_>) -> Option<Self> {
                Some(Self { $($field: $crate::record::record!(@read $presence $ty, json, $wire),)* })
            }

            fn write(&self, out: &mut String) {
                let mut first = true;
                out.push('{');
                $($crate::record::record!(@write $presence self.$field, $wire, first, out);)*
                let _ = first;
                out.push('}');
            }
        }
    };
    (@field req $ty:ty) => { $ty };
    (@field opt $ty:ty) => { Option<$ty> };
    (@required req) => { true };
    (@required opt) => { false };
    (@laws) => { &[] };
    (@laws $($laws:expr),+) => { &[$($laws),+] };
    (@read req $ty:ty, $json:ident, $wire:literal) => { <$ty as $crate::record::Typed>::read($json.get($wire)?)? };
    (@read opt $ty:ty, $json:ident, $wire:literal) => {
        match $json.get($wire) {
            Some(value) => Some(<$ty as $crate::record::Typed>::read(value)?),
            None => None,
        }
    };
    (@write req $value:expr, $wire:literal, $first:ident, $out:ident) => {
        $crate::record::write_member($wire, &$value, &mut $first, $out);
    };
    (@write opt $value:expr, $wire:literal, $first:ident, $out:ident) => {
        if let Some(value) = &$value {
            $crate::record::write_member($wire, value, &mut $first, $out);
        }
    };
}

pub(crate) use {integers, record, texts, words};
