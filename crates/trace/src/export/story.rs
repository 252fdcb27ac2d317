//! What the envelopes of a run say, in the few words that other forms have: starts, ends, errors, holds, streams.
//!
//! Node events, events of graph runtimes and KXM records end here in one vocabulary. It says what each envelope says by
//! itself; what belongs together is for the writers to find.

mod graph;
mod records;

use std::borrow::Cow;

use wire::{Decoded, Header, Kind, Message, Raw};

/// What one envelope says.
#[derive(Debug)]
pub(super) enum Told<'a> {
    /// The run began.
    RunStarted {
        app: Cow<'a, str>,
        /// Name and version of the library that drives it.
        sdk: Option<(Cow<'a, str>, Cow<'a, str>)>,
    },
    /// The run ended.
    RunEnded { outcome: Outcome, error: Option<Error<'a>> },
    /// An execution began.
    Started(Box<Start<'a>>),
    /// A piece of streamed text.
    Streamed { at: At<'a>, bytes: u64 },
    /// An execution ended.
    Ended(Box<End<'a>>),
    /// An execution failed; an end may follow.
    Failed { at: At<'a>, error: Error<'a> },
    /// A gate holds.
    Held { pause: Cow<'a, str>, at: At<'a>, point: &'static str },
    /// A gate was released.
    Released { pause: Cow<'a, str>, action: Cow<'a, str> },
    /// One node led to another.
    Routed { from: Cow<'a, str>, to: Cow<'a, str> },
    /// Something that only the recording can hold, by its type.
    Other(Cow<'a, str>),
}

/// A node and, where it is named, the execution of it.
#[derive(Debug, Clone)]
pub(super) struct At<'a> {
    pub(super) node: Cow<'a, str>,
    pub(super) instance: Option<Cow<'a, str>>,
}

/// A start.
#[derive(Debug)]
pub(super) struct Start<'a> {
    pub(super) at: At<'a>,
    pub(super) parent: Option<Cow<'a, str>>,
    pub(super) parent_instance: Option<Cow<'a, str>>,
    pub(super) kind: Kind<'a>,
    pub(super) name: Cow<'a, str>,
    pub(super) input: Option<Raw<'a>>,
    pub(super) model: Option<Cow<'a, str>>,
    pub(super) provider: Option<Cow<'a, str>>,
    /// Members that the other forms have no place for.
    pub(super) more: usize,
}

/// An end.
#[derive(Debug)]
pub(super) struct End<'a> {
    pub(super) at: At<'a>,
    pub(super) output: Option<Raw<'a>>,
    pub(super) usage: Option<Usage>,
    pub(super) outcome: Outcome,
    pub(super) error: Option<Error<'a>>,
    /// When the first token came, where it is told apart.
    pub(super) first_token_ms: Option<f64>,
    pub(super) more: usize,
}

/// How something ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    Ok,
    Error,
    Aborted,
}

/// An error as the program saw it.
#[derive(Debug, Clone)]
pub(super) struct Error<'a> {
    pub(super) name: Cow<'a, str>,
    pub(super) message: Cow<'a, str>,
    pub(super) stack: Option<Cow<'a, str>>,
}

/// Tokens and money of a call.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Usage {
    pub(super) tokens: wire::tokens::Usage,
    pub(super) cost: Option<f64>,
    pub(super) currency: Option<String>,
}

/// What an envelope says; nothing where it is none, or says nothing of a run.
pub(super) fn told(envelope: &str) -> Option<(Header<'_>, Vec<Told<'_>>)> {
    match wire::decode(envelope) {
        Decoded::Ok(decoded) => {
            let told = message(decoded.message)?;
            Some((decoded.header, vec![told]))
        }
        Decoded::UnknownType(opaque) => {
            let told = match &*opaque.header.kind {
                stream::GRAPH_EVENT => graph::told(opaque.payload),
                "kxm.event" => records::told(opaque.payload),
                _ => None,
            };
            let told = told.unwrap_or_else(|| vec![Told::Other(opaque.header.kind.clone())]);
            Some((opaque.header, told))
        }
        Decoded::VersionMismatch { .. } | Decoded::Invalid(_) => None,
    }
}

