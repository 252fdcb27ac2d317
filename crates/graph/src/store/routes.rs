//! Which run an envelope of a recording belongs to.
//!
//! Decides when a run id was used again. A `run.started` that is not the one its run began with opens a new run
//! when that run has ended, or when its number was taken already (the sender's counter began anew). A start that
//! is already known points back at its run, so a recording read twice changes nothing.

use std::collections::HashMap;

use indexmap::IndexMap;
use wire::{Decoded, Header, Message};

use crate::{Run, RunKey};

/// Which run an envelope of a recording belongs to.
#[derive(Debug, Clone, Default)]
pub(super) struct Routes {
    ids: HashMap<Box<str>, Keys>,
}

/// The runs under one id.
#[derive(Debug, Clone, Default)]
struct Keys {
    keys: Vec<RunKey>,
    current: usize,
}

/// Where an envelope goes.
#[derive(Debug, Clone)]
pub(super) struct Route {
    pub(super) key: RunKey,
    /// The id was used before.
    pub(super) reused: bool,
    /// The sender's counter began anew with it.
    pub(super) restarts: bool,
}

impl Routes {
    pub(super) fn route(&mut self, runs: &IndexMap<RunKey, Run>, decoded: &Decoded<'_>) -> Option<Route> {
        let header = decoded.header().filter(|header| header.run_id != wire::WILDCARD_RUN_ID)?;
        if !self.ids.contains_key(header.run_id.as_ref()) {
            self.ids.insert(header.run_id.as_ref().into(), Keys::default());
        }
        let keys = self.ids.get_mut(header.run_id.as_ref())?;
        let starts =
            matches!(decoded, Decoded::Ok(envelope) if matches!(envelope.message, Message::RunStarted(_)));
        let restarts = starts && keys.turn(runs, header);
        if keys.keys.is_empty() || restarts {
            keys.open(runs, &header.run_id);
        }
        let key = keys.keys[keys.current].clone();
        Some(Route { key, reused: keys.current > 0, restarts })
    }

    /// Makes a run that was put in from outside known under its id.
    pub(super) fn learn(&mut self, run: &Run) {
        let keys = self.ids.entry(run.run_id().as_str().into()).or_default();
        if !keys.keys.contains(run.key()) {
            keys.keys.push(run.key().clone());
            keys.current = keys.keys.len() - 1;
        }
    }

    pub(super) fn forget(&mut self, key: &RunKey) {
        for keys in self.ids.values_mut() {
            keys.keys.retain(|other| other != key);
            keys.current = keys.current.min(keys.keys.len().saturating_sub(1));
        }
        self.ids.retain(|_, keys| !keys.keys.is_empty());
    }
}

impl Keys {
    /// Follows a start: points at the run it began, or says that it begins a new one.
    fn turn(&mut self, runs: &IndexMap<RunKey, Run>, header: &Header<'_>) -> bool {
        let began = |key: &RunKey| {
            let at = runs.get(key).and_then(Run::start).map(|start| start.at);
            at.is_some_and(|at| at.seq == header.seq && at.ts == header.ts)
        };
        if let Some(known) = self.keys.iter().position(began) {
            self.current = known;
            return false;
        }
        let Some(run) = self.keys.get(self.current).and_then(|key| runs.get(key)) else { return false };
        let ended = run.data.start.is_some() && run.data.end.is_some();
        let taken = run.data.seen.contains(header.seq);
        let restarted = run.start().is_some_and(|start| header.seq < start.at.seq && header.ts > start.at.ts);
        ended || taken || restarted
    }

    fn open(&mut self, runs: &IndexMap<RunKey, Run>, run_id: &str) {
        let numbered = (self.keys.len() as u32 + 1..).map(|n| RunKey::numbered(run_id, n));
        let mut free = numbered.filter(|key| !runs.contains_key(key) && !self.keys.contains(key));
        if let Some(key) = free.next() {
            self.keys.push(key);
            self.current = self.keys.len() - 1;
        }
    }
}
