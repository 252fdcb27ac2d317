//! Projections a window is made of: steps, supersteps, checkpoints, values, nested graphs, interrupts, runs, money.

use graph::{CostKind, Currency, EdgeKind, Price, PriceTable, Run, RunKey, Status, Store, project};
use project::Step;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::support::*;

fn told(seq: u64, namespace: &[&str], event: Value) -> String {
    event_of("r1", seq, "graph.event", json!({"run_id": "r1", "namespace": namespace, "event": event}))
}

fn part(seq: u64, part: Value) -> String {
    event_of("r1", seq, "graph.part", json!({"run_id": "r1", "part": part}))
}

fn task(seq: u64, step: u64, kind: &str, task: &str, node: &str) -> String {
    let event = json!({kind: {"task_id": task, "node": node, "triggers": []}});
    event_of("r1", seq, "graph.event", json!({"run_id": "r1", "step": step, "event": event}))
}

fn name(run: &Run, ix: graph::NodeIx) -> &str {
    run.node(ix).id.as_str()
}

#[test]
fn steps_lead_into_over_and_out_of_calls() {
    let store = store_of([
        run_started(1),
        started(2, "agent", None, "a"),
        started(3, "llm", Some("agent"), "l"),
        token(4, "llm", Some("l"), "word"),
        started(5, "tool", Some("llm"), "t"),
        failed(6, "tool", Some("t")),
        finished(7, "llm", Some("l")),
        started(8, "w", Some("agent"), "w1"),
        finished(12, "w", Some("w1")),
        finished(13, "agent", Some("a")),
    ]);
    let run = only(&store);
    let steps = project::Steps::new(run, &project::Tree::new(run));
    for (from, step, next, before) in [
        (4, Step::Event, Some(5), Some(3)),
        (8, Step::Event, Some(12), Some(7)),
        (13, Step::Event, None, Some(12)),
        (1, Step::Event, Some(2), None),
        (2, Step::Node, Some(3), None),
        (6, Step::Node, Some(8), Some(5)),
        (3, Step::Into, Some(5), Some(2)),
        (3, Step::Over, Some(7), Some(2)),
        (5, Step::Over, Some(6), Some(3)),
        (5, Step::Out, Some(7), Some(3)),
        (3, Step::Out, Some(13), Some(2)),
        (2, Step::Out, None, None),
        (2, Step::Error, Some(6), None),
        (13, Step::Error, None, Some(6)),
        (1, Step::Over, Some(2), None),
    ] {
        let found = (steps.next(run, from, step), steps.before(run, from, step));
        assert_eq!(found, (next, before), "{step:?} from {from}");
    }
    let stops = |kind: Option<&str>, name: Option<&str>, point| {
        let matcher = wire::Matcher { kind: kind.map(Into::into), name: name.map(Into::into), point };
        project::breakpoint_stops(run, &[matcher])
    };
    assert_eq!(stops(Some("tool"), None, None), [5, 8]);
    assert_eq!(stops(None, Some("w"), Some(wire::Point::After)), [12]);
    assert_eq!(project::breakpoint_stops(run, &[wire::Matcher::on_error()]), [6]);
    assert_eq!((project::next_of(&[5, 8], 5), project::before_of(&[5, 8], 5)), (Some(8), None));
}

#[test]
fn supersteps_say_what_ran_side_by_side() {
    let store = store_of([
        told(1, &[], json!({"StepStarted": {"step": 1, "active": ["a", "b"]}})),
        task(2, 1, "TaskStarted", "t1", "a"),
        task(3, 1, "TaskStarted", "t2", "b"),
        task(4, 1, "TaskCached", "t1", "a"),
        task(5, 1, "TaskCompleted", "t2", "b"),
        told(6, &[], json!({"StepCompleted": {"step": 1}})),
        task(7, 2, "TaskStarted", "t3", "a"),
    ]);
    let run = only(&store);
    let rows: Vec<_> = project::supersteps(run)
        .into_iter()
        .map(|row| {
            let nodes: Vec<_> = row.nodes.iter().map(|ix| name(run, *ix).to_owned()).collect();
            (row.step, row.from.seq, row.to.map(|at| at.seq), nodes.join(" "), row.tasks, row.cached)
        })
        .collect();
    assert_eq!(rows, [(1, 1, Some(6), "a b".to_owned(), 2, 1), (2, 7, None, "a".to_owned(), 1, 0)]);
}

