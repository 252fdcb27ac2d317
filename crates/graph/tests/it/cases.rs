//! Situations known to break tools of this kind, each with its right outcome.

use crate::support::*;
use graph::{EdgeKind, NodeStatus, Run, RunKey, Status, Store, project};
use serde_json::json;

#[test]
fn a_child_shows_under_a_ghost_that_becomes_real_in_place() {
    let mut store = run_of(&[run_started(1), started(2, "c", Some("b"), "c1"), finished(3, "c", Some("c1"))]);
    let ghost = only(&store).find_node("b").unwrap();
    assert_eq!(status(only(&store), "b"), NodeStatus::Ghost);
    assert_eq!(status(only(&store), "c"), NodeStatus::Ok);
    assert_eq!(project::Tree::new(only(&store)).parent(only(&store).find_node("c").unwrap()), Some(ghost));
    assert!(texts(only(&store)).contains(&"1 missing parent".to_owned()));

    apply_all(&mut store, [started(9, "b", Some("agent"), "b1")]);
    let run = only(&store);
    assert_eq!(run.find_node("b"), Some(ghost), "the ghost keeps its place");
    assert_eq!(status(run, "b"), NodeStatus::Abandoned);
    assert_eq!(run.node(ghost).kind.as_str(), "chain");
    assert_eq!(run.missing_parents(), 1, "now the agent is missing");
}

#[test]
fn a_chain_of_fifty_thousand_is_linear_and_needs_no_stack() {
    let depth = 50_000;
    let mut store = Store::new();
    for i in 0..depth {
        let parent = (i > 0).then(|| format!("n{}", i - 1));
        let frame = started(i as u64 + 1, &format!("n{i}"), parent.as_deref(), "x");
        store.apply(&wire::decode(&frame));
    }
    let run = only(&store);
    let tree = project::Tree::new(run);
    let last = run.find_node(&format!("n{}", depth - 1)).unwrap();
    assert_eq!(tree.depth(last), depth - 1);
    assert_eq!(project::outline(run, &tree, &Default::default(), None).len(), depth as usize);
    assert_eq!(project::scene(run, &tree, &Default::default(), None).boxes.len(), depth as usize - 1);
    assert_eq!(project::inside(run, &tree, None)[0].nodes, depth - 1);
    assert_eq!(project::diff(run, run).rows.len(), depth as usize);
    drop(store);
}

#[test]
fn a_cut_recording_leaves_its_open_instances_abandoned_at_the_last_known_time() {
    let store =
        run_of(&[run_started(1), started(2, "agent", None, "a"), started(3, "tool", Some("agent"), "t")]);
    let run = only(&store);
    assert_eq!(run.status(), Status::Abandoned);
    assert_eq!(status(run, "tool"), NodeStatus::Abandoned);
    let axis = project::Axis::new(run, 0.0);
    let span = axis.span(run, run.node(run.find_node("tool").unwrap()).instances[0]);
    assert_eq!(span, Some((1030.0, 1030.0)));
    assert_eq!(project::summary(run).ended_ms, Some(1030.0));
}

#[test]
fn a_gap_is_shown_in_place_and_filled_by_late_events() {
    let mut frames: Vec<String> = vec![run_started(1)];
    frames.extend((2..=10).map(|seq| token(seq, "llm", None, "x")));
    frames.push(run_finished(14));
    let mut store = run_of(&frames);
    assert_eq!(only(&store).gaps(), vec![(11, 13)]);
    assert!(texts(only(&store)).contains(&"3 events missing between 10 and 14".to_owned()));
    assert_eq!(only(&store).status(), Status::Ok);

    apply_all(&mut store, [token(12, "llm", None, "x")]);
    assert_eq!(only(&store).gaps(), vec![(11, 11), (13, 13)]);
    apply_all(&mut store, [token(13, "llm", None, "x"), token(11, "llm", None, "x")]);
    assert_eq!(only(&store).gaps(), vec![]);
    assert_eq!(only(&store).node(only(&store).find_node("llm").unwrap()).unattributed.deltas, 12);
}

