//! The outer shapes of a chunk: bare, with a mode, with a namespace, with both, as an object, as a server-sent event.

use wire::{JsonKind, Raw};

use crate::read::{either, text};

/// Modes that a chunk can name.
const MODES: &[&str] = &[
    "values",
    "updates",
    "messages",
    "custom",
    "checkpoints",
    "tasks",
    "debug",
    "events",
    "messages-tuple",
    "messages/partial",
    "messages/complete",
    "messages/metadata",
    "metadata",
    "error",
    "end",
];

/// One chunk without its wrapping.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Chunk<'a> {
    /// The mode, where the shape names one.
    pub mode: Option<String>,
    /// Path of nested graphs, `node:task` each; the root is empty.
    pub namespace: Vec<String>,
    /// What it says.
    pub data: Raw<'a>,
    /// Interrupts beside the data.
    pub interrupts: Option<Raw<'a>>,
}

impl<'a> Chunk<'a> {
    pub(super) fn read(raw: Raw<'a>) -> Option<Self> {
        match raw.kind() {
            JsonKind::Array => Self::tuple(raw),
            JsonKind::Object => Some(Self::object(raw)),
            _ => None,
        }
    }

    fn tuple(raw: Raw<'a>) -> Option<Self> {
        let items: Vec<Raw<'a>> = raw.items().take(4).collect();
        let whole = |mode, namespace, data| Self { mode, namespace, data, interrupts: None };
        match items.as_slice() {
            [mode, data] if known(*mode).is_some() => Some(whole(known(*mode), Vec::new(), *data)),
            [space, data] if is_path(*space) && data.kind() == JsonKind::Object => {
                Some(whole(None, path(*space), *data))
            }
            [space, mode, data] if is_path(*space) && known(*mode).is_some() => {
                Some(whole(known(*mode), path(*space), *data))
            }
            _ => None,
        }
    }

    fn object(raw: Raw<'a>) -> Self {
        let mode = text(raw, &["type"]).filter(|mode| MODES.contains(&mode.as_str()));
        let spaced = either(raw, &["ns", "namespace"]);
        if let (Some(mode), Some(data)) = (mode, raw.member("data")) {
            let interrupts = either(raw, &["interrupts"]);
            return Self {
                mode: Some(mode),
                namespace: spaced.map(path).unwrap_or_default(),
                data,
                interrupts,
            };
        }
        if let (Some(event), Some(data)) = (text(raw, &["event"]), raw.member("data")) {
            let mut parts = event.split('|').map(str::to_owned);
            let mode = parts.next().filter(|mode| MODES.contains(&mode.as_str()));
            if mode.is_some() {
                return Self { mode, namespace: parts.collect(), data, interrupts: None };
            }
        }
        Self { mode: None, namespace: Vec::new(), data: raw, interrupts: None }
    }
}

fn known(raw: Raw<'_>) -> Option<String> {
    raw.as_str().map(|mode| mode.into_owned()).filter(|mode| MODES.contains(&mode.as_str()))
}

fn is_path(raw: Raw<'_>) -> bool {
    let list = raw.kind() == JsonKind::Array && raw.items().all(|item| item.kind() == JsonKind::String);
    list || raw.as_str().is_some_and(|text| text.is_empty() || text == "()" || text.contains(':'))
}

/// A namespace as a list of segments, from a list or from a text joined by `|`.
pub(super) fn path(raw: Raw<'_>) -> Vec<String> {
    match raw.as_str() {
        Some(text) => split(&text),
        None => raw.items().filter_map(|item| item.as_str().map(|text| text.into_owned())).collect(),
    }
}

/// A namespace written as one text.
pub(super) fn split(text: &str) -> Vec<String> {
    if text.is_empty() || text == "()" { Vec::new() } else { text.split('|').map(str::to_owned).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(json: &str, mode: Option<&str>, namespace: &[&str], data: &str) {
        let chunk = Chunk::read(Raw::parse(json).unwrap()).unwrap_or_else(|| panic!("{json}"));
        assert_eq!(
            (chunk.mode.as_deref(), chunk.namespace, chunk.data.get()),
            (mode, namespace.iter().map(ToString::to_string).collect(), data),
            "{json}"
        );
    }

    #[test]
    fn every_outer_shape_gives_the_same_chunk() {
        check(r#"{"a":{"x":1}}"#, None, &[], r#"{"a":{"x":1}}"#);
        check(r#"["updates",{"a":1}]"#, Some("updates"), &[], r#"{"a":1}"#);
        check(r#"[["sub:7"],{"a":1}]"#, None, &["sub:7"], r#"{"a":1}"#);
        check(r#"[[],"updates",{"a":1}]"#, Some("updates"), &[], r#"{"a":1}"#);
        check(r#"[["sub:7","in:8"],"values",{"a":1}]"#, Some("values"), &["sub:7", "in:8"], r#"{"a":1}"#);
        check(r#"["()","updates",{}]"#, Some("updates"), &[], "{}");
        check(
            r#"{"type":"tasks","ns":["sub:7"],"data":{"id":"t"}}"#,
            Some("tasks"),
            &["sub:7"],
            r#"{"id":"t"}"#,
        );
        check(r#"{"type":"values","ns":"sub:7|in:8","data":{}}"#, Some("values"), &["sub:7", "in:8"], "{}");
        check(
            r#"{"event":"updates|sub:7|in:8","data":{"a":1}}"#,
            Some("updates"),
            &["sub:7", "in:8"],
            r#"{"a":1}"#,
        );
    }
}
