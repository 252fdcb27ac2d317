//! All runs, and the one way to change them.
//!
//! Decides which run an event belongs to. `apply` reads a recording: it finds the run by the sender's id and tells
//! a run id that was used again from the run before it. `apply_to` serves those who know the run already (the
//! hub, which knows the session; the window, which is told). Invariants: total and deterministic; the same events
//! give the same `digest` in any order and batching, with duplicates, full or slim. Two runs under one id in one
//! recording are told apart by their order, so for those alone the order of arrival counts.
//! Does not know sockets, files or clocks.

mod routes;
mod sessions;

use indexmap::IndexMap;
use wire::{Action, Decoded};

use crate::{Change, Note, NoteKind, Refusal, Run, RunKey};
use routes::Routes;
use sessions::Sessions;

/// All runs, and the one way to change them.
#[derive(Debug, Clone, Default)]
pub struct Store {
    runs: IndexMap<RunKey, Run>,
    routes: Routes,
    sessions: Sessions,
    source: Option<Box<str>>,
    invalid: u64,
    mismatched: u64,
}

impl Store {
    /// A store whose new runs come from a recording.
    pub fn new() -> Self {
        Self::default()
    }

    /// A store whose new runs name this source, for example `live` or a format.
    pub fn with_source(source: &str) -> Self {
        Self { source: Some(source.into()), ..Self::default() }
    }

    /// Applies one message of a recording to the run it belongs to.
    pub fn apply(&mut self, decoded: &Decoded<'_>) -> Change {
        let Some(header) = decoded.header() else { return self.refuse(decoded) };
        if is_control(decoded) {
            return Change::default();
        }
        let route = self.routes.route(&self.runs, decoded);
        // A KXM record is numbered in its run, not by whoever sends it.
        if header.kind == "kxm.event" {
            return route.map(|route| self.apply_to(&route.key, decoded)).unwrap_or_default();
        }
        self.sessions.take(header.seq, route.as_ref().is_some_and(|route| route.restarts));
        let Some(route) = route else { return Change::default() };
        self.sessions.join(&route.key);
        if let Some(run) = self.runs.get_mut(&route.key) {
            self.sessions.account(run, header.seq);
        }
        let mut change = self.apply_to(&route.key, decoded);
        if route.reused && change.created {
            change.notes.push(Note {
                kind: NoteKind::ReusedRun,
                text: format!("The run id was used again; the new run is listed as {}.", route.key),
                node_id: None,
                seq: Some(header.seq),
            });
        }
        change
    }

    /// Applies one message to this run, which is made when it is new. Messages to no run (`*`) and controls change
    /// nothing.
    pub fn apply_to(&mut self, key: &RunKey, decoded: &Decoded<'_>) -> Change {
        let Some(header) = decoded.header() else { return self.refuse(decoded) };
        if header.run_id == wire::WILDCARD_RUN_ID || is_control(decoded) {
            return Change::default();
        }
        if let Some(run) = self.runs.get_mut(key) {
            return run.apply(decoded);
        }
        let source = self.source.as_deref().unwrap_or("recording");
        let mut run = Run::new(key.clone(), &header.run_id, source);
        let change = run.apply(decoded);
        self.runs.insert(key.clone(), run);
        Change { created: true, structure: true, ..change }
    }

    /// The run that `apply` would choose for a message; none for messages to no run.
    pub fn route(&mut self, decoded: &Decoded<'_>) -> Option<RunKey> {
        self.routes.route(&self.runs, decoded).map(|route| route.key)
    }

    fn refuse(&mut self, decoded: &Decoded<'_>) -> Change {
        let (kind, text) = match decoded {
            Decoded::Invalid(invalid) => {
                self.invalid += 1;
                (NoteKind::Invalid, format!("A message was refused: {invalid}"))
            }
            Decoded::VersionMismatch { received } => {
                self.mismatched += 1;
                (
                    NoteKind::VersionMismatch,
                    format!("A message of protocol {received} was refused; ours is {}.", wire::GM),
                )
            }
            Decoded::Ok(_) | Decoded::UnknownType(_) => return Change::default(),
        };
        Change { notes: vec![Note { kind, text, node_id: None, seq: None }], ..Change::default() }
    }

    /// Does all work that late events have put off. Call it after a batch, before reading.
    pub fn settle(&mut self) {
        self.sessions.settle(&mut self.runs);
        self.runs.values_mut().for_each(Run::settle);
    }

    /// Sets whether more can come: a run without an end is running while live, else abandoned.
    pub fn set_live(&mut self, key: &RunKey, live: bool) -> bool {
        self.runs.get_mut(key).is_some_and(|run| std::mem::replace(&mut run.data.live, live) != live)
    }

    /// Sets where a run came from.
    pub fn set_source(&mut self, key: &RunKey, source: &str) {
        if let Some(run) = self.runs.get_mut(key) {
            run.data.source = source.into();
        }
    }

    /// Numbers from `from` to `to` were used elsewhere by the same session: they are no gap.
    pub fn account(&mut self, key: &RunKey, from: u64, to: u64) {
        if let Some(run) = self.runs.get_mut(key) {
            run.data.known.insert_range(from, to);
        }
    }

    /// Puts a run in, in place of one of the same key.
    pub fn insert(&mut self, run: Run) {
        self.routes.learn(&run);
        self.runs.insert(run.key().clone(), run);
    }

    /// Takes a run out.
    pub fn remove(&mut self, key: &RunKey) -> Option<Run> {
        self.routes.forget(key);
        self.runs.shift_remove(key)
    }

    /// All runs in the order they came.
    pub fn runs(&self) -> impl DoubleEndedIterator<Item = &Run> + ExactSizeIterator {
        self.runs.values()
    }

    /// One run.
    pub fn run(&self, key: &RunKey) -> Option<&Run> {
        self.runs.get(key)
    }

    /// One run by the text of its key.
    pub fn find(&self, key: &str) -> Option<&Run> {
        self.runs.get(key)
    }

    /// Messages that were refused as broken.
    pub fn invalid(&self) -> u64 {
        self.invalid
    }

    /// Messages that were refused for their protocol version.
    pub fn mismatched(&self) -> u64 {
        self.mismatched
    }

    /// Whether an answer to a hold may be sent: the same precondition in the window and in the hub.
    ///
    /// # Errors
    /// With the reason, where it may not.
    pub fn check(
        &self,
        key: &RunKey,
        pause_id: &str,
        action: Action,
        has_input: bool,
        has_output: bool,
    ) -> Result<(), Refusal> {
        let run = self.run(key).ok_or_else(|| Refusal::UnknownRun { run: key.to_string() })?;
        run.check(pause_id, action, has_input, has_output)
    }

    /// A fingerprint of everything that was applied: equal for equal states.
    pub fn digest(&mut self) -> u64 {
        self.settle();
        crate::digest::of_runs(self.runs.values())
    }
}

/// Controls go from a debugger to a program; they are no part of what happened.
fn is_control(decoded: &Decoded<'_>) -> bool {
    use wire::Message::{BreakpointClear, BreakpointSet, ExecResume, Hello, HelloAck, ModeSet};
    let Decoded::Ok(envelope) = decoded else { return false };
    matches!(
        envelope.message,
        ExecResume(_) | BreakpointSet(_) | BreakpointClear(_) | ModeSet(_) | HelloAck(_)
    ) || (matches!(envelope.message, Hello(_)) && envelope.header.run_id != wire::WILDCARD_RUN_ID)
}
