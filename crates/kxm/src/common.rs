//! The definitions that both kinds of records share (`common.schema.json`, and the effect of `run-event`).
//!
//! It decides their shape only; what a run makes of them is decided by its readers.

use crate::json::{Json, write_text};
use crate::pattern::{CURRENCY, ENVIRONMENT_NAME, IDENTIFIER, OPAQUE_ID, RELATIVE_PATH, SHA256, TIMESTAMP};
use crate::record::{List, Typed, integers, record, texts, words};
use crate::rule::{Is, Law, Rule, Then, When};

texts! {
    /// A name in lower case, parts joined by `-` or `_`.
    Identifier: 1..=64, IDENTIFIER;
    /// A prefixed id whose inside means nothing to a reader.
    OpaqueId: 0..=144, OPAQUE_ID;
    /// `sha256:` and 64 hexadecimal digits.
    Sha256: 0..=usize::MAX, SHA256;
    /// UTC to the nanosecond at best; digits are checked, not the calendar.
    Timestamp: 0..=usize::MAX, TIMESTAMP;
    /// A path below a repository, with `/` between segments.
    RelativePath: 1..=1024, RELATIVE_PATH;
    /// Three capital letters.
    Currency: 0..=usize::MAX, CURRENCY;
    /// Name of an environment variable.
    EnvironmentName: 0..=128, ENVIRONMENT_NAME;
    /// A short free text.
    Text64: 1..=64;
    /// A short free text.
    Text128: 1..=128;
    /// A short free text.
    Text160: 1..=160;
    /// A short free text.
    Text200: 1..=200;
    /// A short free text.
    Text256: 1..=256;
    /// A provider's own id.
    Text512: 1..=512;
    /// A free text for people.
    Text1000: 1..=1000;
}

integers! {
    /// Milliseconds, at most a year.
    DurationMs: 0.0..=31_536_000_000.0;
    /// A count from one.
    Ordinal: 1.0..=f64::INFINITY;
    /// A count from zero.
    Count: 0.0..=f64::INFINITY;
    /// Number of an agent's instance.
    InstanceNo: 1.0..=64.0;
    /// Bytes, at most a tebibyte.
    SizeBytes: 0.0..=1_099_511_627_776.0;
    /// How many values were replaced.
    Replaced: 0.0..=100_000.0;
}

/// An amount of money or the like: a number from zero.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Amount(pub f64);

impl Typed for Amount {
    const RULE: Rule = Rule::Number { min: 0.0 };

    fn read(json: &Json<'_>) -> Option<Self> {
        json.as_f64().map(Self)
    }

    fn write(&self, out: &mut String) {
        Json::Float(self.0).write(out);
    }
}

/// Named counts (seed 003, `payload.counts`).
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Counts(pub Vec<(String, u64)>);

impl Typed for Counts {
    const RULE: Rule = Rule::Map { names: &Identifier::RULE, values: &Count::RULE, max: 32 };

    fn read(json: &Json<'_>) -> Option<Self> {
        let Json::Object(members) = json else { return None };
        let counts = members.iter().map(|(name, value)| Some((name.to_string(), Count::read(value)?.0)));
        counts.collect::<Option<_>>().map(Self)
    }

    fn write(&self, out: &mut String) {
        out.push('{');
        for (index, (name, count)) in self.0.iter().enumerate() {
            if index > 0 {
                out.push(',');
            }
            write_text(name, out);
            out.push_str(&format!(":{count}"));
        }
        out.push('}');
    }
}

