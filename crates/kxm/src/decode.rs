//! From text to a checked record, and on to the envelope that carries it.
//!
//! Invariant: an accepted record travels whole, byte for byte, inside its envelope; the envelope's `seq` is the
//! record's `sequence`, so gaps and duplicates are seen where all others are.

use std::fmt;

use crate::check::check;
use crate::facts;
use crate::fault::Fault;
use crate::json::{Json, write_text};
use crate::local::{LOCAL_SCHEMA, LocalEvent};
use crate::record::Typed;
use crate::rule::Rule;
use crate::schema::schema;
use crate::sync::{SYNC_SCHEMA, SyncEvent};
use crate::tape::Tape;

/// The largest sequence an envelope can carry: 2^53 - 1.
const ENVELOPE_SEQ_MAX: u64 = (1 << 53) - 1;

/// Which of the two schemas a record names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// `kxm.sync-event.v1`
    Sync,
    /// `kxm.run-event.v1`
    Local,
}

impl Kind {
    /// The value of `schema`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Sync => SYNC_SCHEMA,
            Self::Local => LOCAL_SCHEMA,
        }
    }

    fn rule(self) -> &'static Rule {
        match self {
            Self::Sync => &SyncEvent::RULE,
            Self::Local => &LocalEvent::RULE,
        }
    }
}

/// What every valid record says first.
#[derive(Debug, Clone, PartialEq)]
pub struct Head {
    /// The schema it names.
    pub kind: Kind,
    /// `runId`
    pub run_id: String,
    /// `eventType`
    pub event_type: String,
    /// `sequence`, from 1 in each run; saturated where it exceeds 64 bits.
    pub sequence: u64,
    /// `occurredAt` in milliseconds since 1970, with a fraction where the record has one.
    pub occurred_ms: f64,
}

/// Why a text is no valid record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invalid {
    /// Each broken rule, at least one.
    pub faults: Vec<Fault>,
}

impl fmt::Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.faults.as_slice() {
            [] => f.write_str("not a KXM record"),
            [only] => only.fmt(f),
            [first, rest @ ..] => write!(f, "{first} (and {} more)", rest.len()),
        }
    }
}

impl std::error::Error for Invalid {}

/// The schema a document names, if it is one of ours.
#[must_use]
pub fn kind_of(json: &Json<'_>) -> Option<Kind> {
    match json.get("schema")?.as_str()? {
        SYNC_SCHEMA => Some(Kind::Sync),
        LOCAL_SCHEMA => Some(Kind::Local),
        _ => None,
    }
}

/// Parses and checks one record.
///
/// # Errors
/// [`Invalid`] names each place where the text is not JSON or breaks a rule. A document that names neither
/// schema is held against the sync-safe one.
pub fn decode(text: &str) -> Result<Head, Invalid> {
    quick(text, Kind::Sync)
        .or_else(|| text.contains(LOCAL_SCHEMA).then(|| quick(text, Kind::Local))?)
        .map_or_else(|| decode_tree(text), Ok)
}

/// The head of a record that one pass over the text can accept; nothing of any other.
fn quick(text: &str, kind: Kind) -> Option<Head> {
    let tape = Tape::accepted(kind.rule(), text)?;
    Some(Head {
        kind,
        run_id: tape.text("runId")?.to_owned(),
        event_type: tape.text("eventType")?.to_owned(),
        sequence: tape.int("sequence")?,
        occurred_ms: epoch_ms(tape.text("occurredAt")?)?,
    })
}

fn decode_tree(text: &str) -> Result<Head, Invalid> {
    let json = Json::parse(text).map_err(|error| Invalid { faults: vec![not_json(&error)] })?;
    let kind = kind_of(&json).unwrap_or(Kind::Sync);
    let faults = check(kind.rule(), &json);
    if faults.is_empty() { head(&json, kind).ok_or(Invalid { faults }) } else { Err(Invalid { faults }) }
}

fn not_json(error: &serde_json::Error) -> Fault {
    Fault { pointer: String::new(), rule: "must be one JSON document".to_owned(), seen: error.to_string() }
}

/// Reads the head of a checked document.
#[must_use]
pub fn head(json: &Json<'_>, kind: Kind) -> Option<Head> {
    let text = |name: &str| json.get(name).and_then(Json::as_str);
    Some(Head {
        kind,
        run_id: text("runId")?.to_owned(),
        event_type: text("eventType")?.to_owned(),
        sequence: crate::common::Ordinal::read(json.get("sequence")?)?.0,
        occurred_ms: epoch_ms(text("occurredAt")?)?,
    })
}

/// Wraps a checked record as a GraphMind envelope of type `kxm.event`: the record, byte for byte, is
/// `payload.record`; the facts a graph is made of stand beside it under flat names.
///
/// Nothing comes back for a sequence above 2^53 - 1 (the schema allows it, an envelope cannot carry it) and for a
/// text that is no JSON.
#[must_use]
pub fn to_envelope(record: &str, head: &Head) -> Option<String> {
    if head.sequence > ENVELOPE_SEQ_MAX {
        return None;
    }
    let json = Json::parse(record).ok()?;
    let mut out = String::with_capacity(record.len() + 512);
    out.push_str(&format!("{{\"gm\":1,\"seq\":{},\"ts\":{},\"runId\":", head.sequence, head.occurred_ms));
    write_text(&head.run_id, &mut out);
    out.push_str(",\"type\":\"kxm.event\",\"payload\":{");
    facts::write(&json, &mut out);
    out.push_str("\"record\":");
    // A raw line break cannot stand inside a JSON string, so only space between tokens changes.
    out.extend(record.trim().chars().map(|c| if matches!(c, '\n' | '\r') { ' ' } else { c }));
    out.push_str("}}");
    Some(out)
}

/// Milliseconds since 1970 of an accepted timestamp; the calendar is not checked, so day 31 of a short month is
/// the day after its last.
fn epoch_ms(text: &str) -> Option<f64> {
    let number = |range: std::ops::Range<usize>| text.get(range)?.parse::<i64>().ok();
    let (year, month, day) = (number(0..4)?, number(5..7)?, number(8..10)?);
    let seconds = number(11..13)? * 3600 + number(14..16)? * 60 + number(17..19)?;
    let fraction = text.get(19..)?.trim_end_matches('Z');
    let fraction_ms =
        if fraction.is_empty() { 0.0 } else { format!("0{fraction}").parse::<f64>().ok()? * 1000.0 };
    let whole_ms = (days_since_epoch(year, month, day) * 86_400 + seconds) * 1000;
    #[expect(clippy::cast_precision_loss, reason = "milliseconds of four-digit years are below 2^53")]
    let ms = whole_ms as f64 + (fraction_ms * 1e6).round() / 1e6;
    Some(ms)
}

/// Days from 1970-01-01 to a date of the proleptic Gregorian calendar; negative before it.
///
/// `month` is 1 to 12; a `day` past the end of its month counts on into the next.
///
/// ```
/// assert_eq!(kxm::days_since_epoch(1970, 1, 2), 1);
/// assert_eq!(kxm::days_since_epoch(2026, 1, 1), 20_454);
/// ```
#[must_use]
pub fn days_since_epoch(year: i64, month: i64, day: i64) -> i64 {
    // Years are counted from March, so that the leap day is the last of its year.
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719_468
}

/// The published schema of sync-safe records.
#[must_use]
pub fn sync_schema() -> serde_json::Value {
    schema("KXM sync-safe run event", &SyncEvent::RULE)
}

/// The published schema of local records.
#[must_use]
pub fn local_schema() -> serde_json::Value {
    schema("KXM local run event", &LocalEvent::RULE)
}
