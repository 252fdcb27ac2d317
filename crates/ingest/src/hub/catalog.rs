//! Runs that come from elsewhere than a socket: from the disk at start, from an import; and runs that go.
//!
//! Invariant: nothing is deleted but at a person's word or by a retention setting, and either is said.

use std::sync::Arc;

use graph::RunKey;
use serde_json::value::RawValue;
use wire::viewer::{NoticeLevel, ServerFrame};

use super::io::ImportedRun;
use super::run::{Deferred, State};
use super::{Facts, Hub, Output, Run, ViewerId};
use crate::limits::NOTICES_KEPT_MAX;

/// The source of runs that apps send.
pub(super) const LIVE: &str = "live";

/// What the sessions file says of one identity.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Remembered {
    /// Its token.
    pub(crate) token: Arc<str>,
    /// It can prove who it is.
    pub(crate) claims: bool,
    /// Numbers it used on no run.
    pub(crate) elsewhere: Vec<u64>,
    /// Keys of its runs, oldest first.
    pub(crate) runs: Vec<String>,
}

impl Hub {
    /// Takes in what the disk has, before anything else happens.
    pub(crate) fn restore(&mut self, runs: Vec<Facts>, identities: Vec<Remembered>, troubles: Vec<String>) {
        troubles.into_iter().for_each(|text| self.keep_notice(NoticeLevel::Warning, text));
        for facts in runs {
            let key = RunKey::from(facts.key.as_str());
            self.by_id.entry(facts.run_id.clone()).or_default().push(key.clone());
            let mut run = Run::new(facts);
            run.kept_events = run.facts.events;
            self.runs.insert(key, run);
        }
        // `r1` before `r1 (2)` before `r1 (10)`.
        for keys in self.by_id.values_mut() {
            keys.sort_by_key(|key| (key.as_str().len(), key.clone()));
        }
        for remembered in identities {
            self.restore_identity(remembered);
        }
    }

    fn restore_identity(&mut self, remembered: Remembered) {
        let mut identity = super::session::Identity { claims: remembered.claims, ..Default::default() };
        for seq in remembered.elsewhere {
            identity.used.insert(seq, seq);
        }
        for key in &remembered.runs {
            let Some((key, run)) = self.runs.get_key_value(key.as_str()) else { continue };
            run.facts.seen.ranges().for_each(|(from, to)| identity.used.insert(from, to));
            identity.runs.entry(run.facts.run_id.clone()).or_default().push(key.clone());
        }
        for key in identity.runs.values().flatten() {
            if let Some(run) = self.runs.get_mut(key) {
                run.owner = Some(remembered.token.clone());
            }
        }
        if !identity.runs.is_empty() {
            self.identities.insert(remembered.token, identity);
        }
    }

    /// A key that is free for a run of an import; it is taken from now on.
    pub(crate) fn reserve(&mut self, run_id: &str, source: &str) -> RunKey {
        let key = self.free_key(run_id);
        self.by_id.entry(run_id.to_owned()).or_default().push(key.clone());
        self.runs.insert(key.clone(), Run::new(Facts::new(key.as_str(), run_id, source)));
        key
    }

    /// Gives up a reserved key.
    pub(crate) fn release(&mut self, key: &RunKey) {
        self.forget(key);
    }

    pub(super) fn imported(
        &mut self,
        req: Option<(ViewerId, u64)>,
        name: &str,
        runs: Vec<ImportedRun>,
        report: String,
        out: &mut Vec<Output>,
    ) {
        for ImportedRun { key, facts, store } in runs {
            if let Some(run) = self.runs.get_mut(&key) {
                run.facts = facts;
                if let Some(store) = store {
                    run.state =
                        State::Warm { store: Arc::new(*store), deferred: Deferred::default(), frozen: false };
                    run.idle_ms = Some(self.now.mono_ms);
                }
                self.urgent.insert(key.clone());
                self.keep(&key, out);
                out.push(Output::Live { key, live: false });
            }
        }
        self.show_report(name, report, out);
        if let Some((viewer, req)) = req {
            self.done(viewer, req, Ok(()), out);
        }
    }

    pub(super) fn import_failed(
        &mut self,
        req: Option<(ViewerId, u64)>,
        name: &str,
        reason: &str,
        report: Option<String>,
        out: &mut Vec<Output>,
    ) {
        match (report, req) {
            (Some(report), _) => self.show_report(name, report, out),
            (None, None) => self.say(NoticeLevel::Error, &format!("{name} was not imported: {reason}"), out),
            (None, Some(_)) => {}
        }
        if let Some((viewer, req)) = req {
            self.done(viewer, req, Err(reason.to_owned()), out);
        }
    }

