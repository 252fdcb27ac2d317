//! KXM records as they come in: a text is split into records, each is checked, and each gets its own answer.
//!
//! Invariant: one bad line never costs a good one; an answer says of every line what became of it. Which run a record
//! belongs to, and whether it was there before, is the hub's to say.

use kxm::Fault;
use serde::Serialize;
use serde_json::value::RawValue;
use tokio_tungstenite::tungstenite::Utf8Bytes;

use crate::hub::{Fate, Verdict};
use crate::limits::{FAULTS_TOLD_MAX, RECORDS_MAX};

/// One line of what was sent.
#[derive(Debug, PartialEq)]
pub(crate) struct Line {
    /// Its number, from 1.
    pub(crate) number: u64,
    /// What it is.
    pub(crate) read: Result<Record, Vec<Fault>>,
}

/// A valid record.
#[derive(Debug, PartialEq)]
pub(crate) struct Record {
    /// `sequence`
    pub(crate) sequence: u64,
    /// The envelope that carries it.
    pub(crate) envelope: Utf8Bytes,
}

/// Everything that was sent at once.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Batch {
    /// Its lines but the empty ones.
    pub(crate) lines: Vec<Line>,
    /// The first line that was not read, if there were too many.
    pub(crate) cut_at: Option<u64>,
}

/// Reads one record, which may be laid out over many lines, or one record a line.
pub(crate) fn read(bytes: &[u8]) -> Batch {
    if std::str::from_utf8(bytes).is_ok_and(|text| serde_json::from_str::<&RawValue>(text).is_ok()) {
        return Batch { lines: vec![Line { number: 1, read: record(bytes) }], cut_at: None };
    }
    let mut batch = Batch::default();
    for (number, line) in (1..).zip(bytes.split(|byte| *byte == b'\n')) {
        if line.trim_ascii().is_empty() {
            continue;
        }
        if batch.lines.len() >= RECORDS_MAX {
            batch.cut_at = Some(number);
            break;
        }
        batch.lines.push(Line { number, read: record(line) });
    }
    batch
}

fn record(line: &[u8]) -> Result<Record, Vec<Fault>> {
    let fault = |pointer: &str, rule: &str, seen: String| {
        vec![Fault { pointer: pointer.to_owned(), rule: rule.to_owned(), seen }]
    };
    let text = std::str::from_utf8(line).map_err(|error| fault("", "must be UTF-8", error.to_string()))?;
    let head = kxm::decode(text).map_err(|invalid| invalid.faults)?;
    let envelope = kxm::to_envelope(text, &head).ok_or_else(|| {
        fault("/sequence", "must be at most 2^53 - 1 to be placed in a run", head.sequence.to_string())
    })?;
    Ok(Record { sequence: head.sequence, envelope: envelope.into() })
}

/// The answer to a batch, as it is sent.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Answer {
    /// Records that are in their journals now.
    pub(crate) stored: u64,
    /// Records that were there before.
    pub(crate) duplicates: u64,
    /// Valid records that found no place: too many runs, or a disk that takes nothing.
    pub(crate) refused: u64,
    /// What is wrong with the others, place by place.
    invalid: Vec<Broken>,
    /// Faults beyond those listed.
    #[serde(skip_serializing_if = "is_zero")]
    invalid_beyond: u64,
    /// The first line that was not read, if there were too many.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) cut_at_line: Option<u64>,
    /// Line by line.
    records: Vec<Told>,
}

#[derive(Debug, Serialize)]
struct Broken {
    line: u64,
    pointer: String,
    rule: String,
    seen: String,
}

#[derive(Debug, Serialize)]
struct Told {
    line: u64,
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    run: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sequence: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(count: &u64) -> bool {
    *count == 0
}

impl Answer {
    /// The answer to a batch of which nothing is known yet.
    pub(crate) fn new(cut_at_line: Option<u64>) -> Self {
        Self { cut_at_line, ..Self::default() }
    }

