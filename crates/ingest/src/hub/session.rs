//! Apps' connections and the identities behind them: hello, re-claim, going away.
//!
//! Invariant: `hello` is answered in the step that reads it, whatever else is waiting, with the whole debug state in one
//! message. An identity outlives its connections for as long as it owns a run.

use std::collections::BTreeMap;
use std::sync::Arc;

use graph::RunKey;
use tokio_tungstenite::tungstenite::Utf8Bytes;
use wire::viewer::NoticeLevel;
use wire::{Decoded, Header, Hello, HelloAck, Message, ViewerVersions, WireMatcher};

use super::numbers::Numbers;
use super::{Hub, Input, Output, SessionId};
use crate::limits::NOT_OUR_VERSION;

/// What we do with an app's capabilities.
const CAPABILITIES: [&str; 7] = ["pause", "step", "inject", "retry", "abort", "run-claim", "edit-input"];
/// What the hub itself adds.
const HUB_CAPABILITIES: [&str; 6] =
    ["run-claim", "edit-input", "conditions", "hit-counts", "log-points", "graph-events"];

/// One connection of an app.
pub(super) struct Session {
    /// Its identity.
    pub(super) token: Arc<str>,
    /// It has said hello, so it obeys controls.
    pub(super) greeted: bool,
    /// It can prove who it is after a reconnect.
    pub(super) claims: bool,
    /// Its name, for people.
    pub(super) app: String,
    /// Our counter towards it.
    pub(super) seq: u64,
    /// The run that its events go to, if that is the latest under its id.
    pub(super) latest: Option<RunKey>,
    /// Frames of runs that belong to others.
    pub(super) refused: u64,
}

/// Who stands behind connections: the holder of one token.
#[derive(Default)]
pub(super) struct Identity {
    /// Its connection, while there is one.
    pub(super) session: Option<SessionId>,
    /// It can prove who it is, so nobody else may take its runs.
    pub(super) claims: bool,
    /// Every number it has used, on runs and on `*`.
    pub(super) used: Numbers,
    /// Its runs by the id it gave them, oldest first.
    pub(super) runs: BTreeMap<String, Vec<RunKey>>,
}

impl Hub {
    pub(super) fn session_opened(&mut self, id: SessionId, token: Arc<str>) {
        let session = Session {
            token: token.clone(),
            greeted: false,
            claims: false,
            app: String::new(),
            seq: 0,
            latest: None,
            refused: 0,
        };
        self.sessions.insert(id, session);
        self.identities.insert(token, Identity { session: Some(id), ..Identity::default() });
    }

    /// What an app sent, frame by frame.
    pub(super) fn frames(&mut self, id: SessionId, frames: &[Utf8Bytes], out: &mut Vec<Output>) {
        for frame in frames {
            self.stats.frames += 1;
            let decoded = wire::decode(frame);
            match &decoded {
                Decoded::Ok(envelope) => match &envelope.message {
                    Message::Hello(hello) => self.hello(id, &envelope.header, hello, out),
                    Message::HelloAck(_)
                    | Message::ExecResume(_)
                    | Message::BreakpointSet(_)
                    | Message::BreakpointClear(_)
                    | Message::ModeSet(_) => {
                        let what = format!("sent {:?}, which only debuggers send", envelope.header.kind);
                        self.session_fault(id, &what, out);
                    }
                    _ => self.event(id, frame, &envelope.header, &decoded, out),
                },
                Decoded::UnknownType(opaque) => self.event(id, frame, &opaque.header, &decoded, out),
                Decoded::VersionMismatch { received } => self.other_version(id, received, out),
                Decoded::Invalid(invalid) => {
                    self.session_fault(id, &format!("sent a bad frame: {invalid}"), out);
                }
            }
        }
    }

    fn other_version(&mut self, id: SessionId, received: &str, out: &mut Vec<Output>) {
        let reason = format!("this debugger speaks gm {}, seen gm {received:.20}", wire::GM);
        self.session_fault(id, &reason, out);
        out.push(Output::CloseSession { session: id, code: NOT_OUR_VERSION, reason });
    }

    /// Says what an app did wrong, and counts it.
    pub(super) fn session_fault(&mut self, id: SessionId, what: &str, out: &mut Vec<Output>) {
        self.stats.dropped += 1;
        let app = self.sessions.get(&id).map_or("", |session| session.app.as_str());
        let app = if app.is_empty() { "an app" } else { app };
        self.say(NoticeLevel::Warning, &format!("{app}: {what}"), out);
    }

