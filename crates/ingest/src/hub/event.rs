//! The path of one event: claim, deduplicate, store, apply, show.
//!
//! Invariant: an event is stored exactly once and before it is shown; a number counts as missing only if its sender
//! never used it anywhere.

use std::sync::Arc;

use graph::RunKey;
use tokio_tungstenite::tungstenite::Utf8Bytes;
use wire::viewer::NoticeLevel;
use wire::{Decoded, Header, Message};

use super::facts::Effect;
use super::fanout::show_event;
use super::{Hub, Output, SessionId};

/// A new event is in its run.
pub(super) struct Taken {
    /// The lowest and highest number that the run had before.
    span_before: Option<(u64, u64)>,
}

impl Hub {
    /// Takes one event of an app.
    pub(super) fn event(
        &mut self,
        id: SessionId,
        frame: &Utf8Bytes,
        header: &Header<'_>,
        decoded: &Decoded<'_>,
        out: &mut Vec<Output>,
    ) {
        let Some(token) = self.sessions.get(&id).map(|session| session.token.clone()) else { return };
        if header.run_id == wire::WILDCARD_RUN_ID {
            return self.wildcard(&token, header.seq, out);
        }
        let Some(key) = self.claim(id, &token, header, decoded, out) else { return };
        if let Some(Taken { span_before }) = self.take(&key, frame, header, decoded, out) {
            self.use_number(&token, header.seq, Some((&key, span_before)));
        }
    }

    /// Stores, applies and shows an event of a run; nothing if it was there before.
    pub(super) fn take(
        &mut self,
        key: &RunKey,
        frame: &Utf8Bytes,
        header: &Header<'_>,
        decoded: &Decoded<'_>,
        out: &mut Vec<Output>,
    ) -> Option<Taken> {
        let run = self.runs.get_mut(key)?;
        let span_before = run.facts.seen.min().zip(run.facts.seen.max());
        let ended = run.facts.ended();
        let effect = run.facts.apply(header, decoded);
        if effect == Effect::Duplicate {
            self.stats.duplicates += 1;
            return None;
        }
        self.stats.events += 1;
        out.push(Output::Append { key: key.clone(), seq: header.seq, text: frame.clone() });
        run.apply(key, frame, decoded);
        run.covered.insert(header.seq);
        if run.facts.events == 1 {
            run.set_live(key, true);
        }
        if run.is_behind() {
            self.behind.insert(key.clone());
        }
        let ends = !ended && run.facts.ended();
        show_event(&mut self.viewers, run, key, frame);
        if ends {
            self.run_ended(key, out);
        }
        if let Decoded::Ok(envelope) = decoded {
            self.consequences(key, &envelope.message, frame, out);
        }
        let shown = if effect == Effect::Changed { &mut self.urgent } else { &mut self.touched };
        if !shown.contains(key) {
            shown.insert(key.clone());
        }
        Some(Taken { span_before })
    }

    /// A message bound to no run: only its number matters, and only once.
    fn wildcard(&mut self, token: &Arc<str>, seq: u64, out: &mut Vec<Output>) {
        let used = |identity: &super::session::Identity| !identity.used.within(seq, seq).is_empty();
        if self.identities.get(token).is_some_and(used) {
            return;
        }
        out.push(Output::Remember {
            line: serde_json::json!({ "token": &**token, "hello": seq }).to_string(),
        });
        self.use_number(token, seq, None);
    }

    fn consequences(
        &mut self,
        key: &RunKey,
        message: &Message<'_>,
        frame: &Utf8Bytes,
        out: &mut Vec<Output>,
    ) {
        match message {
            Message::NodeStarted(started) => self.node_started(key, started, frame),
            Message::NodeFinished(finished) => {
                self.node_ended(key, &finished.node_id, finished.instance_id.as_deref(), frame);
            }
            Message::NodeError(error) => {
                self.node_failed(key, &error.node_id, error.instance_id.as_deref(), frame);
            }
            Message::ExecPaused(paused) => self.paused(key, paused, out),
            Message::ExecResumed(resumed) => self.answered(key, &resumed.pause_id),
            Message::ExecRefused(refused) => self.answered(key, &refused.pause_id),
            Message::Gap(gap) => self.lost(key, gap),
            _ => {}
        }
    }

    fn paused(&mut self, key: &RunKey, paused: &wire::ExecPaused<'_>, out: &mut Vec<Output>) {
        let Some(run) = self.runs.get_mut(key) else { return };
        run.let_go.remove(&*paused.pause_id);
        let alike = run.facts.held(&paused.pause_id).count();
        if alike == 0 {
            return;
        }
        if alike > 1 {
            let text = format!(
                "run {key}: {alike} gates hold under one pause id {:?}; one answer releases all of them",
                paused.pause_id
            );
            self.say(NoticeLevel::Warning, &text, out);
        }
        self.judge_hold(key, paused, out);
    }

    fn answered(&mut self, key: &RunKey, pause_id: &str) {
        if let Some(run) = self.runs.get_mut(key) {
            run.asked.remove(pause_id);
            run.passing.remove(pause_id);
        }
    }

    fn run_ended(&mut self, key: &RunKey, out: &mut Vec<Output>) {
        if let Some(run) = self.runs.get_mut(key) {
            run.asked.clear();
            run.passing.clear();
            run.idle_ms = Some(self.now.mono_ms);
        }
        self.back(key);
        self.recorded.remove(key);
        self.set_live(key, false, out);
        self.keep(key, out);
    }

    /// A sender says itself what it has lost: no gap that anyone has to wonder about.
    fn lost(&mut self, key: &RunKey, gap: &wire::Gap<'_>) {
        if let (Some(run), Some((from, to))) = (self.runs.get_mut(key), gap.range()) {
            run.covered.insert_range(from, to);
        }
    }

    /// Notes that a sender used a number, and tells its runs that it is not missing there.
    ///
    /// `own` is the run it belongs to with the lowest and highest number before; none for `*`.
    pub(super) fn use_number(
        &mut self,
        token: &Arc<str>,
        seq: u64,
        own: Option<(&RunKey, Option<(u64, u64)>)>,
    ) {
        let Some(identity) = self.identities.get_mut(token) else { return };
        let highest = identity.used.max();
        identity.used.insert(seq, seq);
        let mut elsewhere: Vec<(RunKey, u64, u64)> = Vec::new();
        if let Some((key, Some((lowest, last)))) = own {
            let hole = if seq > last {
                (last.saturating_add(1), seq.saturating_sub(1))
            } else {
                (seq + 1, lowest.saturating_sub(1))
            };
            if hole.0 <= hole.1 && (seq > last || seq < lowest) {
                let used = identity.used.within(hole.0, hole.1);
                elsewhere.extend(used.into_iter().map(|(from, to)| (key.clone(), from, to)));
            }
        }
        // A number above all others lies inside no other run yet.
        if highest.is_some_and(|highest| seq < highest) {
            for key in identity.runs.values().flatten() {
                let Some(run) = self.runs.get(key) else { continue };
                let seen = &run.facts.seen;
                let inside = seen.min().is_some_and(|m| m < seq) && seen.max().is_some_and(|m| seq < m);
                if inside && own.is_none_or(|(own, _)| own != key) {
                    elsewhere.push((key.clone(), seq, seq));
                }
            }
        }
        for (key, from, to) in elsewhere {
            if let Some(run) = self.runs.get_mut(&key) {
                run.account(&key, from, to);
                self.touched.insert(key.clone());
            }
            self.show_account(&key, from, to);
        }
    }
}
