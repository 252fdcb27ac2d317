//! What the projections show of a run: the agreed names, filters, folding, the timeline, the difference of two runs.

use crate::support::*;
use graph::{EdgeKind, Run, Status, project};
use serde_json::json;
#[test]
fn show_prints_the_agreed_names() {
    let store = run_of(&[
        run_started(1),
        started(2, "agent", None, "a"),
        started(3, "tool", Some("agent"), "t"),
        run_finished(4),
    ]);
    let shown = serde_json::to_value(project::show(only(&store))).unwrap();
    for name in ["runId", "app", "status", "source", "events", "nodes", "edges", "usage", "holds", "notes"] {
        assert!(shown.get(name).is_some(), "{name}");
    }
    let node = &shown["nodes"][1];
    assert_eq!(
        (&node["nodeId"], &node["kind"], &node["parentId"]),
        (&json!("tool"), &json!("tool"), &json!("agent"))
    );
    assert_eq!(
        (&node["namespace"], &node["instances"]["total"], &node["instances"]["abandoned"]),
        (&json!([]), &json!(1), &json!(1))
    );
    assert_eq!(shown["edges"][0], json!({"from": "agent", "to": "tool", "kind": "call", "count": 1}));
    assert_eq!(
        shown["usage"],
        json!({"fresh": 0, "cacheRead": 0, "cacheWrite": 0, "output": 0, "reasoning": 0, "total": 0})
    );
}

#[test]
fn a_damaged_snapshot_is_refused_with_a_word() {
    let store = run_of(&[run_started(1), started(2, "a", None, "1")]);
    let text = serde_json::to_string(only(&store)).unwrap();
    let broken = text.replacen("\"instance\":0", "\"instance\":7", 1);
    assert_ne!(text, broken);
    let error = serde_json::from_str::<Run>(&broken).unwrap_err().to_string();
    assert!(error.contains("a start points outside"), "{error}");
}

#[test]
fn a_diff_pairs_nodes_by_parent_kind_name_and_ordinal() {
    let base = [
        run_started(1),
        started(2, "agent", None, "a"),
        started(3, "tool", Some("agent"), "t"),
        finished(4, "tool", Some("t")),
    ];
    let mut other = base.to_vec();
    other[3] = failed(4, "tool", Some("t"));
    other.push(started(5, "b", Some("agent"), "b"));
    let (first, second) = (store_of(&base), store_of(&other));
    let diff = project::diff(only(&first), only(&second));
    let rows: Vec<(&str, usize)> =
        diff.rows.iter().map(|row| (row.name.as_str(), row.differences.len())).collect();
    assert_eq!(rows, [("agent", 0), ("tool", 3), ("b", 0)]);
    assert!(matches!(diff.rows[2].pairing, project::Pairing::Second(_)));
}

#[test]
fn filters_find_by_text_and_state() {
    let frames = [
        run_started(1),
        started(2, "agent", None, "a"),
        started(3, "tool", Some("agent"), "call-77"),
        failed(4, "tool", Some("call-77")),
        started(5, "llm", Some("agent"), "l"),
    ];
    let store = run_of(&frames);
    let run = only(&store);
    let tree = project::Tree::new(run);
    let find = |filter: project::Filter| -> Vec<&str> {
        project::filter(run, &tree, &filter).nodes().map(|ix| run.node(ix).id.as_str()).collect()
    };
    let text = |text: &str| project::Filter { text: text.to_owned(), ..Default::default() };
    assert_eq!(find(text("CALL-77")), ["tool"]);
    assert_eq!(find(text("it broke")), ["tool"]);
    assert_eq!(find(text("no such")), Vec::<&str>::new());
    assert_eq!(find(project::Filter { error_path: true, ..Default::default() }), ["agent", "tool"]);
    assert_eq!(find(project::Filter { kind: Some("llm".to_owned()), ..Default::default() }), ["llm"]);
    let matches = project::filter(run, &tree, &project::Filter { errors: true, ..Default::default() });
    let rows = project::outline(run, &tree, &Default::default(), Some(&matches));
    assert_eq!(rows.iter().map(|row| (row.depth, row.matches)).collect::<Vec<_>>(), [(0, false), (1, true)]);
}

