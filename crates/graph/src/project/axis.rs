//! The time axis: which stretches are idle and folded, and what is marked on it.
//!
//! Decides the clock (sender's milliseconds, or the sequence where the recording has no clock) and that stretches in
//! which nothing ran fold to a mark. Invariant: positions grow with time. Does not know pixels.

use crate::{HoldIx, InstanceIx, Run, Stamp, Status};

/// The time axis.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Axis {
    /// First moment, milliseconds since the epoch, or sequence where `ordinal`.
    pub start: f64,
    /// Last moment.
    pub end: f64,
    /// There is no clock: moments are sequence numbers.
    pub ordinal: bool,
    /// Idle stretches, ascending.
    pub folds: Vec<Fold>,
}

/// An idle stretch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fold {
    /// Where it begins.
    pub from: f64,
    /// Where it ends.
    pub to: f64,
    /// How long everything folded before it is.
    pub(crate) before: f64,
}

/// How much of an idle stretch stays visible, as a part of the shortest stretch that folds.
const VISIBLE: f64 = 0.1;

impl Axis {
    /// The axis of a run, idle stretches of at least `idle_min` milliseconds folded.
    pub fn new(run: &Run, idle_min: f64) -> Self {
        let ordinal = run.first_ts() == run.last_ts();
        let mut axis = Self { ordinal, ..Self::default() };
        let (Some(first), Some(last)) = (run.first_seq(), run.last_seq()) else { return axis };
        (axis.start, axis.end) = match (ordinal, run.first_ts(), run.last_ts()) {
            (false, Some(start), Some(end)) => (start, end),
            _ => (first as f64, last as f64),
        };
        if !ordinal && idle_min > 0.0 {
            axis.fold(run, idle_min);
        }
        axis
    }

    /// Where a moment lies on the clock of this axis.
    pub fn moment(&self, at: Stamp) -> f64 {
        if self.ordinal { at.seq as f64 } else { at.ts }
    }

    /// When an instance ran: from its start, or from its end where that is all there is, to its end or the axis's.
    pub fn span(&self, run: &Run, ix: InstanceIx) -> Option<(f64, f64)> {
        let instance = run.instance(ix);
        let start = self.moment(instance.started.or(instance.ended)?);
        let end = instance.ended.map_or(self.end, |at| self.moment(at));
        Some((start, end.max(start)))
    }

    /// Length of the axis once idle stretches are folded.
    pub fn length(&self) -> f64 {
        self.fold_down(self.end)
    }

    /// How far a moment lies from the start once idle stretches are folded.
    pub fn fold_down(&self, moment: f64) -> f64 {
        let at = self.folds.partition_point(|fold| fold.to <= moment);
        let before = match (self.folds.get(at), at.checked_sub(1).map(|i| &self.folds[i])) {
            (Some(fold), _) if fold.from < moment => {
                fold.before + (moment - fold.from) * (1.0 - self.visible(fold) / (fold.to - fold.from))
            }
            (_, Some(last)) => last.before + self.folded(last),
            _ => 0.0,
        };
        moment - self.start - before
    }

    /// The moment at a distance from the start: the inverse of `fold_down`.
    pub fn unfold(&self, distance: f64) -> f64 {
        let at = self.folds.partition_point(|fold| self.fold_down(fold.to) <= distance);
        match (self.folds.get(at), at.checked_sub(1).map(|i| &self.folds[i])) {
            (Some(fold), _) if self.fold_down(fold.from) < distance => {
                let inside = distance - self.fold_down(fold.from);
                fold.from + inside / self.visible(fold) * (fold.to - fold.from)
            }
            (_, Some(last)) => self.start + distance + last.before + self.folded(last),
            _ => self.start + distance,
        }
    }

    fn visible(&self, fold: &Fold) -> f64 {
        (self.end - self.start).min(fold.to - fold.from) * VISIBLE
    }

    fn folded(&self, fold: &Fold) -> f64 {
        fold.to - fold.from - self.visible(fold)
    }

    fn fold(&mut self, run: &Run, idle_min: f64) {
        let mut spans: Vec<(f64, f64)> = (0..run.instances().len())
            .filter_map(|i| self.span(run, i.into()))
            .filter(|(a, b)| a < b)
            .collect();
        spans.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut busy = self.start;
        let mut before = 0.0;
        for (start, end) in spans.into_iter().chain([(self.end, self.end)]) {
            if start - busy >= idle_min {
                let fold = Fold { from: busy, to: start, before };
                before += self.folded(&fold);
                self.folds.push(fold);
            }
            busy = busy.max(end);
        }
    }
}

/// Something marked on the ruler.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mark {
    /// When.
    pub at: Stamp,
    /// What.
    pub kind: MarkKind,
}

/// What a mark on the ruler means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MarkKind {
    /// An instance failed.
    Error(InstanceIx),
    /// A gate held.
    Hold(HoldIx),
    /// The run began.
    Start,
    /// The run ended.
    End(Status),
    /// A superstep, a checkpoint or another moment of a graph run, by position in `Run::ticks`.
    Tick(u32),
}

/// The marks of a run in sequence order, at most `limit`: both ends of the run first, then holds, errors
/// and the supersteps and checkpoints of a graph run.
pub fn marks(run: &Run, limit: usize) -> Vec<Mark> {
    let mut marks = Vec::new();
    marks.extend(run.start().map(|start| Mark { at: start.at, kind: MarkKind::Start }));
    marks.extend(run.end().map(|end| Mark { at: end.at, kind: MarkKind::End(end.status) }));
    marks.extend(run.holds_ix().map(|(ix, hold)| Mark { at: hold.paused, kind: MarkKind::Hold(ix) }));
    let failed = run.instances().iter().enumerate().filter(|(_, instance)| instance.flags.failed_once);
    let errors = failed.filter_map(|(i, _)| {
        let at = run.failed_at(i.into())?;
        Some(Mark { at, kind: MarkKind::Error(i.into()) })
    });
    marks.extend(errors.take(limit.saturating_sub(marks.len())));
    let ticks = run.ticks().iter().enumerate().filter(|(_, tick)| is_on_ruler(tick.kind));
    let ticks = ticks.map(|(i, tick)| Mark { at: tick.at, kind: MarkKind::Tick(crate::run::position(i)) });
    marks.extend(ticks.take(limit.saturating_sub(marks.len())));
    marks.truncate(limit);
    marks.sort_by_key(|mark| mark.at.seq);
    marks
}

fn is_on_ruler(kind: crate::TickKind) -> bool {
    use crate::TickKind::{Checkpoint, Draining, Restored, Step};
    matches!(kind, Step | Checkpoint | Restored | Draining)
}
