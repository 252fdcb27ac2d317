//! Turns a value of the host into the JSON that leaves the process: redacted, bounded, never a panic.
//!
//! Invariant: redaction happens here, before the ring buffer, so replay and everything downstream see only what may be
//! seen. A value that cannot be written as JSON becomes an object that says so. Knows nothing of events.

use crate::config::Hide;
use serde::Serialize;
use serde_json::value::RawValue;
use std::panic::{AssertUnwindSafe, catch_unwind};
use wire::limits::{REDACTED, TRUNCATED};

/// Bytes of a cut value that are still shown.
const PREVIEW_BYTES: usize = 4_096;

/// One value, ready for the wire.
#[derive(Debug)]
pub(crate) struct Body {
    pub(crate) json: Box<RawValue>,
    /// Members that were hidden, by name, and how many values that were.
    pub(crate) redacted: (u64, Vec<String>),
}

impl Body {
    /// `value` as JSON; `hidden` replaces it whole, and `field` is the name it is then counted under.
    pub(crate) fn of<T: Serialize + ?Sized>(
        value: &T,
        hide: &Hide,
        hidden: Option<&str>,
        max: usize,
    ) -> Self {
        if let Some(field) = hidden {
            return Self { json: raw(&REDACTED), redacted: (1, vec![field.to_owned()]) };
        }
        let (text, redacted) = redact(written(value), &hide.keys);
        let json = if text.len() > max {
            cut(&text)
        } else {
            RawValue::from_string(text).unwrap_or_else(|_| raw(&Unwritable { reason: "not JSON" }))
        };
        Self { json, redacted }
    }
}

/// Stands for a value that could not be written.
#[derive(Serialize)]
struct Unwritable<'a> {
    #[serde(rename = "__holdpointUnwritable")]
    reason: &'a str,
}

#[derive(Serialize)]
struct Cut<'a> {
    #[serde(rename = "__graphmindTruncated")]
    truncated: bool,
    bytes: usize,
    preview: &'a str,
}

fn written<T: Serialize + ?Sized>(value: &T) -> String {
    let reason = match catch_unwind(AssertUnwindSafe(|| serde_json::to_string(value))) {
        Ok(Ok(text)) => return text,
        Ok(Err(error)) => error.to_string(),
        Err(_) => "its Serialize implementation panicked".to_owned(),
    };
    raw(&Unwritable { reason: &reason }).get().to_owned()
}

fn cut(text: &str) -> Box<RawValue> {
    let preview = &text[..text.floor_char_boundary(PREVIEW_BYTES)];
    raw(&Cut { truncated: true, bytes: text.len(), preview })
}

/// For values of our own, whose serialisation cannot fail.
pub(crate) fn raw<T: Serialize + ?Sized>(value: &T) -> Box<RawValue> {
    serde_json::value::to_raw_value(value).unwrap_or_else(|_| RawValue::NULL.to_owned())
}

fn redact(text: String, keys: &[String]) -> (String, (u64, Vec<String>)) {
    if keys.is_empty() {
        return (text, (0, Vec::new()));
    }
    let wanted: Vec<String> = keys.iter().map(|key| plain(key)).collect();
    let mut out = String::with_capacity(text.len());
    let (mut names, mut count, mut at, mut copied) = (Vec::new(), 0, 0, 0);
    let bytes = text.as_bytes();
    while at < bytes.len() {
        if bytes[at] != b'"' {
            at += 1;
            continue;
        }
        let end = string_end(bytes, at);
        let colon = skip_blanks(bytes, end);
        let name = &text[at + 1..end - 1];
        at = end;
        if bytes.get(colon) == Some(&b':') && wanted.contains(&plain(name)) {
            out.push_str(&text[copied..=colon]);
            out.push('"');
            out.push_str(REDACTED);
            out.push('"');
            at = value_end(bytes, skip_blanks(bytes, colon + 1));
            copied = at;
            count += 1;
            if !names.iter().any(|known| known == name) {
                names.push(name.to_owned());
            }
        }
    }
    out.push_str(&text[copied..]);
    (out, (count, names))
}

fn plain(key: &str) -> String {
    key.chars().filter(|c| !matches!(c, '_' | '-')).flat_map(char::to_lowercase).collect()
}

fn skip_blanks(bytes: &[u8], mut at: usize) -> usize {
    while bytes.get(at).is_some_and(u8::is_ascii_whitespace) {
        at += 1;
    }
    at
}

