//! KXM records: runs that no session owns and that number themselves.
//!
//! A record does not say who sent it, and several programs may report on one run, so whoever sends a valid record may
//! add to a run of records. Invariant: records never reach the run of an app, nor an app a run of records; a number
//! counts in its own run only. Such a run takes no controls, so nobody gains power over a program by it.

use graph::RunKey;
use tokio_tungstenite::tungstenite::Utf8Bytes;

use super::{Hub, Output, SessionId};
use crate::limits::{RECORD_RUNS_MAX, RECORDS_QUIET_MS};

/// What became of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fate {
    /// Its run, if it has one.
    pub(crate) run: Option<RunKey>,
    pub(crate) verdict: Verdict,
}

/// Whether a record is in a journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// It is now.
    Stored,
    /// It was before.
    Duplicate,
    /// It is not, for this reason.
    Refused(String),
}

/// Where the fates of a batch are told; whoever asked may be gone.
#[derive(Debug)]
pub(crate) struct Receipt(pub(crate) tokio::sync::oneshot::Sender<Vec<Fate>>);

impl Hub {
    /// Takes records in their envelopes; `from` is the socket they came by, none for a request of its own.
    pub(super) fn records(
        &mut self,
        from: Option<SessionId>,
        records: &[Utf8Bytes],
        receipt: Receipt,
        out: &mut Vec<Output>,
    ) {
        let fates = records.iter().map(|record| self.record(from, record, out)).collect();
        out.push(Output::Receipt { receipt, fates });
    }

    fn record(&mut self, from: Option<SessionId>, record: &Utf8Bytes, out: &mut Vec<Output>) -> Fate {
        self.stats.frames += 1;
        let decoded = wire::decode(record);
        let run = decoded.header().and_then(|header| Some((self.run_of_records(&header.run_id)?, header)));
        let Some((key, header)) = run else {
            self.stats.dropped += 1;
            let reason = format!("{RECORD_RUNS_MAX} runs of records are open, no more fit");
            return Fate { run: None, verdict: Verdict::Refused(reason) };
        };
        if self.take(&key, record, header, &decoded, out).is_none() {
            return Fate { run: Some(key), verdict: Verdict::Duplicate };
        }
        self.heard(&key, from, out);
        Fate { run: Some(key), verdict: Verdict::Stored }
    }

    /// The latest run of records under an id, made if there is none.
    fn run_of_records(&mut self, run_id: &str) -> Option<RunKey> {
        let own = |key: &&RunKey| self.runs.get(*key).is_some_and(|run| run.takes_records());
        if let Some(key) = self.by_id.get(run_id).and_then(|keys| keys.iter().rev().find(own)) {
            return Some(key.clone());
        }
        (self.recorded.len() < RECORD_RUNS_MAX).then(|| self.open_run(run_id))
    }

    /// A run has been told of: it is live, and stays so while its socket is open or for a while after a request.
    fn heard(&mut self, key: &RunKey, from: Option<SessionId>, out: &mut Vec<Output>) {
        let Some(run) = self.runs.get_mut(key).filter(|run| !run.facts.ended()) else { return };
        super::catalog::LIVE.clone_into(&mut run.facts.source);
        if !run.live {
            self.set_live(key, true, out);
        }
        self.recorded.insert(key.clone());
        match from {
            Some(socket) => {
                self.reporters.entry(socket).or_default().insert(key.clone());
                if let Some(run) = self.runs.get_mut(key) {
                    run.session = Some(socket);
                }
                self.back(key);
            }
            None if self.runs.get(key).is_some_and(|run| run.session.is_none()) => {
                self.leave(key, RECORDS_QUIET_MS);
            }
            None => {}
        }
    }

    /// A socket that sent records is gone.
    pub(super) fn reporter_closed(&mut self, id: SessionId) {
        for key in self.reporters.remove(&id).unwrap_or_default() {
            let Some(run) = self.runs.get_mut(&key).filter(|run| run.session == Some(id)) else { continue };
            run.session = None;
            if run.live {
                self.leave(&key, RECORDS_QUIET_MS);
            }
        }
    }
}
