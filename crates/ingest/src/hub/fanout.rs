//! Showing: slim events to the viewers that watch, summaries to all, snapshots to newcomers.
//!
//! Invariant: a watching viewer gets a snapshot, then every later event once, unless it is told `Lagged`. Nothing is made
//! slim that nobody watches. A viewer without credits costs bounded memory and nobody's time.

use std::collections::BTreeMap;

use graph::RunKey;
use tokio_tungstenite::tungstenite::Utf8Bytes;
use wire::viewer::{NoticeLevel, ServerFrame};

use super::run::State;
use super::viewer::Viewer;
use super::{Hub, Output, ViewerId};
use crate::limits::{BATCH_EVENTS_MAX, CATCH_UP_MAX, VIEWER_PENDING_BYTES_MAX};

/// One viewer's look at one run.
#[derive(Default)]
pub(super) struct Watch {
    phase: Phase,
    events: Vec<Utf8Bytes>,
    bytes: usize,
    /// Frames that follow the events: numbers used elsewhere, live or not.
    after: Vec<Utf8Bytes>,
    missed: u64,
}

/// How far a watch is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Phase {
    /// It waits for the state to be readable; what comes now will be in the snapshot.
    #[default]
    Waiting,
    /// Its snapshot is being made; what comes now follows it.
    Collecting,
    /// It follows.
    Flowing,
    /// It fell behind; it will be told and forgotten.
    Lagged,
}

impl Watch {
    fn is_idle(&self) -> bool {
        self.events.is_empty() && self.after.is_empty() && self.phase != Phase::Lagged
    }

    fn push(&mut self, event: Utf8Bytes) {
        match self.phase {
            Phase::Waiting => {}
            Phase::Lagged => self.missed += 1,
            Phase::Collecting | Phase::Flowing if self.bytes > VIEWER_PENDING_BYTES_MAX => {
                self.missed = self.events.len() as u64 + 1;
                self.events = Vec::new();
                self.after = Vec::new();
                self.bytes = 0;
                self.phase = Phase::Lagged;
            }
            Phase::Collecting | Phase::Flowing => {
                self.bytes += event.len();
                self.events.push(event);
            }
        }
    }
}

/// Sends one frame.
pub(super) fn send(viewer: ViewerId, frame: &ServerFrame, out: &mut Vec<Output>) {
    out.push(Output::ToViewer { viewer, text: frame.encode().into() });
}

impl Hub {
    /// A viewer starts to look at a run.
    pub(super) fn watch(&mut self, id: ViewerId, key: &RunKey, out: &mut Vec<Output>) {
        let (Some(viewer), Some(run)) = (self.viewers.get_mut(&id), self.runs.get_mut(key)) else { return };
        viewer.watches.insert(key.clone(), Watch::default());
        run.watchers.insert(id);
        run.idle_ms = None;
        self.wanted.insert(key.clone());
        self.want_state(key, out);
    }

    /// A viewer looks away.
    pub(super) fn unwatch(&mut self, id: ViewerId, key: &RunKey) {
        if let Some(viewer) = self.viewers.get_mut(&id) {
            viewer.watches.remove(key);
        }
        if let Some(run) = self.runs.get_mut(key) {
            run.watchers.remove(&id);
            if run.watchers.is_empty() {
                run.idle_ms = Some(self.now.mono_ms);
            }
        }
    }

    /// Sees to it that the state of a run is in memory or on its way.
    pub(super) fn want_state(&mut self, key: &RunKey, out: &mut Vec<Output>) {
        let Some(run) = self.runs.get_mut(key) else { return };
        if !matches!(run.state, State::Cold) {
            return;
        }
        run.state = State::Loading { deferred: super::run::Deferred::default(), again: false };
        let span = run.facts.seen.min().zip(run.facts.seen.max());
        let owner = run.owner.as_ref().and_then(|owner| self.identities.get(owner));
        let known =
            owner.zip(span).map(|(owner, (from, to))| owner.used.within(from, to)).unwrap_or_default();
        run.cover(&known);
        out.push(Output::Load { key: key.clone(), live: run.live, source: run.facts.source.clone(), known });
    }

