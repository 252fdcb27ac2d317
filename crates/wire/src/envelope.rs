//! Frame to message and back: the four outcomes of the contract, in its order.
//!
//! Not shaped like an envelope → [`Decoded::Invalid`]; another `gm` → [`Decoded::VersionMismatch`]; an unknown `type` →
//! [`Decoded::UnknownType`]; a known type with a bad payload → [`Decoded::Invalid`]; else [`Decoded::Ok`].
//! Invariant: nothing a peer sends makes this panic, recurse or take more than time in proportion to its length.
use crate::{
    error::{Invalid, Issues},
    extra::Extra,
    field::Field,
    json::{JsonKind, Key, MAX_SAFE_INTEGER, Raw, Scanner, finite, write_number, write_string},
    limits::GM,
    message::Message,
};
use std::borrow::Cow;

/// What a frame turned out to be.
#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "decoded frames are consumed one at a time, never stored")]
pub enum Decoded<'a> {
    /// A known message.
    Ok(Envelope<'a>),
    /// A good envelope of a type this version does not know, kept whole.
    UnknownType(Opaque<'a>),
    /// A good envelope of another protocol major.
    VersionMismatch {
        /// `gm` as it was written.
        received: &'a str,
    },
    /// Not an envelope, or a payload that breaks the contract.
    Invalid(Invalid),
}

/// What every envelope says about itself.
#[derive(Clone, Debug, PartialEq)]
pub struct Header<'a> {
    /// The sender's counter, 0 to 2^53 - 1.
    pub seq: u64,
    /// The sender's clock: milliseconds since 1970, fractions allowed.
    pub ts: f64,
    /// The run, or `*`.
    pub run_id: Cow<'a, str>,
    /// The message `type`.
    pub kind: Cow<'a, str>,
}

/// A known message in its envelope.
#[derive(Clone, Debug, PartialEq)]
pub struct Envelope<'a> {
    /// The frame as it was received.
    pub raw: &'a str,
    /// Sequence, time, run, type.
    pub header: Header<'a>,
    /// The typed payload.
    pub message: Message<'a>,
    /// Envelope members this version does not know.
    pub extra: Extra<'a>,
}

/// An envelope of an unknown type.
#[derive(Clone, Debug, PartialEq)]
pub struct Opaque<'a> {
    /// The frame as it was received.
    pub raw: &'a str,
    /// Sequence, time, run, type.
    pub header: Header<'a>,
    /// The payload, an object.
    pub payload: Raw<'a>,
    /// Envelope members this version does not know.
    pub extra: Extra<'a>,
}

impl<'a> Decoded<'a> {
    /// The header of a good envelope of our version.
    pub fn header(&self) -> Option<&Header<'a>> {
        match self {
            Self::Ok(envelope) => Some(&envelope.header),
            Self::UnknownType(opaque) => Some(&opaque.header),
            Self::VersionMismatch { .. } | Self::Invalid(_) => None,
        }
    }
}

/// The members of an envelope as they stand in the text.
#[derive(Default)]
struct Shape<'a> {
    gm: Option<Raw<'a>>,
    seq: Option<Raw<'a>>,
    ts: Option<Raw<'a>>,
    run_id: Option<Raw<'a>>,
    kind: Option<Raw<'a>>,
    payload: Option<Raw<'a>>,
    /// The payload as a message of the `type` seen before it: the common order needs one pass only.
    message: Option<Message<'a>>,
    extra: Extra<'a>,
}

