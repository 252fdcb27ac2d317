//! KXM records: a delivery run as steps, agents, effects, gates and leases.

use graph::{CostKind, EdgeKind, NodeStatus, PriceTable, Run, RunKey, Status, Store, TickKind, project};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::law::{check_batched, check_every_moment, check_restored, check_slim};
use crate::support::{apply_all, edge, edges, event, r1, store_of};

/// An envelope of run `r1` as `kxm::to_envelope` writes it, without the record.
fn kxm(seq: u64, kind: &str, mut facts: Value) -> String {
    facts["eventType"] = kind.into();
    event(seq, "kxm.event", facts)
}

fn delivery() -> Store {
    store_of(testkit::delivery_run())
}

fn only(store: &Store) -> &Run {
    store.runs().next().expect("a run")
}

fn status(run: &Run, node: &str) -> NodeStatus {
    run.node_status(run.find_node(node).unwrap_or_else(|| panic!("no node {node}")))
}

#[test]
fn a_delivery_run_is_steps_agents_and_effects() {
    let store = delivery();
    let run = only(&store);
    assert_eq!((run.app(), run.status()), ("Round shipping costs half up", Status::Ok));
    let shown = project::show(run);
    let rows: Vec<_> = shown
        .nodes
        .iter()
        .map(|n| {
            (
                n.node_id.as_str(),
                n.kind.as_str(),
                n.parent_id.as_deref().unwrap_or(""),
                n.instances.total,
                n.status,
            )
        })
        .collect();
    assert_eq!(
        rows,
        [
            ("step:implement", "chain", "", 2, "ok"),
            ("agent:builder", "agent", "step:implement", 3, "ok"),
            ("effect:eff_edit0001", "tool", "agent:builder", 1, "ok"),
            ("effect:eff_push0001", "tool", "agent:builder", 1, "ok"),
            ("effect:eff_pull0001", "tool", "agent:builder", 1, "ok"),
            ("step:review", "chain", "", 2, "ok"),
            ("agent:reviewer", "agent", "step:review", 2, "ok"),
            ("step:deliver", "chain", "", 1, "ok"),
        ]
    );
    assert_eq!(
        edges(run, EdgeKind::Route),
        [
            edge("step:implement", "step:review", 2),
            edge("step:review", "step:deliver", 1),
            edge("step:review", "step:implement", 1)
        ]
    );
    assert_eq!(run.gaps(), []);
}

