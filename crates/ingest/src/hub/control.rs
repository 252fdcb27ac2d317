//! The path of one control: policy, check, owner, and only then the app's socket.
//!
//! Invariant: nothing is sent that the contract or the gate does not allow, and sending changes no state: a hold ends
//! when its app says so. One answer to a gate is on its way at a time.

use graph::RunKey;
use wire::viewer::{ServerFrame, ViewerFrame};
use wire::{Action, ExecResume, Message, Raw};

use super::{Hub, Output, SessionId, ViewerId};
use crate::limits::{APP_FRAME_BYTES_MAX, ASKED_MS};

/// A viewer's answer to a hold.
pub(super) struct Answer<'a> {
    /// Which hold.
    pub(super) pause_id: &'a str,
    /// How it goes on.
    pub(super) action: Action,
    /// The value of an inject.
    pub(super) output: Option<Raw<'a>>,
    /// Edited arguments.
    pub(super) input: Option<Raw<'a>>,
}

impl Hub {
    /// A viewer asks for a change.
    pub(super) fn control(&mut self, id: ViewerId, frame: ViewerFrame, out: &mut Vec<Output>) {
        match frame {
            ViewerFrame::Resume { req, run, pause_id, node_id: _, action, output, input } => {
                let answer = Answer {
                    pause_id: &pause_id,
                    action,
                    output: output.as_deref().map(Raw::from),
                    input: input.as_deref().map(Raw::from),
                };
                match self.resolve(&run).ok_or_else(|| format!("there is no run {run:?}")) {
                    // The receipt follows when it is on the socket.
                    Ok(key) => match self.answer(&key, &answer, Some((id, req)), out) {
                        Ok(()) => {}
                        Err(reason) => self.done(id, req, Err(reason), out),
                    },
                    Err(reason) => self.done(id, req, Err(reason), out),
                }
            }
            ViewerFrame::ContinueAll { req, run } => {
                let outcome = self.continue_all(run.as_deref(), out);
                self.done(id, req, outcome, out);
            }
            ViewerFrame::BreakpointSet { req, spec } => {
                let outcome = self.change_debug(|debug| debug.set(spec), out);
                self.done(id, req, outcome, out);
            }
            ViewerFrame::BreakpointClear { req, matcher } => {
                let outcome = self.change_debug(|debug| debug.clear(&matcher), out);
                self.done(id, req, outcome, out);
            }
            ViewerFrame::ModeSet { req, mode } => self.set_mode(id, req, mode, out),
            ViewerFrame::PauseAll { req } => self.set_mode(id, req, wire::Mode::Step, out),
            ViewerFrame::PauseOnError { req, on } => {
                let outcome = self.change_debug(|debug| debug.set_pause_on_error(on), out);
                self.done(id, req, outcome, out);
            }
            _ => {}
        }
    }

    fn set_mode(&mut self, id: ViewerId, req: u64, mode: wire::Mode, out: &mut Vec<Output>) {
        let outcome = self.change_debug(|debug| debug.set_mode(mode), out);
        self.done(id, req, outcome, out);
    }

    /// Sends an answer to a gate, or says why not.
    pub(super) fn answer(
        &mut self,
        key: &RunKey,
        answer: &Answer<'_>,
        asked_by: Option<(ViewerId, u64)>,
        out: &mut Vec<Output>,
    ) -> Result<(), String> {
        let session = self.allowed(key, answer)?;
        let run_id = self.runs.get(key).map(|run| run.facts.run_id.clone()).unwrap_or_default();
        let request_id = asked_by.map(|(viewer, req)| format!("{}-{req}", viewer.0));
        let resume = ExecResume {
            pause_id: answer.pause_id.into(),
            action: answer.action,
            output: answer.output,
            input: answer.input,
            request_id: request_id.map(Into::into),
            ..ExecResume::default()
        };
        let before = out.len();
        self.tell(session, &run_id, &Message::from(resume), asked_by, out);
        if let Some(Output::ToSession { text, .. }) = out.get(before)
            && text.len() > APP_FRAME_BYTES_MAX
        {
            let size = text.len();
            out.truncate(before);
            return Err(format!(
                "the value makes a frame of {size} bytes; the app's client reads at most {APP_FRAME_BYTES_MAX} \
                 and would drop the connection, releasing every gate: send a smaller value"
            ));
        }
        if let Some(run) = self.runs.get_mut(key) {
            run.asked.insert(answer.pause_id.to_owned(), self.now.mono_ms);
        }
        Ok(())
    }

