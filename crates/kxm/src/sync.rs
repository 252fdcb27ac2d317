//! The sync-safe record, `kxm.sync-event.v1` (KXM sync event, whole).
//!
//! It is what may leave the machine: closed, short, without prompts or results.

use crate::common::{
    Actor, ArtifactRef, Counts, Effect, EnvironmentResolution, ErrorSummary, EvidenceRef, ExecutorResolution,
    FileChanges, Identifier, InstanceNo, Lease, LifecycleStatus, ModelResolution, OpaqueId, Ordinal,
    Replaced, RunEventType, Sha256, Text128, Text200, Text512, Text1000, Timestamp, Timing, Usage,
};
use crate::json::Json;
use crate::record::{List, Typed, record, words};
use crate::rule::{Is, Law, Rule, Then, When};

/// The value of `schema` in a sync-safe record.
pub const SYNC_SCHEMA: &str = "kxm.sync-event.v1";

/// The constant that names the schema of a sync-safe record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SyncSchema;

impl Typed for SyncSchema {
    const RULE: Rule = Rule::Const(SYNC_SCHEMA);

    fn read(json: &Json<'_>) -> Option<Self> {
        (json.as_str()? == SYNC_SCHEMA).then_some(Self)
    }

    fn write(&self, out: &mut String) {
        crate::json::write_text(SYNC_SCHEMA, out);
    }
}

words! {
    /// What a person did about an effect nobody was sure of.
    ResolutionAction {
        MarkCompleted = "mark-completed", ConfirmAbsentAndRetry = "confirm-absent-and-retry",
        CompensateAndRetry = "compensate-and-retry", MarkFailed = "mark-failed", Cancel = "cancel",
    }
    /// What a candidate would change.
    CandidateType {
        Knowledge = "knowledge", Skill = "skill", Workflow = "workflow", Agent = "agent", Model = "model",
        Environment = "environment", Template = "template", TemporalState = "temporal-state",
    }
    /// How sure a candidate is.
    Confidence { Verified = "verified", Probable = "probable", Uncertain = "uncertain" }
    /// Where a candidate stands.
    CandidateStatus {
        Proposed = "proposed", Evaluating = "evaluating", ReviewRequired = "review-required",
        Promoted = "promoted", Rejected = "rejected", Quarantined = "quarantined",
    }
}

record! {
    /// What was done to make the record safe; shown, never hidden.
    Redaction as "redaction", min 0 {
        version: req Identifier = "version",
        fields_omitted: req List<Text128, 0, 128, true> = "fieldsOmitted",
        values_replaced: req Replaced = "valuesReplaced",
    }
}

record! {
    /// A provider's receipt, without its address.
    SafeReceipt as "safeReceipt", min 0 {
        provider: req Identifier = "provider",
        kind: req Identifier = "kind",
        id: req Text512 = "id",
        hash: opt Sha256 = "hash",
        observed_at: opt Timestamp = "observedAt",
    }
}

record! {
    /// Something a run proposes to keep.
    CandidateSummary as "candidateSummary", min 0 {
        id: req OpaqueId = "id",
        kind: req CandidateType = "type",
        summary: req Text1000 = "summary",
        confidence: req Confidence = "confidence",
        status: req CandidateStatus = "status",
    }
}

record! {
    /// What a sync-safe record may say; at least one thing.
    SyncPayload as "payload", min 1 {
        workflow_id: opt Identifier = "workflowId",
        display_title: opt Text200 = "displayTitle",
        prompt_hash: opt Sha256 = "promptHash",
        status: opt LifecycleStatus = "status",
        previous_status: opt LifecycleStatus = "previousStatus",
        outcome: opt Identifier = "outcome",
        summary: opt Text1000 = "summary",
        step_id: opt Identifier = "stepId",
        step_attempt: opt Ordinal = "stepAttempt",
        from_step_id: opt Identifier = "fromStepId",
        to_step_id: opt Identifier = "toStepId",
        assignment_id: opt OpaqueId = "assignmentId",
        attempt_id: opt OpaqueId = "attemptId",
        agent_id: opt Identifier = "agentId",
        instance_no: opt InstanceNo = "instanceNo",
        scope_epoch: opt Ordinal = "scopeEpoch",
        executor: opt ExecutorResolution = "executor",
        model: opt ModelResolution = "model",
        timing: opt Timing = "timing",
        usage: opt Usage = "usage",
        file_changes: opt List<FileChanges, 0, 64, false> = "fileChanges",
        evidence_refs: opt List<EvidenceRef, 0, 64, false> = "evidenceRefs",
        artifacts: opt List<ArtifactRef, 0, 64, false> = "artifacts",
        receipts: opt List<SafeReceipt, 0, 64, false> = "receipts",
        environment: opt List<EnvironmentResolution, 0, 256, false> = "environment",
        error: opt ErrorSummary = "error",
        effect: opt Effect = "effect",
        lease: opt Lease = "lease",
        actor: opt Actor = "actor",
        resolved_by: opt Actor = "resolvedBy",
        resolution_action: opt ResolutionAction = "resolutionAction",
        reason: opt Text1000 = "reason",
        supplied_refs: opt List<EvidenceRef, 0, 64, false> = "suppliedRefs",
        candidate: opt CandidateSummary = "candidate",
        counts: opt Counts = "counts",
        degraded: opt bool = "degraded",
    }
}

record! {
    /// One sync-safe record.
    SyncEvent as "sync-event", min 0 {
        schema: req SyncSchema = "schema",
        source_event_id: req OpaqueId = "sourceEventId",
        event_type: req RunEventType = "eventType",
        project_id: req OpaqueId = "projectId",
        run_id: req OpaqueId = "runId",
        home_runtime_id: req OpaqueId = "homeRuntimeId",
        sequence: req Ordinal = "sequence",
        occurred_at: req Timestamp = "occurredAt",
        config_revision: req Sha256 = "configRevision",
        memory_revision: req OpaqueId = "memoryRevision",
        executor_policy_revision: req Sha256 = "executorPolicyRevision",
        tool_policy_revision: req Sha256 = "toolPolicyRevision",
        sync_policy_revision: req Sha256 = "syncPolicyRevision",
        redaction: req Redaction = "redaction",
        payload: req SyncPayload = "payload",
    }
    laws SHARED_LAWS
}

const fn event(types: &'static [&'static str]) -> When {
    When { path: &["eventType"], is: Is::OneOf(types) }
}

const fn payload(names: &'static [&'static str]) -> Then {
    Then::Require { at: Some("payload"), names }
}

/// The conditionals of the seed, in its order; local records obey them too.
pub(crate) const SHARED_LAWS: &[Law] = &[
    Law {
        when: &[event(&[
            "effect.intent_recorded",
            "effect.dispatched",
            "effect.observed",
            "effect.receipt_recorded",
            "effect.settled",
            "effect.blocked_uncertain",
            "effect.uncertainty_resolved",
        ])],
        then: payload(&["effect"]),
    },
    Law {
        when: &[
            event(&["effect.intent_recorded", "effect.dispatched"]),
            When { path: &["payload", "effect", "policy", "sharedMutable"], is: Is::Bool(true) },
        ],
        then: payload(&["lease"]),
    },
    Law {
        when: &[event(&["effect.uncertainty_resolved"])],
        then: payload(&["effect", "resolvedBy", "resolutionAction", "reason", "suppliedRefs"]),
    },
    Law { when: &[event(&["lease.acquired", "lease.released", "lease.lost"])], then: payload(&["lease"]) },
    Law { when: &[event(&["approval.recorded"])], then: payload(&["actor", "outcome", "suppliedRefs"]) },
];
