//! One record on its way: its payload, what was left out of it, and the members that every record has.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::names::opaque;
use super::{POLICY, revision};

/// The payload of a record and what was done to make it safe.
#[derive(Debug, Default)]
pub(super) struct Draft {
    payload: Map<String, Value>,
    omitted: BTreeSet<String>,
    replaced: u64,
}

impl Draft {
    pub(super) fn put(&mut self, name: &str, value: impl Into<Value>) -> &mut Self {
        self.payload.insert(name.to_owned(), value.into());
        self
    }

    /// A name that may have been replaced.
    pub(super) fn name(&mut self, name: &str, (identifier, replaced): (String, bool)) -> &mut Self {
        self.replaced += u64::from(replaced);
        self.put(name, identifier)
    }

    /// A member that stays here.
    pub(super) fn omit(&mut self, name: &str) -> &mut Self {
        self.omitted.insert(name.to_owned());
        self
    }

    /// As the record of that number.
    pub(super) fn record(self, event: &str, run: &str, app: &str, sequence: u64, ts: f64) -> String {
        let number = sequence.to_string();
        let record = json!({
            "schema": "kxm.sync-event.v1",
            "sourceEventId": opaque("evt", &[run, &number]),
            "eventType": event,
            "projectId": opaque("prj", &[app]),
            "runId": opaque("run", &[run]),
            "homeRuntimeId": opaque("rt", &["holdpoint"]),
            "sequence": sequence,
            "occurredAt": timestamp(ts),
            "configRevision": revision("config"),
            "memoryRevision": opaque("mem", &["none"]),
            "executorPolicyRevision": revision("executor"),
            "toolPolicyRevision": revision("tools"),
            "syncPolicyRevision": revision("sync"),
            "redaction": {
                "version": POLICY,
                "fieldsOmitted": self.omitted,
                "valuesReplaced": self.replaced,
            },
            "payload": self.payload,
        });
        record.to_string()
    }
}

/// Milliseconds since 1970 as UTC to the microsecond; outside the years 1970 to 9999 the nearest of them.
pub(super) fn timestamp(ms: f64) -> String {
    /// The last millisecond of 9999.
    const LAST_MS: f64 = 253_402_300_799_999.0;
    let ms = if ms.is_finite() { ms.clamp(0.0, LAST_MS) } else { 0.0 };
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the range was just clamped")]
    let micros = ms.trunc() as u64 * 1_000 + (ms.fract() * 1e3).round() as u64;
    let (days, rest) = (micros / 86_400_000_000, micros % 86_400_000_000);
    let (year, month, day) = date(days);
    let (seconds, part) = (rest / 1_000_000, rest % 1_000_000);
    let (hour, minute, second) = (seconds / 3_600, seconds / 60 % 60, seconds % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{part:06}Z")
}

/// The date of a day since 1970, counted in years that begin in March.
fn date(days: u64) -> (u64, u64, u64) {
    let days = days + 719_468;
    let (era, of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let march = (5 * of_year + 2) / 153;
    let month = if march < 10 { march + 3 } else { march - 9 };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    (year, month, of_year - (153 * march + 2) / 5 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_written_to_the_microsecond() {
        let check = |ms: f64, expect: &str| assert_eq!(timestamp(ms), expect);
        check(0.0, "1970-01-01T00:00:00.000000Z");
        check(1_767_323_045_250.5, "2026-01-02T03:04:05.250500Z");
        check(951_782_400_000.0, "2000-02-29T00:00:00.000000Z");
        check(-5.0, "1970-01-01T00:00:00.000000Z");
        check(f64::MAX, "9999-12-31T23:59:59.999000Z");
    }
}
