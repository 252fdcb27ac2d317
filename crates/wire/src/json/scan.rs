//! One cursor over JSON text. Decides what is well-formed (RFC 8259, strictly) and nothing about meaning.
//!
//! Invariant: it never recurses and never backtracks, so nesting of any depth costs time in proportion to its bytes
//! and one bit of memory a level. It is own code because the general parser limits depth and rejects the lone
//! surrogate escapes that real programs send; here both are ordinary input whose text is kept.
mod nest;
mod plain;

use nest::Nest;
use plain::plain_len;
use std::fmt;

/// Where reading stopped and what was wanted there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Byte offset into the text.
    pub at_byte: usize,
    /// What would have been accepted at that place.
    pub expected: &'static str,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected {} at byte {}", self.expected, self.at_byte)
    }
}

impl std::error::Error for Fault {}

/// A member name as it stands in the text: between its quotes, escapes included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key<'a> {
    /// Raw text without the quotes.
    pub raw: &'a str,
    /// Whether `raw` holds a backslash and must be unescaped before it is compared.
    pub escaped: bool,
}

/// A cursor over one JSON text.
#[derive(Clone, Debug)]
pub struct Scanner<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Scanner<'a> {
    /// A cursor at the start of `text`.
    pub fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    /// Byte offset of the cursor.
    pub fn at(&self) -> usize {
        self.at
    }

    /// The text between two offsets that this cursor has handed out.
    pub fn slice(&self, from: usize, to: usize) -> &'a str {
        self.text.get(from..to).unwrap_or_default()
    }

    /// The fault "`expected` here".
    pub fn fault(&self, expected: &'static str) -> Fault {
        Fault { at_byte: self.at, expected }
    }

    /// Skips blanks and shows the next byte.
    #[inline]
    pub fn peek(&mut self) -> Option<u8> {
        let bytes = self.text.as_bytes();
        while let Some(&byte) = bytes.get(self.at) {
            if !matches!(byte, b' ' | b'\n' | b'\r' | b'\t') {
                return Some(byte);
            }
            self.at += 1;
        }
        None
    }

    /// Steps over `byte` if it is next (after blanks).
    #[inline]
    pub fn take(&mut self, byte: u8) -> bool {
        let hit = self.peek() == Some(byte);
        self.at += usize::from(hit);
        hit
    }

    /// The end of the text, blanks aside.
    pub fn end(&mut self) -> Result<(), Fault> {
        match self.peek() {
            None => Ok(()),
            Some(_) => Err(self.fault("the end of the text")),
        }
    }

    /// The next member name of an object whose `{` is behind the cursor; `first` starts true. Leaves the cursor before
    /// the value. `None` is the closing brace, stepped over.
    #[inline]
    pub fn member(&mut self, first: &mut bool) -> Result<Option<Key<'a>>, Fault> {
        match self.peek() {
            Some(b'}') => {
                self.at += 1;
                return Ok(None);
            }
            Some(b',') if !*first => self.at += 1,
            _ if *first => {}
            _ => return Err(self.fault("',' or '}'")),
        }
        *first = false;
        self.key().map(Some)
    }

    /// Whether another item follows in an array whose `[` is behind the cursor; `first` starts true.
    #[inline]
    pub fn item(&mut self, first: &mut bool) -> Result<bool, Fault> {
        match self.peek() {
            Some(b']') => {
                self.at += 1;
                return Ok(false);
            }
            Some(b',') if !*first => self.at += 1,
            _ if *first => {}
            _ => return Err(self.fault("',' or ']'")),
        }
        *first = false;
        Ok(true)
    }

    #[inline]
    fn key(&mut self) -> Result<Key<'a>, Fault> {
        if self.peek() != Some(b'"') {
            return Err(self.fault("a member name in quotes"));
        }
        let (raw, escaped) = self.string_body()?;
        if self.take(b':') { Ok(Key { raw, escaped }) } else { Err(self.fault("':'")) }
    }

    /// A string: its raw text without quotes, and whether it holds an escape.
    #[inline]
    pub fn string(&mut self) -> Result<(&'a str, bool), Fault> {
        if self.peek() != Some(b'"') {
            return Err(self.fault("a string"));
        }
        self.string_body()
    }

    /// The string whose quote is under the cursor.
    #[inline]
    fn string_body(&mut self) -> Result<(&'a str, bool), Fault> {
        let start = self.at + 1;
        self.at = start + plain_len(self.text.as_bytes().get(start..).unwrap_or_default());
        if self.byte() == Some(b'"') {
            let raw = self.slice(start, self.at);
            self.at += 1;
            return Ok((raw, false));
        }
        self.rest_of_string(start)
    }

    /// The slower part of a string: from its first escape on.
    fn rest_of_string(&mut self, start: usize) -> Result<(&'a str, bool), Fault> {
        loop {
            match self.byte() {
                Some(b'"') => {
                    let raw = self.slice(start, self.at);
                    self.at += 1;
                    return Ok((raw, true));
                }
                Some(b'\\') => self.escape()?,
                Some(_) => return Err(self.fault("an escaped control character")),
                None => return Err(self.fault("'\"'")),
            }
            self.at += plain_len(self.text.as_bytes().get(self.at..).unwrap_or_default());
        }
    }

    fn escape(&mut self) -> Result<(), Fault> {
        let rest = self.text.as_bytes().get(self.at + 1..).unwrap_or_default();
        match rest {
            [b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't', ..] => self.at += 2,
            [b'u', a, b, c, d, ..] if [a, b, c, d].into_iter().all(u8::is_ascii_hexdigit) => self.at += 6,
            _ => return Err(self.fault("an escape (\\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX)")),
        }
        Ok(())
    }

    /// A number's text.
    pub fn number(&mut self) -> Result<&'a str, Fault> {
        self.peek();
        let start = self.at;
        self.at += usize::from(self.byte() == Some(b'-'));
        if self.byte() == Some(b'0') {
            self.at += 1;
        } else {
            self.digits()?;
        }
        if self.byte() == Some(b'.') {
            self.at += 1;
            self.digits()?;
        }
        if matches!(self.byte(), Some(b'e' | b'E')) {
            self.at += 1;
            self.at += usize::from(matches!(self.byte(), Some(b'+' | b'-')));
            self.digits()?;
        }
        Ok(self.slice(start, self.at))
    }

    #[inline]
    fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn digits(&mut self) -> Result<(), Fault> {
        let start = self.at;
        while matches!(self.byte(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        if self.at == start { Err(self.fault("a digit")) } else { Ok(()) }
    }

    fn literal(&mut self, word: &'static str) -> Result<(), Fault> {
        let found = self.text.as_bytes().get(self.at..).unwrap_or_default().starts_with(word.as_bytes());
        if !found {
            return Err(self.fault("a JSON value"));
        }
        self.at += word.len();
        Ok(())
    }

    /// Steps over one value of any depth.
    #[inline]
    pub fn skip(&mut self) -> Result<(), Fault> {
        match self.peek() {
            Some(b'{' | b'[') => self.skip_nested(),
            _ => self.skip_scalar(),
        }
    }

    fn skip_nested(&mut self) -> Result<(), Fault> {
        let mut nest = Nest::default();
        loop {
            match self.peek() {
                Some(b'{') => {
                    self.at += 1;
                    if !self.take(b'}') {
                        self.key()?;
                        nest.push(true);
                        continue;
                    }
                }
                Some(b'[') => {
                    self.at += 1;
                    if !self.take(b']') {
                        nest.push(false);
                        continue;
                    }
                }
                _ => self.skip_scalar()?,
            }
            if self.close(&mut nest)? {
                return Ok(());
            }
        }
    }

    /// Steps over a value that is no bracket; anything else is a fault.
    #[inline]
    fn skip_scalar(&mut self) -> Result<(), Fault> {
        match self.byte() {
            Some(b'"') => self.string_body().map(|_| ()),
            Some(b'-' | b'0'..=b'9') => self.number().map(|_| ()),
            Some(b't') => self.literal("true"),
            Some(b'f') => self.literal("false"),
            Some(b'n') => self.literal("null"),
            _ => Err(self.fault("a JSON value")),
        }
    }

    /// After a value: closes brackets up to the next value (`false`) or the end of the outermost one (`true`).
    #[inline]
    fn close(&mut self, nest: &mut Nest) -> Result<bool, Fault> {
        while !nest.is_empty() {
            match (self.peek(), nest.in_object()) {
                (Some(b','), object) => {
                    self.at += 1;
                    if object {
                        self.key()?;
                    }
                    return Ok(false);
                }
                (Some(b'}'), true) | (Some(b']'), false) => self.at += 1,
                (_, true) => return Err(self.fault("',' or '}'")),
                (_, false) => return Err(self.fault("',' or ']'")),
            }
            nest.pop();
        }
        Ok(true)
    }
}
