//! Whose run is it: where an event goes, and which events go nowhere.
//!
//! Invariant: only the identity that started a run writes to it or takes its answers. A newcomer that starts a run under
//! a known id gets a run of its own, `r1 (2)`. A client that cannot prove who it is (no `run-claim`) may go on with a run
//! of a client of its kind once that one's connection is gone; nobody may go on with a run that can be claimed by token.

use std::sync::Arc;

use graph::RunKey;
use wire::viewer::NoticeLevel;
use wire::{Decoded, Header, Message};

use super::run::{Deferred, State};
use super::{Facts, Hub, Output, Run, SessionId};
use crate::limits::RUNS_PER_SESSION_MAX;

/// What is to be done with an event's run.
enum Verdict {
    Own(RunKey),
    Adopt(RunKey),
    New,
    Refuse(&'static str),
}

impl Hub {
    /// The run an event belongs to, made or taken over if need be; `None` if it is refused (counted and said).
    pub(super) fn claim(
        &mut self,
        id: SessionId,
        token: &Arc<str>,
        header: &Header<'_>,
        decoded: &Decoded<'_>,
        out: &mut Vec<Output>,
    ) -> Option<RunKey> {
        let starts = matches!(decoded, Decoded::Ok(e) if matches!(e.message, Message::RunStarted(_)));
        if !starts && let Some(key) = self.same_run(id, token, header) {
            return Some(key);
        }
        let key = match self.verdict(id, token, header, starts) {
            Verdict::Own(key) => key,
            Verdict::Adopt(key) => {
                self.adopt(&key, id, token, out);
                key
            }
            Verdict::New => self.new_run(id, token, &header.run_id, out),
            Verdict::Refuse(why) => {
                self.refuse(id, &header.run_id, why, out);
                return None;
            }
        };
        self.note_latest(id, token, &header.run_id);
        Some(key)
    }

    /// The run the last event of this connection went to, where the whole question would have the same answer.
    fn same_run(&self, id: SessionId, token: &Arc<str>, header: &Header<'_>) -> Option<RunKey> {
        let key = self.sessions.get(&id)?.latest.as_ref()?;
        let run = self.runs.get(key)?;
        let own =
            run.session == Some(id) && run.owner.as_ref().is_some_and(|owner| Arc::ptr_eq(owner, token));
        let begun = run.facts.seen.min().is_none_or(|first| first <= header.seq);
        (own && begun && run.facts.run_id == header.run_id).then(|| key.clone())
    }

    /// Remembers the latest run under an id of this connection's; earlier ones take only late events.
    fn note_latest(&mut self, id: SessionId, token: &Arc<str>, run_id: &str) {
        let keys = self.identities.get(token).and_then(|identity| identity.runs.get(run_id));
        if let (Some(latest), Some(session)) = (keys.and_then(|keys| keys.last()), self.sessions.get_mut(&id))
        {
            session.latest = Some(latest.clone());
        }
    }

    fn verdict(&self, id: SessionId, token: &str, header: &Header<'_>, starts: bool) -> Verdict {
        let run_id: &str = &header.run_id;
        let stamp = Some((header.seq, header.ts));
        let Some(identity) = self.identities.get(token) else { return Verdict::Refuse("it is not known") };
        let Some(keys) = identity.runs.get(run_id) else {
            if identity.runs.len() >= RUNS_PER_SESSION_MAX {
                return Verdict::Refuse("the app has too many runs");
            }
            return self.foreign(id, run_id, stamp, starts);
        };
        let facts = |key: &RunKey| self.runs.get(key).map(|run| &run.facts);
        if starts {
            if let Some(key) = keys.iter().find(|key| facts(key).is_some_and(|f| f.started == stamp)) {
                return Verdict::Own(key.clone());
            }
            let latest = keys.last().and_then(facts);
            if latest.is_none_or(|facts| facts.ended() && facts.started.is_some()) {
                return Verdict::New;
            }
        }
        let begun =
            |key: &&RunKey| facts(key).and_then(|f| f.seen.min()).is_none_or(|first| first <= header.seq);
        match keys.iter().rev().find(begun).or(keys.first()) {
            Some(key) => Verdict::Own(key.clone()),
            None => Verdict::New,
        }
    }

    fn foreign(&self, id: SessionId, run_id: &str, stamp: Option<(u64, f64)>, starts: bool) -> Verdict {
        let latest = self.by_id.get(run_id).and_then(|keys| keys.last());
        let Some((key, run)) = latest.and_then(|key| self.runs.get_key_value(key)) else {
            return Verdict::New;
        };
        let claims = self.sessions.get(&id).is_some_and(|session| session.claims);
        let provable = run.owner.as_ref().and_then(|owner| self.identities.get(owner)).map(|own| own.claims);
        let adoptable = run.session.is_none()
            && !run.takes_records()
            && run.facts.source == super::catalog::LIVE
            && provable.is_none_or(|provable| !provable && !claims);
        match (starts, adoptable) {
            (true, true) if run.facts.started == stamp => Verdict::Adopt(key.clone()),
            (true, _) => Verdict::New,
            (false, true) => Verdict::Adopt(key.clone()),
            (false, false) => Verdict::Refuse("it belongs to another app"),
        }
    }

