//! Steps through a recording, and a recording that plays. Where a step leads is decided by `graph::project::Steps`; here
//! are the words for it, what an event touches, and the pace.

use std::sync::Arc;

use graph::project::{self, Steps, Tree, before_of, breakpoint_stops, next_of};
use graph::{Instance, InstanceIx, Run};
use wire::Matcher;

/// A step through what has happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// To the next beginning or end of any call.
    Into,
    /// To the next one that is not deeper.
    Over,
    /// To the next one that is less deep.
    Out,
    /// To the next beginning (`true`) or the one before.
    Node(bool),
    /// To the next failure (`true`) or the one before.
    Error(bool),
    /// To the next moment at which a breakpoint would have held (`true`) or the one before.
    Breakpoint(bool),
}

/// The number of the event that a step from `seq` leads to. Linear in the calls of the run: for a key, not for a pass.
pub fn target(run: &Run, seq: u64, step: Step, breakpoints: &[Matcher]) -> Option<u64> {
    let steps = || Steps::new(run, &Tree::new(run));
    let both = |forward: bool, step| {
        if forward { steps().next(run, seq, step) } else { steps().before(run, seq, step) }
    };
    match step {
        Step::Into => both(true, project::Step::Into),
        Step::Over => both(true, project::Step::Over),
        Step::Out => both(true, project::Step::Out),
        Step::Node(forward) => both(forward, project::Step::Node),
        Step::Error(forward) => both(forward, project::Step::Error),
        Step::Breakpoint(true) => next_of(&breakpoint_stops(run, breakpoints), seq),
        Step::Breakpoint(false) => before_of(&breakpoint_stops(run, breakpoints), seq),
    }
}

fn all(run: &Run) -> impl Iterator<Item = (InstanceIx, &Instance)> {
    run.instances().iter().enumerate().map(|(at, instance)| (InstanceIx::from(at), instance))
}

/// Node and instance that an event begins, ends or fails.
pub fn touched(run: &Run, seq: u64) -> Option<(Arc<str>, Arc<str>)> {
    let at = |stamp: Option<graph::Stamp>| stamp.is_some_and(|stamp| stamp.seq == seq);
    let (_, instance) = all(run).find(|(ix, it)| at(it.started) || at(it.ended) || at(run.failed_at(*ix)))?;
    Some((run.node(instance.node).id.as_str().into(), instance.id.as_str().into()))
}

/// A recording that plays: moments with the seconds after which each is reached, idle stretches shortened.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Play {
    moments: Vec<(f64, u64)>,
    began_s: f64,
    /// How many times faster than it happened.
    pub speed: f64,
}

/// Speeds that are offered.
pub const SPEEDS: [f64; 4] = [1.0, 4.0, 16.0, 64.0];
/// Longest stretch without anything that is played as it was, in seconds.
const IDLE_S: f64 = 1.0;

impl Play {
    /// Plays a run from behind `seq` on, beginning now.
    pub fn from(run: &Run, seq: u64, speed: f64, now_s: f64) -> Self {
        let stamps = all(run).flat_map(|(_, instance)| [instance.started, instance.ended]).flatten();
        let mut stamps: Vec<(u64, f64)> =
            stamps.filter(|at| at.seq > seq).map(|at| (at.seq, at.ts)).collect();
        stamps.sort_unstable_by_key(|at| at.0);
        stamps.dedup_by_key(|at| at.0);
        let mut elapsed = 0.0;
        let mut last = stamps.first().map_or(0.0, |at| at.1);
        let moments = stamps.into_iter().map(|(seq, ts)| {
            elapsed += ((ts - last) / 1_000.0).clamp(0.0, IDLE_S);
            last = ts;
            (elapsed, seq)
        });
        Self { moments: moments.collect(), began_s: now_s, speed }
    }

    /// The event reached by now, if any; and seconds until the next one, `None` at the end.
    pub fn reached(&self, now_s: f64) -> (Option<u64>, Option<f64>) {
        let elapsed = (now_s - self.began_s) * self.speed;
        let next = self.moments.partition_point(|(at, _)| *at <= elapsed);
        let wait = self.moments.get(next).map(|(at, _)| (at - elapsed) / self.speed.max(0.01));
        (next.checked_sub(1).map(|at| self.moments[at].1), wait)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `agent(1..10) calls a(2..5) calls deep(3..4), then b(6..8) fails at 7`.
    fn run() -> Run {
        let mut store = graph::Store::default();
        let mut seq = 0;
        let mut say = |kind: &str, payload: &str| {
            seq += 1;
            let ts = seq * 100;
            let text = format!(
                r#"{{"gm":1,"seq":{seq},"ts":{ts},"runId":"r","type":"{kind}","payload":{payload}}}"#
            );
            store.apply_to(&"r".into(), &wire::decode(&text));
        };
        let start = |id: &str, parent: &str| {
            let parent = if parent.is_empty() { String::new() } else { format!(r#","parentId":"{parent}""#) };
            format!(r#"{{"nodeId":"{id}","instanceId":"{id}1","kind":"tool","name":"{id}"{parent}}}"#)
        };
        let end =
            |id: &str| format!(r#"{{"nodeId":"{id}","instanceId":"{id}1","status":"ok","durationMs":5}}"#);
        let fail = |id: &str| {
            format!(r#"{{"nodeId":"{id}","instanceId":"{id}1","error":{{"name":"E","message":"m"}}}}"#)
        };
        say("node.started", &start("agent", ""));
        say("node.started", &start("a", "agent"));
        say("node.started", &start("deep", "a"));
        say("node.finished", &end("deep"));
        say("node.finished", &end("a"));
        say("node.started", &start("b", "agent"));
        say("node.error", &fail("b"));
        say("node.finished", &end("agent"));
        store.settle();
        store.run(&"r".into()).expect("the run").clone()
    }

    #[test]
    fn steps_lead_where_a_debugger_leads() {
        let run = run();
        let stops =
            [Matcher { name: Some("b".to_owned()), point: Some(wire::Point::Before), ..Matcher::default() }];
        let to = |seq, step| target(&run, seq, step, &stops);
        let table = [
            (1, Step::Into, Some(2)),
            (3, Step::Into, Some(4)),
            (2, Step::Over, Some(5)),
            (5, Step::Over, Some(6)),
            (3, Step::Out, Some(5)),
            (8, Step::Into, None),
            (3, Step::Node(false), Some(2)),
            (1, Step::Error(true), Some(7)),
            (7, Step::Error(true), None),
            (8, Step::Error(false), Some(7)),
            (1, Step::Breakpoint(true), Some(6)),
            (8, Step::Breakpoint(false), Some(6)),
        ];
        for (seq, step, expect) in table {
            assert_eq!(to(seq, step), expect, "{step:?} from {seq}");
        }
    }

    #[test]
    fn a_recording_plays_as_it_went_and_faster() {
        let play = Play::from(&run(), 1, 1.0, 10.0);
        assert_eq!(play.reached(10.0).0, Some(2));
        assert_eq!(play.reached(10.15).0, Some(3));
        assert_eq!(play.reached(20.0), (Some(8), None));
        let fast = Play::from(&run(), 1, 4.0, 10.0);
        assert_eq!(fast.reached(10.15).0, Some(8));
    }
}