#[test]
fn a_loss_that_the_program_admits_is_known_loss_and_no_gap() {
    let lost = event(8, "gap", json!({"lost": 3, "fromSeq": 5, "toSeq": 7}));
    let store = run_of(&[run_started(4), lost, run_finished(9)]);
    assert_eq!(only(&store).gaps(), vec![]);
    assert_eq!(only(&store).known_loss(), vec![(5, 7)]);
    assert!(texts(only(&store)).contains(&"3 events lost by the program itself, 5 to 7".to_owned()));
}

#[test]
fn numbers_that_the_session_used_elsewhere_are_no_gap() {
    let mut store = run_of(&[run_started(3), run_finished(9)]);
    store.account(&r1(), 4, 6);
    assert_eq!(only(&store).gaps(), vec![(7, 8)]);
}

#[test]
fn interleaved_runs_a_reused_id_and_the_wildcard_are_told_apart() {
    let run = |run: &str, seq, kind: &str| {
        let payload = match kind {
            "run.started" => json!({"app": run, "sdk": {"name": "s", "version": "1"}}),
            "run.finished" => json!({"status": "ok"}),
            _ => json!({"nodeId": "n", "deltas": [{"t": "text", "v": "x"}]}),
        };
        event_of(run, seq, kind, payload)
    };
    let hello = json!({"versions": {"protocol": 1, "client": "1"}, "capabilities": []});
    let again = run("r1", 1, "run.started").replace("1010.0", "9000.0");
    let frames = [
        event_of("*", 0, "hello", hello),
        run("r1", 1, "run.started"),
        run("r2", 2, "run.started"),
        run("r1", 3, "node.token"),
        run("r2", 4, "node.token"),
        run("r1", 5, "run.finished"),
        again.clone(),
        run("r1", 2, "node.token"),
        run("r2", 6, "run.finished"),
    ];
    for frames in [frames.to_vec(), [frames.to_vec(), frames.to_vec()].concat()] {
        let mut store = Store::new();
        let changes = apply_all(&mut store, &frames);
        let keys: Vec<&str> = store.runs().map(|run| run.key().as_str()).collect();
        assert_eq!(keys, ["r1", "r2", "r1 (2)"]);
        let counts: Vec<u64> = store.runs().map(Run::event_count).collect();
        assert_eq!(counts, [3, 3, 2]);
        assert_eq!(store.find("r1 (2)").unwrap().run_id().as_str(), "r1");
        assert_eq!(store.find("r1").unwrap().gaps(), vec![]);
        assert_eq!(changes.iter().filter(|change| change.created).count(), 3);
    }
}

#[test]
fn parallel_instances_of_one_node_stay_apart() {
    let error = |seq, i: &str| {
        event(
            seq,
            "node.finished",
            json!({"nodeId": "w", "instanceId": i, "durationMs": 5, "status": "error"}),
        )
    };
    let frames = [
        run_started(1),
        started(2, "w", None, "w1"),
        started(3, "w", None, "w2"),
        started(4, "w", None, "w3"),
        finished(5, "w", Some("w1")),
        error(6, "w2"),
        run_finished(7),
    ];
    let store = run_of(&frames);
    let run = only(&store);
    let w = run.find_node("w").unwrap();
    let states: Vec<Status> = run.node(w).instances.iter().map(|i| run.instance_status(*i)).collect();
    assert_eq!(states, [Status::Ok, Status::Error, Status::Abandoned]);
    let card = project::card(run, w, None);
    assert_eq!(card.badge().as_deref(), Some("1/3 failed"));
    assert_eq!(card.status, NodeStatus::Error);
    assert_eq!(run.counts(w).running, 0, "nothing spins");
    let axis = project::Axis::new(run, 0.0);
    assert_eq!(project::lanes(run, &axis, w).len(), 3);
}

