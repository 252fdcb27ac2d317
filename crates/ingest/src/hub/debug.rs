//! Breakpoints, mode and pause on error: what apps are armed with, and what becomes of a hold that comes of it.
//!
//! The wire knows kind, name and point; conditions, hit counts and log points are ours: the coarse matcher is armed, and a
//! hold whose conditions do not hold is answered at once. Invariant: when in doubt a hold stays. A breakpoint with a bad
//! expression is kept with its error and arms nothing.

mod judge;
mod watch;

use serde::{Deserialize, Serialize};
use wire::viewer::{BreakpointSpec, BreakpointState, DebugState};
use wire::{Matcher, Mode, Point};

use crate::condition::{Condition, Hit, Template};
use crate::limits::{APP_FRAME_BYTES_MAX, BREAKPOINTS_MAX, EXPRESSION_BYTES_MAX};

pub(super) use watch::Bodies;

/// The debug state of all apps.
#[derive(Debug, Default)]
pub(crate) struct Debug {
    mode: Mode,
    pause_on_error: bool,
    breakpoints: Vec<Breakpoint>,
    changed: bool,
}

/// One breakpoint.
#[derive(Debug)]
struct Breakpoint {
    state: BreakpointState,
    condition: Option<Condition>,
    hit: Option<Hit>,
    log: Option<Template>,
}

/// `debug.json`: what survives a restart.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Kept {
    mode: Mode,
    pause_on_error: bool,
    breakpoints: Vec<BreakpointSpec>,
}

impl Breakpoint {
    fn new(spec: BreakpointSpec) -> Self {
        let condition =
            spec.condition.as_deref().filter(|text| !text.trim().is_empty()).map(Condition::parse);
        let hit = spec.hit.as_deref().filter(|text| !text.trim().is_empty()).map(Hit::parse);
        let log = spec.log.as_deref().filter(|text| !text.trim().is_empty()).map(Template::parse);
        let mut state = BreakpointState { spec, ..BreakpointState::default() };
        let mut error = |what: &str, text: String| {
            state.error.get_or_insert(format!("{what}: {text}"));
        };
        let condition = condition.and_then(|parsed| parsed.map_err(|e| error("condition", e)).ok());
        let hit = hit.and_then(|parsed| parsed.map_err(|e| error("hit count", e)).ok());
        let log = log.and_then(|parsed| parsed.map_err(|e| error("log", e)).ok());
        Self { state, condition, hit, log }
    }

    fn is_armed(&self) -> bool {
        self.state.spec.enabled && self.state.error.is_none()
    }
}

impl Debug {
    /// The state kept in a `debug.json`; the default (pause on error, run) if there is none or it is damaged.
    pub(crate) fn from_file(text: Option<&str>, pause_on_error: Option<bool>) -> Self {
        let kept = text.and_then(|text| serde_json::from_str::<Kept>(text).ok());
        let kept = kept.unwrap_or(Kept { mode: Mode::Run, pause_on_error: true, breakpoints: Vec::new() });
        Self {
            mode: kept.mode,
            pause_on_error: pause_on_error.unwrap_or(kept.pause_on_error),
            breakpoints: kept.breakpoints.into_iter().take(BREAKPOINTS_MAX).map(Breakpoint::new).collect(),
            changed: false,
        }
    }

    /// What is kept for the next launch.
    pub(crate) fn to_file(&self) -> String {
        let breakpoints = self.breakpoints.iter().map(|breakpoint| breakpoint.state.spec.clone()).collect();
        let kept = Kept { mode: self.mode, pause_on_error: self.pause_on_error, breakpoints };
        serde_json::to_string_pretty(&kept).unwrap_or_default()
    }

    /// The matchers an app is to be armed with, each once.
    pub(super) fn armed(&self) -> Vec<Matcher> {
        let mut armed: Vec<Matcher> = Vec::new();
        let own = self.breakpoints.iter().filter(|b| b.is_armed()).map(|b| b.state.spec.matcher.clone());
        for matcher in own.chain(self.pause_on_error.then(Matcher::on_error)) {
            if !armed.contains(&matcher) {
                armed.push(matcher);
            }
        }
        armed
    }

    pub(super) fn mode(&self) -> Mode {
        self.mode
    }

    /// What viewers are shown.
    pub(super) fn state(&self) -> DebugState {
        let breakpoints = self.breakpoints.iter().map(|breakpoint| breakpoint.state.clone()).collect();
        DebugState { mode: self.mode, pause_on_error: self.pause_on_error, breakpoints }
    }

    /// Whether counters changed since viewers were last shown the state.
    pub(super) fn has_changed(&self) -> bool {
        self.changed
    }

    pub(super) fn shown(&mut self) {
        self.changed = false;
    }

    pub(super) fn set_mode(&mut self, mode: Mode) -> Result<(), String> {
        self.mode = mode;
        Ok(())
    }

    pub(super) fn set_pause_on_error(&mut self, on: bool) -> Result<(), String> {
        self.pause_on_error = on;
        Ok(())
    }

    /// Adds a breakpoint, or replaces the one with the very same matcher.
    pub(super) fn set(&mut self, spec: BreakpointSpec) -> Result<(), String> {
        let matcher = &spec.matcher;
        let texts = [&matcher.kind, &matcher.name, &spec.condition, &spec.hit, &spec.log];
        if let Some(long) = texts.into_iter().flatten().find(|text| text.len() > EXPRESSION_BYTES_MAX) {
            let size = long.len();
            return Err(format!("a text of {size} bytes is too long, at most {EXPRESSION_BYTES_MAX}"));
        }
        let at = self.breakpoints.iter().position(|b| b.state.spec.matcher == spec.matcher);
        if at.is_none() && self.breakpoints.len() >= BREAKPOINTS_MAX {
            return Err(format!("there are {BREAKPOINTS_MAX} breakpoints, no more are taken"));
        }
        let (names, own) = (self.names_bytes(), matcher.name.as_ref().map_or(0, String::len));
        if at.is_none() && names + own > APP_FRAME_BYTES_MAX / 2 {
            return Err("the breakpoints no longer fit into the one message that arms an app".to_owned());
        }
        match at {
            Some(at) => self.breakpoints[at] = Breakpoint::new(spec),
            None => self.breakpoints.push(Breakpoint::new(spec)),
        }
        Ok(())
    }

    fn names_bytes(&self) -> usize {
        let spec = |b: &Breakpoint| {
            let matcher = &b.state.spec.matcher;
            64 + matcher.name.as_ref().map_or(0, String::len) + matcher.kind.as_ref().map_or(0, String::len)
        };
        self.breakpoints.iter().map(spec).sum()
    }

    /// Removes the breakpoint with the very same matcher.
    pub(super) fn clear(&mut self, matcher: &Matcher) -> Result<(), String> {
        let before = self.breakpoints.len();
        self.breakpoints.retain(|breakpoint| breakpoint.state.spec.matcher != *matcher);
        if self.breakpoints.len() < before {
            return Ok(());
        }
        if *matcher == Matcher::on_error() && self.pause_on_error {
            return self.set_pause_on_error(false);
        }
        Err("no breakpoint has exactly this matcher".to_owned())
    }

    fn matching(&mut self, kind: &str, name: &str, point: Point) -> impl Iterator<Item = &mut Breakpoint> {
        self.breakpoints
            .iter_mut()
            .filter(move |b| b.is_armed() && b.state.spec.matcher.matches(kind, name, point))
    }
}