    fn refuse(&mut self, id: SessionId, run_id: &str, why: &str, out: &mut Vec<Output>) {
        self.stats.dropped += 1;
        let Some(session) = self.sessions.get_mut(&id) else { return };
        session.refused += 1;
        // Said once a connection: a flood of them says nothing more.
        if session.refused == 1 {
            let app = if session.app.is_empty() { "an app" } else { &session.app };
            let text = format!("{app} wrote to run {run_id:?}, refused: {why}");
            self.say(NoticeLevel::Warning, &text, out);
        }
    }

    fn new_run(&mut self, id: SessionId, token: &Arc<str>, run_id: &str, out: &mut Vec<Output>) -> RunKey {
        let key = self.open_run(run_id);
        if let Some(run) = self.runs.get_mut(&key) {
            run.owner = Some(token.clone());
            run.session = Some(id);
        }
        self.own(&key, token, out);
        key
    }

    /// A new live run that is nobody's yet.
    pub(super) fn open_run(&mut self, run_id: &str) -> RunKey {
        let key = self.free_key(run_id);
        let mut run = Run::new(Facts::new(key.as_str(), run_id, super::catalog::LIVE));
        let store = Arc::new(graph::Store::with_source(super::catalog::LIVE));
        run.state = State::Warm { store, deferred: Deferred::default(), frozen: false };
        run.live = true;
        self.by_id.entry(run_id.to_owned()).or_default().push(key.clone());
        self.runs.insert(key.clone(), run);
        self.urgent.insert(key.clone());
        key
    }

    /// `r1`, or `r1 (2)` and so on if that is taken.
    pub(super) fn free_key(&self, run_id: &str) -> RunKey {
        let mut ordinal = self.by_id.get(run_id).map_or(1, |keys| keys.len() + 1);
        loop {
            let key = RunKey::numbered(run_id, u32::try_from(ordinal).unwrap_or(u32::MAX));
            if !self.runs.contains_key(&key) {
                return key;
            }
            ordinal += 1;
        }
    }

    fn own(&mut self, key: &RunKey, token: &Arc<str>, out: &mut Vec<Output>) {
        let Some(run) = self.runs.get(key) else { return };
        let Some(identity) = self.identities.get_mut(token) else { return };
        identity.runs.entry(run.facts.run_id.clone()).or_default().push(key.clone());
        let line = serde_json::json!({ "token": &**token, "run": key.as_str(), "claims": identity.claims });
        out.push(Output::Remember { line: line.to_string() });
    }

    /// Puts a run without a connection under another identity of a client that cannot prove who it is.
    fn adopt(&mut self, key: &RunKey, id: SessionId, token: &Arc<str>, out: &mut Vec<Output>) {
        let Some(run) = self.runs.get_mut(key) else { return };
        let former = run.owner.replace(token.clone()).and_then(|owner| self.identities.remove_entry(&owner));
        let mut taken = vec![key.clone()];
        if let (Some((name, former)), Some(identity)) = (former, self.identities.get_mut(token)) {
            let line = serde_json::json!({ "token": &**token, "from": &*name });
            out.push(Output::Remember { line: line.to_string() });
            // The same program under a new name: its other runs and all its numbers come along.
            let all = former.used.within(0, u64::MAX);
            all.into_iter().for_each(|(from, to)| identity.used.insert(from, to));
            taken = former.runs.into_values().flatten().collect();
        }
        let seen: Vec<(u64, u64)> =
            self.runs.get(key).map(|r| r.facts.seen.ranges().collect()).unwrap_or_default();
        if let Some(identity) = self.identities.get_mut(token) {
            seen.into_iter().for_each(|(from, to)| identity.used.insert(from, to));
        }
        for key in taken {
            if let Some(run) = self.runs.get_mut(&key) {
                run.owner = Some(token.clone());
            }
            self.own(&key, token, out);
            self.attach(&key, id, out);
        }
    }

    /// Puts a run under a connection of its owner.
    pub(super) fn attach(&mut self, key: &RunKey, id: SessionId, out: &mut Vec<Output>) {
        let Some(run) = self.runs.get_mut(key) else { return };
        run.session = Some(id);
        run.lose_holds();
        let ended = run.facts.ended();
        self.back(key);
        if ended {
            return;
        }
        if self.runs.get(key).is_some_and(|run| !run.live) {
            self.set_live(key, true, out);
        }
        self.want_state(key, out);
        self.urgent.insert(key.clone());
    }

    /// Nobody is connected for a run any more: it counts as abandoned unless somebody comes back in time.
    pub(super) fn leave(&mut self, key: &RunKey, grace_ms: u64) {
        self.back(key);
        if let Some(run) = self.runs.get_mut(key) {
            let due = self.now.mono_ms.saturating_add(grace_ms);
            run.due_ms = Some(due);
            self.away.insert((due, key.clone()));
        }
    }

    /// Somebody is connected for a run again, or it has ended.
    pub(super) fn back(&mut self, key: &RunKey) {
        if let Some(due) = self.runs.get_mut(key).and_then(|run| run.due_ms.take()) {
            self.away.remove(&(due, key.clone()));
        }
    }
}
