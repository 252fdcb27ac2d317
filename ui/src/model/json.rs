//! An index over JSON text: one flat row a value, no recursion, no copies. It reads a beginning of a document as
//! well as a whole one and says where it stopped, so a large body can be looked at while most of it is elsewhere.

use std::ops::Range;

/// What a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `{…}`
    Object,
    /// `[…]`
    Array,
    /// `"…"`
    Text,
    /// A number.
    Number,
    /// `true`, `false` or `null`.
    Literal,
}

/// One value.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// How deep it lies; the outermost value is 0.
    pub depth: u32,
    /// Its key with quotes, or nothing inside an array.
    pub key: Range<u32>,
    /// Its place among its siblings.
    pub position: u32,
    /// Its text.
    pub value: Range<u32>,
    /// What it is.
    pub kind: Kind,
    /// How many values lie directly in it.
    pub children: u32,
    /// The first row that is not inside it.
    pub end: u32,
}

/// All values of a text, in order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Index {
    /// One a value, a container before what it holds.
    pub rows: Vec<Row>,
    /// Where the text ended or stopped being JSON, in bytes; `None` when it is whole.
    pub stopped: Option<usize>,
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    rows: Vec<Row>,
    open: Vec<u32>,
    rows_max: usize,
}

/// Reads `text`, at most `rows_max` values of it.
pub fn index(text: &str, rows_max: usize) -> Index {
    let text = if text.len() > u32::MAX as usize { "" } else { text };
    let mut reader = Reader { bytes: text.as_bytes(), at: 0, rows: Vec::new(), open: Vec::new(), rows_max };
    let whole = reader.read();
    let stopped = (!whole).then_some(reader.at);
    let (end, at) = (reader.rows.len() as u32, reader.at as u32);
    while let Some(open) = reader.open.pop() {
        let row = &mut reader.rows[open as usize];
        row.end = end;
        row.value.end = at;
    }
    Index { rows: reader.rows, stopped }
}

impl Reader<'_> {
    fn blank(&mut self) {
        while matches!(self.bytes.get(self.at), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn eat(&mut self, byte: u8) -> bool {
        self.blank();
        let found = self.bytes.get(self.at) == Some(&byte);
        self.at += usize::from(found);
        found
    }

    /// The whole document; `false` where it stops making sense.
    fn read(&mut self) -> bool {
        if !self.value(0..0) {
            return false;
        }
        while let Some(&open) = self.open.last() {
            let (kind, children) = (self.rows[open as usize].kind, self.rows[open as usize].children);
            let close = if kind == Kind::Object { b'}' } else { b']' };
            if self.eat(close) {
                self.close(open);
                continue;
            }
            if children > 0 && !self.eat(b',') {
                return false;
            }
            let key = if kind == Kind::Object { self.key() } else { Some(0..0) };
            let Some(key) = key else { return false };
            if !self.value(key) {
                return false;
            }
        }
        self.blank();
        self.at == self.bytes.len()
    }

    fn close(&mut self, open: u32) {
        self.open.pop();
        let end = self.rows.len() as u32;
        let row = &mut self.rows[open as usize];
        row.end = end;
        row.value.end = self.at as u32;
    }

    fn key(&mut self) -> Option<Range<u32>> {
        self.blank();
        let start = self.at as u32;
        (self.string() && self.eat(b':')).then_some(())?;
        let end = self.bytes[start as usize..self.at].iter().rposition(|b| *b == b'"')? as u32;
        Some(start..start + end + 1)
    }

    fn string(&mut self) -> bool {
        if self.bytes.get(self.at) != Some(&b'"') {
            return false;
        }
        let mut at = self.at + 1;
        while let Some(byte) = self.bytes.get(at) {
            match byte {
                b'\\' => at += 2,
                b'"' => {
                    self.at = at + 1;
                    return true;
                }
                _ => at += 1,
            }
        }
        self.at = self.bytes.len();
        false
    }

    fn value(&mut self, key: Range<u32>) -> bool {
        self.blank();
        let start = self.at;
        let Some(&first) = self.bytes.get(start) else { return false };
        if self.rows.len() >= self.rows_max {
            return false;
        }
        let kind = match first {
            b'{' => Kind::Object,
            b'[' => Kind::Array,
            b'"' => Kind::Text,
            b'-' | b'0'..=b'9' => Kind::Number,
            b't' | b'f' | b'n' => Kind::Literal,
            _ => return false,
        };
        let whole = match kind {
            Kind::Object | Kind::Array => {
                self.at += 1;
                true
            }
            Kind::Text => self.string(),
            Kind::Number | Kind::Literal => self.word(),
        };
        self.push(key, start, kind);
        whole
    }

    fn push(&mut self, key: Range<u32>, start: usize, kind: Kind) {
        let at = self.rows.len() as u32;
        let mut position = 0;
        if let Some(&parent) = self.open.last() {
            let parent = &mut self.rows[parent as usize];
            position = parent.children;
            parent.children += 1;
        }
        let value = start as u32..self.at as u32;
        self.rows.push(Row {
            depth: self.open.len() as u32,
            key,
            position,
            value,
            kind,
            children: 0,
            end: at + 1,
        });
        if matches!(kind, Kind::Object | Kind::Array) {
            self.open.push(at);
        }
    }

    /// A number, `true`, `false` or `null`: any run of their letters, checked by whoever wrote it.
    fn word(&mut self) -> bool {
        let start = self.at;
        while matches!(self.bytes.get(self.at), Some(b'-' | b'+' | b'.' | b'0'..=b'9' | b'a'..=b'z' | b'E')) {
            self.at += 1;
        }
        self.at > start && self.at < self.bytes.len() || self.open.is_empty()
    }
}

/// A JSON string's characters, at most `max` of them; a bad escape stays as it is. Control characters become their
/// pictures so that nothing in a payload can move the text around it.
pub fn unescape(quoted: &str, max: usize) -> (String, bool) {
    let inner = quoted.strip_prefix('"').unwrap_or(quoted);
    let mut out = String::new();
    let mut chars = inner.chars();
    let mut taken = 0;
    while let Some(c) = chars.next() {
        if taken == max {
            return (out, true);
        }
        taken += 1;
        match c {
            '"' => return (out, false),
            '\\' => out.push(escape(&mut chars)),
            c => out.push(c),
        }
    }
    (out, false)
}

fn escape(chars: &mut std::str::Chars<'_>) -> char {
    match chars.next() {
        Some('n') => '\n',
        Some('t') => '\t',
        Some('r') => '\r',
        Some('b') => '\u{8}',
        Some('f') => '\u{c}',
        Some('u') => unit(chars),
        Some(c) => c,
        None => '\\',
    }
}

/// `\uXXXX`, with its second half where it has one; a lone surrogate becomes the replacement character.
fn unit(chars: &mut std::str::Chars<'_>) -> char {
    let high = hex(chars);
    if !(0xD800..0xDC00).contains(&high) {
        return char::from_u32(high).unwrap_or('\u{FFFD}');
    }
    let mut ahead = chars.clone();
    if ahead.next() == Some('\\') && ahead.next() == Some('u') {
        let low = hex(&mut ahead);
        if (0xDC00..0xE000).contains(&low) {
            *chars = ahead;
            return char::from_u32(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00)).unwrap_or('\u{FFFD}');
        }
    }
    '\u{FFFD}'
}