    /// A run has been read from its journal.
    pub(super) fn loaded(&mut self, key: &RunKey, store: graph::Store, out: &mut Vec<Output>) {
        let Some(run) = self.runs.get_mut(key) else { return };
        let State::Loading { deferred, again } = &mut run.state else { return };
        if *again {
            run.state = State::Cold;
            return self.want_state(key, out);
        }
        let deferred = std::mem::take(deferred);
        for node in store.run(key).into_iter().flat_map(graph::Run::nodes) {
            let words = (node.kind.as_str().into(), (&*node.name).into());
            run.words.entry(node.id.as_str().into()).or_insert(words);
        }
        run.state = State::Warm { store: std::sync::Arc::new(store), deferred, frozen: false };
        self.behind.insert(key.clone());
    }

    /// A run could not be read.
    pub(super) fn load_failed(&mut self, key: &RunKey, reason: &str, out: &mut Vec<Output>) {
        self.wanted.remove(key);
        let Some(run) = self.runs.get_mut(key) else { return };
        run.state = State::Cold;
        for viewer in std::mem::take(&mut run.watchers) {
            if let Some(viewer) = self.viewers.get_mut(&viewer) {
                viewer.watches.remove(key);
            }
        }
        self.say(NoticeLevel::Error, &format!("run {key} cannot be read: {reason}"), out);
    }

    /// Freezes what viewers wait for, where it can be frozen.
    pub(super) fn serve_wanted(&mut self, out: &mut Vec<Output>) {
        for key in std::mem::take(&mut self.wanted) {
            let Some(run) = self.runs.get_mut(&key) else { continue };
            if run.watchers.is_empty() {
                continue;
            }
            if matches!(run.state, State::Cold) {
                self.want_state(&key, out);
                self.wanted.insert(key);
                continue;
            }
            let Some(store) = run.freeze() else {
                self.wanted.insert(key);
                continue;
            };
            for viewer in &run.watchers {
                let viewer = self.viewers.get_mut(viewer);
                if let Some(watch) = viewer.and_then(|viewer| viewer.watches.get_mut(&key))
                    && watch.phase == Phase::Waiting
                {
                    watch.phase = Phase::Collecting;
                }
            }
            out.push(Output::Snapshot { key, store });
        }
    }

    /// A snapshot is ready: to those who waited for it, and on with the state.
    pub(super) fn snapshot_ready(&mut self, key: &RunKey, text: &Utf8Bytes, out: &mut Vec<Output>) {
        let Some(run) = self.runs.get_mut(key) else { return };
        run.thaw();
        self.behind.insert(key.clone());
        for id in &run.watchers {
            let watch = self.viewers.get_mut(id).and_then(|viewer| viewer.watches.get_mut(key));
            match watch {
                Some(watch) if watch.phase == Phase::Collecting => {
                    watch.phase = Phase::Flowing;
                    out.push(Output::ToViewer { viewer: *id, text: text.clone() });
                }
                Some(watch) if watch.phase == Phase::Waiting => {
                    self.wanted.insert(key.clone());
                }
                _ => {}
            }
        }
    }

    /// Applies a portion of what waited while states were read.
    pub(super) fn catch_up(&mut self) {
        let mut budget = CATCH_UP_MAX;
        for key in std::mem::take(&mut self.behind) {
            let Some(run) = self.runs.get_mut(&key) else { continue };
            budget = run.catch_up(&key, budget);
            if run.is_behind() {
                self.behind.insert(key);
            }
        }
    }

    pub(super) fn show_account(&mut self, key: &RunKey, from: u64, to: u64) {
        self.show_after(key, &ServerFrame::Account { run: key.to_string(), from, to });
    }

    /// Sets whether more can come to a run, for its state, its readers and its viewers.
    pub(super) fn set_live(&mut self, key: &RunKey, live: bool, out: &mut Vec<Output>) {
        if let Some(run) = self.runs.get_mut(key) {
            run.set_live(key, live);
        }
        out.push(Output::Live { key: key.clone(), live });
        self.show_after(key, &ServerFrame::Live { run: key.to_string(), live });
    }

    /// Shows a small frame after the events before it; it needs no credit of its own.
    fn show_after(&mut self, key: &RunKey, frame: &ServerFrame) {
        let Some(run) = self.runs.get(key).filter(|run| !run.watchers.is_empty()) else { return };
        let text: Utf8Bytes = frame.encode().into();
        for viewer in &run.watchers {
            let watch = self.viewers.get_mut(viewer).and_then(|viewer| viewer.watches.get_mut(key));
            if let Some(watch) = watch.filter(|w| matches!(w.phase, Phase::Collecting | Phase::Flowing)) {
                watch.bytes += text.len();
                watch.after.push(text.clone());
            }
        }
    }

