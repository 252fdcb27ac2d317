//! Changes to a text, and how a change inside a JSON string becomes one of the text around it.

use std::borrow::Cow;
use std::ops::Range;

use wire::json::unescape;

/// A part of a text and what stands there instead.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Edit {
    /// In bytes.
    pub(super) range: Range<usize>,
    pub(super) text: String,
}

/// The text with its edits, which stand in order and do not overlap.
pub(super) fn applied<'a>(text: &'a str, edits: &[Edit]) -> Cow<'a, str> {
    if edits.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut kept = 0;
    for edit in edits {
        out.push_str(&text[kept..edit.range.start]);
        out.push_str(&edit.text);
        kept = edit.range.end;
    }
    out.push_str(&text[kept..]);
    Cow::Owned(out)
}

/// Where `part` begins in `whole`, of which it is a slice.
pub(super) fn offset_in(whole: &str, part: &str) -> usize {
    part.as_ptr() as usize - whole.as_ptr() as usize
}

/// Edits of the characters of a JSON string as edits of its text, which begins at `base` of the text around it.
pub(super) fn outward(raw: &str, escaped: bool, base: usize, edits: Vec<Edit>) -> Vec<Edit> {
    if !escaped {
        let moved = |edit: Edit| Edit { range: base + edit.range.start..base + edit.range.end, ..edit };
        return edits.into_iter().map(moved).map(quoted).collect();
    }
    let wanted: Vec<usize> = edits.iter().flat_map(|edit| [edit.range.start, edit.range.end]).collect();
    let places = places(raw, &wanted);
    let moved = |(edit, place): (Edit, &[usize])| Edit { range: base + place[0]..base + place[1], ..edit };
    edits.into_iter().zip(places.chunks(2)).map(moved).map(quoted).collect()
}

/// What is written into a string is escaped as its characters are.
fn quoted(edit: Edit) -> Edit {
    if !edit.text.contains(['"', '\\']) {
        return edit;
    }
    let mut text = String::new();
    wire::json::write_string(&edit.text, &mut text);
    Edit { text: text[1..text.len() - 1].to_owned(), ..edit }
}

/// Where characters of a string stand in its escaped text; `wanted` are their places, ascending.
fn places(raw: &str, wanted: &[usize]) -> Vec<usize> {
    let mut places = Vec::with_capacity(wanted.len());
    let (mut at_raw, mut at_text) = (0, 0);
    for &place in wanted {
        while at_text < place && at_raw < raw.len() {
            let unit = unit_len(&raw[at_raw..]);
            let one = &raw[at_raw..at_raw + unit];
            at_text += if one.starts_with('\\') { unescape(one, true).len() } else { one.len() };
            at_raw += unit;
        }
        places.push(at_raw);
    }
    places
}

/// Length of the character or escape at the start of `raw`; a pair of surrogates is one.
fn unit_len(raw: &str) -> usize {
    let bytes = raw.as_bytes();
    let starts = |at: usize, digits: &[&[u8]]| {
        bytes.get(at..at + 4).is_some_and(|four| digits.iter().any(|d| four[..2].eq_ignore_ascii_case(d)))
    };
    match bytes {
        [b'\\', b'u', ..] => {
            let high = starts(2, &[b"d8", b"d9", b"da", b"db"]);
            let low = raw.get(6..8) == Some("\\u") && starts(8, &[b"dc", b"dd", b"de", b"df"]);
            if high && low { 12 } else { 6.min(raw.len()) }
        }
        [b'\\', _, ..] => 2,
        _ => raw.chars().next().map_or(1, char::len_utf8),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_of_characters_is_one_of_their_escapes() {
        let check = |raw: &str, from: &str, expect: &str| {
            let text = unescape(raw, true);
            let start = text.find(from).expect("there");
            let edit = Edit { range: start..start + from.len(), text: "\"x\"".to_owned() };
            let edits = outward(raw, true, 0, vec![edit]);
            assert_eq!(applied(raw, &edits), expect);
        };
        check(r"a\nb", "b", r#"a\n\"x\""#);
        check(r#"\"k\":\"v\""#, "\"v\"", r#"\"k\":\"x\""#);
        check(r"\ud83d\ude00é\u00e9z", "z", r#"\ud83d\ude00é\u00e9\"x\""#);
        check(r"\ud83dq", "q", r#"\ud83d\"x\""#);
    }
}