    /// Notes a line that is no record.
    pub(crate) fn invalid(&mut self, line: u64, faults: Vec<Fault>) {
        self.records.push(Told { line, status: "invalid", run: None, sequence: None, reason: None });
        for Fault { pointer, rule, seen } in faults {
            if self.invalid.len() < FAULTS_TOLD_MAX {
                self.invalid.push(Broken { line, pointer, rule, seen });
            } else {
                self.invalid_beyond += 1;
            }
        }
    }

    /// Notes what became of a record.
    pub(crate) fn decided(&mut self, line: u64, sequence: u64, fate: Fate) {
        let (status, reason, count) = match fate.verdict {
            Verdict::Stored => ("stored", None, &mut self.stored),
            Verdict::Duplicate => ("duplicate", None, &mut self.duplicates),
            Verdict::Refused(reason) => ("refused", Some(reason), &mut self.refused),
        };
        *count += 1;
        let run = fate.run.map(|key| key.to_string());
        self.records.push(Told { line, status, run, sequence: Some(sequence), reason });
    }

    /// Puts the lines in their order, whoever was heard first.
    pub(crate) fn sort(&mut self) {
        self.records.sort_by_key(|told| told.line);
    }

    /// True when nothing came at all.
    pub(crate) fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// True when there is a record in the batch that is now, or was before, in a journal.
    pub(crate) fn has_good(&self) -> bool {
        self.stored + self.duplicates > 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(sequence: &str) -> String {
        let hash = format!("sha256:{}", "0".repeat(64));
        format!(
            r#"{{"schema":"kxm.run-event.v1","eventId":"evt_000001","eventType":"run.status_changed","projectId":"prj_000001","runId":"run_000001","homeRuntimeId":"rt_0000001","sequence":{sequence},"occurredAt":"2026-01-02T03:04:05Z","recordedAt":"2026-01-02T03:04:05Z","monotonicNs":"12","configRevision":"{hash}","memoryRevision":"mem_000001","executorPolicyRevision":"{hash}","toolPolicyRevision":"{hash}","payload":{{"status":"running"}}}}"#
        )
    }

    /// Line numbers with the sequence of a record or the first fault's place.
    fn check(text: &[u8], expect: &[(u64, &str)]) {
        let seen: Vec<(u64, String)> = read(text)
            .lines
            .into_iter()
            .map(|line| match line.read {
                Ok(record) => (line.number, record.sequence.to_string()),
                Err(faults) => (
                    line.number,
                    faults.into_iter().map(|f| f.pointer + " " + &f.rule).next().unwrap_or_default(),
                ),
            })
            .collect();
        let seen: Vec<(u64, &str)> = seen.iter().map(|(number, what)| (*number, what.as_str())).collect();
        assert_eq!(seen, expect);
    }

    #[test]
    fn a_text_is_one_record_or_one_a_line() {
        let one = sample("7");
        check(b"", &[]);
        check(b" \n\r\n", &[]);
        check(one.as_bytes(), &[(1, "7")]);
        check(format!("{one}\r\n\n{}\n", sample("8")).as_bytes(), &[(1, "7"), (3, "8")]);
        check(one.replace(',', ",\n  ").as_bytes(), &[(1, "7")]);
        check(format!("{{bad\n{one}").as_bytes(), &[(1, " must be one JSON document"), (2, "7")]);
        check(&[b"\xff\xfe\n", one.as_bytes()].concat(), &[(1, " must be UTF-8"), (2, "7")]);
        check(sample("0").as_bytes(), &[(1, "/sequence must be at least 1")]);
        check(sample("1e30").as_bytes(), &[(1, "/sequence must be at most 2^53 - 1 to be placed in a run")]);
        check(b"[1,2]", &[(1, " must be an object")]);
    }

    #[test]
    fn more_records_than_one_batch_may_have_are_cut_and_said() {
        let batch = read("1\n".repeat(RECORDS_MAX + 5).as_bytes());
        assert_eq!((batch.lines.len(), batch.cut_at), (RECORDS_MAX, Some(RECORDS_MAX as u64 + 1)));
    }
}
