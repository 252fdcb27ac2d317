//! Words of the records: what they mean as states, and how they read on a timeline.

use crate::Status;
use crate::kxm::KxmRecord;

/// What a lifecycle status or an outcome says of the thing it is said of; none where it goes on.
pub(super) fn status_of_word(word: &str) -> Option<Status> {
    Some(match word {
        "completed" | "passed" | "skipped" | "settled" | "delivered" | "acknowledged" | "closed" => {
            Status::Ok
        }
        "failed" | "expired" | "declined" | "rejected" => Status::Error,
        "cancelled" | "omitted" => Status::Aborted,
        "blocked_uncertain" => Status::Uncertain,
        _ => return None,
    })
}

/// What an outcome says. Outcomes are words of a workflow's own; those that say nothing of failing are fine.
pub(super) fn status_of_outcome(outcome: &str) -> Status {
    let has = |part: &str| outcome.split(['_', '-']).any(|word| word == part);
    match () {
        () if status_of_word(outcome).is_some() => status_of_word(outcome).unwrap_or_default(),
        () if ["fail", "failed", "failure", "error", "denied"].iter().any(|word| has(word)) => Status::Error,
        () if ["cancelled", "canceled", "aborted"].iter().any(|word| has(word)) => Status::Aborted,
        () if ["unknown", "uncertain"].iter().any(|word| has(word)) => Status::Uncertain,
        () => Status::Ok,
    }
}

/// What a resolution makes of an uncertain effect; none where it is tried again.
pub(super) fn status_of_resolution(action: &str) -> Option<Status> {
    Some(match action {
        "mark-completed" => Status::Ok,
        "mark-failed" => Status::Error,
        "cancel" => Status::Aborted,
        _ => return None,
    })
}

/// A record in a few words for a timeline: what happened, to what, with what.
pub(super) fn label(record: &KxmRecord) -> String {
    let mut label = record.event().replace('_', " ");
    let details = [
        "status",
        "outcome",
        "resultClass",
        "resolutionAction",
        "leaseOperation",
        "leaseExpiresAt",
        "model",
        "driveMode",
        "routeReason",
        "candidateType",
        "candidateStatus",
        "candidateSummary",
        "reason",
    ];
    for word in details.iter().filter_map(|name| record.get(name)).filter(|word| !word.is_empty()).take(3) {
        label.push_str(if label.contains(": ") { ", " } else { ": " });
        label.push_str(word);
    }
    if let Some(actor) = record.actor().or(record.resolved_by()) {
        label.push_str(&format!(" by {actor}"));
    }
    label.truncate(label.floor_char_boundary(LABEL_BYTES_MAX));
    label
}

/// Longest label, in bytes.
const LABEL_BYTES_MAX: usize = 200;
