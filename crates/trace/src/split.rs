//! Cuts a text into top-level JSON values, however they stand: one a line, printed over many lines, back to back,
//! or as the items of one array.
//!
//! Invariant: every byte belongs to a record, to a reported problem, or to the space between them. A bad line costs
//! itself and nothing after it; the cost is linear in the text; nesting costs no stack. It knows no format.

use std::io::{self, BufRead};

/// One top-level value and where it stood.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Record<'a> {
    /// Line on which it begins, from 1.
    pub(crate) line: u64,
    /// The JSON text, without blanks around it.
    pub(crate) text: &'a str,
}

/// What the splitter found next.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Piece<'a> {
    /// A value; its brackets match, its inside is not checked.
    Value(Record<'a>),
    /// A line that is no JSON value.
    Bad {
        /// Its number, from 1.
        line: u64,
        /// What is wrong.
        reason: String,
    },
    /// The text ends inside a value.
    Cut {
        /// Line on which the value begins.
        line: u64,
        /// Bytes of it that are there.
        bytes: usize,
    },
}

/// Reads values from `input`; see the module.
pub(crate) struct Splitter<R> {
    input: R,
    line: u64,
    /// The line being looked at, from `at` on.
    buffer: Vec<u8>,
    at: usize,
    in_list: bool,
    done: bool,
}

/// Longest piece of a bad line that a reason repeats, in bytes.
const SEEN_MAX: usize = 60;

impl<R: BufRead> Splitter<R> {
    /// A splitter at the first line of `input`, which is UTF-8 text.
    pub(crate) fn new(input: R) -> Self {
        Self { input, line: 0, buffer: Vec::new(), at: 0, in_list: false, done: false }
    }

    /// The next piece; nothing at the end of the text.
    ///
    /// # Errors
    /// Those of the input itself.
    pub(crate) fn next_piece(&mut self) -> io::Result<Option<Piece<'_>>> {
        loop {
            if !self.find_start()? {
                return Ok(None);
            }
            if self.enter_or_leave_list()? {
                continue;
            }
            return self.piece().map(Some);
        }
    }

    /// Moves to the next byte that is no space between values.
    fn find_start(&mut self) -> io::Result<bool> {
        loop {
            while let Some(byte) = self.buffer.get(self.at) {
                let between = byte.is_ascii_whitespace() || (self.in_list && *byte == b',');
                if !between {
                    return Ok(true);
                }
                self.at += 1;
            }
            self.buffer.clear();
            self.at = 0;
            if !self.read_line()? {
                return Ok(false);
            }
        }
    }

    fn read_line(&mut self) -> io::Result<bool> {
        let read = self.input.read_until(b'\n', &mut self.buffer)?;
        self.line += u64::from(read > 0);
        Ok(read > 0)
    }

    /// An array that opens before anything else and does not end on its line is a list of records; so is one whose
    /// items are objects.
    fn enter_or_leave_list(&mut self) -> io::Result<bool> {
        let byte = self.buffer[self.at];
        match byte {
            b']' if self.in_list && !self.done => {
                self.done = true;
                self.at += 1;
                Ok(true)
            }
            b'[' if !self.in_list && self.line_is_list_of_objects()? => {
                self.in_list = true;
                self.done = false;
                self.at += 1;
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    fn line_is_list_of_objects(&mut self) -> io::Result<bool> {
        let mut look = self.at + 1;
        loop {
            match self.buffer.get(look).copied() {
                Some(byte) if byte.is_ascii_whitespace() => look += 1,
                Some(byte) => return Ok(byte == b'{'),
                None if self.read_line()? => {}
                None => return Ok(false),
            }
        }
    }

    fn piece(&mut self) -> io::Result<Piece<'_>> {
        let first_line = self.line;
        let start = self.at;
        let mut scan = Scan::default();
        loop {
            match scan.run(&self.buffer, &mut self.at) {
                Step::Complete => return Ok(self.value(first_line, start)),
                Step::Torn(at) => {
                    // A new value began before the old one ended: the old line is lost, the new one is not.
                    let reason = format!("not a JSON value: {}", seen(&self.buffer[start..at]));
                    self.at = at;
                    return Ok(Piece::Bad { line: first_line, reason });
                }
                Step::Bad => return Ok(self.bad_line(first_line, start)),
                Step::More if self.read_line()? => {}
                Step::More => {
                    let bytes = self.buffer[start..].trim_ascii_end().len();
                    self.at = self.buffer.len();
                    return Ok(Piece::Cut { line: first_line, bytes });
                }
            }
        }
    }

    fn value(&self, line: u64, start: usize) -> Piece<'_> {
        match std::str::from_utf8(&self.buffer[start..self.at]) {
            Ok(text) => Piece::Value(Record { line, text: text.trim() }),
            Err(error) => Piece::Bad { line, reason: format!("not UTF-8 text: {error}") },
        }
    }

    fn bad_line(&mut self, line: u64, start: usize) -> Piece<'_> {
        let end = self.buffer[start..]
            .iter()
            .position(|byte| *byte == b'\n')
            .map_or(self.buffer.len(), |n| start + n);
        self.at = end.max(self.at);
        Piece::Bad { line, reason: format!("not a JSON value: {}", seen(&self.buffer[start..end])) }
    }
}