fn hex(chars: &mut std::str::Chars<'_>) -> u32 {
    let mut value = 0;
    for _ in 0..4 {
        let mut ahead = chars.clone();
        let Some(digit) = ahead.next().and_then(|c| c.to_digit(16)) else { break };
        *chars = ahead;
        value = value * 16 + digit;
    }
    value
}

/// A string on one line: line ends, control and direction-changing characters as visible signs.
pub fn visible(text: &str) -> String {
    text.chars().map(visible_char).collect()
}

fn visible_char(c: char) -> char {
    match c {
        '\n' => '\u{21B5}',
        '\t' => ' ',
        '\u{0}'..='\u{1F}' => char::from_u32(0x2400 + c as u32).unwrap_or(' '),
        '\u{7F}' => '\u{2421}',
        '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' | '\u{200E}' | '\u{200F}' => '\u{FFFD}',
        c => c,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Shape<'a> = (Vec<(u32, &'a str, &'a str, u32)>, Option<usize>);

    fn shape(text: &str) -> Shape<'_> {
        let index = index(text, 1_000);
        let cut = |range: &Range<u32>| &text[range.start as usize..range.end as usize];
        let rows = index.rows.iter().map(|r| (r.depth, cut(&r.key), cut(&r.value), r.children)).collect();
        (rows, index.stopped)
    }

    #[test]
    fn every_value_is_one_row_with_its_key() {
        let (rows, stopped) = shape(r#"{"a": 1, "b": [true, "x\"y"], "c": {}}"#);
        assert_eq!(stopped, None);
        assert_eq!(
            rows,
            [
                (0, "", r#"{"a": 1, "b": [true, "x\"y"], "c": {}}"#, 3),
                (1, "\"a\"", "1", 0),
                (1, "\"b\"", r#"[true, "x\"y"]"#, 2),
                (2, "", "true", 0),
                (2, "", r#""x\"y""#, 0),
                (1, "\"c\"", "{}", 0),
            ]
        );
    }

    #[test]
    fn a_beginning_of_a_document_shows_what_is_there() {
        for text in [r#"{"a": [1, 2, {"b": "unfini"#, r#"{"a": [1, 2"#, r#"{"a"#, "[", r#"{"a": 12"#] {
            let (rows, stopped) = shape(text);
            assert!(!rows.is_empty(), "{text}");
            assert_eq!(stopped, Some(text.len()), "{text}");
        }
    }

    #[test]
    fn what_is_not_json_stops_at_the_place() {
        assert_eq!(shape(r#"{"a" 1}"#).1, Some(5));
        assert_eq!(shape("").1, Some(0));
        assert_eq!(shape("1 2").1, Some(2));
    }

    #[test]
    fn depth_costs_no_stack_and_rows_have_a_bound() {
        let deep = "[".repeat(200_000);
        assert_eq!(index(&deep, 300_000).rows.len(), 200_000);
        assert_eq!(index(&deep, 100).rows.len(), 100);
    }

    #[test]
    fn strings_lose_their_escapes_once() {
        let table = [
            (r#""a\nb""#, "a\nb"),
            (r#""\u00e4\ud83d\ude00""#, "ä😀"),
            (r#""\ud83d x""#, "\u{FFFD} x"),
            (r#""\u12""#, "\u{12}"),
            (r#""open"#, "open"),
        ];
        for (quoted, expect) in table {
            assert_eq!(unescape(quoted, 100).0, expect, "{quoted}");
        }
        assert_eq!(unescape(r#""abcdef""#, 3), ("abc".to_owned(), true));
        assert_eq!(visible("a\nb\u{202E}\u{0}"), "a\u{21B5}b\u{FFFD}\u{2400}");
    }
}
