//! Reading a journal from disk: whole lines to the caller, bad ones counted, a torn tail said.
//!
//! Invariant: any bytes are read to their end without an error of their own; only the disk can fail.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::Path;

use crate::limits::FRAME_BYTES_MAX;

/// What reading a journal came upon besides its envelopes.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(crate) struct Scanned {
    /// Bytes read, a torn tail included.
    pub(crate) bytes: u64,
    /// Whole lines that are no envelope.
    pub(crate) bad_lines: u64,
    /// Length of an incomplete last line.
    pub(crate) torn_bytes: u64,
}

/// The sequence number of an envelope; `None` for everything that is not one.
pub(crate) fn seq_of(line: &str) -> Option<u64> {
    match wire::decode(line) {
        wire::Decoded::Ok(envelope) => Some(envelope.header.seq),
        wire::Decoded::UnknownType(opaque) => Some(opaque.header.seq),
        wire::Decoded::VersionMismatch { .. } | wire::Decoded::Invalid(_) => None,
    }
}

/// Hands each line from byte `from` to `until` (`None`: the end) to `take` with its offset; `take` says whether it is
/// an envelope.
pub(crate) fn scan(
    path: &Path,
    from: u64,
    until: Option<u64>,
    mut take: impl FnMut(&str, u64) -> bool,
) -> io::Result<Scanned> {
    let mut file = File::open(path)?;
    file.seek(SeekFrom::Start(from))?;
    let mut reader = BufReader::with_capacity(256 << 10, file.take(until.map_or(u64::MAX, |end| end - from)));
    let mut scanned = Scanned { bytes: from, ..Scanned::default() };
    let mut line = Vec::new();
    loop {
        let offset = scanned.bytes;
        line.clear();
        // One byte more than a frame may have: a longer line is skipped piece by piece, not held whole.
        let read = reader.by_ref().take(FRAME_BYTES_MAX as u64 + 1).read_until(b'\n', &mut line)?;
        if read == 0 {
            return Ok(scanned);
        }
        scanned.bytes += read as u64;
        let whole = line.last() == Some(&b'\n');
        let text = std::str::from_utf8(&line).map(str::trim).ok();
        if text == Some("") || text.is_some_and(|text| take(text, offset)) {
            continue;
        }
        if whole || read > FRAME_BYTES_MAX {
            scanned.bad_lines += 1
        } else {
            scanned.torn_bytes = read as u64
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(bytes: &[u8], lines: &[(&str, u64)], bad_lines: u64, torn_bytes: u64) {
        let dir = crate::testing::temp_dir();
        let path = dir.path().join("x.ndjson");
        std::fs::write(&path, bytes).expect("a file");
        let mut seen = Vec::new();
        let scanned = scan(&path, 0, None, |line, offset| {
            let good = line.starts_with('{') && line.ends_with('}');
            if good {
                seen.push((line.to_owned(), offset));
            }
            good
        })
        .expect("a scan");
        let seen: Vec<(&str, u64)> = seen.iter().map(|(line, offset)| (line.as_str(), *offset)).collect();
        assert_eq!(seen, lines);
        assert_eq!(scanned, Scanned { bytes: bytes.len() as u64, bad_lines, torn_bytes });
    }

    #[test]
    fn good_lines_are_read_whatever_stands_between_them() {
        check(b"", &[], 0, 0);
        check(b"{1}\n{2}\n", &[("{1}", 0), ("{2}", 4)], 0, 0);
        check(b"{1}\n{2", &[("{1}", 0)], 0, 2);
        check(b"{1}\n{2}", &[("{1}", 0), ("{2}", 4)], 0, 0);
        check(b"{1}\r\n\n\xff\xfe\x00\n{2}\n", &[("{1}", 0), ("{2}", 10)], 1, 0);
        check(b"\0\0\0\0\n{2}\n\xff", &[("{2}", 5)], 1, 1);
    }
}
