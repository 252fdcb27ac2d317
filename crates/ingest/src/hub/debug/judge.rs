//! A hold has come: does it stay, or is it answered at once?
//!
//! Invariant: a hold goes on by itself only if every breakpoint that can have caused it says no. Step mode, loops, pause
//! on error and rules of the app hold whatever breakpoints say.

use graph::RunKey;
use wire::viewer::NoticeLevel;
use wire::{Action, ExecPaused, Mode, Point, Raw, Reason};

use super::super::control::Answer;
use super::super::{Hub, Output};
use super::Breakpoint;
use super::watch::Frames;
use crate::condition::Scope;

/// What one breakpoint says to a hold.
struct Opinion {
    holds: bool,
    log: Option<String>,
    trouble: Option<String>,
}

impl Hub {
    /// Decides about a hold that has just been shown.
    pub(in crate::hub) fn judge_hold(
        &mut self,
        key: &RunKey,
        paused: &ExecPaused<'_>,
        out: &mut Vec<Output>,
    ) {
        let Some(run) = self.runs.get(key) else { return };
        let Some((kind, name)) = run.words.get(&*paused.node_id) else { return };
        let stepping = self.debug.mode == Mode::Step;
        let other_cause = !matches!(paused.reason, None | Some(Reason::Breakpoint | Reason::Error))
            || paused.smart.is_some()
            || paused.loop_info.is_some()
            || (self.debug.pause_on_error && paused.point == Point::Error)
            || stepping;
        let frames = run.bodies.of(&paused.node_id, paused.instance_id.as_deref());
        let scope = Scope {
            run: key.as_str(),
            node: &paused.node_id,
            kind,
            name,
            point: paused.point.as_str(),
            instance: paused.instance_id.as_deref(),
            bodies: frames.as_ref().ok().map(bodies),
            why_no_bodies: frames.as_ref().err().copied().unwrap_or_default(),
        };
        let (mut asked, mut holds) = (0, false);
        let (mut logs, mut troubles) = (Vec::new(), Vec::new());
        for breakpoint in self.debug.matching(kind, name, paused.point) {
            asked += 1;
            let opinion = breakpoint.judge(&scope);
            holds |= opinion.holds;
            logs.extend(opinion.log);
            troubles.extend(opinion.trouble);
        }
        self.debug.changed |= asked > 0;
        for log in logs {
            self.say(NoticeLevel::Info, &format!("log point at {}: {log}", paused.node_id), out);
        }
        for trouble in troubles {
            let text = format!("breakpoint at {}: {trouble}; it holds to be safe", paused.node_id);
            self.say(NoticeLevel::Warning, &text, out);
        }
        if asked == 0 || holds || other_cause {
            return;
        }
        let answer =
            Answer { pause_id: &paused.pause_id, action: Action::Continue, output: None, input: None };
        // A gate that takes no answer stays held, and is shown as held.
        if self.answer(key, &answer, None, out).is_ok()
            && let Some(run) = self.runs.get_mut(key)
        {
            run.passing.insert(paused.pause_id.to_string());
            self.passing.insert(key.clone());
        }
    }
}

fn bodies<'a>(frames: &Frames<'a>) -> [(&'static str, Option<Raw<'a>>); 3] {
    let at = |frame: Option<&'a tokio_tungstenite::tungstenite::Utf8Bytes>, pointer: &str| {
        Raw::parse(frame?).ok()?.pointer(pointer)
    };
    [
        ("input", at(Some(frames.started), "/payload/input")),
        ("error", at(frames.error, "/payload/error")),
        ("output", at(frames.finished, "/payload/output")),
    ]
}

impl Breakpoint {
    fn judge(&mut self, scope: &Scope<'_>) -> Opinion {
        let mut opinion = Opinion { holds: true, log: None, trouble: None };
        match self.condition.as_ref().map(|condition| condition.holds(scope)) {
            Some(Ok(false)) => {
                opinion.holds = false;
                return opinion;
            }
            Some(Err(what)) => opinion.trouble = Some(format!("condition: {what}")),
            Some(Ok(true)) | None => {}
        }
        self.state.matched += 1;
        // A condition that fails on a value holds whatever the count says.
        if opinion.trouble.is_none() && !self.hit.as_ref().is_none_or(|hit| hit.holds(self.state.matched)) {
            opinion.holds = false;
            return opinion;
        }
        if let Some(log) = &self.log {
            opinion.log = Some(log.render(scope));
            // A log point says and goes on.
            opinion.holds = opinion.trouble.is_some();
        }
        self.state.held += u64::from(opinion.holds);
        opinion
    }
}
