//! The events of a run, from the host's values to the ring.
//!
//! Invariant: hidden values are replaced here, before anything is kept or sent. With the session disabled nothing is
//! even serialised.

use crate::{
    arm::Why,
    body::{Body, raw},
    config::Hide,
    gate::{Gate, Refusal},
    loops::LoopFacts,
    place::{Place, RunCore},
    ring::Loss,
    shared::Shared,
};
use serde::Serialize;
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::time::Duration;
use wire::{
    Action, Channel, Delta, Edited, ErrorInfo, ExecPaused, ExecRefused, ExecResumed, Extra, Gap, Kind, Loop,
    Message, NodeError, NodeFinished, NodeStarted, NodeToken, PauseId, Raw, Reason, Record, Redaction,
    RunFinished, RunOutcome, RunStarted, Sdk, Text,
};

/// How this library names itself on the wire.
pub(crate) fn sdk() -> Sdk<'static> {
    Sdk {
        name: Cow::Borrowed("holdpoint-client"),
        version: Cow::Borrowed(env!("CARGO_PKG_VERSION")),
        extra: Extra::default(),
    }
}

fn text(value: &str) -> Cow<'_, str> {
    Cow::Borrowed(value)
}

fn ms(duration: Duration) -> f64 {
    (duration.as_secs_f64() * 1e6).round() / 1e3
}

fn redaction((count, keys): &(u64, Vec<String>)) -> Option<Redaction<'_>> {
    let keys = keys.iter().map(|key| text(key)).collect();
    (*count > 0).then(|| Redaction { count: *count, keys, extra: Extra::default() })
}

fn error_info<'a>(name: &'a str, message: &'a str, stack: Option<&'a RawValue>) -> ErrorInfo<'a> {
    let stack = stack.and_then(|stack| Text::new(Raw::from(stack)));
    ErrorInfo { name: text(name), message: text(message), stack, extra: Extra::default() }
}

impl Hide {
    fn input(&self, kind: &Kind<'_>) -> bool {
        self.inputs || self.tool_args && *kind == Kind::Tool
    }

    fn output(&self, kind: &Kind<'_>) -> bool {
        self.outputs || self.tool_results && *kind == Kind::Tool
    }

    fn delta(&self, kind: &Kind<'_>, channel: &Channel<'_>) -> bool {
        self.output(kind) || (self.inputs || self.tool_args) && *channel == Channel::ToolArgs
    }
}

impl RunCore {
    pub(crate) fn emit_run_started(&self, meta: Option<&RawValue>) {
        let payload = RunStarted {
            app: text(&self.shared.config.app),
            sdk: sdk(),
            meta: meta.and_then(|meta| Record::new(Raw::from(meta))),
            extra: Extra::default(),
        };
        self.shared.emit(&self.id, &payload.into());
    }

    pub(crate) fn emit_run_finished(&self, status: RunOutcome, error: Option<(&str, &str)>) {
        self.shared.dirty.flush();
        let error = error.map(|(name, message)| error_info(name, message, None));
        self.shared.emit(&self.id, &RunFinished { status, error, extra: Extra::default() }.into());
    }
}