fn seen(bytes: &[u8]) -> String {
    let cut = &bytes[..bytes.len().min(SEEN_MAX)];
    let text = String::from_utf8_lossy(cut.trim_ascii()).into_owned();
    if cut.len() < bytes.len() { format!("{text}…") } else { text }
}

enum Step {
    Complete,
    More,
    Torn(usize),
    Bad,
}

/// Where inside a value the bytes so far end.
#[derive(Default)]
struct Scan {
    /// Open brackets, one bit each from the least significant: set for an object.
    open: Vec<u8>,
    in_string: bool,
    escaped: bool,
    /// The last byte outside strings that is no blank.
    last: u8,
    started: bool,
    line_start: bool,
}

impl Scan {
    fn run(&mut self, bytes: &[u8], at: &mut usize) -> Step {
        while let Some(&byte) = bytes.get(*at) {
            if self.in_string {
                if byte == b'\n' {
                    return Step::Bad;
                }
                self.string_byte(byte);
                *at += 1;
                if !self.in_string && self.open.is_empty() {
                    return Step::Complete;
                }
                continue;
            }
            if self.line_start && byte == b'{' && !matches!(self.last, b'{' | b'[' | b',' | b':') {
                return Step::Torn(*at);
            }
            match self.byte(byte) {
                Some(step) => {
                    *at += usize::from(!matches!(step, Step::Complete) || matches!(byte, b'}' | b']'));
                    return step;
                }
                None => *at += 1,
            }
        }
        if self.started && self.open.is_empty() && !self.in_string { Step::Complete } else { Step::More }
    }

    fn string_byte(&mut self, byte: u8) {
        match byte {
            _ if self.escaped => self.escaped = false,
            b'\\' => self.escaped = true,
            b'"' => {
                self.in_string = false;
                self.last = b'"';
            }
            _ => {}
        }
    }

    /// A byte outside strings; something comes back where the value ends or is bad.
    fn byte(&mut self, byte: u8) -> Option<Step> {
        let blank = byte.is_ascii_whitespace();
        if self.open.is_empty()
            && self.started
            && (blank || matches!(byte, b',' | b']' | b'}' | b'{' | b'[' | b'"'))
        {
            return Some(Step::Complete);
        }
        self.line_start = byte == b'\n' || (self.line_start && blank);
        if blank {
            return None;
        }
        self.started = true;
        match byte {
            b'"' => self.in_string = true,
            b'{' | b'[' => self.open.push(byte),
            b'}' | b']' => {
                let opener = if byte == b'}' { b'{' } else { b'[' };
                if self.open.pop() != Some(opener) {
                    return Some(Step::Bad);
                }
                if self.open.is_empty() {
                    return Some(Step::Complete);
                }
            }
            _ if self.open.is_empty() && !scalar(byte) => return Some(Step::Bad),
            _ => {}
        }
        self.last = byte;
        None
    }
}