words! {
    /// Where something that lives stands.
    LifecycleStatus {
        Queued = "queued", Offered = "offered", Accepted = "accepted", Declined = "declined", Expired = "expired",
        Created = "created", Preparing = "preparing", Pending = "pending", Running = "running", Waiting = "waiting",
        BlockedUncertain = "blocked_uncertain", Cancelling = "cancelling", Cancelled = "cancelled",
        Completed = "completed", Failed = "failed", Skipped = "skipped", Passed = "passed",
        Dispatched = "dispatched", Executing = "executing", Reattaching = "reattaching",
        RetryPending = "retry_pending", ResultRecorded = "result_recorded", Terminal = "terminal",
        Starting = "starting", Settling = "settling", ConnectionLost = "connection_lost",
        IntentRecorded = "intent_recorded", Observed = "observed", ReceiptRecorded = "receipt_recorded",
        Settled = "settled", Planned = "planned", Delivering = "delivering", Partial = "partial",
        Delivered = "delivered", OutboxPending = "outbox_pending", Acknowledged = "acknowledged",
        Rejected = "rejected", Omitted = "omitted", Active = "active", Idle = "idle", Closed = "closed",
    }
    /// What happened.
    RunEventType {
        RunCreated = "run.created", RunStatusChanged = "run.status_changed",
        RunCancelRequested = "run.cancel_requested", RunDriveOpened = "run.drive_opened",
        StepEntered = "step.entered", StepStatusChanged = "step.status_changed",
        StepOutcomeRecorded = "step.outcome_recorded", StepTransitioned = "step.transitioned",
        AssignmentCreated = "assignment.created", AssignmentAccepted = "assignment.accepted",
        AssignmentDispatched = "assignment.dispatched", AssignmentExecuting = "assignment.executing",
        AssignmentReattaching = "assignment.reattaching", AssignmentRetryPending = "assignment.retry_pending",
        AssignmentResultRecorded = "assignment.result_recorded", AssignmentTerminal = "assignment.terminal",
        AttemptCreated = "attempt.created", AttemptStatusChanged = "attempt.status_changed",
        AttemptConnectionLost = "attempt.connection_lost", EffectIntentRecorded = "effect.intent_recorded",
        EffectDispatched = "effect.dispatched", EffectObserved = "effect.observed",
        EffectReceiptRecorded = "effect.receipt_recorded", EffectSettled = "effect.settled",
        EffectBlockedUncertain = "effect.blocked_uncertain",
        EffectUncertaintyResolved = "effect.uncertainty_resolved",
        WorkspaceSnapshotPinned = "workspace.snapshot_pinned", WorkspaceMaterialized = "workspace.materialized",
        ModelResolved = "model.resolved", SessionScopeRotated = "session.scope_rotated",
        ApprovalRecorded = "approval.recorded", LeaseAcquired = "lease.acquired", LeaseReleased = "lease.released",
        LeaseLost = "lease.lost", DeliveryStatusChanged = "delivery.status_changed",
        CandidateCreated = "candidate.created", RoutingAttemptRecorded = "routing.attempt.recorded",
        RoutingRouteSwitched = "routing.route_switched",
    }
    /// What doing a thing twice would mean.
    EffectClass {
        ReadOnly = "read-only", WorkspaceMutation = "workspace-mutation", ExternalIdempotent = "external-idempotent",
        ReceiptQueryable = "receipt-queryable", ExternalNonIdempotent = "external-non-idempotent",
        Unknown = "unknown",
    }
    /// What an idempotency key is made of.
    IdempotencyKey { Run = "run", Step = "step", Assignment = "assignment", Attempt = "attempt", Explicit = "explicit" }
    /// Who acted.
    ActorKind { Human = "human", Runtime = "runtime", Hub = "hub", Agent = "agent", Adapter = "adapter" }
    /// Where an executor runs.
    ExecutorKind { Local = "local", Ssh = "ssh" }
    /// Where an artifact can be had.
    Availability { Local = "local", OnlineRuntime = "online-runtime", Hub = "hub", External = "external" }
    /// Who may see an artifact.
    Classification { Public = "public", Project = "project", Sensitive = "sensitive", Secret = "secret" }
    /// How sure a cost is.
    CostKind { Reported = "reported", Estimated = "estimated", Unknown = "unknown" }
    /// Whether an environment variable was found.
    EnvironmentStatus { Resolved = "resolved", Missing = "missing", Denied = "denied", NotRequired = "not-required" }
    /// Where an environment variable came from.
    EnvironmentSource {
        Default = "default", Host = "host", Project = "project", Repository = "repository",
        SecretRef = "secret-ref", Runtime = "runtime",
    }
}

const fn class(words: &'static [&'static str]) -> Is {
    Is::OneOf(words)
}

record! {
    /// What an effect may do, and how it can be told that it did.
    EffectPolicy as "effectPolicy", min 0 {
        class: req EffectClass = "class",
        shared_mutable: req bool = "sharedMutable",
        idempotency_key: opt IdempotencyKey = "idempotencyKey",
        receipt_query: opt Identifier = "receiptQuery",
    }
    laws &[
        Law {
            when: &[When { path: &["class"], is: class(&["external-idempotent"]) }],
            then: Then::Require { at: None, names: &["idempotencyKey", "receiptQuery"] },
        },
        Law {
            when: &[When { path: &["class"], is: class(&["receipt-queryable"]) }],
            then: Then::Require { at: None, names: &["receiptQuery"] },
        },
        Law {
            when: &[When { path: &["class"], is: class(&["read-only", "workspace-mutation"]) }],
            then: Then::Bool { name: "sharedMutable", value: false },
        },
        Law {
            when: &[When { path: &["class"], is: class(&["external-non-idempotent", "unknown"]) }],
            then: Then::Forbid { at: None, names: &["idempotencyKey", "receiptQuery"] },
        },
    ]
}

