//! Records one by one: faults named by place and rule, redaction, envelopes.

use kxm::{Policy, clean, decode, redact, to_envelope};
use serde_json::{Value, json};

fn hash() -> String {
    format!("sha256:{}", "0".repeat(64))
}

fn sync(event_type: &str, payload: Value) -> Value {
    json!({
        "schema": "kxm.sync-event.v1", "sourceEventId": "evt_000001", "eventType": event_type,
        "projectId": "prj_000001", "runId": "run_000001", "homeRuntimeId": "rt_0000001", "sequence": 1,
        "occurredAt": "2026-01-02T03:04:05.250Z", "configRevision": hash(), "memoryRevision": "mem_000001",
        "executorPolicyRevision": hash(), "toolPolicyRevision": hash(), "syncPolicyRevision": hash(),
        "redaction": { "version": "v1", "fieldsOmitted": [], "valuesReplaced": 0 }, "payload": payload,
    })
}

fn local(event_type: &str, payload: Value) -> Value {
    json!({
        "schema": "kxm.run-event.v1", "eventId": "evt_000001", "eventType": event_type, "projectId": "prj_000001",
        "runId": "run_000001", "homeRuntimeId": "rt_0000001", "sequence": 1, "occurredAt": "2026-01-02T03:04:05Z",
        "recordedAt": "2026-01-02T03:04:05Z", "monotonicNs": "12", "configRevision": hash(),
        "memoryRevision": "mem_000001", "executorPolicyRevision": hash(), "toolPolicyRevision": hash(),
        "payload": payload,
    })
}

fn policy() -> Policy {
    Policy { version: "v1".to_owned(), sync_policy_revision: hash() }
}

/// The pointers of the faults of a document, in order.
fn check(document: &Value, expected: &[&str]) {
    let found = decode(&document.to_string()).err().map_or(Vec::new(), |invalid| {
        invalid.faults.into_iter().map(|fault| format!("{} {}", fault.pointer, fault.rule)).collect()
    });
    assert_eq!(found, expected, "{document}");
}

#[test]
fn each_fault_names_its_place_and_rule() {
    check(&sync("run.created", json!({ "status": "running" })), &[]);
    check(&sync("run.created", json!({})), &["/payload must have at least 1 members"]);
    check(&sync("lease.lost", json!({ "status": "closed" })), &["/payload must have \"lease\""]);
    let policy = json!({ "class": "read-only", "sharedMutable": true });
    let effect = json!({ "effect": { "id": "eff_000001", "policy": policy } });
    check(
        &sync("effect.observed", effect.clone()),
        &["/payload/effect/policy/sharedMutable must be false here"],
    );
    check(
        &sync("effect.dispatched", effect),
        &["/payload/effect/policy/sharedMutable must be false here", "/payload must have \"lease\""],
    );
    check(&sync("run.created", json!({ "promt~/": 1 })), &["/payload/promt~0~1 is not a member of payload"]);
    check(&json!("text"), &[" must be an object"]);
    check(
        &local("run.drive_opened", json!({})),
        &["/payload must have \"driveId\"", "/payload must have \"mode\""],
    );
    let refused = json!({ "assignmentId": "asg_000001", "resultClass": "cancelled", "outcome": "done" });
    check(&local("assignment.result_recorded", refused), &["/payload/outcome must be absent here"]);
}

#[test]
fn a_fault_says_what_was_seen() {
    let mut document = sync("run.created", json!({ "status": "running" }));
    document["sequence"] = json!(0.5);
    let invalid = decode(&document.to_string()).unwrap_err();
    assert_eq!(invalid.to_string(), "/sequence must be an integer; seen: 0.5");
    let invalid = decode("{\"schema\":").unwrap_err();
    assert!(invalid.to_string().starts_with("the record must be one JSON document; seen: EOF"), "{invalid}");
}

#[test]
fn faults_of_one_document_are_bounded() {
    let many: serde_json::Map<String, Value> = (0..5000).map(|n| (format!("x{n}"), json!(n))).collect();
    let invalid = decode(&Value::Object(many).to_string()).unwrap_err();
    assert_eq!(invalid.faults.len(), kxm::FAULTS_MAX);
}