#[test]
fn checkpoints_are_a_tree_with_forks() {
    let saved = |seq, id: &str, from: Option<&str>| {
        let event = json!({"CheckpointSaved": {"checkpoint_id": id}});
        let mut payload = json!({"run_id": "r1", "event": event});
        if let Some(from) = from {
            payload["parent_checkpoint_id"] = from.into();
        }
        event_of("r1", seq, "graph.event", payload)
    };
    let restored = |seq, id: &str| told(seq, &[], json!({"CheckpointRestored": {"checkpoint_id": id}}));
    let store = store_of([
        saved(1, "c1", None),
        saved(2, "c2", None),
        saved(3, "c3", Some("c1")),
        restored(4, "c2"),
        saved(5, "c4", None),
        saved(6, "c4", None),
    ]);
    let run = only(&store);
    let rows: Vec<_> = project::checkpoints(run)
        .into_iter()
        .map(|row| (row.id.to_owned(), row.parent, row.depth, row.is_fork(), row.restored.len()))
        .collect();
    assert_eq!(
        rows,
        [
            ("c1".to_owned(), None, 0, true, 0),
            ("c2".to_owned(), Some(0), 1, false, 1),
            ("c3".to_owned(), Some(0), 1, false, 0),
            ("c4".to_owned(), Some(1), 2, false, 0),
        ]
    );
}

#[test]
fn values_are_compared_with_those_before_them() {
    let store = store_of([
        part(1, json!({"Values": {"data": {"x": 1}}})),
        part(2, json!({"Updates": {"data": {"a": {"x": 2}}}})),
        part(3, json!({"Values": {"data": {"x": 2}}})),
        told(4, &["sub"], json!({"StateUpdated": {"node": "b", "update": {"y": 1}}})),
    ]);
    let run = only(&store);
    let rows = project::state_rows(run);
    let shown: Vec<_> = rows
        .iter()
        .map(|row| (row.at.seq, row.whole, row.previous, row.node.map(|ix| name(run, ix).to_owned())))
        .collect();
    assert_eq!(
        shown,
        [
            (1, true, None, None),
            (2, false, None, Some("a".to_owned())),
            (3, true, Some(1), None),
            (4, false, None, Some("sub/b".to_owned()))
        ]
    );
    let frames = [part(3, json!({"Values": {"data": {"x": 2}}}))];
    let value: Value = serde_json::from_str(&frames[0]).unwrap();
    assert!(rows[2].pointers().iter().any(|pointer| value.pointer(pointer) == Some(&json!({"x": 2}))));
}

#[test]
fn a_way_leads_down_to_every_nested_graph() {
    let store = store_of([
        told(1, &[], json!({"RunStarted": {"run_id": "r1", "graph_id": "support"}})),
        told(2, &["outer:t1", "inner:t2"], json!({"NodeStarted": {"node": "leaf", "step": 0}})),
    ]);
    let run = only(&store);
    let rows: Vec<_> = project::namespaces(run).iter().map(|row| (row.name, row.depth, row.nodes)).collect();
    assert_eq!(rows, [("outer", 0, 1), ("inner", 1, 1)]);
    let leaf = run.find_node("outer/inner/leaf").unwrap();
    let crumbs = project::crumbs(run, run.node(leaf).namespace);
    let names: Vec<_> = crumbs.iter().map(|crumb| crumb.name).collect();
    assert_eq!(names, ["support", "outer", "inner"]);
    assert_eq!(crumbs[2].node, run.find_node("outer/inner"));
    let way = project::way_to(&project::Tree::new(run), leaf);
    let way: Vec<_> = way.into_iter().map(|ix| name(run, ix)).collect();
    assert_eq!(way, ["outer", "outer/inner", "outer/inner/leaf"]);
}

#[test]
fn pending_interrupts_say_what_they_ask_and_whether_an_answer_can_be_sent() {
    let ask = |seq, id: &str, node: &str| {
        told(
            seq,
            &[],
            json!({"InterruptEmitted": {"interrupt": {"id": id, "node": node, "payload": {"q": "Pay?"}}}}),
        )
    };
    let mut store = store_of([ask(1, "i1", "pay"), ask(2, "i2", "ship"), paused(3, "i2", "ship", "before")]);
    store.set_live(&r1(), true);
    let asks: Vec<_> = project::asks(only(&store))
        .into_iter()
        .map(|ask| {
            (
                ask.id.to_owned(),
                ask.name.to_owned(),
                ask.question.unwrap().preview.to_string(),
                ask.answerable,
            )
        })
        .collect();
    let question = r#"{"q":"Pay?"}"#.to_owned();
    assert_eq!(
        asks,
        [
            ("i1".to_owned(), "pay".to_owned(), question.clone(), false),
            ("i2".to_owned(), "ship".to_owned(), question, true)
        ]
    );
    store.apply_to(&r1(), &wire::decode(&resumed(4, "i2", "continue")));
    assert_eq!(project::asks(only(&store)).len(), 1);
}