    fn hello(&mut self, id: SessionId, header: &Header<'_>, hello: &Hello<'_>, out: &mut Vec<Output>) {
        if hello.versions.protocol != wire::GM {
            return self.other_version(id, &hello.versions.protocol.to_string(), out);
        }
        let Some(session) = self.sessions.get_mut(&id) else { return };
        session.greeted = true;
        session.claims = hello.capabilities.iter().any(|word| word == "run-claim");
        session.app = hello.app.as_deref().unwrap_or_default().chars().take(200).collect();
        let claims = session.claims;
        if let Some(resumed) = hello.resume_token.as_deref() {
            self.resume(id, resumed, out);
        }
        self.acknowledge(id, out);
        let Some(token) = self.sessions.get(&id).map(|session| session.token.clone()) else { return };
        if let Some(identity) = self.identities.get_mut(&token) {
            identity.claims |= claims;
        }
        let line = serde_json::json!({ "token": &*token, "hello": header.seq, "claims": claims });
        out.push(Output::Remember { line: line.to_string() });
        self.use_number(&token, header.seq, None);
    }

    /// Puts a connection under the identity whose token it brings, and its runs under the connection.
    fn resume(&mut self, id: SessionId, resumed: &str, out: &mut Vec<Output>) {
        let Some(session) = self.sessions.get_mut(&id) else { return };
        let fresh = self.identities.get(&session.token).is_none_or(|own| own.runs.is_empty());
        let Some((token, _)) = self.identities.get_key_value(resumed) else { return };
        if !fresh || *token == session.token {
            return;
        }
        let token = token.clone();
        self.identities.remove(&session.token);
        session.token = token.clone();
        let Some(identity) = self.identities.get_mut(&token) else { return };
        // The old connection of the same program is dead or about to be: only one may write.
        if let Some(old) = identity.session.replace(id) {
            let reason = "this session was resumed by a newer connection".to_owned();
            out.push(Output::CloseSession { session: old, code: 1000, reason });
        }
        let keys: Vec<RunKey> = identity.runs.values().flatten().cloned().collect();
        for key in keys {
            self.attach(&key, id, out);
        }
    }

    fn acknowledge(&mut self, id: SessionId, out: &mut Vec<Output>) {
        let armed = self.debug.armed();
        let Some(token) = self.sessions.get(&id).map(|session| session.token.clone()) else { return };
        let ack = HelloAck {
            versions: ViewerVersions {
                protocol: wire::GM,
                viewer: concat!("holdpoint ", env!("CARGO_PKG_VERSION")).into(),
                ..ViewerVersions::default()
            },
            capabilities: CAPABILITIES.map(Into::into).to_vec(),
            breakpoints: armed.iter().map(WireMatcher::from).collect(),
            mode: self.debug.mode(),
            session_token: Some((*token).into()),
            hub_capabilities: Some(HUB_CAPABILITIES.map(Into::into).to_vec()),
            ..HelloAck::default()
        };
        let message = Message::from(ack);
        self.tell(id, wire::WILDCARD_RUN_ID, &message, None, out);
    }

    /// Sends a message to an app.
    pub(super) fn tell(
        &mut self,
        id: SessionId,
        run_id: &str,
        message: &Message<'_>,
        receipt: Option<(super::ViewerId, u64)>,
        out: &mut Vec<Output>,
    ) {
        let Some(session) = self.sessions.get_mut(&id) else { return };
        session.seq += 1;
        let text = wire::encode(session.seq, self.now.wall_ms, run_id, message);
        out.push(Output::ToSession { session: id, text, receipt });
    }

    pub(super) fn session_closed(&mut self, id: SessionId) {
        let Some(session) = self.sessions.remove(&id) else { return };
        let Some(identity) = self.identities.get_mut(&session.token) else { return };
        if identity.session != Some(id) {
            return;
        }
        identity.session = None;
        if identity.runs.is_empty() {
            self.identities.remove(&session.token);
            return;
        }
        let keys: Vec<RunKey> = identity.runs.values().flatten().cloned().collect();
        for key in keys {
            let Some(run) = self.runs.get_mut(&key) else { continue };
            if run.session.take().is_none() {
                continue;
            }
            run.lose_holds();
            if run.live {
                self.leave(&key, self.settings.grace_ms);
            }
            self.urgent.insert(key);
        }
    }
}

/// The input that tells of a frame, for tests and for replays.
impl From<(SessionId, &str)> for Input {
    fn from((session, frame): (SessionId, &str)) -> Self {
        Self::Frames { session, frames: vec![frame.into()] }
    }
}
