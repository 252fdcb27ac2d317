//! Events of a graph runtime, so that they and the node events of one run are one graph.
//!
//! Decides which node a graph event means: the path of node names down to it, tasks left out, because tasks change on
//! every replay. A namespace is the node that embeds it, so nested graphs are nested boxes. Invariant: everything
//! follows from the one event; what several events say together is left to sets, sums and the fold.
//! Does not know the vocabulary's spellings: `stream` does.

mod parts;
mod place;
mod tasks;
mod ticks;

pub(super) use place::Place;

use stream::{Context, GraphEvent};
use wire::{Header, Raw};

use super::runs::keep_last;
use crate::facts::{FAILURE_BYTES, Failure};
use crate::run::{RunEnd, RunStart};
use crate::text::{is_long, text_of};
use crate::{Change, Note, NoteKind, Run, Stamp, Status};

/// What one graph event says, read.
pub(super) struct Told<'a> {
    pub(super) at: Stamp,
    pub(super) context: Context,
    pub(super) place: Place,
    /// The whole payload: values that stand beside the event are here.
    pub(super) payload: Raw<'a>,
    /// The event's own members.
    pub(super) body: Option<Raw<'a>>,
}

impl Run {
    /// Takes a message of the graph vocabulary in; false when it is none.
    pub(super) fn apply_graph(&mut self, header: &Header<'_>, payload: Raw<'_>, change: &mut Change) -> bool {
        let told = match &*header.kind {
            stream::GRAPH_EVENT => self.graph_event(header, payload, change),
            stream::GRAPH_PART => self.graph_part(header, payload, change),
            _ => return false,
        };
        if let Err(why) = told {
            self.data.bad_graph_events += 1;
            let text = format!("A graph event could not be read: {why}");
            change.notes.push(Note { kind: NoteKind::Invalid, text, node_id: None, seq: Some(header.seq) });
        }
        true
    }

    fn told<'a>(
        &mut self,
        header: &Header<'_>,
        payload: Raw<'a>,
        body: Option<Raw<'a>>,
    ) -> Result<Told<'a>, stream::EventError> {
        let context = Context::read(payload)?;
        let at = Stamp { seq: header.seq, ts: header.ts };
        let place = self.place(at.seq, &context);
        Ok(Told { at, context, place, payload, body })
    }

    fn graph_event(
        &mut self,
        header: &Header<'_>,
        payload: Raw<'_>,
        change: &mut Change,
    ) -> Result<(), String> {
        let raw = payload.member("event").ok_or("no event in it")?;
        let event = GraphEvent::parse(raw).map_err(|why| why.to_string())?;
        let body = raw.members().next().map(|(_, body)| body);
        let mut told = self.told(header, payload, body).map_err(|why| why.to_string())?;
        // A superstep that the event leaves out is none, not 0.
        let stated = body.and_then(|body| body.member("step")?.as_u64());
        told.place.step = told.place.step.or(stated);
        if told.is_of(&header.run_id) {
            self.inherit(&told);
        }
        (change.status, change.structure) = (true, true);
        self.graph_run(header, &told, &event);
        self.graph_task(&told, &event, change);
        self.graph_tick(&told, &event);
        if let GraphEvent::Unknown { name, .. } = &event {
            self.count_unknown(name, change);
        }
        Ok(())
    }

    /// Start and end of the run itself; those of runs inside it belong to their nodes.
    fn graph_run(&mut self, header: &Header<'_>, told: &Told<'_>, event: &GraphEvent) {
        let own = |run_id: &stream::RunId| run_id.is_empty() || run_id.as_str() == &*header.run_id;
        match event {
            GraphEvent::RunStarted { run_id, graph_id } if own(run_id) => {
                let before = self.data.graph_start.as_ref().is_some_and(|start| start.at.seq < told.at.seq);
                if !before {
                    let named =
                        if graph_id.is_empty() { told.context.graph_id.as_ref() } else { Some(graph_id) };
                    let app = named.map_or("", |graph| graph.as_str()).into();
                    self.data.graph_start = Some(RunStart { at: told.at, app, sdk: None, meta: None });
                }
            }
            GraphEvent::RunCompleted { run_id } if own(run_id) => self.graph_end(told.at, Status::Ok, None),
            GraphEvent::RunFailed { run_id, .. } if own(run_id) => {
                let failure = told.failure("RunFailed");
                self.graph_end(told.at, Status::Error, Some(failure));
            }
            _ => {}
        }
    }

    fn graph_end(&mut self, at: Stamp, status: Status, failure: Option<Failure>) {
        let replaced = keep_last(&mut self.data.graph_end, RunEnd { at, status, failure });
        self.data.past_ends.extend(replaced.map(|end| (false, end)));
    }

    /// Where the run stands in a tree of runs.
    fn inherit(&mut self, told: &Told<'_>) {
        let (seq, context, lineage) = (told.at.seq, &told.context, &mut self.data.lineage);
        keep_first(&mut lineage.root, seq, context.root_run_id.as_ref().map(|id| id.as_str()));
        keep_first(&mut lineage.parent, seq, context.parent_run_id.as_ref().map(|id| id.as_str()));
        keep_first(&mut lineage.thread, seq, context.thread_id.as_ref().map(|id| id.as_str()));
        keep_first(&mut lineage.graph, seq, context.graph_id.as_ref().map(|id| id.as_str()));
    }
}

/// Keeps what the earliest event says.
fn keep_first(slot: &mut Option<(u64, Box<str>)>, seq: u64, id: Option<&str>) {
    if let Some(id) = id
        && slot.as_ref().is_none_or(|(known, _)| seq < *known)
    {
        *slot = Some((seq, id.into()));
    }
}

impl Told<'_> {
    /// Whether it is told of the envelope's own run, not of one inside it.
    fn is_of(&self, run_id: &str) -> bool {
        self.context.run_id.as_ref().is_none_or(|id| id.as_str() == run_id)
    }

    /// The error an event names.
    pub(super) fn failure(&self, name: &str) -> Failure {
        let raw = self.body.and_then(|body| body.member("error"));
        let text = raw.map(text_of).unwrap_or_default();
        let kept = &text[..text.floor_char_boundary(FAILURE_BYTES)];
        Failure {
            name: name.into(),
            message: kept.into(),
            cut: kept.len() < text.len() || raw.is_some_and(is_long),
            has_stack: false,
            seq: self.at.seq,
        }
    }
}
