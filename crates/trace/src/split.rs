//! Cuts a text into top-level JSON values, however they stand: one a line, printed over many lines, back to back,
//! or as the items of one array.
//!
//! Invariant: every byte belongs to a record, to a reported problem, or to the space between them. A bad line costs
//! itself and nothing after it; the cost is linear in the text; nesting costs no stack. It knows no format.

mod repair;
mod scan;

use std::io::{self, BufRead};

use wire::Raw;

use scan::{Scan, Step};

/// One top-level value and where it stood.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Record<'a> {
    /// Line on which it begins, from 1.
    pub(crate) line: u64,
    /// The value.
    pub(crate) raw: Raw<'a>,
    /// What had to be changed before it could be read.
    pub(crate) repaired: Option<&'static str>,
}

/// What the splitter found next.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Piece<'a> {
    /// A value.
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
        /// Bytes of it that are there and cannot be used.
        bytes: usize,
        /// Where the value is the first of the text: what of it is complete, with its brackets closed.
        rest: Option<Raw<'a>>,
    },
}

/// Reads values from `input`; see the module.
pub(crate) struct Splitter<R> {
    input: R,
    line: u64,
    /// The lines being looked at, from `at` on.
    buffer: String,
    at: usize,
    /// The text of a value that had to be changed.
    changed: String,
    /// A line of the buffer was no UTF-8.
    lossy: bool,
    in_list: bool,
    /// Nothing has been found yet.
    first: bool,
}

/// What is said of a line that was no text.
const LOSSY: &str = "bytes that are no UTF-8 were replaced";
/// Longest piece of a bad line that a reason repeats, in bytes.
const SEEN_MAX: usize = 60;

impl<R: BufRead> Splitter<R> {
    /// A splitter at the first line of `input`.
    pub(crate) fn new(input: R) -> Self {
        let (buffer, changed) = (String::new(), String::new());
        Self { input, line: 0, buffer, at: 0, changed, lossy: false, in_list: false, first: true }
    }

    /// The line that is being looked at, from 1.
    pub(crate) fn line(&self) -> u64 {
        self.line
    }

