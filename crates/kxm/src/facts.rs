//! The few facts of a record that a graph is made of, each short and with a flat name.
//!
//! A viewer gets envelopes whose long values are replaced by references. The record itself is such a value; what
//! a graph needs stands beside it, so that a full and a slim envelope say the same. Invariant: the facts are a
//! function of the record alone.

use crate::json::{Json, write_text};

/// A fact and the path to it from the record's root.
const FACTS: &[(&str, &[&str])] = &[
    ("eventType", &["eventType"]),
    ("monotonicNs", &["monotonicNs"]),
    ("workflowId", &["payload", "workflowId"]),
    ("displayTitle", &["payload", "displayTitle"]),
    ("status", &["payload", "status"]),
    ("previousStatus", &["payload", "previousStatus"]),
    ("outcome", &["payload", "outcome"]),
    ("summary", &["payload", "summary"]),
    ("reason", &["payload", "reason"]),
    ("resultClass", &["payload", "resultClass"]),
    ("stepId", &["payload", "stepId"]),
    ("stepAttempt", &["payload", "stepAttempt"]),
    ("fromStepId", &["payload", "fromStepId"]),
    ("toStepId", &["payload", "toStepId"]),
    ("assignmentId", &["payload", "assignmentId"]),
    ("attemptId", &["payload", "attemptId"]),
    ("agentId", &["payload", "agentId"]),
    ("instanceNo", &["payload", "instanceNo"]),
    ("effectId", &["payload", "effect", "id"]),
    ("effectClass", &["payload", "effect", "policy", "class"]),
    ("idempotencyKey", &["payload", "effect", "policy", "idempotencyKey"]),
    ("receiptQuery", &["payload", "effect", "policy", "receiptQuery"]),
    ("sharedMutable", &["payload", "effect", "policy", "sharedMutable"]),
    ("leaseId", &["payload", "lease", "id"]),
    ("leaseOperation", &["payload", "lease", "operation"]),
    ("leaseExpiresAt", &["payload", "lease", "expiresAt"]),
    ("actorKind", &["payload", "actor", "kind"]),
    ("actorId", &["payload", "actor", "id"]),
    ("resolvedByKind", &["payload", "resolvedBy", "kind"]),
    ("resolvedById", &["payload", "resolvedBy", "id"]),
    ("resolutionAction", &["payload", "resolutionAction"]),
    ("modelProvider", &["payload", "model", "provider"]),
    ("model", &["payload", "model", "model"]),
    ("executorKind", &["payload", "executor", "kind"]),
    ("executorId", &["payload", "executor", "id"]),
    ("harness", &["payload", "executor", "harness"]),
    ("durationMs", &["payload", "timing", "durationMs"]),
    ("agentMs", &["payload", "timing", "agentMs"]),
    ("inputTokens", &["payload", "usage", "inputTokens"]),
    ("outputTokens", &["payload", "usage", "outputTokens"]),
    ("cacheReadTokens", &["payload", "usage", "cacheReadTokens"]),
    ("cacheWriteTokens", &["payload", "usage", "cacheWriteTokens"]),
    ("cost", &["payload", "usage", "cost"]),
    ("currency", &["payload", "usage", "currency"]),
    ("costKind", &["payload", "usage", "costKind"]),
    ("producerError", &["payload", "producerError"]),
    ("errorClass", &["payload", "error", "class"]),
    ("errorComponent", &["payload", "error", "component"]),
    ("errorRetryable", &["payload", "error", "retryable"]),
    ("driveMode", &["payload", "mode"]),
    ("routeReason", &["payload", "routeSwitch", "reason"]),
    ("candidateType", &["payload", "candidate", "type"]),
    ("candidateStatus", &["payload", "candidate", "status"]),
    ("candidateSummary", &["payload", "candidate", "summary"]),
    ("valuesReplaced", &["redaction", "valuesReplaced"]),
];

/// Lists of which only the length is a fact.
const LENGTHS: &[(&str, &[&str])] = &[
    ("fieldsOmitted", &["redaction", "fieldsOmitted"]),
    ("artifacts", &["payload", "artifacts"]),
    ("evidenceRefs", &["payload", "evidenceRefs"]),
    ("suppliedRefs", &["payload", "suppliedRefs"]),
    ("receipts", &["payload", "receipts"]),
];

/// Writes the members of `payload`, without braces, ending in a comma.
pub(crate) fn write(json: &Json<'_>, out: &mut String) {
    for (name, path) in FACTS {
        if let Some(value) = at(json, path) {
            member(name, value, out);
        }
    }
    for (name, path) in LENGTHS {
        if let Some(Json::Array(items)) = at(json, path) {
            member(name, &Json::Int(items.len() as i128), out);
        }
    }
    for name in ["added", "modified", "deleted", "redactedPathCount"] {
        if let Some(count) = files(json, name) {
            member(if name == "redactedPathCount" { "pathsRedacted" } else { name }, &Json::Int(count), out);
        }
    }
}

fn member(name: &str, value: &Json<'_>, out: &mut String) {
    write_text(name, out);
    out.push(':');
    value.write(out);
    out.push(',');
}

fn at<'j, 'a>(json: &'j Json<'a>, path: &[&str]) -> Option<&'j Json<'a>> {
    path.iter().try_fold(json, |json, name| json.get(name))
}

/// Changed files over all repositories of the record.
fn files(json: &Json<'_>, name: &str) -> Option<i128> {
    let Json::Array(changes) = at(json, &["payload", "fileChanges"])? else { return None };
    let count = |change: &Json<'_>| match change.get(name) {
        Some(Json::Array(paths)) => paths.len() as i128,
        Some(Json::Int(count)) => *count,
        _ => 0,
    };
    Some(changes.iter().map(count).sum())
}