#[test]
fn deltas_without_an_instance_are_never_glued_together() {
    let args = |seq, v: &str| {
        event(
            seq,
            "node.token",
            json!({"nodeId": "llm", "deltas": [{"t": "tool-args", "v": v}, {"t": "text", "v": v}]}),
        )
    };
    let frames = [
        run_started(1),
        started(2, "llm", None, "a"),
        args(3, "only-a"),
        started(4, "llm", None, "b"),
        args(5, "whose?"),
        token(6, "llm", Some("b"), "mine"),
        finished(7, "llm", Some("a")),
        args(8, "only-b"),
    ];
    let store = run_of(&frames);
    let run = only(&store);
    let llm = run.find_node("llm").unwrap();
    let [a, b] = [0, 1].map(|i| run.node(llm).instances[i]);
    assert_eq!(run.tail(a), "only-a");
    assert_eq!(run.tail(b), "mine");
    assert_eq!(run.instance(b).text().deltas, 3);
    assert_eq!(run.node(llm).unattributed.deltas, 2);
    assert_eq!(run.unattributed_tail(llm), "whose?");
    assert!(project::card(run, llm, None).unattributed);
}

#[test]
fn each_hold_has_its_own_row_and_its_own_answer() {
    let frames = [
        run_started(1),
        started(2, "a", None, "a1"),
        started(3, "b", None, "b1"),
        paused(4, "p1", "a", "before"),
        paused(5, "p2", "b", "before"),
    ];
    let mut store = run_of(&frames);
    store.set_live(&r1(), true);
    assert_eq!(project::holds(only(&store)).len(), 2);
    apply_all(&mut store, [resumed(6, "p1", "continue")]);
    let rows = project::holds(only(&store));
    assert_eq!(rows.iter().map(|row| row.node_id).collect::<Vec<_>>(), ["b"]);
    assert_eq!(rows[0].instance_id, Some("b1"));
    assert_eq!(status(only(&store), "a"), NodeStatus::Running);
    assert_eq!(status(only(&store), "b"), NodeStatus::Held);
    let shown = project::show(only(&store));
    let actions: Vec<_> = shown.holds.iter().map(|hold| hold.action).collect();
    assert_eq!(actions, [Some("continue"), None]);
}

#[test]
fn one_pause_id_on_two_gates_is_two_rows_and_a_warning() {
    let frames = [
        run_started(1),
        started(2, "a", None, "a1"),
        started(3, "b", None, "b1"),
        paused(4, "p", "a", "before"),
    ];
    let mut store = run_of(&frames);
    store.set_live(&r1(), true);
    let change = apply_all(&mut store, [paused(5, "p", "b", "before")]).remove(0);
    assert_eq!(change.notes.len(), 1);
    let rows = project::holds(only(&store));
    assert_eq!(rows.iter().map(|row| row.shared).collect::<Vec<_>>(), [true, true]);
    apply_all(&mut store, [resumed(6, "p", "continue")]);
    assert!(project::holds(only(&store)).is_empty());
    assert!(texts(only(&store)).iter().any(|text| text.contains("one answer releases both")));
}

#[test]
fn a_second_instance_makes_up_for_the_first_ones_error() {
    let frames = [
        run_started(1),
        started(2, "tool", None, "t1"),
        failed(3, "tool", Some("t1")),
        paused(4, "p", "tool", "error"),
        resumed(5, "p", "retry"),
        started(6, "tool", None, "t2"),
        finished(7, "tool", Some("t2")),
        run_finished(8),
    ];
    let store = run_of(&frames);
    let run = only(&store);
    let tool = run.find_node("tool").unwrap();
    let card = project::card(run, tool, None);
    assert_eq!((card.status, card.retried().as_deref()), (NodeStatus::Ok, Some("retried once")));
    assert_eq!((card.counts.ok, card.counts.error), (1, 1), "the error is history");
    assert_eq!(run.hold(run.node(tool).holds[0]).instance, Some(run.node(tool).instances[0]));
    assert_eq!(run.failure(run.node(tool).instances[0]).map(|f| &*f.message), Some("it broke"));
}

