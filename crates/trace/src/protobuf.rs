//! OTLP traces as protobuf: another spelling of the OTLP JSON that the adapter reads.
//!
//! The bytes are told by structure: every field on the way down to the first span must be what the schema says, and
//! the span must have ids of the right length, so that random bytes are no trace. Three framings occur: one message,
//! messages with a varint length before each, and with a big-endian length of four bytes (the collector's file
//! exporter). Each message becomes a line of JSON. Source: opentelemetry-proto, trace/v1 (stable).

mod json;
mod message;

use std::io::{BufRead, Cursor, Read};

use prost::Message;

use crate::container::Text;
use crate::error::Failure;
use crate::report::Report;
use message::TracesData;

/// Largest message that is read; the collector's own limit is far below.
const MESSAGE_BYTES_MAX: usize = 1 << 30;

/// How messages stand in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Framing {
    One,
    Varint,
    FourBytes,
}

/// The lines of JSON that a text of protobuf messages stands for; nothing where it is none.
pub(crate) fn lines(
    text: &mut Text,
    report: &mut Report,
) -> Result<Option<Box<dyn BufRead + Send>>, Failure> {
    let head = text.reader.fill_buf().map_err(|error| Failure::read(&text.name, &error))?;
    let Some(framing) = framing(head) else { return Ok(None) };
    let mut bytes = Vec::new();
    text.reader.read_to_end(&mut bytes).map_err(|error| Failure::read(&text.name, &error))?;
    let mut lines = String::new();
    let mut rest = bytes.as_slice();
    while !rest.is_empty() {
        let Some((message, after)) = next(framing, rest) else {
            report.skip(0, format!("the last message is incomplete ({} bytes)", rest.len()));
            break;
        };
        match TracesData::decode(message) {
            Ok(traces) => json::line(&traces, &mut lines),
            Err(error) => report.skip(0, format!("a message that is no OTLP trace: {error}")),
        }
        rest = after;
    }
    report.note("read from protobuf, which has no lines: records are named by their message");
    Ok(Some(Box::new(Cursor::new(lines.into_bytes()))))
}

fn framing(head: &[u8]) -> Option<Framing> {
    if is_traces(head) {
        return Some(Framing::One);
    }
    let varint = split_varint(head).is_some_and(|(len, rest)| within(len, rest).is_some_and(is_traces));
    if varint {
        return Some(Framing::Varint);
    }
    let (len, rest) = head.split_first_chunk::<4>()?;
    let len = usize::try_from(u32::from_be_bytes(*len)).ok()?;
    within(len, rest).is_some_and(is_traces).then_some(Framing::FourBytes)
}

/// What is there of a message that long.
fn within(len: usize, rest: &[u8]) -> Option<&[u8]> {
    (len > 0 && len <= MESSAGE_BYTES_MAX).then(|| &rest[..len.min(rest.len())])
}

fn next(framing: Framing, rest: &[u8]) -> Option<(&[u8], &[u8])> {
    let (len, rest) = match framing {
        // Each field of the one message is taken by itself, so that a cut end costs only the last.
        Framing::One => {
            let (_, value) = split_varint(rest)?;
            let (len, inner) = split_varint(value)?;
            (len.checked_add(rest.len() - inner.len())?, rest)
        }
        Framing::Varint => split_varint(rest)?,
        Framing::FourBytes => {
            let (len, rest) = rest.split_first_chunk::<4>()?;
            (usize::try_from(u32::from_be_bytes(*len)).ok()?, rest)
        }
    };
    rest.split_at_checked(len)
}

fn split_varint(bytes: &[u8]) -> Option<(usize, &[u8])> {
    let mut rest = bytes;
    let len = prost::encoding::decode_varint(&mut rest).ok()?;
    Some((usize::try_from(len).ok()?, rest))
}

/// Whether bytes, which may end early, begin as a message with a span in it: resource_spans 1, scope_spans 2,
/// spans 2, then the ids.
fn is_traces(bytes: &[u8]) -> bool {
    let resource = first_field(bytes, &[1]);
    let scope = resource.and_then(|resource| first_field_named(resource, 2, &[1, 2, 3]));
    // Before scopes had that name, a list of libraries stood at 2 or 1000 with the same shape.
    let span = scope.and_then(|scope| first_field_named(scope, 2, &[1, 2, 3]));
    span.is_some_and(|span| {
        let mut fields = Fields(span);
        matches!(fields.next(), Some((1, trace)) if trace.len() == 16)
            && matches!(fields.next(), Some((2, id)) if id.len() == 8)
    })
}

fn first_field<'a>(bytes: &'a [u8], allowed: &[u32]) -> Option<&'a [u8]> {
    Fields(bytes).next().filter(|(number, _)| allowed.contains(number)).map(|(_, value)| value)
}

/// The first field of that number, with only allowed ones before it.
fn first_field_named<'a>(bytes: &'a [u8], number: u32, allowed: &[u32]) -> Option<&'a [u8]> {
    Fields(bytes)
        .take_while(|(seen, _)| allowed.contains(seen))
        .find(|(seen, _)| *seen == number)
        .map(|(_, value)| value)
}

/// The length-delimited fields of a message that may end early; any other kind of field ends it.
struct Fields<'a>(&'a [u8]);

impl<'a> Iterator for Fields<'a> {
    type Item = (u32, &'a [u8]);

    fn next(&mut self) -> Option<Self::Item> {
        let (key, rest) = split_varint(self.0)?;
        let (number, 2) = (u32::try_from(key >> 3).ok()?, key & 7) else { return None };
        let (len, rest) = split_varint(rest)?;
        let value = within(len, rest)?;
        self.0 = &rest[value.len()..];
        Some((number, value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn random_bytes_are_no_trace(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            prop_assert_eq!(framing(&bytes), None);
        }
    }

    #[test]
    fn texts_are_no_trace() {
        for text in ["", "\n{\"a\":1}", "{\"resourceSpans\":[]}", "\n\x10hello, this is text"] {
            assert_eq!(framing(text.as_bytes()), None, "{text:?}");
        }
    }
}