impl<'a> Shape<'a> {
    /// One pass over the frame. Of duplicate members the last one counts. A payload behind its `type`, as in any common
    /// frame, is read at once; else it is skipped here and read at the end.
    fn scan(raw: &'a str) -> Result<Self, Invalid> {
        let broken = |fault| Invalid::new(&format!("not JSON: {fault}"), Issues::default());
        let mut scanner = Scanner::new(raw);
        if !scanner.take(b'{') {
            let seen = Raw::parse(raw).map_err(broken)?;
            let what = format!("not an envelope: expected an object, seen {}", crate::error::describe(seen));
            return Err(Invalid::new(&what, Issues::default()));
        }
        let mut shape = Self::default();
        let mut first = true;
        while let Some(key) = scanner.member(&mut first).map_err(broken)? {
            if key.raw == "payload" && shape.read_payload(&mut scanner) {
                continue;
            }
            let value = Raw::scan(&mut scanner).map_err(broken)?;
            shape.put(key, value);
        }
        scanner.end().map_err(broken)?;
        Ok(shape)
    }

    /// Reads the payload as what its `type` says. `false`, with the cursor where it was, if that cannot be done (yet).
    #[inline]
    fn read_payload(&mut self, scanner: &mut Scanner<'a>) -> bool {
        let Some(kind) = self.kind() else { return false };
        let mut ahead = scanner.clone();
        ahead.peek();
        let start = ahead.at();
        self.message = Message::read(&kind, &mut ahead, &mut Issues::default());
        if self.message.is_some() {
            self.payload = Some(Raw::trusted(ahead.slice(start, ahead.at())));
            *scanner = ahead;
        }
        self.message.is_some()
    }

    #[inline]
    fn put(&mut self, key: Key<'a>, value: Raw<'a>) {
        match key.name().as_ref() {
            "gm" => self.gm = Some(value),
            "seq" => self.seq = Some(value),
            "ts" => self.ts = Some(value),
            "runId" => self.run_id = Some(value),
            "type" => (self.kind, self.message) = (Some(value), None),
            "payload" => (self.payload, self.message) = (Some(value), None),
            _ => self.extra.push(key, value),
        }
    }

    /// The `type`, where it is a string.
    fn kind(&self) -> Option<Cow<'a, str>> {
        self.kind?.as_str()
    }

    /// Version, header and payload, or everything that is wrong with them.
    fn check(&self) -> Result<(f64, Header<'a>, Raw<'a>), Invalid> {
        let mut issues = Issues::default();
        let gm = one(self.gm, "gm", "an integer", &mut issues, integer);
        let seq = one(self.seq, "seq", u64::EXPECTED, &mut issues, Raw::as_u64);
        let ts = one(self.ts, "ts", "a number", &mut issues, Raw::as_f64);
        let run_id = one(self.run_id, "runId", "a string", &mut issues, Raw::as_str);
        let kind = one(self.kind, "type", "a string", &mut issues, Raw::as_str);
        let object = |raw: Raw<'a>| (raw.kind() == JsonKind::Object).then_some(raw);
        let payload = one(self.payload, "payload", "an object", &mut issues, object);
        match (gm, seq, ts, run_id, kind, payload) {
            (Some(gm), Some(seq), Some(ts), Some(run_id), Some(kind), Some(payload)) => {
                Ok((gm, Header { seq, ts, run_id, kind }, payload))
            }
            _ => Err(Invalid::new("not an envelope", issues)),
        }
    }
}

fn one<'a, T>(
    raw: Option<Raw<'a>>,
    name: &str,
    expected: &str,
    issues: &mut Issues,
    read: impl Fn(Raw<'a>) -> Option<T>,
) -> Option<T> {
    let Some(raw) = raw else { return issues.missing(name, expected) };
    read(raw).or_else(|| {
        let mark = issues.len();
        let none = issues.mismatch(&mut Scanner::new(raw.get()), expected);
        issues.under(mark, name);
        none
    })
}

fn integer(raw: Raw<'_>) -> Option<f64> {
    if raw.kind() != JsonKind::Number {
        return None;
    }
    finite(raw.get()).filter(|value| value.fract() == 0.0 && value.abs() <= MAX_SAFE_INTEGER as f64)
}

