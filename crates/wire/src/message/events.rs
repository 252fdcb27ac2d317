//! Events: what a program says about itself.
use super::parts::{Delta, Edited, ErrorInfo, HintNode, Loop, Redaction, Sdk, Smart, Usage};
use crate::{Action, Kind, Point, Raw, Reason, Record, RefusalCode, RunOutcome, loose::loose};
use std::borrow::Cow;

loose! {
    /// Payload of `run.started`.
    pub struct RunStarted {
        /// The program's name.
        app: Cow<'a, str> = "app",
        /// The library that drives the run.
        sdk: Sdk<'a> = "sdk",
        /// Anything else the program tells about the run.
        meta: Option<Record<'a>> = "meta",
    }
    /// Payload of `run.finished`.
    pub struct RunFinished {
        /// How it ended.
        status: RunOutcome = "status",
        /// Why it failed.
        error: Option<ErrorInfo<'a>> = "error",
    }
    /// Payload of `graph.hint`.
    pub struct GraphHint {
        /// The nodes that may run.
        nodes: Vec<HintNode<'a>> = "nodes",
    }
    /// Payload of `node.started`.
    pub struct NodeStarted {
        /// Which node.
        node_id: Cow<'a, str> = "nodeId",
        /// The node it runs in.
        parent_id: Option<Cow<'a, str>> = "parentId",
        /// What it is.
        kind: Kind<'a> = "kind",
        /// Its name.
        name: Cow<'a, str> = "name",
        /// Which execution of it.
        instance_id: Cow<'a, str> = "instanceId",
        /// What it was called with.
        input: Option<Raw<'a>> = "input",
        /// Open it folded.
        collapsed: Option<bool> = "collapsed",
        /// The model it calls.
        model: Option<Raw<'a>> = "model",
        /// What the sender has hidden.
        redaction: Option<Redaction<'a>> = "redaction",
    }
    /// Payload of `node.token`.
    pub struct NodeToken {
        /// Which node. The contract names no execution; see `instanceId`.
        node_id: Cow<'a, str> = "nodeId",
        /// Which execution, where a sender says so.
        instance_id: Option<Cow<'a, str>> = "instanceId",
        /// The pieces in order.
        deltas: Vec<Delta<'a>> = "deltas",
        /// What the sender has hidden.
        redaction: Option<Redaction<'a>> = "redaction",
    }
    /// Payload of `node.finished`.
    pub struct NodeFinished {
        /// Which node.
        node_id: Cow<'a, str> = "nodeId",
        /// Which execution.
        instance_id: Option<Cow<'a, str>> = "instanceId",
        /// What it gave.
        output: Option<Raw<'a>> = "output",
        /// Tokens it used.
        usage: Option<Usage<'a>> = "usage",
        /// Milliseconds from start to end, held time included.
        duration_ms: f64 = "durationMs",
        /// Milliseconds held at gates.
        held_ms: Option<f64> = "heldMs",
        /// How it ended.
        status: RunOutcome = "status",
        /// The output was given by a person.
        injected: Option<bool> = "injected",
        /// What the sender has hidden.
        redaction: Option<Redaction<'a>> = "redaction",
    }
    /// Payload of `node.error`.
    pub struct NodeError {
        /// Which node.
        node_id: Cow<'a, str> = "nodeId",
        /// Which execution.
        instance_id: Option<Cow<'a, str>> = "instanceId",
        /// The error.
        error: ErrorInfo<'a> = "error",
        /// Milliseconds held at gates.
        held_ms: Option<f64> = "heldMs",
    }
    /// Payload of `exec.paused`.
    pub struct ExecPaused {
        /// Names the hold.
        pause_id: Cow<'a, str> = "pauseId",
        /// The node that holds.
        node_id: Cow<'a, str> = "nodeId",
        /// Which execution, where a sender says so.
        instance_id: Option<Cow<'a, str>> = "instanceId",
        /// Which gate.
        point: Point = "point",
        /// Why it holds.
        reason: Option<Reason<'a>> = "reason",
        /// The repetition, where that is the reason.
        loop_info: Option<Loop<'a>> = "loop",
        /// The rule, where a rule of the program is the reason.
        smart: Option<Smart<'a>> = "smart",
        /// The call can run with an edited input.
        editable: Option<bool> = "editable",
    }
    /// Payload of `exec.resumed`.
    pub struct ExecResumed {
        /// Which hold.
        pause_id: Cow<'a, str> = "pauseId",
        /// How it was released.
        action: Action = "action",
        /// What an edited call ran with.
        edited: Option<Edited<'a>> = "edited",
        /// The request this answers.
        request_id: Option<Cow<'a, str>> = "requestId",
        /// Who released it.
        principal: Option<Cow<'a, str>> = "principal",
    }
    /// Payload of `exec.refused`. The gate still holds.
    pub struct ExecRefused {
        /// Which hold.
        pause_id: Cow<'a, str> = "pauseId",
        /// Why the answer was refused.
        code: RefusalCode<'a> = "code",
        /// The same in words.
        message: Option<Cow<'a, str>> = "message",
        /// The request this answers.
        request_id: Option<Cow<'a, str>> = "requestId",
    }
    /// Payload of a gap marker: events that the sender has lost for good.
    pub struct Gap {
        /// How many.
        lost: Option<u64> = "lost",
        /// Sequence number of the first.
        from_seq: Option<u64> = "fromSeq",
        /// Sequence number of the last.
        to_seq: Option<u64> = "toSeq",
    }
}

impl Gap<'_> {
    /// First and last lost sequence number, under any of the names that senders use.
    pub fn range(&self) -> Option<(u64, u64)> {
        let other = |names: &[&str]| names.iter().find_map(|name| self.extra.get(name)?.as_u64());
        let from = self.from_seq.or_else(|| other(&["firstSeq", "from", "first"]))?;
        let to = self.to_seq.or_else(|| other(&["lastSeq", "to", "last"])).unwrap_or(from);
        (from <= to).then_some((from, to))
    }

    /// How many events were lost: as stated, else as many as the range spans.
    pub fn count(&self) -> Option<u64> {
        let other = |name: &&str| self.extra.get(name)?.as_u64();
        let stated = self.lost.or_else(|| ["count", "dropped", "missed"].iter().find_map(other));
        stated.or_else(|| self.range().map(|(from, to)| to - from + 1))
    }
}
