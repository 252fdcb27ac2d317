//! What time does by itself: grace runs out, figures are shown, idle states go to disk, counts are kept.
//!
//! Invariant: a tick without anything to do costs nothing in proportion to runs or history.

use graph::RunKey;
use wire::viewer::{NoticeLevel, ServerFrame};

use super::run::State;
use super::{Hub, Output};
use crate::limits::{ASKED_MS, IDLE_MS, SHOW_EVERY_MS};

/// How much a journal grows before its sidecar is written again: by a quarter, and by this many events.
const KEEP_EVENTS_MIN: u64 = 4_096;

/// Figures of the server.
#[derive(Debug, Default)]
pub(super) struct Stats {
    /// Frames read from apps.
    pub(super) frames: u64,
    /// Events stored.
    pub(super) events: u64,
    /// Events that had been seen before.
    pub(super) duplicates: u64,
    /// Frames refused or not shown.
    pub(super) dropped: u64,
    /// Notices in this second, and those that found no place in it.
    pub(super) notices: u32,
    pub(super) unsaid: u64,
    shown_ms: u64,
    shown_events: u64,
    events_per_s: f64,
    connections: u32,
    memory_bytes: u64,
    shown: Option<(u64, u64, u32)>,
    /// Holes in the numbering of live runs.
    pub(super) gaps: u64,
    swept_ms: u64,
}

impl Stats {
    /// What viewers are shown.
    pub(super) fn frame(&self) -> ServerFrame {
        ServerFrame::Stats {
            events_per_s: self.events_per_s,
            dropped: self.dropped,
            gaps: self.gaps,
            connections: self.connections,
            memory_bytes: self.memory_bytes,
        }
    }

    fn measure(&mut self, now_ms: u64) {
        let passed = now_ms.saturating_sub(self.shown_ms).max(1);
        self.events_per_s = (self.events - self.shown_events) as f64 * 1_000.0 / passed as f64;
        (self.shown_ms, self.shown_events) = (now_ms, self.events);
    }
}

impl Hub {
    pub(super) fn tick(&mut self, connections: u32, memory_bytes: u64, out: &mut Vec<Output>) {
        self.stats.connections = connections;
        self.stats.memory_bytes = memory_bytes;
        self.abandon(out);
        self.show_stuck();
        for key in std::mem::take(&mut self.touched) {
            self.count_gaps(&key);
            self.show_summary(&key, out);
            self.keep_grown(&key, out);
        }
        if self.debug.has_changed() {
            self.debug.shown();
            self.show_all(&ServerFrame::Debug { debug: self.debug.state() }, out);
        }
        if self.now.mono_ms.saturating_sub(self.stats.shown_ms) >= SHOW_EVERY_MS {
            self.show_figures(out);
        }
        if self.now.mono_ms.saturating_sub(self.stats.swept_ms) >= IDLE_MS / 4 {
            self.stats.swept_ms = self.now.mono_ms;
            self.sweep(out);
        }
    }

    /// Runs whose app did not come back in time.
    fn abandon(&mut self, out: &mut Vec<Output>) {
        while self.away.first().is_some_and(|(due, _)| *due <= self.now.mono_ms) {
            let Some((_, key)) = self.away.pop_first() else { break };
            self.recorded.remove(&key);
            let Some(run) = self.runs.get_mut(&key) else { continue };
            run.due_ms = None;
            run.idle_ms = Some(self.now.mono_ms);
            self.set_live(&key, false, out);
            self.urgent.insert(key.clone());
            self.keep(&key, out);
        }
    }

    /// A hold that was to go on and did not is a hold after all.
    fn show_stuck(&mut self) {
        for key in std::mem::take(&mut self.passing) {
            let Some(run) = self.runs.get_mut(&key) else { continue };
            let (before, now, asked) = (run.passing.len(), self.now.mono_ms, &run.asked);
            let fresh = |id: &String| asked.get(id).is_some_and(|at| now.saturating_sub(*at) < ASKED_MS);
            run.passing.retain(fresh);
            let left = run.passing.len();
            if left > 0 {
                self.passing.insert(key.clone());
            }
            if left < before {
                self.urgent.insert(key);
            }
        }
    }

    /// Brings the figure of gaps up to date for one run that has changed.
    pub(super) fn count_gaps(&mut self, key: &RunKey) {
        if let Some(run) = self.runs.get_mut(key) {
            let gaps = run.gaps();
            self.stats.gaps = self.stats.gaps + gaps - std::mem::replace(&mut run.gaps_shown, gaps);
        }
    }

    fn show_figures(&mut self, out: &mut Vec<Output>) {
        self.stats.measure(self.now.mono_ms);
        let unsaid = std::mem::take(&mut self.stats.unsaid);
        self.stats.notices = 0;
        if unsaid > 0 {
            self.say(NoticeLevel::Warning, &format!("{unsaid} more messages of this kind"), out);
        }
        let shown = Some((self.stats.events, self.stats.dropped, self.stats.connections));
        // Nothing new: an idle server says nothing. One frame more shows the rate going to zero.
        if self.stats.shown != shown || self.stats.events_per_s > 0.0 {
            self.stats.shown = shown;
            self.show_all(&self.stats.frame(), out);
        }
    }

    /// States that nobody needs any more leave memory; the journal has everything.
    fn sweep(&mut self, out: &mut Vec<Output>) {
        for run in self.runs.values_mut() {
            let idle = run.idle_ms.is_some_and(|since| self.now.mono_ms.saturating_sub(since) >= IDLE_MS);
            if idle && !run.live && run.watchers.is_empty() {
                run.state = State::Cold;
                run.words.clear();
                run.bodies = Default::default();
                run.idle_ms = None;
            }
        }
        self.retain(out);
    }

    fn keep_grown(&mut self, key: &RunKey, out: &mut Vec<Output>) {
        let grown = self.runs.get(key).is_some_and(|run| {
            run.facts.events >= run.kept_events + KEEP_EVENTS_MIN.max(run.kept_events / 4)
        });
        if grown {
            self.keep(key, out);
        }
    }

    /// Writes the sidecar of every run that has grown; the last thing before the end.
    pub(crate) fn keep_all(&mut self, out: &mut Vec<Output>) {
        let grown = self.runs.iter().filter(|(_, run)| run.facts.events > run.kept_events);
        for key in grown.map(|(key, _)| key.clone()).collect::<Vec<_>>() {
            self.keep(&key, out);
        }
    }

    /// Writes a run's sidecar.
    pub(super) fn keep(&mut self, key: &RunKey, out: &mut Vec<Output>) {
        let Some(run) = self.runs.get_mut(key) else { return };
        run.kept_events = run.facts.events;
        match serde_json::to_string(&run.facts) {
            Ok(facts) => out.push(Output::Sidecar { key: key.clone(), facts }),
            Err(error) => self.say(NoticeLevel::Error, &format!("run {key} is not indexed: {error}"), out),
        }
    }
}
