//! Events about the run as a whole.

use wire::{Body, ErrorInfo, Gap, GraphHint, RunFinished, RunOutcome, RunStarted};

use crate::facts::{FAILURE_BYTES, Failure};
use crate::run::{RunEnd, RunStart};
use crate::{Change, EdgeKind, Note, NoteKind, Run, Stamp, Status};

/// How many names of unknown message types are kept: the alphabetically first.
const UNKNOWN_NAMES: usize = 16;

impl Run {
    /// The first start by sequence counts.
    pub(super) fn run_started(&mut self, at: Stamp, payload: &RunStarted<'_>, change: &mut Change) {
        self.data.starts_seen += 1;
        change.status = true;
        if self.data.start.as_ref().is_some_and(|start| start.at.seq < at.seq) {
            return;
        }
        let (name, version) = (&payload.sdk.name, &payload.sdk.version);
        self.data.start = Some(RunStart {
            at,
            app: payload.app.as_ref().into(),
            sdk: (!name.is_empty()).then(|| format!("{name} {version}").trim_end().into()),
            meta: payload.meta.map(|meta| Body::from(meta.raw())),
        });
    }

    /// The last end by sequence counts.
    pub(super) fn run_finished(&mut self, at: Stamp, payload: &RunFinished<'_>, change: &mut Change) {
        (change.status, change.structure) = (true, true);
        let failure = payload.error.as_ref().map(|error| failure_of(at, error));
        let end = RunEnd { at, status: status_of(payload.status), failure };
        let replaced = keep_last(&mut self.data.end, end);
        self.data.past_ends.extend(replaced.map(|end| (true, end)));
    }

    /// Static structure; what really runs wins over it.
    pub(super) fn graph_hint(&mut self, at: Stamp, payload: &GraphHint<'_>, change: &mut Change) {
        change.structure = true;
        for hint in &payload.nodes {
            let ix = self.intern_node(&hint.node_id, at.seq);
            let parent = hint.parent_id.as_ref().filter(|parent| **parent != hint.node_id);
            let parent = parent.map(|parent| self.intern_node(parent, at.seq));
            let node = &mut self.data.nodes[ix.at()];
            let later = !node.hinted || node.hint_seq <= at.seq;
            node.hinted = true;
            if later {
                node.hint_seq = at.seq;
            }
            if later && !node.started && !node.in_graph {
                node.kind = hint.kind.clone().into_owned();
                node.name = hint.name.as_ref().into();
                node.parent = parent;
            }
            if let Some(parent) = parent {
                self.count_edge(parent, ix, EdgeKind::Call, 0, at.seq);
            }
        }
    }

    /// The sender itself says what is lost.
    pub(super) fn gap(&mut self, at: Stamp, payload: &Gap<'_>, change: &mut Change) {
        change.status = true;
        let text = match payload.range() {
            Some((from, to)) => {
                self.data.lost.insert_range(from, to);
                format!("The program lost events {from} to {to}.")
            }
            None => {
                let lost = payload.count().unwrap_or(0);
                self.data.lost_unnumbered = self.data.lost_unnumbered.wrapping_add(lost);
                format!("The program lost {lost} events.")
            }
        };
        change.notes.push(Note { kind: NoteKind::KnownLoss, text, node_id: None, seq: Some(at.seq) });
    }

    pub(super) fn count_unknown(&mut self, kind: &str, change: &mut Change) {
        let unknown = &mut self.data.unknown;
        unknown.count += 1;
        if unknown.names.contains(kind) {
            return;
        }
        unknown.names.insert(kind.into());
        if unknown.names.len() > UNKNOWN_NAMES {
            unknown.names.pop_last();
        }
        change.notes.push(Note {
            kind: NoteKind::UnknownType,
            text: format!("Messages of type {kind:?} are kept and not interpreted."),
            node_id: None,
            seq: None,
        });
    }
}

/// Keeps the later of two ends; the other one.
pub(super) fn keep_last(slot: &mut Option<RunEnd>, end: RunEnd) -> Option<RunEnd> {
    if slot.as_ref().is_some_and(|known| known.at.seq > end.at.seq) {
        return Some(end);
    }
    slot.replace(end)
}

/// An outcome as a state.
pub(super) fn status_of(outcome: RunOutcome) -> Status {
    match outcome {
        RunOutcome::Ok => Status::Ok,
        RunOutcome::Error => Status::Error,
        RunOutcome::Aborted => Status::Aborted,
    }
}

/// An error as it is kept.
pub(super) fn failure_of(at: Stamp, error: &ErrorInfo<'_>) -> Failure {
    let message = error.message.as_ref();
    let kept = &message[..message.floor_char_boundary(FAILURE_BYTES)];
    let name = error.name.as_ref();
    Failure {
        name: name[..name.floor_char_boundary(FAILURE_BYTES)].into(),
        message: kept.into(),
        cut: kept.len() < message.len(),
        has_stack: error.stack.is_some(),
        seq: at.seq,
    }
}