#[test]
fn attempts_are_tries_and_the_monotonic_clock_gives_the_duration() {
    let store = delivery();
    let run = only(&store);
    let builder = run.find_node("agent:builder").unwrap();
    let first = run.find_instance(builder, "asg_impl0001").unwrap();
    let instance = run.instance(first);
    assert_eq!((instance.retried, instance.status, instance.flags.failed_once), (1, Status::Ok, true));
    assert_eq!(run.failure(first).map(|failure| &*failure.name), Some("transport"));
    assert_eq!(run.model(first), Some("claude-sonnet-4"));
    let ms = instance.duration_ms.unwrap();
    assert!((28_800.0..29_000.0).contains(&ms), "{ms}");
    let (output, _) = run.output(first).unwrap();
    assert_eq!(&*output.preview, r#""Rounding is half up now; 14 tests pass.""#);
}

#[test]
fn tokens_and_money_count_once() {
    let store = delivery();
    let run = only(&store);
    let usage = run.usage();
    assert_eq!((usage.fresh, usage.cache_read, usage.output), (15_730, 24_700, 3930));
    let step = run.find_node("step:implement").unwrap();
    let repeat = run.instance(run.node(step).instances[0]);
    assert_eq!(repeat.usage(), None, "the step's figures are its assignment's");
    assert_eq!(repeat.repeated_usage().map(|usage| usage.total), Some(20_370));
    let sums: Vec<_> =
        project::spending(run, &PriceTable::default()).money.sums().map(|c| (c.kind, c.nanos)).collect();
    assert_eq!(sums, [(CostKind::Reported, 57_700_000), (CostKind::Estimated, 17_400_000)]);
}

#[test]
fn an_uncertain_effect_is_neither_ok_nor_failed_until_it_is_resolved() {
    let frames = testkit::delivery_run();
    let seq_of = |kind: &str| {
        let found =
            frames.iter().find(|frame| frame.contains(&format!("\"eventType\":\"{kind}\""))).expect(kind);
        wire::decode(found).header().unwrap().seq
    };
    let (blocked, resolved) = (seq_of("effect.blocked_uncertain"), seq_of("effect.uncertainty_resolved"));
    let before = store_of(&frames[..blocked as usize + 1]);
    let run = only(&before);
    assert_eq!(status(run, "effect:eff_push0001"), NodeStatus::Uncertain);
    assert_eq!(run.status(), Status::Uncertain);
    assert_eq!(run.counts(run.find_node("effect:eff_push0001").unwrap()).uncertain, 1);
    let whole = delivery();
    let run = only(&whole);
    let push = run.find_node("effect:eff_push0001").unwrap();
    for (seq, expect, of_run) in [
        (blocked - 1, NodeStatus::Running, Status::Running),
        (blocked + 1, NodeStatus::Uncertain, Status::Uncertain),
        (resolved, NodeStatus::Running, Status::Uncertain),
        (resolved + 1, NodeStatus::Running, Status::Running),
        (u64::MAX, NodeStatus::Ok, Status::Ok),
    ] {
        let at = project::at(run, seq);
        assert_eq!((at.node(push).status, at.status()), (expect, of_run), "at {seq}");
    }
    assert_eq!(run.instance(run.node(push).instances[0]).retried, 1);
}

#[test]
fn each_resolution_ends_the_effect_in_its_own_way() {
    for (action, expect) in [
        ("mark-completed", NodeStatus::Ok),
        ("mark-failed", NodeStatus::Error),
        ("cancel", NodeStatus::Aborted),
        ("compensate-and-retry", NodeStatus::Running),
        ("confirm-absent-and-retry", NodeStatus::Running),
    ] {
        let mut store = Store::new();
        store.apply_to(&r1(), &wire::decode(&kxm(1, "effect.intent_recorded", json!({"effectId": "e"}))));
        store.set_live(&r1(), true);
        for frame in [
            kxm(2, "effect.blocked_uncertain", json!({"effectId": "e"})),
            kxm(3, "effect.uncertainty_resolved", json!({"effectId": "e", "resolutionAction": action})),
        ] {
            store.apply_to(&r1(), &wire::decode(&frame));
        }
        assert_eq!(status(only(&store), "effect:e"), expect, "{action}");
    }
}

#[test]
fn approvals_are_answered_gates_and_leases_are_ticks() {
    let store = delivery();
    let run = only(&store);
    let holds = project::show(run).holds;
    assert_eq!(holds.len(), 1);
    assert_eq!(
        (holds[0].node_id.as_str(), holds[0].action, holds[0].held),
        ("step:deliver", Some("continue"), false)
    );
    assert_eq!(run.holds()[0].release.as_ref().unwrap().principal.as_deref(), Some("human:ana"));
    let leases: Vec<_> = run.ticks().iter().filter(|tick| tick.kind == TickKind::Lease).collect();
    let words: Vec<_> = leases.iter().map(|tick| tick.label.split(':').next().unwrap_or_default()).collect();
    assert_eq!(words, ["lease.acquired", "lease.lost", "lease.acquired", "lease.released"]);
    assert!(leases.iter().all(|tick| tick.node == run.find_node("agent:builder")));
}

#[test]
fn what_redaction_took_out_is_counted() {
    let store = store_of([
        kxm(
            1,
            "step.entered",
            json!({"stepId": "a", "stepAttempt": 1, "valuesReplaced": 2, "fieldsOmitted": 3}),
        ),
        kxm(2, "step.status_changed", json!({"stepId": "a", "status": "running", "valuesReplaced": 0})),
        kxm(
            3,
            "step.outcome_recorded",
            json!({"stepId": "a", "stepAttempt": 1, "outcome": "ok", "pathsRedacted": 5}),
        ),
    ]);
    let redaction = only(&store).redaction();
    let counts =
        (redaction.records, redaction.values_replaced, redaction.fields_omitted, redaction.paths_redacted);
    assert_eq!(counts, (2, 2, 3, 5));
    assert!(project::notes(only(&store)).iter().any(|note| note.text.contains("2 values replaced")));
}

#[test]
fn things_whose_beginning_is_missing_are_shown() {
    let store = store_of([
        kxm(5, "attempt.status_changed", json!({"attemptId": "t9", "status": "failed"})),
        kxm(6, "assignment.executing", json!({"assignmentId": "a9", "status": "executing"})),
        kxm(7, "effect.settled", json!({"effectId": "e9", "assignmentId": "a9"})),
    ]);
    let run = only(&store);
    assert_eq!(status(run, "agent:?a9"), NodeStatus::Abandoned);
    assert_eq!(status(run, "effect:e9"), NodeStatus::Ok);
    assert!(run.ticks().iter().any(|tick| tick.label.starts_with("attempt.status changed: failed")));
}

/// A random record with ids from a small pool, so that they name each other, also before they are made.
fn record() -> impl Strategy<Value = (&'static str, Value)> {
    const KINDS: &[&str] = &[
        "run.created",
        "run.status_changed",
        "step.entered",
        "step.status_changed",
        "step.outcome_recorded",
        "step.transitioned",
        "assignment.created",
        "assignment.accepted",
        "assignment.result_recorded",
        "assignment.terminal",
        "attempt.created",
        "attempt.status_changed",
        "attempt.connection_lost",
        "effect.intent_recorded",
        "effect.dispatched",
        "effect.settled",
        "effect.blocked_uncertain",
        "effect.uncertainty_resolved",
        "approval.recorded",
        "lease.acquired",
        "model.resolved",
    ];
    let word = |name: &'static str, words: &'static [&'static str], often: f64| {
        prop::option::weighted(often, prop::sample::select(words)).prop_map(move |word| (name, word))
    };
    let facts = vec![
        word("stepId", &["s1", "s2"], 0.6),
        word("stepAttempt", &["1", "2"], 0.3),
        word("fromStepId", &["s1"], 0.5),
        word("toStepId", &["s2", "s3"], 0.5),
        word("assignmentId", &["a1", "a2"], 0.6),
        word("attemptId", &["t1", "t2"], 0.5),
        word("agentId", &["g1", "g2"], 0.3),
        word("effectId", &["e1", "e2"], 0.9),
        word("status", &["running", "completed", "failed", "cancelled", "blocked_uncertain"], 0.5),
        word("outcome", &["passed", "failed"], 0.4),
        word("resultClass", &["outcome", "outcome_unknown", "cancelled"], 0.4),
        word("resolutionAction", &["mark-completed", "cancel", "compensate-and-retry"], 0.7),
        word("errorClass", &["transport"], 0.2),
        word("inputTokens", &["100", "7"], 0.3),
        word("cost", &["0.25"], 0.2),
        word("monotonicNs", &["5000000", "9000000"], 0.3),
        word("model", &["m1"], 0.2),
        word("valuesReplaced", &["1"], 0.2),
    ];
    let summary =
        prop::option::weighted(0.2, prop_oneof![Just("short".to_owned()), Just("long ".repeat(900))]);
    (prop::sample::select(KINDS), facts, summary).prop_map(|(kind, words, summary)| {
        let mut facts = json!({});
        for (name, word) in words {
            if let Some(word) = word {
                facts[name] = word.into();
            }
        }
        if let Some(summary) = summary {
            facts["summary"] = summary.into();
        }
        (kind, facts)
    })
}

fn story() -> impl Strategy<Value = (Vec<String>, Vec<String>)> {
    prop::collection::vec(record(), 1..24).prop_flat_map(|records| {
        let frames: Vec<String> =
            (1..).zip(records).map(|(seq, (kind, facts))| kxm(seq, kind, facts)).collect();
        let doubled: Vec<String> = frames.iter().chain(&frames).cloned().collect();
        (Just(frames), Just(doubled).prop_shuffle())
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, max_shrink_iters: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_order_batching_and_weight_gives_the_same_digest((frames, other) in story(), every in 1..9usize) {
        check_batched(&frames, &other, every)?;
        check_slim(&frames)?;
    }

    #[test]
    fn a_restored_snapshot_goes_on((_, frames) in story(), cut in 0.0..1.0f64) {
        check_restored(&frames, cut)?;
    }

    #[test]
    fn the_state_at_a_record_is_what_stopping_there_gives((frames, other) in story()) {
        check_every_moment(&frames, &other)?;
    }
}

#[test]
fn late_records_leave_positions_alone() {
    let frames = testkit::delivery_run();
    let key = RunKey::from("run_delivery1");
    let mut store = Store::new();
    let (late, rest): (Vec<_>, Vec<_>) =
        frames.iter().partition(|frame| frame.contains("\"assignment.created\""));
    apply_all(&mut store, &rest);
    store.settle();
    let before: Vec<String> =
        store.run(&key).unwrap().nodes().iter().map(|node| node.id.to_string()).collect();
    apply_all(&mut store, &late);
    store.settle();
    let run = store.run(&key).unwrap();
    for (at, id) in before.iter().enumerate() {
        assert_eq!(run.nodes()[at].id.as_str(), id);
    }
    let tree = project::Tree::new(run);
    let shown = tree.order().len();
    assert_eq!(shown, run.nodes().iter().filter(|node| !node.is_vacant()).count());
    assert!(run.nodes().iter().any(|node| node.is_vacant()), "the nameless agents are gone");
    assert_eq!(store.digest(), delivery().digest());
}
