//! Small reads that every adapter makes: the first of several names, and what stands there.

use wire::{JsonKind, Raw};

/// The first of these members that is there and not null.
pub(crate) fn either<'a>(object: Raw<'a>, names: &[&str]) -> Option<Raw<'a>> {
    names.iter().find_map(|name| object.member(name).filter(|value| value.kind() != JsonKind::Null))
}

/// The first of these members, if it is a list.
pub(crate) fn list<'a>(object: Raw<'a>, names: &[&str]) -> Option<Raw<'a>> {
    either(object, names).filter(|value| value.kind() == JsonKind::Array)
}

/// The text of the first of these members; an empty one is none.
pub(crate) fn text(object: Raw<'_>, names: &[&str]) -> Option<String> {
    either(object, names)?.as_str().map(|text| text.into_owned()).filter(|text| !text.is_empty())
}

/// A JSON value as an adapter hands it on: the first of these members, opened where it is JSON inside a text.
pub(crate) fn body(object: Raw<'_>, names: &[&str]) -> Option<String> {
    either(object, names).map(crate::attributes::opened)
}