/// Reads one frame. Zero copy: everything borrows from `raw`, strings with escapes aside.
///
/// ```
/// let frame = r#"{"gm":1,"seq":3,"ts":1.5,"runId":"r1","type":"node.token","payload":{"nodeId":"n","deltas":[]}}"#;
/// let wire::Decoded::Ok(envelope) = wire::decode(frame) else { panic!() };
/// assert_eq!((envelope.header.seq, &*envelope.header.run_id), (3, "r1"));
/// assert_eq!(envelope.raw, frame);
/// ```
pub fn decode(raw: &str) -> Decoded<'_> {
    match Shape::scan(raw).and_then(|shape| shape.check().map(|good| (shape, good))) {
        Ok((shape, (gm, header, payload))) => outcome(raw, shape, gm, header, payload),
        Err(invalid) => Decoded::Invalid(invalid),
    }
}

fn outcome<'a>(raw: &'a str, shape: Shape<'a>, gm: f64, header: Header<'a>, payload: Raw<'a>) -> Decoded<'a> {
    let Shape { extra, message, .. } = shape;
    if gm != GM as f64 {
        return Decoded::VersionMismatch { received: shape.gm.map_or("", Raw::get) };
    }
    if let Some(message) = message {
        return Decoded::Ok(Envelope { raw, header, message, extra });
    }
    if !Message::knows(&header.kind) {
        return Decoded::UnknownType(Opaque { raw, header, payload, extra });
    }
    let mut issues = Issues::default();
    match Message::read(&header.kind, &mut Scanner::new(payload.get()), &mut issues) {
        Some(message) => Decoded::Ok(Envelope { raw, header, message, extra }),
        None => {
            issues.under(0, "payload");
            Decoded::Invalid(Invalid::new(&format!("bad payload of {:?}", header.kind), issues))
        }
    }
}

/// Writes a new message. Received ones are passed on as [`Envelope::raw`].
///
/// ```
/// use wire::{Message, Mode, ModeSet, encode};
/// let message = Message::from(ModeSet { mode: Mode::Step, ..ModeSet::default() });
/// let frame = encode(7, 1_000.0, "*", &message);
/// assert_eq!(frame, r#"{"gm":1,"seq":7,"ts":1000,"runId":"*","type":"mode.set","payload":{"mode":"step"}}"#);
/// ```
pub fn encode(seq: u64, ts: f64, run_id: &str, message: &Message<'_>) -> String {
    let mut out = head(seq, ts, run_id, message.kind());
    message.write(&mut out);
    out.push('}');
    out
}

/// Writes a message of a type that is not in this contract, such as `graph.event`; `payload` is an object.
pub fn encode_raw(seq: u64, ts: f64, run_id: &str, kind: &str, payload: Raw<'_>) -> String {
    encode_with(seq, ts, run_id, kind, |out| out.push_str(payload.get()))
}

/// Like [`encode_raw`], for a caller that writes the payload object itself: it is on the caller that it is one.
pub fn encode_with(
    seq: u64,
    ts: f64,
    run_id: &str,
    kind: &str,
    write_payload: impl FnOnce(&mut String),
) -> String {
    let mut out = head(seq, ts, run_id, kind);
    write_payload(&mut out);
    out.push('}');
    out
}

fn head(seq: u64, ts: f64, run_id: &str, kind: &str) -> String {
    let mut out = String::with_capacity(256);
    out.push_str("{\"gm\":1,\"seq\":");
    seq.write(&mut out);
    out.push_str(",\"ts\":");
    write_number(ts, &mut out);
    out.push_str(",\"runId\":");
    write_string(run_id, &mut out);
    out.push_str(",\"type\":");
    write_string(kind, &mut out);
    out.push_str(",\"payload\":");
    out
}

impl Envelope<'_> {
    /// Writes the envelope from its parts, unknown members included; for one whose parts were changed.
    pub fn to_frame(&self) -> String {
        let mut out = head(self.header.seq, self.header.ts, &self.header.run_id, &self.header.kind);
        self.message.write(&mut out);
        self.extra.write(&mut false, &mut out);
        out.push('}');
        out
    }
}