#[test]
fn a_retry_in_place_ends_as_its_last_try() {
    let frames = [
        run_started(1),
        started(2, "tool", None, "t1"),
        failed(3, "tool", Some("t1")),
        paused(4, "p", "tool", "error"),
        resumed(5, "p", "retry"),
        finished(6, "tool", Some("t1")),
    ];
    let mut store = run_of(&frames[..5]);
    store.set_live(&r1(), true);
    assert_eq!(status(only(&store), "tool"), NodeStatus::Running);
    apply_all(&mut store, &frames[5..]);
    let run = only(&store);
    let tool = run.find_node("tool").unwrap();
    assert_eq!(run.node_status(tool), NodeStatus::Ok);
    let counts = run.counts(tool);
    assert_eq!((counts.total, counts.ok, counts.error, counts.retried), (1, 1, 0, 1));
    assert!(run.instance(run.node(tool).instances[0]).flags.failed_once);
}

#[test]
fn an_injected_finish_is_neither_a_call_nor_a_duration() {
    let injected = json!({"nodeId": "llm", "instanceId": "l1", "durationMs": 0, "status": "ok", "injected": true,
        "output": 42, "usage": {"inputTokens": 9, "outputTokens": 9}});
    let frames = [
        run_started(1),
        started(2, "llm", None, "l1"),
        failed(3, "llm", Some("l1")),
        paused(4, "p", "llm", "error"),
        resumed(5, "p", "inject"),
        event(6, "node.finished", injected),
        run_finished(7),
    ];
    let store = run_of(&frames);
    let run = only(&store);
    let llm = run.find_node("llm").unwrap();
    let instance = run.node(llm).instances[0];
    assert_eq!(run.node_status(llm), NodeStatus::Ok);
    assert!(run.instance(instance).flags.injected);
    assert_eq!(run.counts(llm).injected, 1);
    assert!(run.usage().is_zero());
    assert_eq!((run.node(llm).timed, run.instance(instance).run_ms()), (0, None));
    assert_eq!(run.output(instance).map(|(body, seq)| (&*body.preview, seq)), Some(("42", 6)));
}

#[test]
fn an_abort_after_a_finish_is_the_end_that_counts() {
    let end = |seq, status: &str| {
        event(
            seq,
            "node.finished",
            json!({"nodeId": "chain", "instanceId": "c", "durationMs": 10, "status": status, "usage": {"inputTokens": 5, "outputTokens": 1}}),
        )
    };
    let frames = [
        run_started(1),
        started(2, "chain", None, "c"),
        end(3, "error"),
        paused(4, "p", "chain", "error"),
        resumed(5, "p", "abort"),
        end(6, "aborted"),
    ];
    let store = run_of(&frames);
    let run = only(&store);
    assert_eq!(status(run, "chain"), NodeStatus::Aborted);
    assert_eq!(run.usage().total, 6, "one call, counted once");
    let chain = run.node(run.find_node("chain").unwrap());
    assert_eq!((chain.busy_us, chain.timed), (10_000, 1));
}

#[test]
fn a_node_that_names_itself_or_a_ring_of_parents_is_a_root() {
    let frames = [
        run_started(1),
        started(2, "s", Some("s"), "1"),
        started(3, "x", Some("y"), "1"),
        started(4, "y", Some("z"), "1"),
        started(5, "z", Some("x"), "1"),
    ];
    let store = run_of(&frames);
    let run = only(&store);
    let tree = project::Tree::new(run);
    let roots: Vec<&str> = tree.roots().iter().map(|ix| run.node(*ix).id.as_str()).collect();
    assert_eq!(roots, ["s", "x"]);
    assert_eq!(tree.order().len(), 4);
    let notes = texts(run);
    assert!(notes.contains(&"the parents of x form a ring; it is shown as a root".to_owned()), "{notes:?}");
    assert!(notes.iter().any(|text| text.starts_with("1 starts name their own node")), "{notes:?}");
}

