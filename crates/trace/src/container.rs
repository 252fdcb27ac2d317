//! From bytes to text: byte order marks, UTF-16, gzip, zstd and zip, told apart by their first bytes.
//!
//! Invariant: memory is bounded by buffers, never by what a container claims; one that expands beyond reason is
//! refused with the figures. File names are never looked at. It knows no trace format.

mod expand;
mod utf16;
mod zipped;

use std::io::{BufRead, BufReader, Read, Seek};

pub(crate) use expand::REFUSED;
pub use expand::{EXPAND_BYTES_FREE, EXPAND_RATIO_MAX};

use crate::error::Failure;
use expand::Limited;

/// Containers inside containers that are opened.
const DEPTH_MAX: usize = 4;
/// Bytes looked at to tell what something is.
pub(crate) const LOOK_BYTES: usize = 64 * 1024;

/// Bytes that can also be gone back in, as a zip needs.
pub(crate) trait ReadSeek: Read + Seek + Send {}
impl<T: Read + Seek + Send> ReadSeek for T {}

/// A text inside a container.
pub(crate) struct Text {
    /// Its name in the container; the file's own name where there is none.
    pub(crate) name: String,
    /// UTF-8, without a byte order mark.
    pub(crate) reader: Box<dyn BufRead + Send>,
}

/// What is done with every text of a file, and with every member that gave none.
pub(crate) type Each<'e> = dyn FnMut(Result<Text, Failure>) -> Result<(), Failure> + 'e;

/// Opens one file and hands every text in it to `each`, one at a time; a member that cannot be opened costs itself.
///
/// # Errors
/// What `each` returns, and [`Failure`] where the file as a whole cannot be opened: it says what the bytes are and
/// what is accepted.
pub(crate) fn each_text(name: &str, mut file: Box<dyn ReadSeek>, each: &mut Each<'_>) -> Result<(), Failure> {
    let mut head = [0; 4];
    let len = read_up_to(&mut file, &mut head)?;
    file.rewind().map_err(|error| Failure::read(name, &error))?;
    if head[..len] == *b"PK\x03\x04" {
        return zipped::each_member(name, file, each);
    }
    let reader = plain(name, Box::new(BufReader::with_capacity(LOOK_BYTES, file)), 0)?;
    each(Ok(Text { name: name.to_owned(), reader }))
}

/// Unwraps compression and encodings around one text.
pub(crate) fn plain(
    name: &str,
    mut reader: Box<dyn BufRead + Send>,
    depth: usize,
) -> Result<Box<dyn BufRead + Send>, Failure> {
    let head = reader.fill_buf().map_err(|error| Failure::read(name, &error))?;
    match head {
        [0x1f, 0x8b, ..] => {
            let inner = Limited::new(reader, flate2::bufread::MultiGzDecoder::new);
            again(name, inner, depth)
        }
        [0x28, 0xb5, 0x2f, 0xfd, ..] => {
            let inner = Limited::try_new(reader, ruzstd::decoding::StreamingDecoder::new)
                .map_err(|error| Failure::new(format!("{name}: damaged zstd data ({error})")))?;
            again(name, inner, depth)
        }
        [0xef, 0xbb, 0xbf, ..] => {
            reader.consume(3);
            Ok(reader)
        }
        [0xff, 0xfe, ..] => Ok(Box::new(BufReader::new(utf16::Utf16::new(reader, false)))),
        [0xfe, 0xff, ..] => Ok(Box::new(BufReader::new(utf16::Utf16::new(reader, true)))),
        [b'P', b'A', b'R', b'1', ..] => {
            Err(Failure::named(name, "a Parquet file", "export the runs as JSON"))
        }
        [b'P', b'K', 3, 4, ..] => zipped::only_member(name, reader),
        [] => Err(Failure::named(name, "an empty file", "choose a file with events in it")),
        _ => Ok(reader),
    }
}

fn again(
    name: &str,
    inner: impl Read + Send + 'static,
    depth: usize,
) -> Result<Box<dyn BufRead + Send>, Failure> {
    if depth >= DEPTH_MAX {
        return Err(Failure::new(format!("{name}: compressed more than {DEPTH_MAX} times over")));
    }
    plain(name, Box::new(BufReader::with_capacity(LOOK_BYTES, inner)), depth + 1)
}

fn read_up_to(file: &mut dyn ReadSeek, into: &mut [u8]) -> Result<usize, Failure> {
    let mut len = 0;
    while len < into.len() {
        match file.read(&mut into[len..]).map_err(|error| Failure::new(format!("cannot be read: {error}")))? {
            0 => break,
            read => len += read,
        }
    }
    Ok(len)
}