    /// The connection an answer may go to.
    fn allowed(&self, key: &RunKey, answer: &Answer<'_>) -> Result<SessionId, String> {
        let run = self.runs.get(key).ok_or("there is no such run")?;
        let session = run.session.ok_or("the app of this run is not connected")?;
        let greeted = self.sessions.get(&session).is_some_and(|session| session.greeted);
        if !greeted {
            return Err("the app has not said hello, so it takes no answers".to_owned());
        }
        let hold = run.open_holds().find(|hold| hold.summary.pause_id == answer.pause_id);
        let hold = hold.ok_or_else(|| format!("no gate holds under pause id {:?}", answer.pause_id))?;
        if let Some(at) = run.asked.get(answer.pause_id)
            && self.now.mono_ms.saturating_sub(*at) < ASKED_MS
        {
            return Err("another answer to this gate is on its way".to_owned());
        }
        fits(hold, answer)?;
        // The state may be behind or on disk; the hub's own facts above never are.
        if let Some(store) = run.store().filter(|_| !run.is_behind())
            && store
                .run(key)
                .is_some_and(|run| run.holds().iter().any(|h| h.pause_id.as_str() == answer.pause_id))
        {
            let (input, output) = (answer.input.is_some(), answer.output.is_some());
            store
                .check(key, answer.pause_id, answer.action, input, output)
                .map_err(|refusal| refusal.to_string())?;
        }
        Ok(session)
    }

    fn continue_all(&mut self, run: Option<&str>, out: &mut Vec<Output>) -> Result<(), String> {
        let keys: Vec<RunKey> = match run {
            Some(name) => vec![self.resolve(name).ok_or_else(|| format!("there is no run {name:?}"))?],
            None => self
                .runs
                .iter()
                .filter(|(_, run)| run.session.is_some())
                .map(|(key, _)| key.clone())
                .collect(),
        };
        let mut sent = 0;
        let mut refused = None;
        for key in keys {
            let mut ids: Vec<String> = self.runs.get(&key).map_or_else(Vec::new, |run| {
                run.open_holds().map(|hold| hold.summary.pause_id.clone()).collect()
            });
            ids.dedup();
            for pause_id in ids {
                let answer =
                    Answer { pause_id: &pause_id, action: Action::Continue, output: None, input: None };
                match self.answer(&key, &answer, None, out) {
                    Ok(()) => sent += 1,
                    Err(reason) => refused = Some(reason),
                }
            }
        }
        if sent > 0 { Ok(()) } else { Err(refused.unwrap_or_else(|| "nothing is held".to_owned())) }
    }

    /// Changes the debug state: kept on disk, told to every app and every viewer.
    pub(super) fn change_debug(
        &mut self,
        change: impl FnOnce(&mut super::Debug) -> Result<(), String>,
        out: &mut Vec<Output>,
    ) -> Result<(), String> {
        let (armed, mode) = (self.debug.armed(), self.debug.mode());
        change(&mut self.debug)?;
        let now = self.debug.armed();
        let cleared = armed.iter().filter(|matcher| !now.contains(matcher)).map(|matcher| {
            Message::from(wire::BreakpointClear { matcher: matcher.into(), ..Default::default() })
        });
        let set = now.iter().filter(|matcher| !armed.contains(matcher)).map(|matcher| {
            Message::from(wire::BreakpointSet { matcher: matcher.into(), ..Default::default() })
        });
        let mut messages: Vec<Message<'_>> = cleared.chain(set).collect();
        if mode != self.debug.mode() {
            messages.push(wire::ModeSet { mode: self.debug.mode(), ..Default::default() }.into());
        }
        let apps: Vec<SessionId> =
            self.sessions.iter().filter(|(_, session)| session.greeted).map(|(id, _)| *id).collect();
        for app in apps {
            for message in &messages {
                self.tell(app, wire::WILDCARD_RUN_ID, message, None, out);
            }
        }
        out.push(Output::SaveDebug { text: self.debug.to_file() });
        self.debug.shown();
        self.show_all(&ServerFrame::Debug { debug: self.debug.state() }, out);
        Ok(())
    }
}

/// Whether the gate takes what is asked (contract: `exec.resume`).
fn fits(hold: &super::facts::OpenHold, answer: &Answer<'_>) -> Result<(), String> {
    let point = hold.summary.point;
    if answer.output.is_some() && answer.action != Action::Inject {
        return Err(format!("a value goes with inject only, seen {}", answer.action));
    }
    if answer.input.is_none() {
        return Ok(());
    }
    if !hold.summary.editable {
        return Err("this gate takes no edited arguments".to_owned());
    }
    match (answer.action, point) {
        (Action::Continue, wire::Point::Before)
        | (Action::Retry, wire::Point::After | wire::Point::Error) => Ok(()),
        (action, point) => Err(format!(
            "edited arguments go with continue at a before gate or with retry after it, seen {action} at {point}"
        )),
    }
}