fn scalar(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'+' | b'.')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The pieces of a text: values as they are, problems as `! line reason` and `cut line bytes`.
    fn check(text: &str, expected: &[&str]) {
        let mut splitter = Splitter::new(text.as_bytes());
        let mut found = Vec::new();
        while let Some(piece) = splitter.next_piece().expect("memory can be read") {
            found.push(match piece {
                Piece::Value(record) => format!("{} {}", record.line, record.text),
                Piece::Bad { line, reason } => format!("! {line} {reason}"),
                Piece::Cut { line, bytes } => format!("cut {line} {bytes}"),
            });
        }
        assert_eq!(found, expected, "{text:?}");
    }

    #[test]
    fn values_stand_in_many_ways() {
        check("{\"a\":1}\n{\"b\":2}\n", &["1 {\"a\":1}", "2 {\"b\":2}"]);
        check("{\"a\":1}\r\n\r\n{\"b\":2}", &["1 {\"a\":1}", "3 {\"b\":2}"]);
        check("{\n \"a\": {\n  \"b\": 1\n }\n}\n{\n}\n", &["1 {\n \"a\": {\n  \"b\": 1\n }\n}", "6 {\n}"]);
        check("{\"a\":1}{\"b\":2}", &["1 {\"a\":1}", "1 {\"b\":2}"]);
        check("[{\"a\":1},\n {\"b\":[2]}]", &["1 {\"a\":1}", "2 {\"b\":[2]}"]);
        check("[\n{\"a\":1}\n,\n{\"b\":2}\n]\n", &["2 {\"a\":1}", "4 {\"b\":2}"]);
        check(
            "[\"values\", {\"a\":1}]\n[\"values\", {}]",
            &["1 [\"values\", {\"a\":1}]", "2 [\"values\", {}]"],
        );
        check("{\"t\":\"}{\\\"\"}\n", &["1 {\"t\":\"}{\\\"\"}"]);
        check("", &[]);
        check("\n \n", &[]);
    }

    #[test]
    fn scalars_are_values_too() {
        check("\"text\"\n42\nnull\n", &["1 \"text\"", "2 42", "3 null"]);
        check("123", &["1 123"]);
    }

    #[test]
    fn a_bad_line_costs_only_itself() {
        check(
            "{\"a\":1}\n{\"gm\":1,\"seq\":41\n{\"b\":2}\n",
            &["1 {\"a\":1}", "! 2 not a JSON value: {\"gm\":1,\"seq\":41", "3 {\"b\":2}"],
        );
        check("{\"a\":]\n{\"b\":2}\n", &["! 1 not a JSON value: {\"a\":]", "2 {\"b\":2}"]);
        check("{\"a\":\"x\n{\"b\":2}\n", &["! 1 not a JSON value: {\"a\":\"x", "2 {\"b\":2}"]);
        check("<html>\n{\"b\":2}\n", &["! 1 not a JSON value: <html>", "2 {\"b\":2}"]);
    }

    #[test]
    fn a_cut_tail_says_how_much_is_there() {
        check("{\"a\":1}\n{\"gm\":1,\"seq\":41,\"ts\":17", &["1 {\"a\":1}", "cut 2 24"]);
        check("[{\"a\":1},{\"b\":", &["1 {\"a\":1}", "cut 1 5"]);
    }

    #[test]
    fn nesting_costs_no_stack() {
        let deep = format!("{}{}", "[".repeat(200_000), "]".repeat(200_000));
        let mut splitter = Splitter::new(deep.as_bytes());
        let piece = splitter.next_piece().expect("memory can be read");
        assert!(matches!(piece, Some(Piece::Value(record)) if record.text.len() == deep.len()));
    }
}