    /// Hands the next piece to `take` and returns what that makes of it; nothing at the end of the text.
    ///
    /// # Errors
    /// Those of the input itself.
    pub(crate) fn next_piece<T>(&mut self, take: impl FnOnce(Piece<'_>) -> T) -> io::Result<Option<T>> {
        loop {
            if !self.find_start()? {
                return Ok(None);
            }
            if !self.enter_or_leave_list()? {
                return self.piece(take).map(Some);
            }
        }
    }

    /// Moves to the next byte that is no space between values.
    fn find_start(&mut self) -> io::Result<bool> {
        loop {
            while let Some(byte) = self.buffer.as_bytes().get(self.at) {
                let between = byte.is_ascii_whitespace() || (self.in_list && *byte == b',');
                if !between {
                    return Ok(true);
                }
                self.at += 1;
            }
            self.buffer.clear();
            self.at = 0;
            self.lossy = false;
            if !self.read_line()? {
                return Ok(false);
            }
        }
    }

    fn read_line(&mut self) -> io::Result<bool> {
        // The buffer's own room is used where nothing is kept of it: a long line is not copied.
        let mut bytes =
            if self.buffer.is_empty() { std::mem::take(&mut self.buffer).into_bytes() } else { Vec::new() };
        let read = self.input.read_until(b'\n', &mut bytes)?;
        self.line += u64::from(read > 0);
        let text = String::from_utf8(bytes).unwrap_or_else(|error| {
            self.lossy = true;
            String::from_utf8_lossy(error.as_bytes()).into_owned()
        });
        if self.buffer.is_empty() {
            self.buffer = text;
        } else {
            self.buffer.push_str(&text);
        }
        Ok(read > 0)
    }

    /// An array whose items are objects is a list of records.
    fn enter_or_leave_list(&mut self) -> io::Result<bool> {
        let byte = self.buffer.as_bytes()[self.at];
        match byte {
            b']' if self.in_list => {
                self.in_list = false;
                self.at += 1;
                Ok(true)
            }
            b'[' if !self.in_list && self.line_is_list_of_objects()? => {
                self.in_list = true;
                self.at += 1;
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    fn line_is_list_of_objects(&mut self) -> io::Result<bool> {
        let mut look = self.at + 1;
        loop {
            match self.buffer.as_bytes().get(look).copied() {
                Some(byte) if byte.is_ascii_whitespace() => look += 1,
                Some(byte) => return Ok(byte == b'{'),
                None if self.read_line()? => {}
                None => return Ok(false),
            }
        }
    }

    fn piece<T>(&mut self, take: impl FnOnce(Piece<'_>) -> T) -> io::Result<T> {
        let (line, start, first) = (self.line, self.at, std::mem::take(&mut self.first));
        // Most values end on the line they begin on: reading them tells, and no look at their brackets is needed.
        let mut scanner = wire::json::Scanner::new(&self.buffer[start..]);
        if let (Some(b'{' | b'['), Ok(raw)) = (scanner.peek(), Raw::scan(&mut scanner)) {
            self.at = start + scanner.at();
            return Ok(take(Piece::Value(Record { line, raw, repaired: self.lossy.then_some(LOSSY) })));
        }
        let mut scan = Scan::default();
        loop {
            match scan.run(self.buffer.as_bytes(), &mut self.at) {
                Step::Complete => return Ok(take(self.value(line, start))),
                Step::Torn(at) => {
                    // A new value began before the old one ended: the old line is lost, the new one is not.
                    let reason = format!("not a JSON value: {}", seen(&self.buffer[start..at]));
                    self.at = at;
                    return Ok(take(Piece::Bad { line, reason }));
                }
                Step::Bad => return Ok(take(self.bad_line(line, start))),
                Step::More if self.read_line()? => {}
                Step::More => return Ok(take(self.cut(line, start, first))),
            }
        }
    }

    fn value(&mut self, line: u64, start: usize) -> Piece<'_> {
        let text = &self.buffer[start..self.at];
        let lossy = self.lossy.then_some(LOSSY);
        match Raw::parse(text) {
            Ok(raw) => Piece::Value(Record { line, raw, repaired: lossy }),
            Err(fault) => match repair::json(text) {
                Some((changed, what)) => {
                    self.changed = changed;
                    match Raw::parse(&self.changed) {
                        Ok(raw) => Piece::Value(Record { line, raw, repaired: Some(what) }),
                        Err(fault) => Piece::Bad { line, reason: format!("not a JSON value: {fault}") },
                    }
                }
                None => Piece::Bad { line, reason: format!("not a JSON value: {fault}") },
            },
        }
    }

    fn bad_line(&mut self, line: u64, start: usize) -> Piece<'_> {
        let end = self.buffer[start..].find('\n').map_or(self.buffer.len(), |at| start + at);
        self.at = end.max(self.at);
        Piece::Bad { line, reason: format!("not a JSON value: {}", seen(&self.buffer[start..end])) }
    }

    fn cut(&mut self, line: u64, start: usize, first: bool) -> Piece<'_> {
        let whole = self.buffer[start..].trim_ascii_end().len();
        self.at = self.buffer.len();
        let closed = if first { repair::close(&self.buffer[start..]) } else { None };
        let Some((keep, brackets)) = closed else { return Piece::Cut { line, bytes: whole, rest: None } };
        self.buffer.truncate(start + keep);
        self.buffer.push_str(&brackets);
        self.at = self.buffer.len();
        let rest = Raw::parse(&self.buffer[start..]).ok();
        Piece::Cut { line, bytes: whole - keep.min(whole), rest }
    }
}

fn seen(text: &str) -> String {
    let text = text.trim_ascii();
    let cut = text.floor_char_boundary(SEEN_MAX);
    if cut < text.len() { format!("{}…", &text[..cut]) } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The pieces of a text: values as they are, problems as `! line reason` and `cut line bytes`.
    fn check(text: &str, expected: &[&str]) {
        let mut splitter = Splitter::new(text.as_bytes());
        let mut found = Vec::new();
        let mut told = |piece: Piece<'_>| {
            found.push(match piece {
                Piece::Value(record) => format!("{} {}", record.line, record.raw.get()),
                Piece::Bad { line, reason } => format!("! {line} {reason}"),
                Piece::Cut { line, bytes, rest: None } => format!("cut {line} {bytes}"),
                Piece::Cut { line, bytes, rest: Some(rest) } => format!("cut {line} {bytes} {}", rest.get()),
            });
        };
        while splitter.next_piece(&mut told).expect("memory can be read").is_some() {}
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
    fn a_document_that_ends_early_keeps_what_is_complete() {
        check("{\"a\":[{\"b\":1},{\"b\":", &["cut 1 6 {\"a\":[{\"b\":1}]}"]);
        check("{\n\"a\":1,\n\"b\":\"x", &["cut 1 8 {\n\"a\":1}"]);
        check("[[1,2],[3", &["cut 1 3 [[1,2]]"]);
        check("{\"a\":\"x, y], z", &["cut 1 14"]);
    }

    #[test]
    fn what_json_lacks_is_repaired_and_said() {
        let mut splitter =
            Splitter::new("{\"a\":NaN,\"b\":[-Infinity,\"NaN\"]}\n{\"c\":\"x\u{0}\ty\"}".as_bytes());
        let mut found = Vec::new();
        let mut told = |piece: Piece<'_>| {
            if let Piece::Value(record) = piece {
                found.push(format!("{} {}", record.raw.get(), record.repaired.unwrap_or_default()));
            }
        };
        while splitter.next_piece(&mut told).expect("memory can be read").is_some() {}
        assert_eq!(
            found,
            [
                "{\"a\":null,\"b\":[null,\"NaN\"]} NaN and Infinity, which JSON lacks, were read as null",
                "{\"c\":\"x\\u0000\\u0009y\"} control characters in a text were escaped",
            ]
        );
    }

    #[test]
    fn nesting_costs_no_stack() {
        let deep = format!("{}{}", "[".repeat(200_000), "]".repeat(200_000));
        let mut splitter = Splitter::new(deep.as_bytes());
        let whole = splitter.next_piece(
            |piece| matches!(piece, Piece::Value(record) if record.raw.get().len() == deep.len()),
        );
        assert_eq!(whole.expect("memory can be read"), Some(true));
    }
}
