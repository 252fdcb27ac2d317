//! Whatever comes: no panic, the same outputs for the same inputs, viewers that agree with the journal.

use testkit::Chance;

use super::*;

/// A long mixed life of several apps and viewers from one seed.
fn live(seed: u64) -> Rig {
    let mut chance = Chance::new(seed);
    let mut rig = Rig::new();
    let mut apps: Vec<SessionId> = (0..3).map(|id| rig.greeted(id)).collect();
    let viewers: Vec<ViewerId> = (100..102).map(|id| rig.viewer(id)).collect();
    let mut seq = 2;
    for step in 0..600u64 {
        let app = chance.pick(&apps);
        let run = chance.pick(&["r1", "r2", "*"]);
        match chance.below(12) {
            0 => rig.pass(chance.below(20_000) as u64),
            1 => {
                let at = chance.below(apps.len());
                rig.input(Input::SessionClosed { session: apps[at] });
                let token = format!("token-{}", chance.below(6));
                let session = rig.app(1_000 + step);
                rig.send(session, &hello(seq, Some(&token), chance.one_in(2)));
                apps[at] = session;
            }
            2 => {
                let viewer = chance.pick(&viewers);
                rig.ask(viewer, json!({ "t": "watch", "run": run }));
                rig.ask(viewer, json!({ "t": "credit", "frames": 64 }));
            }
            3 => {
                let viewer = chance.pick(&viewers);
                rig.control(viewer, json!({ "t": "continueAll" }));
            }
            4 => rig.slow = !rig.slow,
            5 => rig.send(app, &start(run, seq)),
            6 => {
                let frame = testkit::any_frame(&mut chance, run, seq);
                let broken = testkit::corrupt(&mut chance, &frame);
                rig.send(app, &broken);
            }
            _ => rig.send(app, &testkit::any_frame(&mut chance, run, seq)),
        }
        seq += chance.below(3) as u64;
    }
    rig.slow = false;
    rig.finish_snapshots();
    for viewer in viewers {
        rig.ask(viewer, json!({ "t": "credit", "frames": 256 }));
    }
    rig
}

#[test]
fn any_life_is_survived_and_every_viewer_agrees_with_the_journal() {
    for seed in 0..40 {
        let mut rig = live(seed);
        for key in rig.keys() {
            assert_eq!(rig.stored(&key) as u64, rig.run(&key).events, "seed {seed}, run {key}");
            for viewer in [ViewerId(100), ViewerId(101)] {
                let follows = rig.hub.viewers[&viewer].watches.contains_key(key.as_str());
                if follows {
                    let seen = rig.digest_at(viewer, &key);
                    assert_eq!(seen, rig.digest_of_journal(&key), "seed {seed}, run {key}, {viewer:?}");
                }
            }
        }
    }
}

#[test]
fn the_same_inputs_give_the_same_outputs() {
    for seed in 0..5 {
        let (one, two) = (live(seed), live(seed));
        assert_eq!(one.to_viewers, two.to_viewers, "seed {seed}");
        assert_eq!(one.to_apps, two.to_apps, "seed {seed}");
        assert_eq!(one.remembered, two.remembered, "seed {seed}");
    }
}
