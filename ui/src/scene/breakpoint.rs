//! Which breakpoint marks a node, and how it is drawn.
//!
//! Invariant: the mark is of the breakpoint that says most about the node: one with its name before one with its kind.
//! A breakpoint without either (every error, every step) marks no card, for it would mark them all.

use wire::viewer::BreakpointState;

use crate::glyph::BreakpointMark;

/// The breakpoint that marks a node of this kind and name.
pub fn breakpoint_of<'a>(all: &'a [BreakpointState], kind: &str, name: &str) -> Option<&'a BreakpointState> {
    let meant = |state: &&BreakpointState| {
        let matcher = &state.spec.matcher;
        (matcher.kind.is_some() || matcher.name.is_some())
            && matcher.matches(kind, name, matcher.effective_point())
    };
    all.iter().filter(meant).max_by_key(|state| state.spec.matcher.name.is_some())
}

/// How a breakpoint is drawn.
pub fn breakpoint_mark(state: &BreakpointState) -> BreakpointMark {
    let spec = &state.spec;
    match () {
        () if state.error.is_some() => BreakpointMark::Error,
        () if !spec.enabled => BreakpointMark::NotBound,
        () if spec.log.is_some() => BreakpointMark::LogPoint,
        () if spec.condition.is_some() => BreakpointMark::Condition,
        () if spec.hit.is_some() => BreakpointMark::HitCount,
        () if !state.bound => BreakpointMark::NotBound,
        () => BreakpointMark::Bound,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wire::Matcher;
    use wire::viewer::BreakpointSpec;

    fn state(kind: Option<&str>, name: Option<&str>) -> BreakpointState {
        let matcher = Matcher { kind: kind.map(Into::into), name: name.map(Into::into), point: None };
        BreakpointState {
            spec: BreakpointSpec { matcher, enabled: true, ..Default::default() },
            bound: true,
            ..Default::default()
        }
    }

    #[test]
    fn a_name_marks_before_a_kind_and_every_error_marks_nothing() {
        let all = [state(None, None), state(Some("tool"), None), state(None, Some("parse"))];
        let found = |kind, name| breakpoint_of(&all, kind, name).map(|found| found.spec.matcher.clone());
        assert_eq!(found("tool", "parse"), Some(all[2].spec.matcher.clone()));
        assert_eq!(found("tool", "other"), Some(all[1].spec.matcher.clone()));
        assert_eq!(found("llm", "other"), None);
    }
}