impl Place {
    /// The context of the graph task it runs in, as a further member of each of its events.
    fn graph_member(&self) -> Extra<'_> {
        let mut extra = Extra::default();
        if let Some(graph) = &self.graph {
            extra.insert(stream::GRAPH_MEMBER, graph.raw());
        }
        extra
    }

    /// The input as it leaves the process; `None` when nothing does.
    fn body<T: Serialize + ?Sized>(&self, value: &T, hidden: Option<&str>) -> Option<Body> {
        let config = &self.shared().config;
        config.enabled.then(|| Body::of(value, &config.hide, hidden, config.value_bytes_max))
    }

    /// Whether the debugger has the whole input, so that a person can edit it.
    pub(crate) fn may_edit(&self) -> bool {
        let config = &self.shared().config;
        config.edit_input && !config.hide.input(&self.kind)
    }

    pub(crate) fn output_body<T: Serialize + ?Sized>(&self, output: &T) -> Option<Body> {
        let hidden = self.shared().config.hide.output(&self.kind);
        self.body(output, hidden.then_some("output"))
    }

    pub(crate) fn emit_started<I: Serialize + ?Sized>(
        &self,
        input: &I,
        model: Option<&str>,
        collapsed: bool,
    ) {
        let hidden = self.shared().config.hide.input(&self.kind);
        let Some(body) = self.body(input, hidden.then_some("input")) else { return };
        let model = model.map(raw);
        let payload = NodeStarted {
            node_id: text(self.node_id.as_str()),
            parent_id: self.parent.as_ref().map(|parent| text(parent.node_id.as_str())),
            kind: Kind::from(self.kind.as_str()),
            name: text(&self.name),
            instance_id: text(self.instance_id.as_str()),
            input: Some(Raw::from(&*body.json)),
            collapsed: collapsed.then_some(true),
            model: model.as_deref().map(Raw::from),
            redaction: redaction(&body.redacted),
            extra: self.graph_member(),
        };
        let seq = self.shared().emit(&self.run.id, &payload.into());
        if self.kind == Kind::Tool {
            self.set_loop(self.run.enter_loop(&self.node_id, body.json.get(), seq));
        }
    }

    pub(crate) fn emit_deltas(&self, deltas: Vec<(Channel<'static>, String)>) {
        let hide = &self.shared().config.hide;
        let mut hidden = 0;
        let mut piece = |(channel, words): (Channel<'static>, String)| {
            let hide = hide.delta(&self.kind, &channel);
            hidden += u64::from(hide);
            let words = if hide { text(wire::limits::REDACTED) } else { Cow::Owned(words) };
            Delta { t: channel, v: words, extra: Extra::default() }
        };
        let deltas = deltas.into_iter().map(&mut piece).collect();
        let hidden = (hidden, vec!["deltas".to_owned()]);
        let payload = NodeToken {
            node_id: text(self.node_id.as_str()),
            instance_id: Some(text(self.instance_id.as_str())),
            deltas,
            redaction: redaction(&hidden),
            extra: self.graph_member(),
        };
        self.shared().emit(&self.run.id, &payload.into());
    }

    pub(crate) fn emit_error(&self, name: &str, message: &str, stack: Option<&str>) {
        self.flush_deltas();
        let stack = stack.map(raw);
        let payload = NodeError {
            node_id: text(self.node_id.as_str()),
            instance_id: Some(text(self.instance_id.as_str())),
            error: error_info(name, message, stack.as_deref()),
            held_ms: self.held_ms(),
            extra: self.graph_member(),
        };
        self.shared().emit(&self.run.id, &payload.into());
    }

    /// Sends the end, the first time.
    pub(crate) fn end(&self, status: RunOutcome, output: Option<Body>, end: End) {
        self.flush_deltas();
        if !self.end_once() {
            return;
        }
        let usage = self.usage();
        let mut payload = NodeFinished {
            node_id: text(self.node_id.as_str()),
            instance_id: Some(text(self.instance_id.as_str())),
            output: output.as_ref().map(|body| Raw::from(&*body.json)),
            usage: usage.as_ref().map(crate::Usage::on_wire),
            duration_ms: ms(self.duration()),
            held_ms: self.held_ms(),
            status,
            injected: (end != End::Own).then_some(true),
            redaction: output.as_ref().and_then(|body| redaction(&body.redacted)),
            extra: self.graph_member(),
        };
        if end == End::Recovered
            && let Ok(yes) = Raw::parse("true")
        {
            payload.extra.insert("recoveredFromError", yes);
        }
        self.shared().emit(&self.run.id, &payload.into());
    }

    /// The execution, where it has a name.
    fn instance(&self) -> Option<Cow<'_, str>> {
        Some(self.instance_id.as_str()).filter(|id| !id.is_empty()).map(text)
    }

    fn held_ms(&self) -> Option<f64> {
        let held = self.held_total();
        (!held.is_zero()).then(|| ms(held))
    }

    pub(crate) fn emit_paused(&self, pause_id: &PauseId, gate: &Gate<'_>) {
        let payload = ExecPaused {
            pause_id: text(pause_id.as_str()),
            node_id: text(self.node_id.as_str()),
            instance_id: self.instance(),
            point: gate.point,
            reason: Some(match gate.why {
                Why::Breakpoint => Reason::Breakpoint,
                Why::Error => Reason::Error,
                Why::Step => Reason::Step,
                Why::Loop => Reason::Loop,
                Why::Interrupt => Reason::Other(text("interrupt")),
            }),
            loop_info: gate.facts.as_ref().map(loop_info),
            smart: None,
            editable: Some(gate.editable),
            extra: self.graph_member(),
        };
        self.shared().emit(&self.run.id, &payload.into());
    }

    pub(crate) fn emit_resumed(
        &self,
        pause_id: &PauseId,
        action: Action,
        edited: Option<&RawValue>,
        request_id: Option<&str>,
    ) {
        let payload = ExecResumed {
            pause_id: text(pause_id.as_str()),
            action,
            edited: edited.map(|raw| Edited { after: Some(Raw::from(raw)), extra: Extra::default() }),
            request_id: request_id.map(text),
            principal: None,
            extra: self.graph_member(),
        };
        self.shared().emit(&self.run.id, &payload.into());
    }

    pub(crate) fn emit_refused(&self, pause_id: &PauseId, refusal: &Refusal, request_id: Option<&str>) {
        let payload = ExecRefused {
            pause_id: text(pause_id.as_str()),
            code: refusal.code.clone(),
            message: Some(text(&refusal.message)),
            request_id: request_id.map(text),
            extra: self.graph_member(),
        };
        self.shared().emit(&self.run.id, &payload.into());
    }
}

/// Whose output a node ends with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// Its own.
    Own,
    /// A person's, in place of running it or of its own.
    Injected,
    /// A person's, in place of an error.
    Recovered,
}

fn loop_info(facts: &LoopFacts) -> Loop<'_> {
    Loop {
        repeats: u64::from(facts.repeats),
        first_seq: facts.first_seq,
        last_seq: facts.last_seq,
        fingerprint: text(&facts.fingerprint),
        ..Loop::default()
    }
}

impl Shared {
    /// Says which events are lost for good.
    pub(crate) fn emit_gap(&self, loss: &Loss) {
        let payload = Gap {
            lost: Some(loss.count),
            from_seq: Some(loss.from),
            to_seq: Some(loss.to),
            extra: Extra::default(),
        };
        self.emit(&loss.run, &Message::from(payload));
    }
}
