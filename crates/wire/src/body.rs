//! Bodies by reference: what a value looks like without being carried around.
//!
//! Decides which values of an envelope are bodies and what stands in their place. Invariants: [`slim`] is pure and
//! idempotent, leaves every other byte alone, and a [`Body`] made from a stub equals the one made from the full value.
mod opaque;

use crate::{
    field::{self, Bodies},
    json::{Fault, Raw, Scanner, write_string},
    limits::PREVIEW_BYTES_MAX,
    message::Message,
};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::{borrow::Cow, fmt::Write, ops::Range};

/// The member that makes an object a stub.
pub const STUB_KEY: &str = "__holdpointBody";

/// Size and beginning of a value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Body {
    /// Length of the value's JSON text.
    pub size_bytes: u64,
    /// The first 256 bytes of that text, cut between characters.
    pub preview: Box<str>,
    /// Whether the preview is all of it.
    pub whole: bool,
}

impl From<Raw<'_>> for Body {
    fn from(raw: Raw<'_>) -> Self {
        stub_of(raw).unwrap_or_else(|| Self::of_text(raw.get()))
    }
}

impl From<&RawValue> for Body {
    fn from(value: &RawValue) -> Self {
        Self::from(Raw::from(value))
    }
}

impl Body {
    fn of_text(text: &str) -> Self {
        let preview = &text[..text.floor_char_boundary(PREVIEW_BYTES_MAX)];
        Self { size_bytes: text.len() as u64, preview: preview.into(), whole: preview.len() == text.len() }
    }

    /// The stub that stands for the value in a slim envelope.
    pub fn to_stub(&self) -> String {
        let mut out = String::with_capacity(self.preview.len() + 64);
        let written = write!(out, "{{\"{STUB_KEY}\":{{\"bytes\":{},\"preview\":", self.size_bytes);
        debug_assert!(written.is_ok(), "writing to a String cannot fail");
        write_string(&self.preview, &mut out);
        out.push_str("}}");
        out
    }
}

/// Reads a stub: exactly what [`Body::to_stub`] writes, so that no value of a program is taken for one by accident.
pub(crate) fn stub_of(raw: Raw<'_>) -> Option<Body> {
    let text = raw.get();
    if text.len() > 6 * PREVIEW_BYTES_MAX + 64 || !text.starts_with("{\"__holdpointBody\":{\"bytes\":") {
        return None;
    }
    let inner = raw.member(STUB_KEY)?;
    let size_bytes = inner.member("bytes")?.as_u64()?;
    let preview: Box<str> = inner.member("preview")?.as_str()?.into();
    let body = Body { size_bytes, whole: preview.len() as u64 == size_bytes, preview };
    (body.preview.len() <= PREVIEW_BYTES_MAX && body.to_stub() == text).then_some(body)
}

/// The same envelope with every long body replaced by a stub: inputs, outputs, meta, stacks and unknown members over 256
/// bytes. Streamed text stays. A frame that is not an envelope is returned as it is.
///
/// ```
/// let long = format!(r#"{{"gm":1,"seq":1,"ts":0,"runId":"r","type":"node.finished","payload":
///   {{"nodeId":"n","durationMs":1,"status":"ok","output":"{}"}}}}"#, "x".repeat(1000));
/// let slim = wire::slim(&long);
/// assert!(slim.len() < 600 && slim.contains(r#"{"__holdpointBody":{"bytes":1002,"preview":"\"xxx"#));
/// assert_eq!(wire::slim(&slim), slim);
/// ```
pub fn slim(frame: &str) -> Cow<'_, str> {
    if frame.len() <= PREVIEW_BYTES_MAX {
        return Cow::Borrowed(frame);
    }
    let cuts = cuts(frame);
    if cuts.is_empty() { Cow::Borrowed(frame) } else { Cow::Owned(replace(frame, &cuts)) }
}

/// The ranges to replace, in order. Which members are bodies depends on the `type`; it stands before the payload in any
/// frame that was not written to surprise, and else a second walk knows it.
fn cuts(frame: &str) -> Bodies {
    let mut kind = Cow::Borrowed("");
    let walked = walk(frame, None, &mut kind).and_then(|(bodies, used)| {
        if used == kind {
            Ok(bodies)
        } else {
            walk(frame, Some(&kind.clone()), &mut kind).map(|(bodies, _)| bodies)
        }
    });
    let mut bodies = walked.unwrap_or_default();
    bodies.retain(|range| {
        range.len() > PREVIEW_BYTES_MAX && stub_of(Raw::trusted(&frame[range.clone()])).is_none()
    });
    bodies
}

/// One pass over an envelope: its bodies, and the `type` that decided them. Leaves the last `type` in `kind`.
fn walk<'a>(
    frame: &'a str,
    forced: Option<&str>,
    kind: &mut Cow<'a, str>,
) -> Result<(Bodies, String), Fault> {
    let (mut bodies, mut used, mut first) = (Bodies::new(), String::new(), true);
    let mut scanner = Scanner::new(frame);
    if !scanner.take(b'{') {
        return Err(scanner.fault("an object"));
    }
    while let Some(key) = scanner.member(&mut first)? {
        match key.name().as_ref() {
            "type" => *kind = Raw::scan(&mut scanner)?.as_str().unwrap_or_default(),
            "gm" | "seq" | "ts" | "runId" => scanner.skip()?,
            "payload" => {
                used = forced.unwrap_or(kind).to_owned();
                match Message::bodies(&used, &mut scanner, &mut bodies) {
                    Some(done) => done?,
                    None => opaque::bodies(&used, &mut scanner, &mut bodies)?,
                }
            }
            _ => field::body(&mut scanner, &mut bodies)?,
        }
    }
    scanner.end()?;
    Ok((bodies, used))
}

fn replace(frame: &str, cuts: &[Range<usize>]) -> String {
    let mut out = String::with_capacity(1024);
    let mut kept = 0;
    for range in cuts {
        out.push_str(&frame[kept..range.start]);
        out.push_str(&Body::of_text(&frame[range.clone()]).to_stub());
        kept = range.end;
    }
    out.push_str(&frame[kept..]);
    out
}
