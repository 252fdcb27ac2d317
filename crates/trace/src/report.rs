//! What an import did, in numbers and words; every import ends in one.
//!
//! Invariant: `records == imported + skipped`, also where only the first [`SKIPPED_MAX`] skips are listed. Nothing
//! that was left out, changed or guessed is missing from it.

use serde_json::{Value, json};

/// Skipped records that a report lists; the rest are counted.
pub const SKIPPED_MAX: usize = 1000;
/// Notes that a report keeps apart; equal ones are counted together.
const NOTES_MAX: usize = 200;

/// A record that could not be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skipped {
    /// Line on which it begins, from 1.
    pub line: u64,
    /// Why, with what was seen.
    pub reason: String,
}

/// A broken rule of a KXM record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InvalidRecord {
    /// Line of the record, from 1.
    pub line: u64,
    /// The broken rule.
    pub fault: kxm::Fault,
}

/// The outcome of one import.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    /// Name of the format, as people call it.
    pub format: String,
    /// Records seen: lines, items of a list, or spans of a document.
    pub records: u64,
    /// Records used.
    pub imported: u64,
    /// Events made of them.
    pub events: u64,
    /// The first skipped records.
    pub skipped: Vec<Skipped>,
    /// All skipped records.
    pub skipped_total: u64,
    /// Broken rules of KXM records.
    pub invalid: Vec<InvalidRecord>,
    notes: Vec<(String, u64)>,
}

impl Report {
    /// Counts a record that was used.
    pub fn used(&mut self) {
        self.records += 1;
        self.imported += 1;
    }

    /// Counts a record that was not.
    pub fn skip(&mut self, line: u64, reason: impl Into<String>) {
        self.records += 1;
        self.skipped_total += 1;
        if self.skipped.len() < SKIPPED_MAX {
            self.skipped.push(Skipped { line, reason: reason.into() });
        }
    }

    /// Puts the name of their file before the reasons of all skips from number `first` on.
    pub(crate) fn name_skips(&mut self, first: usize, file: &str) {
        for skip in self.skipped.iter_mut().skip(first) {
            skip.reason = format!("{file}: {}", skip.reason);
        }
    }

    /// Says something that people should know; the same note again is counted.
    pub fn note(&mut self, text: impl Into<String>) {
        self.note_times(text, 1);
    }

    /// Says something that happened `times`.
    pub fn note_times(&mut self, text: impl Into<String>, times: u64) {
        let text = text.into();
        if times == 0 {
            return;
        }
        let known = self.notes.iter().position(|(known, _)| *known == text);
        match known {
            None if self.notes.len() < NOTES_MAX => self.notes.push((text, times)),
            place => self.notes[place.unwrap_or(NOTES_MAX - 1)].1 += times,
        }
    }

    /// The notes in the order they were first said, with "(3 times)" where one was said again.
    #[must_use]
    pub fn notes(&self) -> Vec<String> {
        let shown = |(text, times): &(String, u64)| match times {
            1 => text.clone(),
            _ => format!("{text} ({times} times)"),
        };
        self.notes.iter().map(shown).collect()
    }

    /// The report as `holdpoint check --json` prints it and the window shows it.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let skipped: Vec<Value> =
            self.skipped.iter().map(|skip| json!({ "line": skip.line, "reason": skip.reason })).collect();
        let mut report = json!({
            "format": self.format, "records": self.records, "imported": self.imported, "events": self.events,
            "skipped": skipped, "skippedTotal": self.skipped_total, "notes": self.notes(),
        });
        if !self.invalid.is_empty() || self.format.starts_with("KXM") {
            let invalid = |entry: &InvalidRecord| {
                let kxm::Fault { pointer, rule, seen } = &entry.fault;
                json!({ "line": entry.line, "pointer": pointer, "rule": rule, "seen": seen })
            };
            report["invalid"] = self.invalid.iter().map(invalid).collect();
        }
        report
    }
}
