//! The local record, `kxm.run-event.v1`: the same runs before redaction.
//!
//! It never leaves the machine; [`crate::redact`] makes a sync-safe record of it.

use crate::common::{
    Actor, ArtifactRef, Counts, DurationMs, Effect, ErrorSummary, EvidenceRef, ExecutorResolution,
    Identifier, InstanceNo, Lease, LifecycleStatus, ModelResolution, OpaqueId, Ordinal, RunEventType, Sha256,
    Text200, Text512, Timestamp, Timing, Usage,
};
use crate::json::Json;
use crate::pattern::{COMMIT, DECIMAL, PRODUCER_ERROR};
use crate::record::{List, Typed, record, texts, words};
use crate::rule::{Is, Law, Rule, Then, When};
use crate::sync::{ResolutionAction, SHARED_LAWS};

/// The value of `schema` in a local record.
pub const LOCAL_SCHEMA: &str = "kxm.run-event.v1";

/// The constant that names the schema of a local record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LocalSchema;

impl Typed for LocalSchema {
    const RULE: Rule = Rule::Const(LOCAL_SCHEMA);

    fn read(json: &Json<'_>) -> Option<Self> {
        (json.as_str()? == LOCAL_SCHEMA).then_some(Self)
    }

    fn write(&self, out: &mut String) {
        crate::json::write_text(LOCAL_SCHEMA, out);
    }
}

/// A value whose shape another contract owns, kept as its JSON text.
#[derive(Debug, Clone, PartialEq)]
pub struct Foreign<const OBJECT: bool>(pub String);

impl<const OBJECT: bool> Typed for Foreign<OBJECT> {
    const RULE: Rule = if OBJECT { Rule::AnyObject } else { Rule::Any };

    fn read(json: &Json<'_>) -> Option<Self> {
        let mut text = String::new();
        json.write(&mut text);
        Some(Self(text))
    }

    fn write(&self, out: &mut String) {
        out.push_str(&self.0);
    }
}

texts! {
    /// Nanoseconds of a clock that never goes back, in decimal.
    MonotonicNs: 0..=32, DECIMAL;
    /// A commit's hexadecimal name.
    Commit: 0..=usize::MAX, COMMIT;
    /// A producer's own error word.
    ProducerError: 0..=64, PRODUCER_ERROR;
    /// A text for people that may be empty.
    Text4000: 0..=4000;
    /// A text for people that may be empty.
    Text32000: 0..=32_000;
    /// What a person asked for.
    Prompt: 0..=64_000;
    /// The address of a receipt.
    ReceiptUrl: 1..=2048;
}

words! {
    /// How sensitive a protected payload is.
    ProtectedClass { Project = "project", Sensitive = "sensitive", Secret = "secret" }
    /// What became of an assignment's result.
    ResultClass {
        Outcome = "outcome", OutcomeUnknown = "outcome_unknown", ProducerRejected = "producer_rejected",
        Cancelled = "cancelled",
    }
    /// State of a source tree.
    SourceState { Clean = "clean", DirtySnapshot = "dirty-snapshot" }
    /// Where a budget was set.
    BudgetSource { Workflow = "workflow", Project = "project", Both = "both" }
    /// Whether a drive touches the world.
    DriveMode { Simulated = "simulated", Live = "live" }
    /// Why a route was switched.
    SwitchReason {
        RateLimit = "rate_limit", Transport = "transport", ProviderUnavailable = "provider_unavailable",
        ContextOverflow = "context_overflow",
    }
}

record! {
    /// A payload kept elsewhere.
    ProtectedPayload as "protectedPayload", min 0 {
        id: req OpaqueId = "id",
        classification: req ProtectedClass = "classification",
        hash: req Sha256 = "hash",
    }
}

record! {
    /// One repository of a run.
    Repository as "repository", min 0 {
        repository_id: req Identifier = "repositoryId",
        base_commit: req Commit = "baseCommit",
        content_snapshot_hash: req Sha256 = "contentSnapshotHash",
        source_state: opt SourceState = "sourceState",
    }
}

record! {
    /// A provider's receipt, with its address.
    Receipt as "receipt", min 0 {
        provider: req Identifier = "provider",
        kind: req Identifier = "kind",
        id: req Text512 = "id",
        hash: opt Sha256 = "hash",
        observed_at: opt Timestamp = "observedAt",
        url: opt ReceiptUrl = "url",
    }
}

record! {
    /// A budget that ran out.
    Budget as "budget", min 0 {
        budget_ms: req DurationMs = "budgetMs",
        elapsed_ms: req DurationMs = "elapsedMs",
        source: req BudgetSource = "source",
    }
}

record! {
    /// A change of model route; its ends belong to the routing contract.
    RouteSwitch as "routeSwitch", min 0 {
        from: req Foreign<false> = "from",
        to: req Foreign<false> = "to",
        reason: req SwitchReason = "reason",
        effort: opt Foreign<false> = "effort",
    }
}