fn message<'a>(message: Message<'a>) -> Option<Told<'a>> {
    let kind = message.kind();
    Some(match message {
        Message::RunStarted(run) => {
            let sdk = (!run.sdk.name.is_empty()).then_some((run.sdk.name, run.sdk.version));
            Told::RunStarted { app: run.app, sdk }
        }
        Message::RunFinished(run) => {
            Told::RunEnded { outcome: run.status.into(), error: run.error.map(Error::from) }
        }
        Message::NodeStarted(start) => Told::Started(Box::new(start.into())),
        Message::NodeToken(token) => {
            let bytes = token.deltas.iter().map(|delta| delta.v.len() as u64).sum();
            Told::Streamed { at: At { node: token.node_id, instance: token.instance_id }, bytes }
        }
        Message::NodeFinished(end) => Told::Ended(Box::new(end.into())),
        Message::NodeError(failed) => Told::Failed {
            at: At { node: failed.node_id, instance: failed.instance_id },
            error: failed.error.into(),
        },
        Message::ExecPaused(held) => Told::Held {
            pause: held.pause_id,
            at: At { node: held.node_id, instance: held.instance_id },
            point: held.point.as_str(),
        },
        Message::ExecResumed(released) => {
            Told::Released { pause: released.pause_id, action: released.action.as_str().into() }
        }
        Message::GraphHint(_) | Message::ExecRefused(_) | Message::Gap(_) => Told::Other(kind.into()),
        // Controls and the handshake are no part of what happened.
        _ => return None,
    })
}

impl From<wire::RunOutcome> for Outcome {
    fn from(outcome: wire::RunOutcome) -> Self {
        match outcome {
            wire::RunOutcome::Ok => Self::Ok,
            wire::RunOutcome::Error => Self::Error,
            wire::RunOutcome::Aborted => Self::Aborted,
        }
    }
}

impl<'a> From<wire::ErrorInfo<'a>> for Error<'a> {
    fn from(error: wire::ErrorInfo<'a>) -> Self {
        let stack = error.stack.and_then(|stack| stack.raw().as_str());
        Self { name: error.name, message: error.message, stack }
    }
}

impl<'a> From<wire::NodeStarted<'a>> for Start<'a> {
    fn from(start: wire::NodeStarted<'a>) -> Self {
        let text = |name: &str| start.extra.get(name).and_then(Raw::as_str);
        let model = start.model.and_then(|model| {
            let named = || ["name", "model", "id"].iter().find_map(|name| model.member(name)?.as_str());
            model.as_str().or_else(named)
        });
        let provider = start.model.and_then(|model| model.member("provider")?.as_str());
        Self {
            parent_instance: text("parentInstanceId"),
            more: start.extra.len(),
            at: At { node: start.node_id, instance: Some(start.instance_id) },
            parent: start.parent_id,
            kind: start.kind,
            name: start.name,
            input: start.input,
            model,
            provider,
        }
    }
}

impl<'a> From<wire::NodeFinished<'a>> for End<'a> {
    fn from(end: wire::NodeFinished<'a>) -> Self {
        Self {
            first_token_ms: end.extra.get("firstTokenMs").and_then(Raw::as_f64),
            more: end.extra.len(),
            at: At { node: end.node_id, instance: end.instance_id },
            output: end.output,
            usage: end.usage.as_ref().map(Usage::from),
            outcome: end.status.into(),
            error: None,
        }
    }
}

impl From<&wire::Usage<'_>> for Usage {
    fn from(usage: &wire::Usage<'_>) -> Self {
        Self {
            tokens: wire::tokens::Usage::from_wire(usage),
            cost: usage.extra.get("cost").and_then(Raw::as_f64),
            currency: usage.extra.get("currency").and_then(Raw::as_str).map(Cow::into_owned),
        }
    }
}
