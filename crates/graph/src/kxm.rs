//! What is kept of KXM records: their facts, in order, and what they have named so far.
//!
//! Decides that a record is kept as a few short words. Invariant: `records` is in sequence order once a run is settled,
//! and everything else here follows from it. The record itself stays in the recording. Does not know what a record
//! means: `reduce::kxm` does.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use wire::{Body, Raw};

use crate::{InstanceIx, Stamp, Status, Usage};

/// The facts of a record that are kept, by the names they have in an envelope (`kxm::to_envelope`).
const WORDS: &[&str] = &[
    "eventType",
    "monotonicNs",
    "workflowId",
    "displayTitle",
    "status",
    "previousStatus",
    "outcome",
    "reason",
    "resultClass",
    "stepId",
    "stepAttempt",
    "fromStepId",
    "toStepId",
    "assignmentId",
    "attemptId",
    "agentId",
    "instanceNo",
    "effectId",
    "effectClass",
    "idempotencyKey",
    "receiptQuery",
    "sharedMutable",
    "leaseId",
    "leaseOperation",
    "leaseExpiresAt",
    "actorKind",
    "actorId",
    "resolvedByKind",
    "resolvedById",
    "resolutionAction",
    "modelProvider",
    "model",
    "executorKind",
    "executorId",
    "harness",
    "durationMs",
    "agentMs",
    "inputTokens",
    "outputTokens",
    "cacheReadTokens",
    "cacheWriteTokens",
    "cost",
    "currency",
    "costKind",
    "producerError",
    "errorClass",
    "errorComponent",
    "errorRetryable",
    "driveMode",
    "routeReason",
    "candidateType",
    "candidateStatus",
    "candidateSummary",
    "valuesReplaced",
    "fieldsOmitted",
    "artifacts",
    "evidenceRefs",
    "suppliedRefs",
    "receipts",
    "added",
    "modified",
    "deleted",
    "pathsRedacted",
];

/// Longest word kept, in bytes.
const WORD_BYTES_MAX: usize = 512;

/// The facts of one KXM record.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct KxmRecord {
    /// Its sequence number, and when it occurred.
    pub at: Stamp,
    /// Its summary for people; the whole of it is in the recording.
    pub summary: Option<Body>,
    /// Ascending by position of the name in `WORDS`.
    words: Vec<(u8, Box<str>)>,
}

impl KxmRecord {
    /// Reads the facts that stand beside a record.
    pub(crate) fn read(at: Stamp, payload: Raw<'_>) -> Self {
        let word = |name: &str| payload.member(name).map(short);
        let words = (0..).zip(WORDS).filter_map(|(at, name)| Some((at, word(name)?))).collect();
        Self { at, words, summary: payload.member("summary").map(Body::from) }
    }

    /// A fact as text, by its name in the envelope.
    pub fn get(&self, name: &str) -> Option<&str> {
        let (_, word) = self.words.iter().find(|(at, _)| WORDS.get(usize::from(*at)) == Some(&name))?;
        Some(word)
    }

    /// What happened, for example `effect.dispatched`.
    pub fn event(&self) -> &str {
        self.get("eventType").unwrap_or("")
    }

    /// A fact as a number.
    pub fn count(&self, name: &str) -> Option<u64> {
        self.get(name)?.parse().ok()
    }

    /// All facts with their names.
    pub fn facts(&self) -> impl Iterator<Item = (&'static str, &str)> {
        self.words.iter().filter_map(|(at, word)| Some((*WORDS.get(usize::from(*at))?, &**word)))
    }

    /// Who acted, as `human:ana`.
    pub fn actor(&self) -> Option<String> {
        self.who("actorKind", "actorId")
    }

    /// Who resolved an uncertain effect, as `human:ana`.
    pub fn resolved_by(&self) -> Option<String> {
        self.who("resolvedByKind", "resolvedById")
    }

    fn who(&self, kind: &str, id: &str) -> Option<String> {
        Some(format!("{}:{}", self.get(kind)?, self.get(id)?))
    }
}

impl KxmRecord {
    /// Leaves an empty record in its place, for as long as it is being taken in.
    pub(crate) fn lend(&mut self) -> Self {
        Self { at: self.at, summary: self.summary.take(), words: std::mem::take(&mut self.words) }
    }
}

/// A word, cut the same whether the envelope is full or slim.
fn short(raw: Raw<'_>) -> Box<str> {
    let text = crate::text::text_of(raw);
    text[..text.floor_char_boundary(WORD_BYTES_MAX)].into()
}

/// What is kept of a run's KXM records.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(crate) struct Kxm {
    pub(crate) records: Vec<KxmRecord>,
    /// How many of them have been taken in; those behind came late.
    pub(crate) taken: usize,
    /// The run's own state: whether it was blocked on something uncertain from this number on.
    pub(crate) blocked: Vec<(u64, bool)>,
    pub(crate) steps: BTreeMap<Box<str>, InstanceIx>,
    pub(crate) assignments: BTreeMap<Box<str>, InstanceIx>,
    pub(crate) attempts: BTreeMap<Box<str>, InstanceIx>,
    pub(crate) lives: BTreeMap<InstanceIx, Life>,
    pub(crate) redaction: Redaction,
    /// Others than KXM records speak of nodes of the run too.
    pub(crate) others: bool,
}

/// What redaction has taken out of a run's records; shown, never hidden.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Redaction {
    /// Records that say they were redacted in some way.
    pub records: u64,
    /// Values that were replaced.
    pub values_replaced: u64,
    /// Fields that were left out.
    pub fields_omitted: u64,
    /// Paths that were counted instead of named.
    pub paths_redacted: u64,
}

/// An instance as its records have told it so far.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(crate) struct Life {
    /// Positions of its records.
    pub(crate) records: Vec<u32>,
    /// Its beginning, also before its node has been derived.
    pub(crate) start: Option<u32>,
    /// When it began, on the clock that never goes back, in nanoseconds.
    pub(crate) began_ns: Option<u64>,
    /// When it began, on the sender's clock.
    pub(crate) began_ms: f64,
    pub(crate) ended: Option<Status>,
    pub(crate) attempts: u32,
    pub(crate) output: Option<Body>,
    /// Its own tokens and cost; of an attempt under its id.
    pub(crate) spent: BTreeMap<Box<str>, (Usage, crate::Money)>,
    /// Tokens of what runs inside it.
    pub(crate) inside: Usage,
}

impl Kxm {
    /// Whether the run was blocked on something uncertain once the record `seq` had been taken in.
    pub(crate) fn is_blocked(&self, seq: u64) -> bool {
        let at = self.blocked.partition_point(|(from, _)| *from <= seq);
        at.checked_sub(1).is_some_and(|at| self.blocked[at].1)
    }

    /// Every position lies inside its arena.
    pub(crate) fn check(&self, instances: usize, starts: usize) -> bool {
        let named = self.steps.values().chain(self.assignments.values()).chain(self.attempts.values());
        let record = |at: &u32| (*at as usize) < self.records.len();
        named.chain(self.lives.keys()).all(|ix| ix.at() < instances)
            && self.lives.values().all(|life| {
                life.records.iter().all(record) && life.start.is_none_or(|at| (at as usize) < starts)
            })
            && self.taken <= self.records.len()
    }

    /// True when records wait for `settle`.
    pub(crate) fn is_late(&self) -> bool {
        self.taken < self.records.len()
    }
}