#[test]
fn flow_does_not_lead_from_one_execution_of_the_parent_into_the_next() {
    let twice = [
        run_started(1),
        started(2, "look", None, "1"),
        started(3, "a", Some("look"), "1"),
        finished(4, "a", Some("1")),
        started(5, "b", Some("look"), "1"),
        finished(6, "b", Some("1")),
        finished(7, "look", Some("1")),
        started(8, "look", None, "2"),
        started(9, "a", Some("look"), "2"),
        finished(10, "a", Some("2")),
        started(11, "b", Some("look"), "2"),
    ];
    let mut late = twice.to_vec();
    late.swap(7, 10);
    for frames in [twice.to_vec(), late] {
        let store = run_of(&frames);
        assert_eq!(edges(only(&store), EdgeKind::Flow), [edge("a", "b", 2), edge("look", "look", 1)]);
    }
}

#[test]
fn flow_leads_from_fan_out_to_join_and_back_in_a_loop() {
    let frames = [
        run_started(1),
        started(2, "agent", None, "a"),
        started(3, "llm", Some("agent"), "1"),
        finished(4, "llm", Some("1")),
        started(5, "t1", Some("agent"), "1"),
        started(6, "t2", Some("agent"), "1"),
        finished(7, "t1", Some("1")),
        finished(8, "t2", Some("1")),
        started(9, "llm", Some("agent"), "2"),
        finished(10, "llm", Some("2")),
        started(11, "t1", Some("agent"), "2"),
        finished(12, "t1", Some("2")),
    ];
    let store = run_of(&frames);
    let expect = [edge("llm", "t1", 2), edge("llm", "t2", 1), edge("t1", "llm", 1), edge("t2", "llm", 1)];
    assert_eq!(edges(only(&store), EdgeKind::Flow), expect);
    assert_eq!(
        edges(only(&store), EdgeKind::Call),
        [edge("agent", "llm", 2), edge("agent", "t1", 2), edge("agent", "t2", 1)]
    );
}

#[test]
fn hinted_nodes_are_unreached_until_they_run() {
    let hint = json!({"nodes": [
        {"nodeId": "plan", "kind": "chain", "name": "Plan"},
        {"nodeId": "act", "kind": "tool", "name": "Act", "parentId": "plan"},
    ]});
    let mut store = run_of(&[run_started(1), event(2, "graph.hint", hint)]);
    let act = only(&store).find_node("act").unwrap();
    assert_eq!(status(only(&store), "act"), NodeStatus::Unreached);
    assert_eq!(&*only(&store).node(act).name, "Act");
    assert_eq!(edges(only(&store), EdgeKind::Call), [edge("plan", "act", 0)]);
    apply_all(&mut store, [started(3, "act", Some("plan"), "1")]);
    assert_eq!(only(&store).find_node("act"), Some(act));
    assert_eq!(edges(only(&store), EdgeKind::Call), [edge("plan", "act", 1)]);
    assert_eq!(only(&store).missing_parents(), 0, "a hinted parent is no ghost");
}

#[test]
fn a_gate_whose_instance_went_on_holds_no_more() {
    let frames = [
        run_started(1),
        started(2, "tool", None, "t"),
        paused(3, "p", "tool", "before"),
        finished(5, "tool", Some("t")),
    ];
    let mut store = run_of(&frames);
    store.set_live(&r1(), true);
    assert!(project::holds(only(&store)).is_empty());
    assert_eq!(only(&store).holds()[0].action(), None);
    apply_all(&mut store, [resumed(4, "p", "continue")]);
    store.settle();
    assert_eq!(only(&store).holds()[0].action().map(wire::Action::as_str), Some("continue"));
    assert_eq!(only(&store).holds()[0].passed, None);
}

