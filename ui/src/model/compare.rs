//! Two runs side by side: which row stands for which node, what differs, and which difference is looked at. The pairing
//! is `graph::project::diff`; here it is only kept and walked.

use std::sync::Arc;

use graph::Run;
use graph::project::{Diff, DiffRow, Difference, Pairing, diff};

use super::format;

/// How a row differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// Not at all, or only in what is ignored.
    Same,
    /// In something.
    Changed,
    /// It is in the first run only.
    OnlyFirst,
    /// It is in the second run only.
    OnlySecond,
}

/// A comparison.
#[derive(Clone, Debug)]
pub struct Compare {
    /// Key of the first run, A.
    pub first: Arc<str>,
    /// Key of the second run, B: the shown one.
    pub second: Arc<str>,
    /// The difference, once both runs are here.
    pub diff: Option<Diff>,
    /// Places of the rows that differ.
    changed: Vec<usize>,
    counts: [usize; 3],
    failed: (u64, u64),
    at: usize,
    made_of: (u64, u64),
}

impl Compare {
    /// A comparison that waits for its runs.
    pub fn new(first: Arc<str>, second: Arc<str>) -> Self {
        let (changed, counts, failed) = Default::default();
        Self { first, second, diff: None, changed, counts, failed, at: 0, made_of: (0, 0) }
    }

    /// Compares anew if either run has other events than before.
    pub fn refresh(&mut self, first: &Run, second: &Run) {
        let made_of = (first.event_count(), second.event_count());
        if self.diff.is_none() || self.made_of != made_of {
            let made = diff(first, second);
            let of = |wanted| made.rows.iter().filter(|row| mark(row) == wanted).count();
            self.counts = [of(Mark::Changed), of(Mark::OnlyFirst), of(Mark::OnlySecond)];
            let differ = made.rows.iter().enumerate().filter(|(_, row)| mark(row) != Mark::Same);
            self.changed = differ.map(|(at, _)| at).collect();
            self.failed = (failed(first), failed(second));
            self.diff = Some(made);
            self.made_of = made_of;
            self.at = self.at.min(self.changed.len().saturating_sub(1));
        }
    }

    /// All rows.
    pub fn rows(&self) -> &[DiffRow] {
        self.diff.as_ref().map_or(&[], |diff| &diff.rows)
    }

    /// How many rows have each mark: changed, only in the first, only in the second.
    pub fn counts(&self) -> [usize; 3] {
        self.counts
    }

    /// Failed calls of the first run and of the second.
    pub fn failed(&self) -> (u64, u64) {
        self.failed
    }

    /// Rank of the difference that is looked at, from 1, and how many there are.
    pub fn rank(&self) -> (usize, usize) {
        let all = self.changed.len();
        (if all == 0 { 0 } else { self.at + 1 }, all)
    }

    /// Place of the row that is looked at.
    pub fn place(&self) -> Option<usize> {
        self.changed.get(self.at).copied()
    }

    /// The row that is looked at.
    pub fn current(&self) -> Option<&DiffRow> {
        self.rows().get(self.place()?)
    }

    /// Looks at the next difference or the one before, around the end.
    pub fn turn(&mut self, forward: bool) {
        let all = self.changed.len().max(1);
        self.at = (self.at + if forward { 1 } else { all - 1 }) % all;
    }
}

fn failed(run: &Run) -> u64 {
    run.nodes_ix().map(|(ix, _)| u64::from(run.counts(ix).error)).sum()
}

/// How a row differs. Times alone are no difference: no two runs take the same.
pub fn mark(row: &DiffRow) -> Mark {
    match row.pairing {
        Pairing::First(_) => Mark::OnlyFirst,
        Pairing::Second(_) => Mark::OnlySecond,
        Pairing::Both(..) if row.differences.iter().all(|d| matches!(d, Difference::RunMs(..))) => Mark::Same,
        Pairing::Both(..) => Mark::Changed,
    }
}

/// What differs, in words, A before B.
pub fn words(row: &DiffRow) -> String {
    let mut parts = Vec::new();
    let (mut inputs, mut outputs) = (0u64, 0u64);
    for difference in &row.differences {
        match difference {
            Difference::Status(a, b) => parts.push(format!("{a} became {b}")),
            Difference::Instances(a, b) => parts.push(format!("{a} against {b} calls")),
            Difference::Errors(a, b) => parts.push(format!("{a} against {b} failed")),
            Difference::Tokens(a, b) => {
                parts.push(format!("{} against {} tokens", format::count(*a), format::count(*b)))
            }
            Difference::RunMs(..) => {}
            Difference::Input(..) => inputs += 1,
            Difference::Output(..) => outputs += 1,
        }
    }
    if inputs > 0 {
        parts.push(format!("{} differ", format::plural(inputs, "input")));
    }
    if outputs > 0 {
        parts.push(format!("{} differ", format::plural(outputs, "output")));
    }
    parts.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(key: &str, status: &str, extra: bool) -> Run {
        let mut store = graph::Store::default();
        let mut seq = 0;
        let mut say = |kind: &str, payload: String| {
            seq += 1;
            let text = format!(
                r#"{{"gm":1,"seq":{seq},"ts":{seq},"runId":"{key}","type":"{kind}","payload":{payload}}}"#
            );
            store.apply_to(&key.into(), &wire::decode(&text));
        };
        let names = if extra { &["a", "b"][..] } else { &["a"][..] };
        for name in names {
            let id = format!(r#""nodeId":"{name}","instanceId":"{name}1""#);
            say("node.started", format!(r#"{{{id},"kind":"tool","name":"{name}"}}"#));
            say(
                "node.finished",
                format!(r#"{{{id},"status":"{status}","durationMs":{seq}}}"#, seq = key.len()),
            );
        }
        store.settle();
        store.run(&key.into()).expect("the run").clone()
    }

    #[test]
    fn differences_are_marked_counted_and_walked() {
        let mut compare = Compare::new("one".into(), "two".into());
        compare.refresh(&run("one", "ok", true), &run("two", "error", false));
        assert_eq!(compare.counts(), [1, 1, 0]);
        assert_eq!((compare.rank(), compare.current().map(|row| row.name.as_str())), ((1, 2), Some("a")));
        assert!(compare.current().is_some_and(|row| words(row).contains("ok became error")));
        compare.turn(true);
        assert_eq!(compare.current().map(mark), Some(Mark::OnlyFirst));
        compare.turn(true);
        assert_eq!(compare.rank(), (1, 2));
    }

    #[test]
    fn a_run_that_only_took_longer_is_the_same() {
        let mut compare = Compare::new("one".into(), "later".into());
        compare.refresh(&run("one", "ok", false), &run("later", "ok", false));
        assert_eq!((compare.counts(), compare.rank()), ([0, 0, 0], (0, 0)));
    }
}
