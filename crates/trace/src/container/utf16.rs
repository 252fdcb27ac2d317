//! UTF-16 to UTF-8 as it is read; a lone surrogate or a cut last unit becomes U+FFFD, as the standard asks.

use std::io::{self, BufRead, Read};

pub(crate) struct Utf16 {
    input: Box<dyn BufRead + Send>,
    big_endian: bool,
    /// UTF-8 not yet handed out.
    ready: Vec<u8>,
    given: usize,
    /// A high surrogate whose other half has not come.
    high: Option<u16>,
    started: bool,
}

const CHUNK_UNITS: usize = 8 * 1024;

impl Utf16 {
    pub(crate) fn new(input: Box<dyn BufRead + Send>, big_endian: bool) -> Self {
        Self { input, big_endian, ready: Vec::new(), given: 0, high: None, started: false }
    }

    fn fill(&mut self) -> io::Result<()> {
        self.ready.clear();
        self.given = 0;
        let mut bytes = Vec::with_capacity(CHUNK_UNITS * 2);
        Read::by_ref(&mut self.input).take((CHUNK_UNITS * 2) as u64).read_to_end(&mut bytes)?;
        let ended = bytes.len() < CHUNK_UNITS * 2;
        for pair in bytes.chunks(2) {
            match *pair {
                [a, b] if self.big_endian => self.unit(u16::from_be_bytes([a, b])),
                [a, b] => self.unit(u16::from_le_bytes([a, b])),
                _ => self.push('\u{fffd}'),
            }
        }
        if ended && self.high.take().is_some() {
            self.push('\u{fffd}');
        }
        Ok(())
    }

    fn unit(&mut self, unit: u16) {
        if !std::mem::replace(&mut self.started, true) && unit == 0xfeff {
            return;
        }
        let low = (0xdc00..0xe000).contains(&unit);
        match self.high.take() {
            Some(high) if low => {
                let code = 0x1_0000 + ((u32::from(high) - 0xd800) << 10) + (u32::from(unit) - 0xdc00);
                self.push(char::from_u32(code).unwrap_or('\u{fffd}'));
                return;
            }
            Some(_) => self.push('\u{fffd}'),
            None => {}
        }
        if (0xd800..0xdc00).contains(&unit) {
            self.high = Some(unit);
        } else {
            self.push(char::from_u32(u32::from(unit)).unwrap_or('\u{fffd}'));
        }
    }

    fn push(&mut self, character: char) {
        self.ready.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
    }
}

impl Read for Utf16 {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.given == self.ready.len() {
            self.fill()?;
        }
        let len = (self.ready.len() - self.given).min(into.len());
        into[..len].copy_from_slice(&self.ready[self.given..self.given + len]);
        self.given += len;
        Ok(len)
    }
}