    fn show_report(&mut self, name: &str, report: String, out: &mut Vec<Output>) {
        match RawValue::from_string(report) {
            Ok(report) => self.show_all(&ServerFrame::Report { name: name.to_owned(), report }, out),
            Err(error) => {
                self.say(NoticeLevel::Error, &format!("{name}: the report is no JSON: {error}"), out)
            }
        }
    }

    pub(super) fn delete(&mut self, id: ViewerId, req: u64, name: &str, out: &mut Vec<Output>) {
        let outcome = match self.resolve(name) {
            None => Err(format!("there is no run {name:?}")),
            Some(key) if self.runs.get(&key).is_some_and(|run| run.live) => {
                Err("the run is live; it can be deleted when it is over".to_owned())
            }
            Some(key) => {
                self.remove_run(&key, out);
                Ok(())
            }
        };
        self.done(id, req, outcome, out);
    }

    fn remove_run(&mut self, key: &RunKey, out: &mut Vec<Output>) {
        self.forget(key);
        out.push(Output::Delete { key: key.clone() });
        self.show_all(&ServerFrame::RunRemoved { run: key.to_string() }, out);
    }

    fn forget(&mut self, key: &RunKey) {
        self.back(key);
        let Some(run) = self.runs.remove(key) else { return };
        self.stats.gaps -= run.gaps_shown;
        for id in &run.watchers {
            if let Some(viewer) = self.viewers.get_mut(id) {
                viewer.watches.remove(key);
            }
        }
        let without = |keys: &mut Vec<RunKey>| {
            keys.retain(|other| other != key);
            keys.is_empty()
        };
        if self.by_id.get_mut(&run.facts.run_id).is_some_and(without) {
            self.by_id.remove(&run.facts.run_id);
        }
        for set in [
            &mut self.passing,
            &mut self.touched,
            &mut self.urgent,
            &mut self.recorded,
            &mut self.behind,
            &mut self.wanted,
        ] {
            set.remove(key);
        }
        let Some(owner) = run.owner else { return };
        let Some(identity) = self.identities.get_mut(&owner) else { return };
        if identity.runs.get_mut(&run.facts.run_id).is_some_and(without) {
            identity.runs.remove(&run.facts.run_id);
        }
        if identity.runs.is_empty() && identity.session.is_none() {
            self.identities.remove(&owner);
        }
    }

    /// Applies the retention settings; what is live or looked at is never touched.
    pub(super) fn retain(&mut self, out: &mut Vec<Output>) {
        let keep = self.settings.retention;
        if keep == crate::config::Retention::default() {
            return;
        }
        let mut over: Vec<(f64, u64, RunKey)> = Vec::new();
        let (mut count, mut bytes) = (0usize, 0u64);
        for (key, run) in &self.runs {
            count += 1;
            bytes += run.facts.bytes;
            if !run.live && run.watchers.is_empty() && run.facts.events > 0 {
                let ended = run.facts.span_ms.map_or(0.0, |(_, last)| last);
                over.push((ended, run.facts.bytes, key.clone()));
            }
        }
        over.sort_by(|a, b| a.0.total_cmp(&b.0).then_with(|| a.2.cmp(&b.2)));
        for (ended, size, key) in over {
            let age = (self.now.wall_ms - ended).max(0.0);
            let why = if keep.age_ms_max.is_some_and(|max| age > max as f64) {
                "it is older than the retention setting allows"
            } else if keep.runs_max.is_some_and(|max| count > max) {
                "there are more runs than the retention setting allows"
            } else if keep.size_bytes_max.is_some_and(|max| bytes > max) {
                "journals take more room than the retention setting allows"
            } else {
                continue;
            };
            (count, bytes) = (count - 1, bytes.saturating_sub(size));
            self.remove_run(&key, out);
            let text = format!("run {key} was deleted: {why}");
            self.say(NoticeLevel::Info, &text, out);
            self.keep_notice(NoticeLevel::Info, text);
        }
    }

    /// Keeps a notice for viewers that come later; of many the latest.
    fn keep_notice(&mut self, level: NoticeLevel, text: String) {
        if self.lasting.len() >= NOTICES_KEPT_MAX {
            self.lasting.pop_front();
        }
        self.lasting.push_back((level, text));
    }

    /// Lines of a run could not be stored: it is said, and they are shown all the same.
    pub(super) fn append_failed(&mut self, key: &RunKey, events: u64, reason: &str, out: &mut Vec<Output>) {
        self.stats.dropped += events;
        let text = format!("run {key}: {events} events could not be stored: {reason}");
        self.say(NoticeLevel::Error, &text, out);
    }
}
