//! Small reads that every adapter makes: the first of several names, and what stands there.

use std::borrow::Cow;

use wire::{JsonKind, Raw};

/// What has members: a value, which looks for each anew, or [`Fields`], which has looked once.
pub(crate) trait Members<'a>: Copy {
    /// A member by name; of duplicates the last.
    fn member_of(self, name: &str) -> Option<Raw<'a>>;
}

impl<'a> Members<'a> for Raw<'a> {
    fn member_of(self, name: &str) -> Option<Raw<'a>> {
        self.member(name)
    }
}

/// The members of an object, found in one pass: for objects of which many members are read, or whose bodies are long.
pub(crate) struct Fields<'a>(Vec<(Cow<'a, str>, Raw<'a>)>);

impl<'a> Fields<'a> {
    pub(crate) fn of(object: Raw<'a>) -> Self {
        Self(object.members().map(|(key, value)| (key.name(), value)).collect())
    }
}

impl<'a> Members<'a> for &Fields<'a> {
    fn member_of(self, name: &str) -> Option<Raw<'a>> {
        self.0.iter().rev().find(|(known, _)| known == name).map(|(_, value)| *value)
    }
}

/// The first of these members that is there and not null.
pub(crate) fn either<'a>(object: impl Members<'a>, names: &[&str]) -> Option<Raw<'a>> {
    names.iter().find_map(|name| object.member_of(name).filter(|value| value.kind() != JsonKind::Null))
}

/// The first of these members, if it is a list.
pub(crate) fn list<'a>(object: impl Members<'a>, names: &[&str]) -> Option<Raw<'a>> {
    either(object, names).filter(|value| value.kind() == JsonKind::Array)
}

/// The text of the first of these members; an empty one is none.
pub(crate) fn text<'a>(object: impl Members<'a>, names: &[&str]) -> Option<String> {
    either(object, names)?.as_str().map(|text| text.into_owned()).filter(|text| !text.is_empty())
}

/// A JSON value as an adapter hands it on: the first of these members, opened where it is JSON inside a text.
pub(crate) fn body<'a>(object: impl Members<'a>, names: &[&str]) -> Option<String> {
    either(object, names).map(crate::attributes::opened)
}

/// Whether a line break stands in a text; one pass that looks at many bytes at a time.
pub(crate) fn has_break(text: &str) -> bool {
    let in_chunk =
        |chunk: &[u8]| chunk.iter().fold(false, |seen, byte| seen | (*byte == b'\n') | (*byte == b'\r'));
    text.as_bytes().chunks(256).any(in_chunk)
}
