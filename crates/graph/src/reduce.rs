//! From messages to facts.
//!
//! Decides which run-wide fields an event touches and which facts it leaves with its node. Total: every message
//! changes the state or is counted. Invariant: nothing written here depends on what came before it but through
//! `min`, `max`, sets, sums and the fold. Does not route between runs and knows no clock.

mod exec;
mod graph;
mod kxm;
mod nodes;
mod runs;
mod tokens;

use wire::{Decoded, Header, Message};

use crate::{Change, Run, Stamp};

impl Run {
    /// Takes one decoded message in. Messages of another version and broken ones change nothing.
    pub(crate) fn apply(&mut self, decoded: &Decoded<'_>) -> Change {
        let Some(header) = decoded.header() else { return Change::default() };
        let mut change = Change { run: Some(self.data.key.clone()), ..Change::default() };
        if !self.data.seen.insert(header.seq) {
            change.duplicate = true;
            return change;
        }
        self.count_event(header);
        let at = Stamp { seq: header.seq, ts: header.ts };
        match decoded {
            Decoded::Ok(envelope) => self.apply_message(at, &envelope.message, &mut change),
            Decoded::UnknownType(opaque) => {
                let header = &opaque.header;
                if self.apply_graph(header, opaque.payload, &mut change) {
                    self.data.kxm.others = true;
                } else if !self.apply_kxm(header, opaque.payload, &mut change) {
                    self.count_unknown(&header.kind, &mut change);
                }
            }
            Decoded::VersionMismatch { .. } | Decoded::Invalid(_) => {}
        }
        self.settle_if_cheap();
        change
    }

    fn apply_message(&mut self, at: Stamp, message: &Message<'_>, change: &mut Change) {
        self.data.kxm.others |=
            !matches!(message, Message::RunStarted(_) | Message::RunFinished(_) | Message::Gap(_));
        match message {
            Message::RunStarted(payload) => self.run_started(at, payload, change),
            Message::RunFinished(payload) => self.run_finished(at, payload, change),
            Message::GraphHint(payload) => self.graph_hint(at, payload, change),
            Message::NodeStarted(payload) => self.node_started(at, payload, change),
            Message::NodeToken(payload) => self.node_token(at, payload, change),
            Message::NodeFinished(payload) => self.node_finished(at, payload, change),
            Message::NodeError(payload) => self.node_error(at, payload, change),
            Message::ExecPaused(payload) => self.exec_paused(at, payload, change),
            Message::ExecResumed(payload) => self.exec_resumed(at, payload, change),
            Message::ExecRefused(payload) => self.exec_refused(at, payload, change),
            Message::Gap(payload) => self.gap(at, payload, change),
            Message::ExecResume(_)
            | Message::BreakpointSet(_)
            | Message::BreakpointClear(_)
            | Message::ModeSet(_)
            | Message::Hello(_)
            | Message::HelloAck(_) => {}
        }
    }

    fn count_event(&mut self, header: &Header<'_>) {
        let data = &mut self.data;
        data.known.insert(header.seq);
        data.events += 1;
        data.first_ts = Some(data.first_ts.map_or(header.ts, |ts| ts.min(header.ts)));
        data.last_ts = Some(data.last_ts.map_or(header.ts, |ts| ts.max(header.ts)));
    }
}
