//! String escapes, both ways. Decides how a lone surrogate is shown (U+FFFD), as a JavaScript reader would show it.
use std::borrow::Cow;
use std::fmt::Write;

/// The characters of a raw string (text between the quotes, already well-formed). Lone surrogates become U+FFFD; the
/// caller keeps the raw text, so nothing is lost.
pub fn unescape(raw: &str, escaped: bool) -> Cow<'_, str> {
    if !escaped {
        return Cow::Borrowed(raw);
    }
    let mut out = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        rest = one_escape(&rest[at + 1..], &mut out);
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// Reads one escape behind its backslash and gives what follows it.
fn one_escape<'a>(rest: &'a str, out: &mut String) -> &'a str {
    let mut chars = rest.chars();
    match chars.next() {
        Some('u') => return unicode(chars.as_str(), out),
        Some('b') => out.push('\u{8}'),
        Some('f') => out.push('\u{c}'),
        Some('n') => out.push('\n'),
        Some('r') => out.push('\r'),
        Some('t') => out.push('\t'),
        Some(other) => out.push(other),
        None => {}
    }
    chars.as_str()
}

fn unicode<'a>(rest: &'a str, out: &mut String) -> &'a str {
    let Some((unit, after)) = unit(rest) else {
        out.push('\u{fffd}');
        return rest;
    };
    if (0xd800..0xdc00).contains(&unit)
        && let Some((low, tail)) = after.strip_prefix("\\u").and_then(self::unit)
        && (0xdc00..0xe000).contains(&low)
    {
        let code = 0x1_0000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
        out.push(char::from_u32(code).unwrap_or('\u{fffd}'));
        return tail;
    }
    out.push(char::from_u32(unit).unwrap_or('\u{fffd}'));
    after
}

fn unit(rest: &str) -> Option<(u32, &str)> {
    let digits = rest.get(..4)?;
    Some((u32::from_str_radix(digits, 16).ok()?, rest.get(4..)?))
}

/// The same JSON text with each lone surrogate escape replaced by `\ufffd`, for readers that refuse such text whole.
///
/// ```
/// assert_eq!(wire::json::repair_surrogates(r#""\ud83d\ude00 \ud83d""#), r#""\ud83d\ude00 \ufffd""#);
/// ```
pub fn repair_surrogates(json: &str) -> Cow<'_, str> {
    let mut out = String::new();
    let (mut kept, mut at) = (0, 0);
    while let Some(found) = json[at..].find('\\') {
        let escape = at + found;
        let (length, lone) = escape_at(&json[escape..]);
        at = escape + length;
        if lone {
            out.push_str(&json[kept..escape]);
            out.push_str("\\ufffd");
            kept = at;
        }
    }
    if kept == 0 {
        return Cow::Borrowed(json);
    }
    out.push_str(&json[kept..]);
    Cow::Owned(out)
}

/// Length of the escape at the start of `text`, a surrogate pair counting as one, and whether it is a lone surrogate.
fn escape_at(text: &str) -> (usize, bool) {
    let Some((first, after)) = text.strip_prefix("\\u").and_then(unit) else {
        return (text.chars().take(2).map(char::len_utf8).sum(), false);
    };
    let second = after.strip_prefix("\\u").and_then(unit).map(|(second, _)| second);
    match (first, second) {
        (0xd800..=0xdbff, Some(0xdc00..=0xdfff)) => (12, false),
        (0xd800..=0xdfff, _) => (6, true),
        _ => (6, false),
    }
}

/// Appends `text` as a JSON string, quotes included. Only what must be escaped is.
pub fn write_string(text: &str, out: &mut String) {
    out.push('"');
    let mut plain = 0;
    for (at, byte) in text.bytes().enumerate() {
        if byte >= 0x20 && byte != b'"' && byte != b'\\' {
            continue;
        }
        out.push_str(&text[plain..at]);
        plain = at + 1;
        match byte {
            b'"' => out.push_str("\\\""),
            b'\\' => out.push_str("\\\\"),
            b'\n' => out.push_str("\\n"),
            b'\r' => out.push_str("\\r"),
            b'\t' => out.push_str("\\t"),
            _ => {
                let written = write!(out, "\\u{byte:04x}");
                debug_assert!(written.is_ok(), "writing to a String cannot fail");
            }
        }
    }
    out.push_str(&text[plain..]);
    out.push('"');
}
