//! A number counts as missing only if its session never used it anywhere.

use super::super::Remembered;
use super::*;

fn gaps(rig: &Rig, key: &str) -> Vec<(u64, u64)> {
    let store = rig.hub.runs[key].store().expect("a state in memory");
    store.run(&key.into()).expect("a run").gaps()
}

#[test]
fn runs_of_one_session_share_one_counter_without_gaps() {
    let mut rig = Rig::new();
    let app = rig.greeted(1);
    let frames = [
        start("r1", 2),
        start("r2", 3),
        token("r1", 4, "a"),
        token("r2", 5, "a"),
        token("r2", 6, "a"),
        token("r1", 7, "a"),
        finish("r2", 8),
        finish("r1", 9),
    ];
    rig.send_all(app, frames.iter().map(String::as_str));
    assert_eq!((gaps(&rig, "r1"), gaps(&rig, "r2")), (vec![], vec![]));
}

#[test]
fn what_the_session_never_sent_is_a_gap_until_it_comes() {
    let mut rig = Rig::new();
    let viewer = rig.viewer(9);
    let app = rig.greeted(1);
    rig.send_all(app, [start("r1", 2), token("r1", 3, "a"), finish("r1", 7)].iter().map(String::as_str));
    rig.ask(viewer, json!({ "t": "watch", "run": "r1" }));
    assert_eq!(gaps(&rig, "r1"), [(4, 6)]);
    rig.send(app, &start("r2", 5));
    assert_eq!(gaps(&rig, "r1"), [(4, 4), (6, 6)], "5 was used by another run");
    rig.send_all(app, [token("r1", 6, "a"), token("r1", 4, "a")].iter().map(String::as_str));
    assert!(gaps(&rig, "r1").is_empty(), "{:?}", gaps(&rig, "r1"));
    assert_eq!(rig.digest_at(viewer, "r1"), rig.digest_of_journal("r1"));
}

#[test]
fn hellos_take_numbers_also_those_before_a_restart() {
    let mut rig = Rig::new();
    let app = rig.greeted(1);
    rig.send_all(app, [start("r1", 2), token("r1", 3, "a")].iter().map(String::as_str));
    rig.input(Input::SessionClosed { session: app });
    let back = rig.app(2);
    rig.send_all(back, [hello(4, Some("token-1"), true), token("r1", 5, "a")].iter().map(String::as_str));
    assert!(gaps(&rig, "r1").is_empty(), "{:?}", gaps(&rig, "r1"));

    let mut later = Rig::new();
    later.journal = rig.journal.clone();
    let facts = rig.hub.runs["r1"].facts.clone();
    let lines = rig.remembered.iter().map(|line| parse(line));
    let elsewhere = lines.filter_map(|line| line["hello"].as_u64()).collect();
    let token = "token-1".into();
    let identity = Remembered { token, claims: true, elsewhere, runs: vec!["r1".to_owned()] };
    later.hub.restore(vec![facts], vec![identity], Vec::new());
    assert_eq!(later.run("r1").status, "abandoned");
    let app = later.app(7);
    later.send_all(
        app,
        [hello(6, Some("token-1"), true), token_frame(5), token_frame(7)].iter().map(String::as_str),
    );
    assert_eq!(later.run("r1").status, "running");
    assert!(gaps(&later, "r1").is_empty(), "{:?}", gaps(&later, "r1"));
    assert_eq!(later.stored("r1"), 4);
}

fn token_frame(seq: u64) -> String {
    token("r1", seq, "a")
}

#[test]
fn a_gap_marker_is_known_loss() {
    let mut rig = Rig::new();
    let app = rig.greeted(1);
    let marker = testkit::e_of("r1", 8, "gap", r#"{"lost":4,"fromSeq":4,"toSeq":7}"#);
    rig.send_all(app, [start("r1", 2), token("r1", 3, "a"), marker].iter().map(String::as_str));
    let store = rig.hub.runs["r1"].store().expect("a state");
    let run = store.run(&"r1".into()).expect("a run");
    assert_eq!((run.gaps(), run.known_loss()), (vec![], vec![(4, 7)]));
}