record! {
    /// Something done to the world outside.
    Effect as "effect", min 0 {
        id: req OpaqueId = "id",
        policy: req EffectPolicy = "policy",
        idempotency_key_hash: opt Sha256 = "idempotencyKeyHash",
    }
    laws &[Law {
        when: &[When { path: &["policy", "class"], is: class(&["external-idempotent"]) }],
        then: Then::Require { at: None, names: &["idempotencyKeyHash"] },
    }]
}

record! {
    /// Who acted.
    Actor as "actor", min 0 {
        kind: req ActorKind = "kind",
        id: req Text200 = "id",
    }
}

record! {
    /// What ran the work.
    ExecutorResolution as "executorResolution", min 0 {
        id: req Identifier = "id",
        kind: req ExecutorKind = "kind",
        executor_version: req Text128 = "executorVersion",
        harness: req Identifier = "harness",
        harness_version: req Text128 = "harnessVersion",
        helper_generation: opt Text256 = "helperGeneration",
    }
}

record! {
    /// Which model answered.
    ModelResolution as "modelResolution", min 0 {
        provider: req Identifier = "provider",
        model: req Text200 = "model",
        profile: opt Identifier = "profile",
        tags: opt List<Identifier, 0, 32, true> = "tags",
        thinking: opt Text64 = "thinking",
    }
}

record! {
    /// The right to change something shared, for a time.
    Lease as "lease", min 0 {
        id: req OpaqueId = "id",
        fencing_token: req Text256 = "fencingToken",
        acquired_at: req Timestamp = "acquiredAt",
        expires_at: req Timestamp = "expiresAt",
        operation: opt Identifier = "operation",
    }
}

record! {
    /// A pointer to evidence.
    EvidenceRef as "evidenceRef", min 0 {
        id: req OpaqueId = "id",
        kind: req Identifier = "kind",
        hash: opt Sha256 = "hash",
        status: opt Identifier = "status",
        producer_id: opt OpaqueId = "producerId",
    }
}

record! {
    /// A pointer to something made.
    ArtifactRef as "artifactRef", min 0 {
        id: req OpaqueId = "id",
        kind: req Identifier = "kind",
        hash: req Sha256 = "hash",
        size: req SizeBytes = "size",
        availability: req Availability = "availability",
        classification: opt Classification = "classification",
    }
}

record! {
    /// How long something took.
    Timing as "timing", min 0 {
        duration_ms: req DurationMs = "durationMs",
        started_at: opt Timestamp = "startedAt",
        finished_at: opt Timestamp = "finishedAt",
        queue_ms: opt DurationMs = "queueMs",
        agent_ms: opt DurationMs = "agentMs",
    }
}

record! {
    /// Tokens and money.
    Usage as "usage", min 0 {
        input_tokens: opt Count = "inputTokens",
        output_tokens: opt Count = "outputTokens",
        cache_read_tokens: opt Count = "cacheReadTokens",
        cache_write_tokens: opt Count = "cacheWriteTokens",
        cost: opt Amount = "cost",
        currency: opt Currency = "currency",
        cost_kind: opt CostKind = "costKind",
    }
}

record! {
    /// Files of one repository that changed.
    FileChanges as "fileChanges", min 0 {
        repository_id: req Identifier = "repositoryId",
        added: opt List<RelativePath, 0, 1000, true> = "added",
        modified: opt List<RelativePath, 0, 1000, true> = "modified",
        deleted: opt List<RelativePath, 0, 1000, true> = "deleted",
        redacted_path_count: opt Count = "redactedPathCount",
    }
}

record! {
    /// How one environment variable was found.
    EnvironmentResolution as "environmentResolution", min 0 {
        name: req EnvironmentName = "name",
        scope: req Text160 = "scope",
        status: req EnvironmentStatus = "status",
        source: req EnvironmentSource = "source",
        version: opt Text200 = "version",
    }
}

record! {
    /// An error without its text.
    ErrorSummary as "errorSummary", min 0 {
        class: req Identifier = "class",
        component: req Text128 = "component",
        retryable: req bool = "retryable",
    }
}