#[test]
fn runs_stand_under_those_that_started_them() {
    let of = |run: &str, seq, place: Value| {
        let mut payload = place;
        payload["event"] = json!({"RunStarted": {"run_id": run, "graph_id": "g"}});
        event_of(run, seq, "graph.event", payload)
    };
    let mut child = json!({"run_id": "top"});
    child["event"] = json!({"SubAgentStarted": {"node": "call", "agent": "helper", "child_run_id": "kid"}});
    let store = store_of([
        of("kid", 1, json!({"run_id": "kid"})),
        of("top", 2, json!({"run_id": "top", "thread_id": "chat"})),
        event_of("top", 3, "graph.event", child),
        of("grandkid", 4, json!({"run_id": "grandkid", "parent_run_id": "kid", "root_run_id": "top"})),
        of("later", 5, json!({"run_id": "later", "thread_id": "chat"})),
        of("ring1", 6, json!({"run_id": "ring1", "parent_run_id": "ring2"})),
        of("ring2", 7, json!({"run_id": "ring2", "parent_run_id": "ring1"})),
    ]);
    let key = |key: Option<&RunKey>| key.map_or("", |key| key.as_str()).to_owned();
    let rows: Vec<_> = project::family(store.runs())
        .into_iter()
        .map(|row| {
            (row.run.as_str().to_owned(), key(row.parent), row.depth, row.node.is_some(), key(row.continues))
        })
        .collect();
    let row = |run: &str, parent: &str, depth, node, continues: &str| {
        (run.to_owned(), parent.to_owned(), depth, node, continues.to_owned())
    };
    assert_eq!(
        rows,
        [
            row("top", "", 0, false, ""),
            row("kid", "top", 1, true, ""),
            row("grandkid", "kid", 2, false, ""),
            row("later", "", 0, false, "top"),
            row("ring1", "", 0, false, ""),
            row("ring2", "ring1", 1, false, ""),
        ]
    );
}

#[test]
fn links_and_hand_offs_are_lines_whatever_comes_first() {
    let begin = |seq, node: &str, kind: &str, instance: &str, more: Value| {
        let mut payload = json!({"nodeId": node, "kind": kind, "name": node, "instanceId": instance});
        more.as_object().unwrap().iter().for_each(|(name, value)| payload[name] = value.clone());
        event(seq, "node.started", payload)
    };
    let long: Vec<String> = (0..40).map(|i| format!("call{i:04}")).collect();
    let mut frames = vec![
        begin(1, "consumer", "chain", "c1", json!({"links": ["p1", "nobody"]})),
        begin(2, "producer", "chain", "p1", json!({})),
        begin(3, "triage", "agent", "a1", json!({"handoffs": ["billing", "refunds"]})),
        begin(4, "hand", "tool", "h1", json!({"handoff": {"from": "triage", "to": "billing"}})),
        begin(5, "billing", "agent", "b1", json!({})),
        begin(6, "refunds", "agent", "r1", json!({"links": long})),
    ];
    for _ in 0..2 {
        let store = store_of(&frames);
        let run = only(&store);
        assert_eq!(edges(run, EdgeKind::Link), [edge("producer", "consumer", 1)]);
        assert_eq!(
            edges(run, EdgeKind::Handoff),
            [edge("triage", "billing", 1), edge("triage", "refunds", 0)]
        );
        assert!(texts(run).iter().any(|text| text.starts_with("1 lists of links")));
        frames.reverse();
    }
}

#[test]
fn what_nobody_reported_is_estimated_by_a_price_table() {
    let called = |seq, instance: &str, model: &str| {
        event(
            seq,
            "node.started",
            json!({"nodeId": "llm", "kind": "llm", "name": "llm", "instanceId": instance, "model": model}),
        )
    };
    let done = |seq, instance: &str, more: Value| {
        let mut usage = json!({"inputTokens": 1_000_000, "outputTokens": 100_000});
        more.as_object().unwrap().iter().for_each(|(name, value)| usage[name] = value.clone());
        event(
            seq,
            "node.finished",
            json!({"nodeId": "llm", "instanceId": instance, "durationMs": 1, "status": "ok", "usage": usage}),
        )
    };
    let store = store_of([
        called(1, "a", "m-large"),
        done(2, "a", json!({"cost": 3.5})),
        called(3, "b", "m-large"),
        done(4, "b", json!({})),
        called(5, "c", "other"),
        done(6, "c", json!({})),
    ]);
    let run = only(&store);
    let prices = PriceTable {
        currency: Currency::USD,
        prices: vec![Price {
            model: "m-".into(),
            fresh: 1.0,
            cache_read: 0.1,
            cache_write: 1.25,
            output: 10.0,
        }],
    };
    let spending = project::spending(run, &prices);
    let sums: Vec<_> = spending.money.sums().map(|cost| (cost.kind, cost.nanos)).collect();
    assert_eq!(sums, [(CostKind::Reported, 3_500_000_000), (CostKind::Estimated, 2_000_000_000)]);
    assert_eq!(spending.unpriced, 1);
    assert_eq!(run.money().sums().count(), 1, "the run itself knows what was reported");
}

