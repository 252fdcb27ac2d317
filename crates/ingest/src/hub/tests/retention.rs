//! What is deleted by itself: nothing unless told to, never what is live or looked at, and never without a word.

use super::*;
use crate::config::Retention;
use crate::limits::IDLE_MS;

/// Three ended runs of 1, 2 and 3 events that ended a second apart, one that is watched and one that is live.
fn check(retention: Retention, deleted: &[&str]) {
    let mut rig = Rig::new();
    rig.hub.settings.retention = retention;
    let app = rig.greeted(1);
    let mut seq = 2;
    for (run, tokens) in [("one", 0), ("two", 1), ("three", 2), ("watched", 0)] {
        for _ in 0..tokens {
            rig.send(app, &token(run, seq, "a"));
            seq += 1;
        }
        seq += 100;
        rig.send(app, &finish(run, seq));
        seq += 1;
    }
    rig.send(app, &start("live", 1));
    let viewer = rig.viewer(1);
    rig.ask(viewer, json!({ "t": "watch", "run": "watched" }));
    // The times of the events themselves decide about age: ten milliseconds a number.
    rig.now.wall_ms = (testkit::TS_START_MS + seq * 10) as f64;
    rig.pass(IDLE_MS);
    let mut left = ["one", "two", "three", "watched", "live"].map(str::to_owned).to_vec();
    left.retain(|run| !deleted.contains(&run.as_str()));
    left.sort();
    assert_eq!(rig.keys(), left, "{retention:?}");
    let said = |texts: &[String]| texts.iter().filter(|text| text.contains("was deleted")).count();
    assert_eq!(said(&rig.notices(viewer)), deleted.len(), "those who are there are told");
    let late = rig.viewer(2);
    assert_eq!(said(&rig.notices(late)), deleted.len(), "those who come later are told too");
}

#[test]
fn runs_go_by_count_age_and_size_the_oldest_first() {
    let keep = Retention::default();
    check(keep, &[]);
    check(Retention { runs_max: Some(3), ..keep }, &["one", "two"]);
    check(Retention { runs_max: Some(0), ..keep }, &["one", "two", "three"]);
    check(Retention { runs_max: Some(9), age_ms_max: Some(86_400_000), size_bytes_max: Some(1 << 20) }, &[]);
    check(Retention { age_ms_max: Some(IDLE_MS + 2_500), ..keep }, &["one"]);
    check(Retention { size_bytes_max: Some(800), ..keep }, &["one", "two"]);
}
