//! Hello, claims, replays, going and coming back.

use super::*;

#[test]
fn hello_is_answered_in_its_own_step_with_the_whole_debug_state() {
    let mut rig = Rig::new();
    let app = rig.greeted(1);
    let acks = rig.sent(app, "hello.ack");
    assert_eq!(acks.len(), 1);
    assert_eq!(acks[0]["breakpoints"], json!([{ "point": "error" }]));
    assert_eq!(acks[0]["mode"], "run");
    assert_eq!(acks[0]["sessionToken"], "token-1");
    assert_eq!(acks[0]["versions"]["protocol"], 1);
}

#[test]
fn another_protocol_major_is_told_so_and_closed() {
    let mut rig = Rig::new();
    let viewer = rig.viewer(9);
    let app = rig.app(1);
    rig.send(app, r#"{"gm":2,"seq":1,"ts":1,"runId":"*","type":"hello","payload":{}}"#);
    assert_eq!(rig.closed, [(app, crate::limits::NOT_OUR_VERSION)]);
    assert!(rig.notices(viewer)[0].contains("seen gm 2"), "{:?}", rig.notices(viewer));
    assert!(rig.sent(app, "hello.ack").is_empty());
}

#[test]
fn a_replay_stores_and_shows_nothing_twice() {
    let mut rig = Rig::new();
    let app = rig.greeted(1);
    let frames = [start("r1", 2), node("r1", 3, "a", "1"), token("r1", 4, "a")];
    rig.send_all(app, frames.iter().map(String::as_str));
    rig.input(Input::SessionClosed { session: app });
    let back = rig.app(2);
    rig.send(back, &hello(5, Some("token-1"), true));
    assert_eq!(rig.sent(back, "hello.ack")[0]["sessionToken"], "token-1");
    rig.send_all(back, frames.iter().map(String::as_str));
    rig.send(back, &token("r1", 6, "a"));
    assert_eq!(rig.keys(), ["r1"]);
    assert_eq!((rig.stored("r1"), rig.run("r1").events), (4, 4));
}

#[test]
fn another_app_cannot_write_into_a_run_or_take_its_answers() {
    let mut rig = Rig::new();
    let viewer = rig.viewer(9);
    let (owner, other) = (rig.greeted(1), rig.greeted(2));
    rig.send_all(
        owner,
        [start("r1", 2), node("r1", 3, "a", "1"), pause("r1", 4, "a", "p", "before")]
            .iter()
            .map(String::as_str),
    );
    rig.send_all(other, [release("r1", 2, "p", "abort"), finish("r1", 3)].iter().map(String::as_str));
    assert_eq!(rig.run("r1").status, "running");
    assert_eq!(rig.run("r1").holds.len(), 1);
    assert_eq!(rig.notices(viewer).len(), 1, "said once: {:?}", rig.notices(viewer));
    rig.control(viewer, json!({ "t": "resume", "run": "r1", "pauseId": "p", "action": "continue" }));
    assert_eq!(rig.sent(owner, "exec.resume").len(), 1);
    assert!(rig.sent(other, "exec.resume").is_empty());
    // Nor while the owner is away, since it can prove who it is.
    rig.input(Input::SessionClosed { session: owner });
    rig.send(other, &finish("r1", 9));
    assert_eq!(rig.run("r1").status, "running");
}

#[test]
fn a_run_started_by_another_app_under_a_known_id_is_a_run_of_its_own() {
    let mut rig = Rig::new();
    let (first, second) = (rig.greeted(1), rig.greeted(2));
    rig.send(first, &start("r1", 2));
    rig.send_all(second, [start("r1", 2), token("r1", 3, "a")].iter().map(String::as_str));
    rig.send(first, &finish("r1", 3));
    assert_eq!(rig.keys(), ["r1", "r1 (2)"]);
    assert_eq!((rig.run("r1").status.as_str(), rig.run("r1 (2)").status.as_str()), ("ok", "running"));
    assert_eq!(rig.run("r1 (2)").run_id, "r1");
}

#[test]
fn a_run_id_used_again_after_its_end_is_a_second_run() {
    let mut rig = Rig::new();
    let app = rig.greeted(1);
    rig.send_all(
        app,
        [start("r1", 2), finish("r1", 3), start("r1", 4), token("r1", 5, "a")].iter().map(String::as_str),
    );
    assert_eq!(rig.keys(), ["r1", "r1 (2)"]);
    assert_eq!((rig.stored("r1"), rig.stored("r1 (2)")), (2, 2));
    // A replay of both finds each its own run.
    rig.send_all(
        app,
        [start("r1", 2), finish("r1", 3), start("r1", 4), token("r1", 5, "a")].iter().map(String::as_str),
    );
    assert_eq!((rig.stored("r1"), rig.stored("r1 (2)"), rig.keys().len()), (2, 2, 2));
}

#[test]
fn the_wildcard_run_makes_no_run() {
    let mut rig = Rig::new();
    let app = rig.greeted(1);
    rig.send(app, &testkit::e_of("*", 2, "some.news", "{}"));
    assert!(rig.keys().is_empty());
}

#[test]
fn an_old_client_goes_on_with_its_run_after_a_reconnect() {
    let mut rig = Rig::new();
    let app = rig.app(1);
    rig.send_all(
        app,
        [hello(1, None, false), start("r1", 2), token("r1", 3, "a")].iter().map(String::as_str),
    );
    let second = rig.app(2);
    rig.send_all(second, [hello(1, None, false), token("r1", 4, "a")].iter().map(String::as_str));
    assert_eq!(rig.stored("r1"), 2, "not while the first one is connected");
    rig.input(Input::SessionClosed { session: app });
    let back = rig.app(3);
    let replay = [hello(4, None, false), start("r1", 2), token("r1", 3, "a"), token("r1", 5, "a")];
    rig.send_all(back, replay.iter().map(String::as_str));
    assert_eq!((rig.keys(), rig.stored("r1")), (vec!["r1".to_owned()], 3));
    assert!(rig.hub.runs["r1"].covered.contains(4), "the hello's number is no gap");
}

#[test]
fn a_run_is_abandoned_after_the_grace_time_and_lives_again_when_its_app_returns() {
    let mut rig = Rig::new();
    let viewer = rig.viewer(9);
    let app = rig.greeted(1);
    rig.send_all(app, [start("r1", 2), node("r1", 3, "a", "1")].iter().map(String::as_str));
    rig.ask(viewer, json!({ "t": "watch", "run": "r1" }));
    rig.input(Input::SessionClosed { session: app });
    rig.pass(GRACE_MS - 1);
    assert_eq!(rig.run("r1").status, "running");
    rig.pass(1);
    assert_eq!(rig.run("r1").status, "abandoned");
    let back = rig.app(2);
    rig.send(back, &hello(4, Some("token-1"), true));
    assert_eq!(rig.run("r1").status, "running");
    let live: Vec<bool> = rig.shown(viewer, "live").iter().map(|frame| frame["live"] == true).collect();
    assert_eq!(live, [false, true]);
    assert_eq!(rig.digest_at(viewer, "r1"), rig.digest_of_journal("r1"));
}

#[test]
fn a_newer_connection_of_the_same_session_closes_the_older() {
    let mut rig = Rig::new();
    let app = rig.greeted(1);
    rig.send(app, &start("r1", 2));
    let newer = rig.app(2);
    rig.send(newer, &hello(3, Some("token-1"), true));
    assert_eq!(rig.closed, [(app, 1000)]);
    rig.input(Input::SessionClosed { session: app });
    rig.send(newer, &token("r1", 4, "a"));
    rig.pass(GRACE_MS);
    assert_eq!((rig.stored("r1"), rig.run("r1").live), (2, true));
}

#[test]
fn bad_frames_are_named_and_counted_and_the_session_goes_on() {
    let mut rig = Rig::new();
    let viewer = rig.viewer(9);
    let app = rig.greeted(1);
    rig.send_all(app, ["", "42", "{\"gm\":1}", "\u{0}", &release("*", 1, "p", "x")]);
    rig.send(app, r#"{"gm":1,"seq":2,"ts":1,"runId":"r1","type":"mode.set","payload":{"mode":"run"}}"#);
    rig.send(app, &start("r1", 3));
    assert_eq!(rig.notices(viewer).len(), 6, "{:?}", rig.notices(viewer));
    assert!(rig.notices(viewer)[5].contains("which only debuggers send"));
    assert_eq!(rig.keys(), ["r1"]);
}
