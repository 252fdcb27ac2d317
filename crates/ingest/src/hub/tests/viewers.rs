//! Snapshots, deltas, credits, falling behind.

use super::*;
use crate::limits::{CREDITS_START, VIEWER_PENDING_BYTES_MAX};

#[test]
fn a_newcomer_gets_a_snapshot_and_then_every_event_once() {
    let mut rig = Rig::new();
    let app = rig.greeted(1);
    rig.send_all(app, [start("r1", 2), node("r1", 3, "a", "1")].iter().map(String::as_str));
    let viewer = rig.viewer(9);
    rig.ask(viewer, json!({ "t": "watch", "run": "r1" }));
    rig.send_all(
        app,
        [token("r1", 4, "a"), node("r1", 5, "b", "\"x\""), finish("r1", 6)].iter().map(String::as_str),
    );
    assert_eq!(rig.shown(viewer, "snapshot").len(), 1);
    assert_eq!(rig.digest_at(viewer, "r1"), rig.digest_of_journal("r1"));
}

#[test]
fn events_that_come_while_a_snapshot_is_made_follow_it() {
    let mut rig = Rig::new();
    rig.slow = true;
    let app = rig.greeted(1);
    rig.send_all(app, [start("r1", 2), node("r1", 3, "a", "1")].iter().map(String::as_str));
    let viewers = [rig.viewer(8), rig.viewer(9)];
    rig.ask(viewers[0], json!({ "t": "watch", "run": "r1" }));
    rig.send(app, &token("r1", 4, "a"));
    rig.ask(viewers[1], json!({ "t": "watch", "run": "r1" }));
    rig.send(app, &token("r1", 5, "a"));
    assert!(rig.shown(viewers[0], "events").is_empty());
    rig.finish_snapshots();
    rig.send(app, &token("r1", 6, "a"));
    rig.finish_snapshots();
    rig.send(app, &finish("r1", 7));
    for viewer in viewers {
        assert_eq!(rig.shown(viewer, "snapshot").len(), 1);
        assert_eq!(rig.digest_at(viewer, "r1"), rig.digest_of_journal("r1"));
    }
}

#[test]
fn a_run_that_left_memory_is_read_again_with_what_came_meanwhile() {
    let mut rig = Rig::new();
    let app = rig.greeted(1);
    rig.send_all(app, [start("r1", 2), node("r1", 3, "a", "1"), finish("r1", 4)].iter().map(String::as_str));
    rig.pass(crate::limits::IDLE_MS);
    assert!(rig.hub.runs["r1"].store().is_none());
    rig.send(app, &token("r1", 5, "a"));
    let viewer = rig.viewer(9);
    rig.ask(viewer, json!({ "t": "watch", "run": "r1" }));
    rig.send(app, &token("r1", 6, "a"));
    assert_eq!(rig.digest_at(viewer, "r1"), rig.digest_of_journal("r1"));
}

#[test]
fn without_credits_events_wait_and_go_out_together() {
    let mut rig = Rig::new();
    let app = rig.greeted(1);
    rig.send(app, &start("r1", 2));
    let viewer = rig.viewer(9);
    rig.ask(viewer, json!({ "t": "watch", "run": "r1" }));
    for seq in 0..u64::from(CREDITS_START) + 10 {
        rig.send(app, &token("r1", 3 + seq, "a"));
    }
    assert_eq!(rig.shown(viewer, "events").len(), CREDITS_START as usize);
    rig.ask(viewer, json!({ "t": "credit", "frames": 1 }));
    let events = rig.shown(viewer, "events");
    assert_eq!(events.len(), CREDITS_START as usize + 1);
    assert_eq!(events.last().expect("a batch")["events"].as_array().map(Vec::len), Some(10));
    assert_eq!(rig.digest_at(viewer, "r1"), rig.digest_of_journal("r1"));
}

#[test]
fn a_viewer_that_falls_behind_is_told_once_and_can_look_again() {
    let mut rig = Rig::new();
    let app = rig.greeted(1);
    rig.send(app, &start("r1", 2));
    let viewer = rig.viewer(9);
    rig.ask(viewer, json!({ "t": "watch", "run": "r1" }));
    for seq in 0..u64::from(CREDITS_START) {
        rig.send(app, &token("r1", 3 + seq, "a"));
    }
    let long = "x".repeat(1 << 20);
    let delta = |seq: u64| {
        testkit::e_of(
            "r1",
            seq,
            "node.token",
            &format!(r#"{{"nodeId":"a","deltas":[{{"t":"text","v":"{long}"}}]}}"#),
        )
    };
    let frames = VIEWER_PENDING_BYTES_MAX as u64 / (1 << 20) + 4;
    for seq in 0..frames {
        rig.send(app, &delta(100 + seq));
    }
    rig.ask(viewer, json!({ "t": "credit", "frames": 8 }));
    let lagged = rig.shown(viewer, "lagged");
    assert_eq!(lagged.len(), 1);
    assert_eq!(lagged[0]["missed"], frames);
    rig.ask(viewer, json!({ "t": "watch", "run": "r1" }));
    rig.send(app, &finish("r1", 500));
    assert_eq!(rig.digest_at(viewer, "r1"), rig.digest_of_journal("r1"));
}

#[test]
fn viewers_get_slim_events_and_the_journal_the_whole() {
    let mut rig = Rig::new();
    let app = rig.greeted(1);
    let viewer = rig.viewer(9);
    rig.send(app, &start("r1", 2));
    rig.ask(viewer, json!({ "t": "watch", "run": "r1" }));
    let frame = node("r1", 3, "a", &format!("\"{}\"", "y".repeat(5_000)));
    rig.send(app, &frame);
    assert_eq!(rig.journal["r1"][1].as_str(), frame);
    let shown = &rig.shown(viewer, "events")[0]["events"][0]["payload"]["input"];
    assert_eq!(shown["__holdpointBody"]["bytes"], 5_002);
    assert_eq!(rig.digest_at(viewer, "r1"), rig.digest_of_journal("r1"));
}

#[test]
fn an_idle_hub_says_nothing() {
    let mut rig = Rig::new();
    let viewer = rig.viewer(9);
    rig.pass(1_000);
    let before = rig.to_viewers.len();
    for _ in 0..100 {
        rig.pass(1_000);
    }
    assert_eq!(rig.to_viewers.len(), before, "{:?}", &rig.to_viewers[before..]);
    assert!(!rig.hub.has_work());
    let _ = viewer;
}

#[test]
fn a_deleted_run_is_gone_for_everyone_but_a_live_one_stays() {
    let mut rig = Rig::new();
    let app = rig.greeted(1);
    let viewer = rig.viewer(9);
    rig.send(app, &start("r1", 2));
    assert_eq!(rig.control(viewer, json!({ "t": "runDelete", "run": "r1" })).0, "refused");
    rig.send(app, &finish("r1", 3));
    assert_eq!(rig.control(viewer, json!({ "t": "runDelete", "run": "r1" })).0, "delivered");
    assert!(rig.keys().is_empty());
    assert_eq!(rig.shown(viewer, "runRemoved")[0]["run"], "r1");
    rig.send(app, &start("r1", 4));
    assert_eq!(rig.keys(), ["r1"]);
}