#[test]
fn folding_a_box_brings_its_lines_to_the_box() {
    let frames = [
        run_started(1),
        started(2, "agent", None, "a"),
        started(3, "b", Some("agent"), "b"),
        started(4, "t1", Some("b"), "1"),
        finished(5, "t1", Some("1")),
        finished(6, "b", Some("b")),
        started(7, "llm", Some("agent"), "1"),
        started(8, "t2", Some("llm"), "1"),
    ];
    let store = run_of(&frames);
    let run = only(&store);
    let tree = project::Tree::new(run);
    let id = |ix| run.node(ix).id.as_str();
    let open = project::scene(run, &tree, &Default::default(), None);
    assert_eq!(
        open.boxes.iter().map(|b| (id(b.node), b.depth)).collect::<Vec<_>>(),
        [("agent", 0), ("b", 1)]
    );
    assert_eq!(
        open.cards.iter().map(|c| (id(c.node), c.parent.map(id))).collect::<Vec<_>>(),
        [("t1", Some("b")), ("llm", Some("agent")), ("t2", Some("agent"))]
    );
    assert_eq!(
        open.edges.iter().map(|e| (id(e.from), id(e.to), e.kind)).collect::<Vec<_>>(),
        [("b", "llm", EdgeKind::Flow), ("llm", "t2", EdgeKind::Call)]
    );
    let view = project::View { folded: [run.find_node("agent").unwrap()].into(), ..Default::default() };
    let folded = project::scene(run, &tree, &view, None);
    assert_eq!((folded.boxes.len(), folded.cards.len(), folded.edges.len()), (0, 1, 0));
    assert_eq!(project::inside(run, &tree, None)[0].nodes, 4);
    let view = project::View { inside: run.find_node("b"), ..Default::default() };
    assert_eq!(project::scene(run, &tree, &view, None).cards.len(), 1);
}

#[test]
fn idle_stretches_fold_and_positions_still_grow() {
    let late = |frame: String, ts: &str| frame.replace("\"ts\":1040.0", &format!("\"ts\":{ts}"));
    let frames = [
        run_started(1),
        started(2, "a", None, "1"),
        finished(3, "a", Some("1")),
        late(started(4, "a", None, "2"), "601000.0"),
        run_finished(5).replace("\"ts\":1050.0", "\"ts\":601500.0"),
    ];
    let store = run_of(&frames);
    let run = only(&store);
    let axis = project::Axis::new(run, 1000.0);
    assert_eq!(axis.folds.len(), 1);
    assert!(axis.length() < 100_000.0);
    let stops = [axis.start, 1020.0, 1030.0, 300_000.0, 600_999.0, 601_000.0, 601_400.0, axis.end];
    for pair in stops.windows(2) {
        assert!(axis.fold_down(pair[0]) < axis.fold_down(pair[1]), "{pair:?}");
    }
    for stop in stops {
        assert!((axis.unfold(axis.fold_down(stop)) - stop).abs() < 1e-3, "{stop}");
    }
}

#[test]
fn short_bars_merge_with_a_count_and_the_worst_state() {
    let mut frames = vec![run_started(1)];
    for i in 0..100u64 {
        frames.push(started(2 + 2 * i, "tool", None, &format!("{i}")));
        frames.push(if i == 40 {
            failed(3 + 2 * i, "tool", Some("40"))
        } else {
            finished(3 + 2 * i, "tool", Some(&format!("{i}")))
        });
    }
    let store = run_of(&frames);
    let run = only(&store);
    let axis = project::Axis::new(run, 0.0);
    let lanes = project::lanes(run, &axis, run.find_node("tool").unwrap());
    assert_eq!(lanes.len(), 1);
    let all = lanes.bars(run, &axis, axis.start, axis.end, 0.0);
    assert_eq!(all.len(), 100);
    let merged = lanes.bars(run, &axis, axis.start, axis.end, 500.0);
    assert!(merged.len() < 8);
    assert_eq!(merged.iter().map(|bar| bar.count).sum::<u32>(), 100);
    assert!(merged.iter().any(|bar| bar.status == Status::Error));
}
