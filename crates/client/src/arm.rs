//! What a debugger has armed, read on every gate.
//!
//! Invariant: a gate that cannot hold costs one relaxed load. The flags are a summary of the state behind the lock and
//! are written while it is held, so they never promise less than the state. Knows nothing of sockets or holds.

use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{PoisonError, RwLock};
use wire::{Kind, Matcher, Mode, Point};

const ATTACHED: u8 = 1;

const fn bit(point: Point) -> u8 {
    match point {
        Point::Before => 2,
        Point::After => 4,
        Point::Error => 8,
    }
}

/// Why a gate holds (contract: `exec.paused.reason`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Why {
    Breakpoint,
    Error,
    Step,
    Loop,
    /// The program itself asks.
    Interrupt,
}

#[derive(Default)]
struct State {
    matchers: Vec<Matcher>,
    step: bool,
}

/// Matchers and mode of the debugger that is attached, if one is.
#[derive(Default)]
pub(crate) struct Armed {
    flags: AtomicU8,
    state: RwLock<State>,
}

impl Armed {
    /// Adopts the full state that `hello.ack` carries.
    pub(crate) fn attach(&self, matchers: Vec<Matcher>, mode: Mode) {
        self.change(ATTACHED, |state| *state = State { matchers, step: mode == Mode::Step });
    }

    /// No debugger: every gate passes.
    pub(crate) fn detach(&self) {
        self.change(0, |state| *state = State::default());
    }

    pub(crate) fn set(&self, matcher: Matcher) {
        self.change(ATTACHED, |state| {
            if !state.matchers.contains(&matcher) {
                state.matchers.push(matcher);
            }
        });
    }

    pub(crate) fn clear(&self, matcher: &Matcher) {
        self.change(ATTACHED, |state| state.matchers.retain(|known| known != matcher));
    }

    pub(crate) fn mode(&self, mode: Mode) {
        self.change(ATTACHED, |state| state.step = mode == Mode::Step);
    }

    #[inline]
    pub(crate) fn is_attached(&self) -> bool {
        self.flags.load(Ordering::Relaxed) & ATTACHED != 0
    }

    /// Whether a gate must hold, and why.
    #[inline]
    pub(crate) fn check(&self, point: Point, kind: &Kind<'_>, name: &str) -> Option<Why> {
        if self.flags.load(Ordering::Relaxed) & bit(point) == 0 {
            return None;
        }
        self.look(point, kind, name)
    }

    fn look(&self, point: Point, kind: &Kind<'_>, name: &str) -> Option<Why> {
        let state = self.state.read().unwrap_or_else(PoisonError::into_inner);
        if state.matchers.iter().any(|matcher| matcher.matches(kind.as_str(), name, point)) {
            return Some(if point == Point::Error { Why::Error } else { Why::Breakpoint });
        }
        (state.step && point != Point::After).then_some(Why::Step)
    }

    fn change(&self, attached: u8, apply: impl FnOnce(&mut State)) {
        let mut state = self.state.write().unwrap_or_else(PoisonError::into_inner);
        apply(&mut state);
        let points = [Point::Before, Point::After, Point::Error];
        let wants = |point: &Point| {
            state.step && *point != Point::After
                || state.matchers.iter().any(|matcher| matcher.effective_point() == *point)
        };
        let flags = points.into_iter().filter(wants).fold(attached, |flags, point| flags | bit(point));
        self.flags.store(flags, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matcher(kind: Option<&str>, name: Option<&str>, point: Option<Point>) -> Matcher {
        Matcher { kind: kind.map(Into::into), name: name.map(Into::into), point }
    }

    #[test]
    fn a_gate_holds_for_a_matcher_or_in_step_mode_and_never_detached() {
        let armed = Armed::default();
        let check = |point, expect| assert_eq!(armed.check(point, &Kind::Tool, "fetch"), expect);
        check(Point::Before, None);
        armed.attach(vec![matcher(None, None, Some(Point::Error))], Mode::Run);
        check(Point::Before, None);
        check(Point::Error, Some(Why::Error));
        armed.set(matcher(Some("tool"), Some("fetch"), None));
        check(Point::Before, Some(Why::Breakpoint));
        armed.set(matcher(Some("llm"), None, Some(Point::After)));
        check(Point::After, None);
        armed.clear(&matcher(Some("tool"), Some("fetch"), Some(Point::Before)));
        check(Point::Before, Some(Why::Breakpoint));
        armed.clear(&matcher(Some("tool"), Some("fetch"), None));
        check(Point::Before, None);
        armed.mode(Mode::Step);
        check(Point::Before, Some(Why::Step));
        check(Point::After, None);
        armed.detach();
        check(Point::Before, None);
        check(Point::Error, None);
        assert!(!armed.is_attached());
    }
}