record! {
    /// What a local record may say; it may say nothing.
    LocalPayload as "runEventPayload", min 0 {
        workflow_id: opt Identifier = "workflowId",
        display_title: opt Text200 = "displayTitle",
        prompt: opt Prompt = "prompt",
        prompt_hash: opt Sha256 = "promptHash",
        status: opt LifecycleStatus = "status",
        previous_status: opt LifecycleStatus = "previousStatus",
        outcome: opt Identifier = "outcome",
        summary: opt Text32000 = "summary",
        resolution: opt Text4000 = "resolution",
        run_plan_hash: opt Sha256 = "runPlanHash",
        capability_hash: opt Sha256 = "capabilityHash",
        result_class: opt ResultClass = "resultClass",
        producer_error: opt ProducerError = "producerError",
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
        executor_ids: opt List<Identifier, 0, 16, false> = "executorIds",
        executors: opt List<ExecutorResolution, 1, 16, false> = "executors",
        repository_ids: opt List<Identifier, 0, 64, false> = "repositoryIds",
        repositories: opt List<Repository, 0, 64, false> = "repositories",
        model: opt ModelResolution = "model",
        timing: opt Timing = "timing",
        usage: opt Usage = "usage",
        evidence_refs: opt List<EvidenceRef, 0, 64, false> = "evidenceRefs",
        artifacts: opt List<ArtifactRef, 0, 64, false> = "artifacts",
        receipt: opt Receipt = "receipt",
        error: opt ErrorSummary = "error",
        effect: opt Effect = "effect",
        lease: opt Lease = "lease",
        actor: opt Actor = "actor",
        resolved_by: opt Actor = "resolvedBy",
        resolution_action: opt ResolutionAction = "resolutionAction",
        reason: opt Text4000 = "reason",
        supplied_refs: opt List<EvidenceRef, 0, 64, false> = "suppliedRefs",
        budget: opt Budget = "budget",
        drive_id: opt OpaqueId = "driveId",
        mode: opt DriveMode = "mode",
        candidate_id: opt OpaqueId = "candidateId",
        routing: opt Foreign<true> = "routing",
        route_switch: opt RouteSwitch = "routeSwitch",
        counts: opt Counts = "counts",
    }
}

record! {
    /// One local record.
    LocalEvent as "run-event", min 0 {
        schema: req LocalSchema = "schema",
        event_id: req OpaqueId = "eventId",
        event_type: req RunEventType = "eventType",
        project_id: req OpaqueId = "projectId",
        run_id: req OpaqueId = "runId",
        home_runtime_id: req OpaqueId = "homeRuntimeId",
        sequence: req Ordinal = "sequence",
        occurred_at: req Timestamp = "occurredAt",
        recorded_at: req Timestamp = "recordedAt",
        monotonic_ns: req MonotonicNs = "monotonicNs",
        config_revision: req Sha256 = "configRevision",
        memory_revision: req OpaqueId = "memoryRevision",
        executor_policy_revision: req Sha256 = "executorPolicyRevision",
        tool_policy_revision: req Sha256 = "toolPolicyRevision",
        payload: req LocalPayload = "payload",
        command_id: opt OpaqueId = "commandId",
        protected_payload: opt ProtectedPayload = "protectedPayload",
    }
    laws SHARED_LAWS, BY_TYPE, BY_VALUE
}

/// A law that asks for payload members by the type of the event.
macro_rules! asks {
    ($($event:literal => [$($name:literal),*];)*) => {
        [$(Law {
            when: &[When { path: &["eventType"], is: Is::OneOf(&[$event]) }],
            then: Then::Require { at: Some("payload"), names: &[$($name),*] },
        }),*]
    };
}

const BY_TYPE: &[Law] = &asks! {
    "run.created" => ["workflowId", "status", "promptHash", "repositoryIds", "executorIds"];
    "run.status_changed" => ["status"];
    "run.cancel_requested" => ["actor", "reason"];
    "run.drive_opened" => ["driveId", "mode"];
    "step.entered" => ["stepId", "stepAttempt", "status"];
    "step.status_changed" => ["stepId", "status", "previousStatus"];
    "step.outcome_recorded" => ["stepId", "stepAttempt", "outcome"];
    "step.transitioned" => ["fromStepId", "outcome"];
    "assignment.created" => ["assignmentId", "stepId", "stepAttempt", "status"];
    "assignment.accepted" => ["assignmentId", "status"];
    "assignment.executing" => ["assignmentId", "status"];
    "assignment.dispatched" => ["assignmentId", "capabilityHash", "status"];
    "assignment.result_recorded" => ["assignmentId", "resultClass"];
    "assignment.terminal" => ["assignmentId", "outcome", "status"];
    "attempt.created" => ["attemptId", "assignmentId", "status"];
    "attempt.status_changed" => ["attemptId", "status"];
    "routing.attempt.recorded" => ["routing"];
    "routing.route_switched" => ["routeSwitch", "attemptId", "stepId"];
};

const RESULT: When = When { path: &["eventType"], is: Is::OneOf(&["assignment.result_recorded"]) };

/// What depends on more than the type of the event.
const BY_VALUE: &[Law] = &[
    Law {
        when: &[
            When { path: &["eventType"], is: Is::OneOf(&["run.status_changed"]) },
            When { path: &["payload", "status"], is: Is::OneOf(&["preparing"]) },
        ],
        then: Then::Require { at: Some("payload"), names: &["runPlanHash"] },
    },
    Law {
        when: &[
            When { path: &["eventType"], is: Is::OneOf(&["run.cancel_requested"]) },
            When { path: &["payload", "reason"], is: Is::OneOf(&["budget_run_duration"]) },
        ],
        then: Then::Require { at: Some("payload"), names: &["budget"] },
    },
    Law {
        when: &[RESULT, When { path: &["payload", "resultClass"], is: Is::OneOf(&["outcome"]) }],
        then: Then::Require { at: Some("payload"), names: &["outcome"] },
    },
    Law {
        when: &[
            RESULT,
            When {
                path: &["payload", "resultClass"],
                is: Is::OneOf(&["outcome_unknown", "producer_rejected", "cancelled"]),
            },
        ],
        then: Then::Forbid { at: Some("payload"), names: &["outcome"] },
    },
];