    /// Sends every summary that should not wait.
    pub(super) fn show_urgent(&mut self, out: &mut Vec<Output>) {
        for key in std::mem::take(&mut self.urgent) {
            self.touched.remove(&key);
            self.count_gaps(&key);
            self.show_summary(&key, out);
        }
    }

    pub(super) fn show_summary(&mut self, key: &RunKey, out: &mut Vec<Output>) {
        if self.viewers.is_empty() {
            return;
        }
        let Some(run) = self.runs.get(key) else { return };
        self.show_all(&ServerFrame::Run { run: self.summary(key, run) }, out);
    }

    /// Sends a frame to every viewer.
    pub(super) fn show_all(&self, frame: &ServerFrame, out: &mut Vec<Output>) {
        if self.viewers.is_empty() {
            return;
        }
        let text: Utf8Bytes = frame.encode().into();
        let all = self.viewers.keys();
        out.extend(all.map(|viewer| Output::ToViewer { viewer: *viewer, text: text.clone() }));
    }

    /// Sends what waits for viewers that have credits.
    pub(super) fn flush_viewers(&mut self, out: &mut Vec<Output>) {
        let mut lagged = Vec::new();
        for (id, viewer) in &mut self.viewers {
            if viewer.credits == 0 {
                continue;
            }
            for (key, watch) in viewer.watches.iter_mut().filter(|(_, watch)| !watch.is_idle()) {
                if watch.phase == Phase::Lagged {
                    lagged.push((*id, key.clone(), watch.missed));
                }
                if watch.phase != Phase::Flowing {
                    continue;
                }
                flush(*id, key, watch, &mut viewer.credits, out);
            }
        }
        for (id, key, missed) in lagged {
            self.unwatch(id, &key);
            self.stats.dropped += missed;
            send(id, &ServerFrame::Lagged { run: key.to_string(), missed }, out);
        }
    }
}

/// Sends batches of one watch for as long as there are credits.
fn flush(id: ViewerId, key: &RunKey, watch: &mut Watch, credits: &mut u32, out: &mut Vec<Output>) {
    let mut events = std::mem::take(&mut watch.events).into_iter();
    while *credits > 0 && events.len() > 0 {
        let text = batch(key, events.by_ref().take(BATCH_EVENTS_MAX));
        out.push(Output::ToViewer { viewer: id, text });
        *credits -= 1;
    }
    watch.events = events.collect();
    watch.bytes = watch.events.iter().map(|event| event.len()).sum();
    if watch.events.is_empty() {
        let after = std::mem::take(&mut watch.after);
        out.extend(after.into_iter().map(|text| Output::ToViewer { viewer: id, text }));
    }
}

/// An `Events` frame whose members are put in as the text they are.
fn batch(key: &RunKey, events: impl Iterator<Item = Utf8Bytes>) -> Utf8Bytes {
    let mut text = ServerFrame::Events { run: key.to_string(), events: Vec::new() }.encode();
    let closed = text.ends_with("[]}");
    debug_assert!(closed, "the list is the last member: {text}");
    text.truncate(text.len() - 2);
    for event in events {
        text.push_str(event.as_str());
        text.push(',');
    }
    if text.ends_with(',') {
        text.pop();
    }
    text.push_str("]}");
    text.into()
}

/// Shows an event to those who watch its run.
pub(super) fn show_event(
    viewers: &mut BTreeMap<ViewerId, Viewer>,
    run: &super::Run,
    key: &RunKey,
    frame: &Utf8Bytes,
) {
    if run.watchers.is_empty() {
        return;
    }
    let slim = match wire::slim(frame) {
        std::borrow::Cow::Borrowed(_) => frame.clone(),
        std::borrow::Cow::Owned(text) => text.into(),
    };
    for viewer in &run.watchers {
        if let Some(watch) = viewers.get_mut(viewer).and_then(|viewer| viewer.watches.get_mut(key)) {
            watch.push(slim.clone());
        }
    }
}

/// What a viewer looks at.
pub(super) type Watches = BTreeMap<RunKey, Watch>;
