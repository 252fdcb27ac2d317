//! Finds the end of a value by its brackets and quotes alone, over as many lines as it takes.
//!
//! Invariant: one pass, no stack; what stands between the brackets is not checked.

pub(super) enum Step {
    /// The value ends here.
    Complete,
    /// The bytes end inside it.
    More,
    /// A new value begins here although the old one has not ended.
    Torn(usize),
    /// It is no value.
    Bad,
}

/// Where inside a value the bytes so far end.
#[derive(Default)]
pub(super) struct Scan {
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
    /// Goes on from `at` as far as the bytes go.
    pub(super) fn run(&mut self, bytes: &[u8], at: &mut usize) -> Step {
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