#[test]
fn a_parents_figures_that_repeat_are_shown_apart() {
    let usage = json!({"inputTokens": 10, "outputTokens": 5});
    let store = store_of([
        started(1, "agent", None, "a"),
        started(2, "llm", Some("agent"), "l"),
        event(
            3,
            "node.finished",
            json!({"nodeId": "llm", "instanceId": "l", "durationMs": 1, "status": "ok", "usage": usage}),
        ),
        event(
            4,
            "node.finished",
            json!({"nodeId": "agent", "instanceId": "a", "durationMs": 1, "status": "ok", "usageRepeated": usage}),
        ),
    ]);
    let run = only(&store);
    assert_eq!(run.usage().total, 15);
    let agent = run.find_instance(run.find_node("agent").unwrap(), "a").unwrap();
    assert_eq!(run.instance(agent).usage(), None);
    assert_eq!(run.instance(agent).repeated_usage().map(|usage| usage.total), Some(15));
}

#[test]
fn the_life_of_an_effect_names_its_doubt_and_its_resolution() {
    let mut store = Store::new();
    apply_all(&mut store, testkit::delivery_run());
    let run = store.runs().next().unwrap();
    let push = run.find_node("effect:eff_push0001").unwrap();
    let life = project::life(run, run.node(push).instances[0]).unwrap();
    assert_eq!((life.class, life.shared_mutable), (Some("external-non-idempotent"), true));
    let phases: Vec<_> =
        life.records.iter().map(|record| record.event().trim_start_matches("effect.")).collect();
    assert_eq!(
        phases,
        [
            "intent_recorded",
            "dispatched",
            "blocked_uncertain",
            "uncertainty_resolved",
            "dispatched",
            "observed",
            "receipt_recorded",
            "settled"
        ]
    );
    let [doubt] = life.doubts.as_slice() else { panic!("{:?}", life.doubts) };
    let resolution = doubt.resolution.as_ref().unwrap();
    assert_eq!(
        (resolution.action, resolution.by.as_deref()),
        ("confirm-absent-and-retry", Some("human:ana"))
    );
    let builder = run.find_node("agent:builder").unwrap();
    let work = project::life(run, run.node(builder).instances[0]).unwrap();
    assert_eq!(work.model, Some(("anthropic", "claude-sonnet-4")));
    assert_eq!(
        (work.executor, work.instance_no, work.refs),
        (Some(("laptop", "coder")), Some("1"), [1, 1, 0])
    );
    assert_eq!(run.instance(run.node(push).instances[0]).status, Status::Ok);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, max_shrink_iters: 200, failure_persistence: None, ..ProptestConfig::default() })]

    /// Every step is what looking at all stops one by one gives.
    #[test]
    fn steps_agree_with_looking_one_by_one(frames in story(), seq in 0..70u64) {
        let store = store_of(&frames);
        let run = only(&store);
        let tree = project::Tree::new(run);
        let steps = project::Steps::new(run, &tree);
        let mut stops: Vec<(u64, u32)> = Vec::new();
        for instance in run.instances() {
            let both = [instance.started, instance.ended];
            stops.extend(both.into_iter().flatten().map(|at| (at.seq, tree.depth(instance.node))));
        }
        stops.sort_unstable();
        let last = stops.iter().rev().find(|stop| stop.0 <= seq);
        let over = stops.iter().find(|stop| stop.0 > seq && last.is_none_or(|last| stop.1 <= last.1));
        let out = stops.iter().find(|stop| stop.0 > seq && last.is_none_or(|last| stop.1 < last.1));
        prop_assert_eq!(steps.next(run, seq, Step::Over), over.map(|stop| stop.0), "over");
        prop_assert_eq!(steps.next(run, seq, Step::Out), out.map(|stop| stop.0), "out");
        prop_assert_eq!(steps.next(run, seq, Step::Into), stops.iter().find(|stop| stop.0 > seq).map(|stop| stop.0));
        for step in [Step::Event, Step::Node, Step::Into, Step::Over, Step::Out, Step::Error] {
            prop_assert!(steps.next(run, seq, step).is_none_or(|next| next > seq), "{:?}", step);
            prop_assert!(steps.before(run, seq, step).is_none_or(|before| before < seq), "{:?}", step);
        }
    }
}