#[test]
fn a_record_travels_whole_in_its_envelope() {
    let text = sync("step.entered", json!({ "stepId": "plan" })).to_string();
    let head = decode(&text).unwrap();
    assert_eq!((head.sequence, head.occurred_ms), (1, 1_767_323_045_250.0));
    let envelope = to_envelope(&text, &head).unwrap();
    assert!(
        envelope.starts_with(r#"{"gm":1,"seq":1,"ts":1767323045250,"runId":"run_000001","type":"kxm.event""#)
    );
    assert!(envelope.ends_with(&format!(
        "\"stepId\":\"plan\",\"valuesReplaced\":0,\"fieldsOmitted\":0,\"record\":{text}}}}}"
    )));
    let beyond = text.replace("\"sequence\":1", "\"sequence\":1e30");
    assert_eq!(to_envelope(&beyond, &decode(&beyond).unwrap()), None);
}

fn safe(record: &Value) -> Value {
    let once = redact(&record.to_string(), &policy()).unwrap_or_else(|refused| panic!("{refused}"));
    decode(&once).unwrap_or_else(|invalid| panic!("{invalid}: {once}"));
    let twice = redact(&once, &policy()).unwrap();
    assert_eq!(once, twice, "redacting again changed the record");
    serde_json::from_str(&once).unwrap()
}

#[test]
fn local_fields_are_omitted_and_listed() {
    let payload = json!({
        "workflowId": "ship", "status": "running", "promptHash": hash(), "repositoryIds": ["app"],
        "executorIds": ["local"], "prompt": "the secret plan",
    });
    let record = safe(&local("run.created", payload));
    let omitted = record["redaction"]["fieldsOmitted"].to_string();
    for name in
        ["recordedAt", "monotonicNs", "payload.prompt", "payload.repositoryIds", "payload.executorIds"]
    {
        assert!(omitted.contains(&format!("\"{name}\"")), "{name} is not in {omitted}");
    }
    assert_eq!(record["payload"], json!({ "workflowId": "ship", "status": "running", "promptHash": hash() }));
    assert!(!record.to_string().contains("plan"));
}

#[test]
fn a_payload_of_local_fields_alone_still_says_something() {
    let record = safe(&local("run.drive_opened", json!({ "driveId": "drv_000001", "mode": "live" })));
    assert_eq!(record["payload"], json!({ "counts": { "fields_omitted": 2 } }));
}

#[test]
fn an_empty_reason_becomes_a_word() {
    let effect = json!({ "id": "eff_000001", "policy": { "class": "unknown", "sharedMutable": false } });
    let payload = json!({
        "effect": effect, "resolvedBy": { "kind": "human", "id": "ana" }, "resolutionAction": "cancel", "reason": "",
        "suppliedRefs": [],
    });
    assert_eq!(safe(&local("effect.uncertainty_resolved", payload))["payload"]["reason"], "not given");
}

#[test]
fn a_secret_across_the_cut_is_gone() {
    for lead in 970..1010 {
        let summary =
            format!("{} key sk-live-abcdefghijklmnopqrstuvwxyz0123 and more words", "x".repeat(lead));
        let record = safe(&local(
            "step.outcome_recorded",
            json!({
                "stepId": "plan", "stepAttempt": 1, "outcome": "done", "summary": summary,
            }),
        ));
        let text = record["payload"]["summary"].as_str().unwrap();
        assert!(!text.contains("sk-") && text.chars().count() <= 1000, "{text}");
    }
}

#[test]
fn a_receipt_loses_its_address() {
    let receipt =
        json!({ "provider": "forge", "kind": "pull-request", "id": "42", "url": "https://u:p@forge/42" });
    let record = safe(&local(
        "step.outcome_recorded",
        json!({
            "stepId": "plan", "stepAttempt": 1, "outcome": "done", "receipt": receipt,
        }),
    ));
    let kept = json!([{ "provider": "forge", "kind": "pull-request", "id": "42" }]);
    assert_eq!(record["payload"]["receipts"], kept);
    assert!(record["redaction"]["fieldsOmitted"].to_string().contains("payload.receipts.url"));
}

#[test]
fn ids_and_paths_that_are_secrets_are_replaced() {
    let id = "ghp_abcdefghijklmnopqrstuvwxyz0123456789";
    let payload = json!({
        "artifacts": [{ "id": id, "kind": "log", "hash": hash(), "size": 1, "availability": "local" }],
        "fileChanges": [{ "repositoryId": "app", "added": ["src/a.rs", format!("keys/{id}")], "redactedPathCount": 2 }],
    });
    let record = safe(&sync("delivery.status_changed", payload));
    assert!(!record.to_string().contains("ghp_"), "{record}");
    assert!(record["payload"]["artifacts"][0]["id"].as_str().unwrap().starts_with("red_"));
    assert_eq!(record["payload"]["fileChanges"][0]["redactedPathCount"], 3);
}

/// What stays of a text after cleaning, and how many values went.
fn cleaned(text: &str, expected: &str, replaced: u64) {
    let found = clean(text);
    assert_eq!((found.text.as_ref(), found.replaced), (expected, replaced));
    assert_eq!(clean(&found.text).replaced, 0, "cleaning {:?} again replaced more", found.text);
}

#[test]
fn secrets_go_and_words_stay() {
    cleaned("max_tokens: 4096, tokens = 12", "max_tokens: 4096, tokens = 12", 0);
    cleaned("password=hunter2 next", "password=[redacted] next", 1);
    cleaned("{\"apiKey\": \"abc\", \"n\": 1}", "{\"apiKey\": \"[redacted]\", \"n\": 1}", 1);
    cleaned("Authorization: Bearer abc.def\nHost: x", "Authorization: [redacted]\nHost: x", 1);
    cleaned("see https://ana:pw@host/x", "see https://[redacted]@host/x", 1);
    cleaned("in /home/ana/keys.txt.", "in [path].", 1);
    cleaned("C:\\Users\\ana and ~/x", "[path] and [path]", 2);
    cleaned("AKIAIOSFODNN7EXAMPLE is one", "[redacted] is one", 1);
    cleaned("-----BEGIN PRIVATE KEY-----\nabc\n-----END PRIVATE KEY----- ok", "[redacted] ok", 1);
    cleaned("src/lib.rs and a/b stay", "src/lib.rs and a/b stay", 0);
    cleaned("x-auth-token: t0", "x-auth-token: [redacted]", 1);
    cleaned("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.abc123def", "[redacted]", 1);
    cleaned("plain words, nothing else", "plain words, nothing else", 0);
}

proptest::proptest! {
    #[test]
    fn cleaning_any_text_is_idempotent(text in "[ -~éß\n]{0,80}") {
        let once = clean(&text).text.into_owned();
        let again = clean(&once);
        proptest::prop_assert_eq!((again.text.as_ref(), again.replaced), (once.as_str(), 0));
    }

    #[test]
    fn any_text_is_refused_with_words(text in "\\PC{0,200}") {
        if let Err(invalid) = decode(&text) {
            proptest::prop_assert!(!invalid.faults.is_empty());
        }
    }
}
