//! Runs of KXM records: whose they are, how they number, when they are over.

use tokio::sync::oneshot;

use super::super::{Fate, Receipt, Verdict};
use super::*;
use crate::limits::RECORDS_QUIET_MS;

fn record(run: &str, seq: u64, kind: &str, status: &str) -> String {
    testkit::e_of(
        run,
        seq,
        "kxm.event",
        &format!(r#"{{"eventType":"{kind}","status":"{status}","record":{{}}}}"#),
    )
}

fn step(run: &str, seq: u64) -> String {
    record(run, seq, "step.status_changed", "running")
}

impl Rig {
    /// Reports records and tells which of them were stored.
    fn report(&mut self, from: Option<u64>, records: &[String]) -> Vec<bool> {
        let (sender, _receiver) = oneshot::channel();
        let records = records.iter().map(|record| record.as_str().into()).collect();
        let mut out = Vec::new();
        let from = from.map(SessionId);
        self.hub.step(self.now, Input::Records { from, records, receipt: Receipt(sender) }, &mut out);
        let told = |output: &Output| match output {
            Output::Receipt { fates, .. } => Some(fates.clone()),
            _ => None,
        };
        let fates: Vec<Fate> = out.iter().find_map(told).expect("an answer");
        self.hub.finish_turn(&mut out);
        self.perform(out);
        fates.iter().map(|fate| fate.verdict == Verdict::Stored).collect()
    }

    fn figures(&mut self, viewer: ViewerId) -> u64 {
        self.pass(1_000);
        let stats = self.shown(viewer, "stats");
        stats.last().and_then(|frame| frame["gaps"].as_u64()).expect("figures")
    }
}

#[test]
fn a_number_counts_once_and_in_its_own_run_only() {
    let mut rig = Rig::new();
    let viewer = rig.viewer(1);
    assert_eq!(
        rig.report(None, &[step("a", 1), step("b", 2), step("a", 4), step("a", 1)]),
        [true, true, true, false]
    );
    assert_eq!(rig.figures(viewer), 1, "2 to 3 are missing in a, whatever b has used");
    assert_eq!(rig.report(Some(7), &[step("a", 3), step("b", 2), step("a", 2)]), [true, false, true]);
    assert_eq!(rig.figures(viewer), 0);
    assert_eq!((rig.stored("a"), rig.stored("b")), (4, 1));
}

#[test]
fn the_end_is_read_from_the_records_in_any_order() {
    for (status, expect) in [
        ("completed", "ok"),
        ("failed", "error"),
        ("cancelled", "aborted"),
        ("settled", "ok"),
        ("waiting", "running"),
    ] {
        let mut rig = Rig::new();
        rig.report(None, &[record("a", 5, "run.status_changed", status), step("a", 3)]);
        assert_eq!((rig.run("a").status.as_str(), rig.run("a").live), (expect, expect == "running"));
    }
}

#[test]
fn apps_and_records_never_write_to_each_others_runs() {
    let mut rig = Rig::new();
    rig.report(None, &[step("a", 1)]);
    let app = rig.greeted(1);
    rig.send(app, &token("a", 2, "x"));
    assert_eq!(rig.stored("a"), 1, "the run of records takes nothing from an app");
    rig.send(app, &start("a", 3));
    assert_eq!(rig.keys(), ["a", "a (2)"]);
    rig.send(app, &start("b", 4));
    assert_eq!(rig.report(None, &[step("b", 5), step("a", 2)]), [true, true]);
    assert_eq!(rig.keys(), ["a", "a (2)", "b", "b (2)"]);
    assert_eq!((rig.stored("a"), rig.stored("b"), rig.stored("b (2)")), (2, 1, 1));
}

#[test]
fn a_silent_run_is_abandoned_unless_a_socket_stays_and_goes_on_when_told_of_again() {
    let mut rig = Rig::new();
    rig.report(None, &[step("a", 1)]);
    rig.report(Some(7), &[step("b", 1)]);
    rig.pass(RECORDS_QUIET_MS);
    assert_eq!((rig.run("a").status.as_str(), rig.run("b").status.as_str()), ("abandoned", "running"));
    rig.report(None, &[step("a", 1)]);
    assert_eq!(rig.run("a").status, "abandoned", "what is known already says nothing");
    rig.report(None, &[step("a", 2)]);
    rig.input(Input::ReporterClosed { session: SessionId(7) });
    assert_eq!((rig.run("a").status.as_str(), rig.run("b").status.as_str()), ("running", "running"));
    rig.pass(RECORDS_QUIET_MS);
    assert_eq!((rig.run("a").status.as_str(), rig.run("b").status.as_str()), ("abandoned", "abandoned"));
}

#[test]
fn made_up_run_ids_find_an_end() {
    let mut rig = Rig::new();
    let many: Vec<String> =
        (0..=crate::limits::RECORD_RUNS_MAX).map(|id| step(&format!("run-{id}"), 1)).collect();
    let stored = rig.report(None, &many);
    assert_eq!(stored.iter().filter(|stored| !**stored).count(), 1);
    assert_eq!(rig.report(None, &[step("run-0", 2)]), [true], "those that are there go on");
}
