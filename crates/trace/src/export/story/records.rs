//! KXM records: an assignment is an execution of its agent, an effect a call of a tool, a step a chain around them.

use std::borrow::Cow;

use wire::tokens::Reported;
use wire::{Kind, Raw};

use super::{At, End, Error, Outcome, Start, Told, Usage};

/// What a `kxm.event` says; nothing where it marks neither a start nor an end.
pub(super) fn told(payload: Raw<'_>) -> Option<Vec<Told<'_>>> {
    let text = |name: &str| payload.member(name).and_then(Raw::as_str);
    let status = text("status");
    let begins = |id: &str, kind, name: Option<Cow<'static, str>>, parent: Option<String>| {
        let own = text(id)?.into_owned();
        let name = name.unwrap_or_else(|| Cow::Owned(own.clone()));
        let node = format!("{}:{name}", id.trim_end_matches("Id"));
        Some(vec![Told::Started(Box::new(Start {
            at: At { node: Cow::Owned(node), instance: Some(Cow::Owned(own)) },
            parent: parent.map(Cow::Owned),
            parent_instance: None,
            kind,
            name,
            input: None,
            model: text("model"),
            provider: text("modelProvider"),
            more: 0,
        }))])
    };
    let step = || text("stepId").map(|step| format!("step:{step}"));
    let agent = || text("agentId").map(|agent| Cow::Owned(agent.into_owned()));
    match &*text("eventType")? {
        "run.created" => {
            let app = text("displayTitle").or_else(|| text("workflowId")).unwrap_or("KXM run".into());
            Some(vec![Told::RunStarted { app, sdk: None }])
        }
        "run.status_changed" => {
            let outcome = outcome(status.as_deref()?)?;
            Some(vec![Told::RunEnded { outcome, error: error(payload) }])
        }
        "step.entered" => begins("stepId", Kind::Chain, None, None),
        "step.status_changed" => ends(payload, "stepId", outcome(status.as_deref()?)?),
        "step.transitioned" => {
            let to = text("toStepId").unwrap_or("end".into());
            Some(vec![Told::Routed { from: text("fromStepId")?, to }])
        }
        "assignment.created" => begins("assignmentId", Kind::Agent, agent(), step()),
        "assignment.terminal" => {
            let outcome = status.as_deref().and_then(outcome).unwrap_or(Outcome::Ok);
            ends(payload, "assignmentId", outcome)
        }
        "effect.intent_recorded" => begins("effectId", Kind::Tool, None, step()),
        "effect.settled" => ends(payload, "effectId", Outcome::Ok),
        _ => None,
    }
}

fn ends<'a>(payload: Raw<'a>, id: &str, outcome: Outcome) -> Option<Vec<Told<'a>>> {
    let own = payload.member(id)?.as_str()?;
    Some(vec![Told::Ended(Box::new(End {
        // The instance alone names it: an end need not repeat whose it is.
        at: At { node: Cow::Borrowed(""), instance: Some(own) },
        output: None,
        usage: usage(payload),
        outcome,
        error: error(payload),
        first_token_ms: None,
        more: 0,
    }))])
}

fn outcome(status: &str) -> Option<Outcome> {
    Some(match status {
        "completed" | "passed" | "settled" | "delivered" | "skipped" => Outcome::Ok,
        "failed" | "rejected" | "expired" => Outcome::Error,
        "cancelled" | "declined" => Outcome::Aborted,
        _ => return None,
    })
}

fn error(payload: Raw<'_>) -> Option<Error<'_>> {
    let text = |name: &str| payload.member(name).and_then(Raw::as_str);
    Some(Error {
        name: text("errorClass")?,
        message: text("errorComponent").unwrap_or_default(),
        stack: None,
    })
}

fn usage(payload: Raw<'_>) -> Option<Usage> {
    Some(Usage {
        tokens: wire::tokens::Usage::reckon(&Reported::of_json(payload)?),
        cost: payload.member("cost").and_then(Raw::as_f64),
        currency: payload.member("currency").and_then(Raw::as_str).map(Cow::into_owned),
    })
}
