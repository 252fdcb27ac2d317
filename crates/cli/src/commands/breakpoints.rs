//! `holdpoint break`: breakpoints of the debugger, which survive it.

use super::Context;
use crate::{
    args::BreakCommand,
    fail::{Done, Fail},
    print,
    viewer::{Viewer, Welcome, breakpoint_words},
};
use serde_json::{Value, json};
use wire::viewer::{BreakpointSpec, BreakpointState, DebugState, ViewerFrame};

/// Sets, clears or lists, and prints how things stand.
pub(crate) async fn run(context: &Context, change: BreakCommand) -> Done {
    let (mut viewer, welcome) = Viewer::attach(&context.place).await?;
    match change {
        BreakCommand::List => return list(context, &welcome.debug),
        BreakCommand::Set { matcher, condition, hit, log, disabled } => {
            let spec = BreakpointSpec { matcher: matcher.into(), condition, hit, log, enabled: !disabled };
            let req = viewer.req();
            viewer.control(&ViewerFrame::BreakpointSet { req, spec }, req).await?;
        }
        BreakCommand::Clear { matcher, all } => clear(&mut viewer, &welcome, matcher.into(), all).await?,
    }
    // What the server made of it, bad expressions included.
    let (_, now) = Viewer::attach(&context.place).await?;
    list(context, &now.debug)
}

async fn clear(viewer: &mut Viewer, welcome: &Welcome, matcher: wire::Matcher, all: bool) -> Done {
    let known = &welcome.debug.breakpoints;
    let matchers: Vec<wire::Matcher> = match all {
        true => known.iter().map(|state| state.spec.matcher.clone()).collect(),
        false if known.iter().any(|state| state.spec.matcher == matcher) => vec![matcher],
        false => {
            let names: Vec<String> = known.iter().map(breakpoint_words).collect();
            return Err(Fail::new(format!(
                "there is no breakpoint with exactly this kind, name and point; there are: {}",
                if names.is_empty() { "none".to_owned() } else { names.join(", ") }
            )));
        }
    };
    for matcher in matchers {
        let req = viewer.req();
        viewer.control(&ViewerFrame::BreakpointClear { req, matcher }, req).await?;
    }
    Ok(())
}

fn list(context: &Context, debug: &DebugState) -> Done {
    if context.json {
        let breakpoints: Vec<Value> = debug.breakpoints.iter().map(one).collect();
        return print::json(&json!({
            "mode": debug.mode,
            "pauseOnError": debug.pause_on_error,
            "breakpoints": breakpoints,
        }));
    }
    let on = if debug.pause_on_error { "on" } else { "off" };
    print::line(&format!("mode {}, pause on error {on}", debug.mode))?;
    if debug.breakpoints.is_empty() {
        return Ok(());
    }
    let rows: Vec<Vec<String>> = debug.breakpoints.iter().map(row).collect();
    print::table(&["KIND", "NAME", "POINT", "WHEN", "SEEN", "MATCHED", "HELD", "STATE"], &rows)
}

fn one(state: &BreakpointState) -> Value {
    let spec = &state.spec;
    json!({
        "kind": spec.matcher.kind,
        "name": spec.matcher.name,
        "point": spec.matcher.point,
        "condition": spec.condition,
        "hit": spec.hit,
        "log": spec.log,
        "enabled": spec.enabled,
        "bound": state.bound,
        "seen": state.seen,
        "matched": state.matched,
        "held": state.held,
        "error": state.error,
    })
}

fn row(state: &BreakpointState) -> Vec<String> {
    let spec = &state.spec;
    let any = |value: &Option<String>| value.clone().unwrap_or_else(|| "any".to_owned());
    let when: Vec<String> = [
        spec.condition.clone(),
        spec.hit.as_ref().map(|hit| format!("hit {hit}")),
        spec.log.as_ref().map(|log| format!("log {log:?}")),
    ]
    .into_iter()
    .flatten()
    .collect();
    let standing = match (&state.error, spec.enabled, state.bound) {
        (Some(error), ..) => error.as_str(),
        (None, false, _) => "disabled",
        (None, true, true) => "bound",
        (None, true, false) => "not bound",
    };
    vec![
        any(&spec.matcher.kind),
        any(&spec.matcher.name),
        spec.matcher.effective_point().to_string(),
        print::or_dash(Some(&when.join(", "))),
        state.seen.to_string(),
        state.matched.to_string(),
        state.held.to_string(),
        standing.to_owned(),
    ]
}
