//! The one time position: steps through what has happened, and a recording that plays.

use graph::RunKey;

use super::App;
use crate::model::TimePosition;
use crate::model::steps::{self, Play, Step};
use crate::model::toasts::Level;

impl App {
    fn shown_store_run(&self) -> Option<&graph::Run> {
        self.store.run(&RunKey::from(self.state.shown.as_deref()?))
    }

    /// The number of the event that is looked at, and of the last one.
    fn moment(&self) -> Option<(u64, u64)> {
        let last = self.shown_store_run()?.last_seq()?;
        Some(match self.state.time {
            TimePosition::At(seq) => (seq, last),
            TimePosition::Live => (last, last),
        })
    }

    /// Looks at an event; at the last one of a live run the window moves with it again.
    fn look_at(&mut self, seq: u64) {
        let live = self.state.shown_run().is_some_and(|run| run.live);
        let at_end = self.moment().is_none_or(|(_, last)| seq >= last);
        self.state.time = if live && at_end { TimePosition::Live } else { TimePosition::At(seq) };
        self.state.selection.seq = Some(seq);
    }

    /// The next event or the one before.
    pub(super) fn step_event(&mut self, forward: bool) {
        self.state.play = None;
        let Some((seq, last)) = self.moment() else { return };
        let from = if self.state.time == TimePosition::Live { last.saturating_add(1) } else { seq };
        match self.state.events.neighbour(from, forward) {
            Some(seq) => self.look_at(seq),
            None if forward => self.state.time = TimePosition::Live,
            None => {}
        }
    }

    /// A step to a beginning, an end, an error or a breakpoint; what it leads to is selected.
    pub(super) fn step(&mut self, step: Step) {
        self.state.play = None;
        let Some(run) = self.shown_store_run() else { return };
        let Some((seq, last)) = self.moment() else { return };
        let backward = matches!(step, Step::Node(false) | Step::Error(false) | Step::Breakpoint(false));
        let from =
            if self.state.time == TimePosition::Live && backward { last.saturating_add(1) } else { seq };
        let armed = self.state.breakpoints().filter(|known| known.spec.enabled && known.spec.log.is_none());
        let stops: Vec<wire::Matcher> = armed.map(|known| known.spec.matcher.clone()).collect();
        let Some(to) = steps::target(run, from, step, &stops) else { return self.nowhere(step) };
        let touched = steps::touched(run, to);
        self.look_at(to);
        if let Some((node, instance)) = touched {
            self.state.selection.node = Some(node);
            self.state.selection.instance = Some(instance);
        }
    }

    fn nowhere(&mut self, step: Step) {
        let what = match step {
            Step::Into => "Nothing begins or ends after this moment.",
            Step::Node(true) => "Nothing begins after this moment.",
            Step::Node(false) => "Nothing began before this moment.",
            Step::Over => "Nothing follows this moment at its depth.",
            Step::Out => "There is no call around this one that goes on.",
            Step::Error(true) => "Nothing fails after this moment.",
            Step::Error(false) => "Nothing failed before this moment.",
            Step::Breakpoint(_) => "No breakpoint would have held there.",
        };
        self.say(Level::Info, what, "");
    }

    /// Plays from where the window looks, from the start if that is the end; or stops.
    pub(super) fn play(&mut self, speed: Option<f64>) {
        let (now_s, moment) = (self.time_s, self.moment());
        let from = moment.map_or(0, |(seq, last)| if seq >= last { 0 } else { seq });
        let played = speed.and_then(|speed| Some(Play::from(self.shown_store_run()?, from, speed, now_s)));
        self.state.play = played;
    }

    /// Moves a playing recording on; seconds until it moves again.
    pub(super) fn advance(&mut self) -> Option<f64> {
        let (seq, wait) = self.state.play.as_ref()?.reached(self.time_s);
        if let Some(seq) = seq {
            self.state.time = TimePosition::At(seq);
        }
        if wait.is_none() {
            self.state.play = None;
            self.state.time = TimePosition::Live;
        }
        wait.map(|wait| wait.max(PLAY_STEP_S))
    }
}

/// A playing recording moves at most this often, in seconds.
const PLAY_STEP_S: f64 = 0.05;
