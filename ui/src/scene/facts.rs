//! What a card says about a node, in words.
//!
//! Invariant: every word comes from the run; a duration is that of the call that ended last, without time at gates.

use std::sync::Arc;

use graph::project::{self, At, Card, Matches, Tree};
use graph::{HoldIx, NodeIx, NodeStatus, Run};
use wire::viewer::BreakpointState;

use super::breakpoint::{breakpoint_mark, breakpoint_of};
use super::model::HoldModel;
use crate::glyph::BreakpointMark;
use crate::model::format;
use crate::theme::{NodeKind, Status};

/// A run and from where it is looked at.
#[derive(Clone, Copy)]
pub(super) struct Facts<'a> {
    pub(super) run: &'a Run,
    pub(super) tree: &'a Tree,
    pub(super) at: Option<&'a At>,
    pub(super) breakpoints: &'a [BreakpointState],
    pub(super) matches: Option<&'a Matches>,
}

impl<'a> Facts<'a> {
    pub(super) fn card(&self, ix: NodeIx) -> Card<'a> {
        project::card(self.run, ix, self.at)
    }

    pub(super) fn dim(&self, ix: NodeIx) -> bool {
        self.matches.is_some_and(|matches| !matches.contains(ix))
    }

    pub(super) fn kind(&self, ix: NodeIx) -> NodeKind {
        NodeKind::from_word(self.run.node(ix).kind.as_str())
    }

    pub(super) fn breakpoint(&self, card: &Card<'_>) -> Option<BreakpointMark> {
        breakpoint_of(self.breakpoints, card.kind, card.name).map(breakpoint_mark)
    }

    /// The state as shape and word.
    pub(super) fn status(&self, card: &Card<'_>) -> Status {
        match card.status {
            NodeStatus::Unreached if self.at.is_some() && self.run.counts(card.node).total > 0 => {
                Status::Later
            }
            NodeStatus::Unreached => Status::NotReached,
            NodeStatus::Ghost => Status::Ghost,
            NodeStatus::Held | NodeStatus::Running => Status::Running,
            NodeStatus::Error => Status::Failed,
            NodeStatus::Aborted => Status::Aborted,
            NodeStatus::Abandoned => Status::Abandoned,
            NodeStatus::Uncertain => Status::Uncertain,
            NodeStatus::Ok => self.ok(card),
        }
    }

    fn ok(&self, card: &Card<'_>) -> Status {
        let Some(latest) = card.latest.map(|ix| self.run.instance(ix)) else { return Status::Ok };
        match latest.flags {
            flags if flags.injected => Status::Injected,
            flags if flags.cached => Status::Cached,
            _ if latest.retried > 0 => Status::Retried,
            _ => Status::Ok,
        }
    }

    pub(super) fn hold(&self, ix: HoldIx) -> HoldModel {
        let hold = self.run.hold(ix);
        let place = match hold.point {
            wire::Point::Before => "before",
            wire::Point::After => "after",
            wire::Point::Error => "at error",
        };
        let held = self.run.counts(hold.node).held;
        HoldModel {
            pause: hold.pause_id.as_str().into(),
            since_ms: self.at.is_none().then_some(hold.paused.ts),
            place,
            editable: hold.editable,
            more: held.saturating_sub(1),
        }
    }

    /// When what runs began; a moment in the past does not count on.
    pub(super) fn since(&self, card: &Card<'_>, status: Status) -> Option<f64> {
        let running = status == Status::Running && self.at.is_none();
        let latest = card.latest.filter(|_| running)?;
        self.run.instance(latest).started.map(|stamp| stamp.ts)
    }

    /// The last words of its stream.
    pub(super) fn stream(&self, card: &Card<'_>) -> Option<Arc<str>> {
        let latest = card.latest?;
        // The tail is of now; a moment in the past has other words, which only the events have.
        if self.at.is_some() || self.run.instance(latest).text().is_empty() {
            return None;
        }
        Some(self.run.tail(latest).into()).filter(|text: &Arc<str>| !text.trim().is_empty())
    }

    /// What follows the state's word.
    pub(super) fn detail(&self, card: &Card<'_>, status: Status) -> String {
        let time = card.run_ms.map(format::duration);
        match status {
            Status::NotReached | Status::Later => String::new(),
            Status::Ghost => "parent not seen".to_owned(),
            Status::Running => self.running_detail(card),
            Status::Aborted => time.map(|time| format!("after {time}")).unwrap_or_default(),
            Status::Abandoned => "no end".to_owned(),
            Status::Uncertain => "happened?".to_owned(),
            Status::Injected => "by hand".to_owned(),
            Status::Failed => join([time, failures(card)]),
            Status::Retried => join([self.tries(card), time]),
            Status::Held | Status::Ok | Status::Cached => {
                join([time, tokens(card.tokens).or_else(|| failed_of(card))])
            }
        }
    }

    fn running_detail(&self, card: &Card<'_>) -> String {
        let text = card.latest.map(|ix| self.run.instance(ix).text()).unwrap_or_default();
        let others = card.counts.running.saturating_sub(1);
        match (others, tokens(card.tokens)) {
            (0, Some(tokens)) => tokens,
            (0, None) if text.deltas > 0 => format!("{} parts", format::short(text.deltas)),
            (0, None) => String::new(),
            (others, _) => format!("{} more", format::count(u64::from(others))),
        }
    }

    fn tries(&self, card: &Card<'_>) -> Option<String> {
        let retried = self.run.instance(card.latest?).retried;
        Some(format!("{} try", ordinal(retried + 1)))
    }
}

fn tokens(n: u64) -> Option<String> {
    match n {
        0 => None,
        1..=9_999 => Some(format!("{} tok", format::count(n))),
        _ => Some(format::short(n)),
    }
}

/// "1/6" of a card that failed.
fn failures(card: &Card<'_>) -> Option<String> {
    (card.counts.total > 1).then(|| format!("{}/{}", card.counts.error, card.counts.total))
}

/// "1/12 failed" of a card that went well last.
fn failed_of(card: &Card<'_>) -> Option<String> {
    (card.counts.error > 0).then(|| format!("{}/{} failed", card.counts.error, card.counts.total))
}

fn join(parts: [Option<String>; 2]) -> String {
    parts.into_iter().flatten().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" · ")
}

fn ordinal(n: u32) -> String {
    let suffix = match (n % 10, n % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{n}{suffix}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tries_are_counted_as_people_say_them() {
        for (n, word) in [
            (1, "1st"),
            (2, "2nd"),
            (3, "3rd"),
            (4, "4th"),
            (11, "11th"),
            (12, "12th"),
            (22, "22nd"),
            (113, "113th"),
        ] {
            assert_eq!(ordinal(n), word);
        }
    }
}
