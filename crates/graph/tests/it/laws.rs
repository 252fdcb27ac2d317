//! The laws of the reducer, for any story: the same events give the same state.

use crate::law::{check_batched, check_every_moment, check_restored, check_slim};
use crate::support::{event_of, r1, store_of, story};
use graph::{RunKey, Store, project};
use proptest::prelude::*;

/// A story in another order, some events twice.
fn shuffled() -> impl Strategy<Value = (Vec<String>, Vec<String>)> {
    story().prop_flat_map(|frames| {
        let doubled: Vec<String> = frames.iter().chain(frames.iter().step_by(3)).cloned().collect();
        (Just(frames), Just(doubled).prop_shuffle())
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, max_shrink_iters: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_order_with_duplicates_gives_the_same_digest((frames, other) in shuffled()) {
        prop_assert_eq!(store_of(&other).digest(), store_of(&frames).digest());
    }

    #[test]
    fn any_batching_gives_the_same_digest((frames, other) in shuffled(), every in 1..9usize) {
        check_batched(&frames, &other, every)?;
    }

    #[test]
    fn slim_events_give_the_same_digest(frames in story()) {
        check_slim(&frames)?;
    }

    #[test]
    fn a_restored_snapshot_goes_on_like_the_original((_, frames) in shuffled(), cut in 0.0..1.0f64) {
        check_restored(&frames, cut)?;
    }

    #[test]
    fn live_and_replayed_runs_agree_once_the_run_is_over(frames in story()) {
        let mut live = Store::with_source("live");
        for frame in &frames {
            live.apply_to(&r1(), &wire::decode(frame));
            live.set_live(&r1(), true);
        }
        live.set_live(&r1(), false);
        prop_assert_eq!(live.digest(), store_of(&frames).digest());
    }

    #[test]
    fn the_state_at_a_sequence_is_what_replaying_up_to_it_gives((frames, other) in shuffled()) {
        check_every_moment(&frames, &other)?;
    }

    #[test]
    fn projections_of_any_story_hold_together(frames in story()) {
        let store = store_of(&frames);
        let run = store.run(&r1()).unwrap();
        let tree = project::Tree::new(run);
        prop_assert_eq!(tree.order().len(), run.nodes().len());
        let scene = project::scene(run, &tree, &project::View::default(), None);
        prop_assert_eq!(scene.boxes.len() + scene.cards.len(), run.nodes().len());
        let shown = project::show(run);
        let instances: u32 = shown.nodes.iter().map(|node| node.instances.total).sum();
        prop_assert!(instances as usize <= run.instances().len());
        let usage = *run.usage();
        prop_assert_eq!(usage.total, usage.fresh + usage.cache_read + usage.cache_write + usage.output);
        let diff = project::diff(run, run);
        prop_assert!(diff.rows.iter().all(|row| row.differences.is_empty()));
        prop_assert_eq!(diff.rows.len(), run.nodes().len());
        let axis = project::Axis::new(run, 50.0);
        for (ix, node) in run.nodes_ix() {
            let lanes = project::lanes(run, &axis, ix);
            let bars = lanes.bars(run, &axis, axis.start, axis.end, 0.0);
            let all: u32 = bars.iter().map(|bar| bar.count).sum();
            let timed = node.instances.iter().filter(|i| axis.span(run, **i).is_some()).count();
            prop_assert_eq!(all as usize, timed);
        }
    }

    #[test]
    fn two_runs_of_one_sender_have_no_gaps_in_any_order(
        frames in Just((1..40u64).collect::<Vec<_>>()).prop_shuffle(),
    ) {
        let run_of = |seq: u64| if seq.is_multiple_of(3) { "r1" } else if seq.is_multiple_of(7) { "*" } else { "r2" };
        let mut store = Store::new();
        for seq in frames {
            store.apply(&wire::decode(&event_of(run_of(seq), seq, "node.token", serde_json::json!({"nodeId": "n", "deltas": []}))));
        }
        store.settle();
        prop_assert_eq!(store.runs().len(), 2);
        for run in store.runs() {
            prop_assert_eq!(run.gaps(), vec![]);
        }
    }
}

#[test]
fn a_key_serialises_as_its_text() {
    let key = RunKey::numbered("r1", 2);
    assert_eq!(serde_json::to_string(&key).unwrap(), "\"r1 (2)\"");
    assert_eq!(serde_json::from_str::<RunKey>("\"r1 (2)\"").unwrap(), key);
}