/// The index after the string that opens at `at`.
fn string_end(bytes: &[u8], mut at: usize) -> usize {
    at += 1;
    while at < bytes.len() && bytes[at] != b'"' {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    (at + 1).min(bytes.len())
}

/// The index after the value that begins at `at`.
fn value_end(bytes: &[u8], mut at: usize) -> usize {
    let mut depth = 0_usize;
    while at < bytes.len() {
        match bytes[at] {
            b'"' => {
                at = string_end(bytes, at);
                if depth == 0 {
                    return at;
                }
                continue;
            }
            b'{' | b'[' => depth += 1,
            b'}' | b']' if depth <= 1 => return if depth == 1 { at + 1 } else { at },
            b'}' | b']' => depth -= 1,
            b',' if depth == 0 => return at,
            _ => {}
        }
        at += 1;
    }
    at
}

/// Whether `json` carries a placeholder in place of a value, so that it must not be used as one.
pub(crate) fn placeholder_in(json: &str) -> Option<&'static str> {
    let has = |word: &str| json.match_indices(word).any(|(at, _)| json[..at].ends_with('"'));
    if has(REDACTED) {
        Some("placeholder")
    } else if has(TRUNCATED) || has(wire::STUB_KEY) {
        Some("truncated")
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use std::collections::BTreeMap;

    fn hide(keys: &[&str]) -> Hide {
        Hide { keys: keys.iter().map(|key| (*key).to_owned()).collect(), ..Hide::default() }
    }

    #[test]
    fn members_are_hidden_at_any_depth_whatever_their_value_and_spelling() {
        let check = |input: &str, expect: &str, count: u64| {
            let value: Box<RawValue> = RawValue::from_string(input.to_owned()).expect("test JSON");
            let body = Body::of(&value, &hide(&["api_key", "Token"]), None, 1 << 20);
            assert_eq!(body.json.get(), expect);
            assert_eq!(body.redacted.0, count, "{input}");
            serde_json::from_str::<serde_json::Value>(body.json.get()).expect("still JSON");
        };
        check(r#"{"apiKey":"x","a":1}"#, r#"{"apiKey":"__REDACTED__","a":1}"#, 1);
        check(r#"{"a":[{"API-KEY":{"b":[1,"}"]}}]}"#, r#"{"a":[{"API-KEY":"__REDACTED__"}]}"#, 1);
        check(r#"{"token" : 12 , "token":null}"#, r#"{"token" :"__REDACTED__", "token":"__REDACTED__"}"#, 2);
        check(r#"{"token":[[],{}]}"#, r#"{"token":"__REDACTED__"}"#, 1);
        check(r#"{"t":"token","max_tokens":3}"#, r#"{"t":"token","max_tokens":3}"#, 0);
        check(r#"["token",":"]"#, r#"["token",":"]"#, 0);
        check(r#"{"q\"":"\\","token":"\""}"#, r#"{"q\"":"\\","token":"__REDACTED__"}"#, 1);
    }

    #[test]
    fn a_hidden_value_is_never_written() {
        struct Explodes;
        impl Serialize for Explodes {
            fn serialize<S: serde::Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
                panic!("must not be asked")
            }
        }
        let body = Body::of(&Explodes, &Hide::default(), Some("input"), 1 << 20);
        assert_eq!(body.json.get(), "\"__REDACTED__\"");
        assert_eq!(body.redacted, (1, vec!["input".to_owned()]));
    }

    #[test]
    fn a_value_that_cannot_be_written_says_why() {
        let odd = BTreeMap::from([((1, 2), 3)]);
        let body = Body::of(&odd, &Hide::default(), None, 1 << 20);
        assert_eq!(body.json.get(), r#"{"__holdpointUnwritable":"key must be a string"}"#);
    }

    #[test]
    fn a_long_value_is_cut_at_a_character_and_says_how_long_it_was() {
        let text = "ä".repeat(5_000);
        let body = Body::of(&text, &Hide::default(), None, 5_000);
        let value: serde_json::Value = serde_json::from_str(body.json.get()).expect("JSON");
        assert_eq!(value["bytes"], json!(10_002));
        assert_eq!(value[TRUNCATED], json!(true));
        assert!(value["preview"].as_str().is_some_and(|preview| preview.len() <= PREVIEW_BYTES));
    }
}