#[test]
fn a_disconnected_run_is_abandoned_and_holds_nothing() {
    let frames = [run_started(1), started(2, "tool", None, "t"), paused(3, "p", "tool", "before")];
    let mut store = run_of(&frames);
    store.set_live(&r1(), true);
    assert_eq!((only(&store).status(), status(only(&store), "tool")), (Status::Running, NodeStatus::Held));
    assert!(store.set_live(&r1(), false));
    assert_eq!(
        (only(&store).status(), status(only(&store), "tool")),
        (Status::Abandoned, NodeStatus::Abandoned)
    );
    assert!(project::holds(only(&store)).is_empty());
}

#[test]
fn an_answer_is_checked_before_it_is_sent() {
    use wire::Action::{Abort, Continue, Inject, Retry};
    let editable = json!({"pauseId": "e", "nodeId": "b", "point": "error", "editable": true});
    let frames = [
        run_started(1),
        paused(2, "old", "a", "before"),
        resumed(3, "old", "abort"),
        paused(4, "p", "a", "before"),
        event(5, "exec.paused", editable),
    ];
    let mut store = run_of(&frames);
    store.set_live(&r1(), true);
    let check = |pause: &str, action, input, output, expect: &str| {
        let seen = store.check(&r1(), pause, action, input, output);
        assert_eq!(seen.map_or_else(|refusal| refusal.to_string(), |()| "sent".to_owned()), expect);
    };
    check("p", Continue, false, false, "sent");
    check("p", Abort, false, false, "sent");
    check("p", Inject, false, true, "sent");
    check("e", Retry, true, false, "sent");
    check("p", Inject, false, false, "inject needs a value; null is one");
    check("p", Continue, false, true, "a value goes with inject, not with continue");
    check("p", Continue, true, false, "this gate does not take edited arguments");
    check(
        "e",
        Continue,
        true,
        false,
        "edited arguments go with continue at a before gate or with retry at an after or error gate, not with continue at error",
    );
    check("old", Continue, false, false, "\"old\" was already released by abort");
    check("new", Continue, false, false, "no gate ever held under \"new\"");
    let nowhere = store.check(&RunKey::from("r9"), "p", Continue, false, false);
    assert_eq!(nowhere.unwrap_err().to_string(), "there is no run \"r9\"");
    store.set_live(&r1(), false);
    assert_eq!(store.check(&r1(), "p", Continue, false, false), Err(graph::Refusal::RunOver));
}

#[test]
fn a_refused_answer_leaves_the_gate_closed() {
    let refused = json!({"pauseId": "p", "code": "shape", "message": "not a list"});
    let frames = [
        run_started(1),
        started(2, "a", None, "1"),
        paused(3, "p", "a", "before"),
        event(4, "exec.refused", refused),
    ];
    let mut store = run_of(&frames);
    store.set_live(&r1(), true);
    let hold = &only(&store).holds()[0];
    assert!(only(&store).is_held(hold));
    assert_eq!(
        hold.refused.as_ref().map(|r| (r.code.as_str(), r.message.as_deref())),
        Some(("shape", Some("not a list")))
    );
    assert_eq!(project::holds(only(&store))[0].refusals, 1);
}

#[test]
fn unknown_and_broken_messages_are_counted_and_named() {
    let mut store = run_of(&[run_started(1), event(2, "graph.mystery", json!({"a": 1}))]);
    assert_eq!(only(&store).event_count(), 2);
    assert!(texts(only(&store)).iter().any(|text| text.contains("graph.mystery")));
    let changes = apply_all(
        &mut store,
        [
            "{\"gm\":1,\"seq\":41,\"ts\":17",
            "{\"gm\":2,\"seq\":1,\"ts\":1,\"runId\":\"r1\",\"type\":\"x\",\"payload\":{}}",
        ],
    );
    assert_eq!(changes.iter().map(|change| change.notes.len()).collect::<Vec<_>>(), [1, 1]);
    assert_eq!((store.invalid(), store.mismatched()), (1, 1));
}
