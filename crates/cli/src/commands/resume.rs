//! `holdpoint resume`: answers a hold and says what became of it: asked, delivered, done.
//!
//! Invariant: "done" is only ever what the program itself said.

use super::Context;
use crate::{
    args::ResumeArgs,
    fail::{Context as _, Done, Fail},
    print,
    viewer::Viewer,
};
use serde_json::{json, value::RawValue};
use std::time::{Duration, Instant};
use wire::viewer::{ControlStage, HoldSummary, RunSummary, ServerFrame, ViewerFrame};
use wire::{Action, Decoded, Message};

/// What is known about the answer.
enum News {
    Delivered,
    /// The program did this.
    Done(Action),
    Refused(String),
    None,
}

/// Asks, and waits for the program.
pub(crate) async fn run(context: &Context, args: ResumeArgs) -> Done {
    let output = args.output.as_deref().map(|text| value("--output", text)).transpose()?;
    let input = args.input.as_deref().map(|text| value("--input", text)).transpose()?;
    let (mut viewer, welcome) = Viewer::attach(&context.place).await?;
    let hold = find(&welcome.runs, &args)?;
    viewer.send(&ViewerFrame::Watch { run: hold.run.clone() }).await?;
    let req = viewer.req();
    let ask = ViewerFrame::Resume {
        req,
        run: hold.run.clone(),
        pause_id: hold.pause_id.clone(),
        node_id: args.node.clone(),
        action: args.action,
        output,
        input,
    };
    viewer.send(&ask).await?;
    let wait = Duration::try_from_secs_f64(args.wait).unwrap_or(Duration::ZERO);
    match follow(&mut viewer, req, &hold, wait).await? {
        News::Done(done) => report(context, &hold, args.action, "done", Some(done)),
        News::Refused(reason) => Err(Fail::new(format!("{} was refused: {reason}", args.action))),
        News::Delivered => {
            report(context, &hold, args.action, "delivered", None)?;
            Err(Fail::not_yet(format!(
                "delivered, but the program has not said what it did within {} s",
                args.wait
            )))
        }
        News::None => Err(Fail::not_yet("the server has not passed the answer on")),
    }
}

/// JSON from the command line or from a file.
fn value(flag: &str, text: &str) -> Done<Box<RawValue>> {
    let text = match text.strip_prefix('@') {
        Some(path) => std::fs::read_to_string(path).context(format!("{flag}: cannot read {path}"))?,
        None => text.to_owned(),
    };
    serde_json::from_str(&text).map_err(|error| {
        let shown: String = text.chars().take(60).collect();
        Fail::new(format!("{flag} is no JSON ({error}): {shown}; a text needs its quotes, as in '\"text\"'"))
    })
}

fn find(runs: &[RunSummary], args: &ResumeArgs) -> Done<HoldSummary> {
    let open: Vec<&HoldSummary> = runs.iter().flat_map(|run| &run.holds).collect();
    let fits = |hold: &&&HoldSummary| {
        hold.pause_id == args.pause
            && args.run.as_ref().is_none_or(|run| *run == hold.run)
            && args.node.as_ref().is_none_or(|node| *node == hold.node_id)
    };
    let found: Vec<&&HoldSummary> = open.iter().filter(fits).collect();
    match found.as_slice() {
        [one] => Ok((**one).clone()),
        [] if open.is_empty() => Err(Fail::new(format!("{} is not held: nothing is", args.pause))),
        [] => {
            let names: Vec<&str> = open.iter().map(|hold| hold.pause_id.as_str()).collect();
            Err(Fail::new(format!("{} is not held; held are: {}", args.pause, names.join(", "))))
        }
        [first, ..] if found.iter().all(|hold| hold.run == first.run) && args.node.is_none() => {
            let nodes: Vec<&str> = found.iter().map(|hold| hold.node_id.as_str()).collect();
            Err(Fail::new(format!(
                "{} is held by several nodes, give --node: {}",
                args.pause,
                nodes.join(", ")
            )))
        }
        _ => {
            let runs: Vec<&str> = found.iter().map(|hold| hold.run.as_str()).collect();
            Err(Fail::new(format!("{} is held by several runs, give --run: {}", args.pause, runs.join(", "))))
        }
    }
}

/// Reads until the program has spoken about this hold, or the time is up.
async fn follow(viewer: &mut Viewer, req: u64, hold: &HoldSummary, wait: Duration) -> Done<News> {
    let end = Instant::now() + wait.max(Duration::from_secs(1));
    let mut delivered = false;
    let mut done = None;
    loop {
        if delivered && let Some(action) = done {
            return Ok(News::Done(action));
        }
        let left = end.saturating_duration_since(Instant::now());
        let Some(frame) = viewer.next_within(left).await? else {
            return Ok(if delivered { News::Delivered } else { News::None });
        };
        match frame {
            ServerFrame::Control { req: answered, stage, reason } if answered == req => {
                if stage == ControlStage::Refused {
                    return Ok(News::Refused(reason.unwrap_or_else(|| "without a reason".to_owned())));
                }
                delivered = true;
            }
            ServerFrame::Failed { req: answered, reason } if answered == req => {
                return Ok(News::Refused(reason));
            }
            ServerFrame::Events { run, events } if run == hold.run => {
                match events
                    .iter()
                    .map(|event| heard(event, &hold.pause_id))
                    .find(|news| !matches!(news, News::None))
                {
                    Some(News::Done(action)) => done = Some(action),
                    Some(refused) => return Ok(refused),
                    None => {}
                }
            }
            _ => {}
        }
    }
}

/// What one event says about the hold.
fn heard(event: &RawValue, pause: &str) -> News {
    let Decoded::Ok(envelope) = wire::decode(event.get()) else { return News::None };
    match envelope.message {
        Message::ExecResumed(resumed) if resumed.pause_id == pause => News::Done(resumed.action),
        Message::ExecRefused(refused) if refused.pause_id == pause => {
            let words = refused.message.map_or_else(String::new, |message| format!(": {message}"));
            News::Refused(format!("{}{words}; it is still held", refused.code))
        }
        _ => News::None,
    }
}

fn report(context: &Context, hold: &HoldSummary, asked: Action, stage: &str, done: Option<Action>) -> Done {
    if context.json {
        return print::json(&json!({
            "pauseId": hold.pause_id,
            "runId": hold.run,
            "nodeId": hold.node_id,
            "asked": asked,
            "stage": stage,
            "done": done,
        }));
    }
    match done {
        Some(done) if done == asked => print::line(&format!("{}: {done}", hold.node_id)),
        Some(done) => print::line(&format!("{}: asked {asked}, the program did {done}", hold.node_id)),
        None => print::line(&format!("{}: {asked} is delivered", hold.node_id)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn args(pause: &str, run: Option<&str>, node: Option<&str>) -> ResumeArgs {
        ResumeArgs {
            pause: pause.to_owned(),
            action: Action::Continue,
            output: None,
            input: None,
            run: run.map(str::to_owned),
            node: node.map(str::to_owned),
            wait: 5.0,
        }
    }

    fn runs(holds: &[(&str, &str, &str)]) -> Vec<RunSummary> {
        let hold = |(pause, run, node): &(&str, &str, &str)| HoldSummary {
            pause_id: (*pause).to_owned(),
            run: (*run).to_owned(),
            node_id: (*node).to_owned(),
            ..HoldSummary::default()
        };
        vec![RunSummary { holds: holds.iter().map(hold).collect(), ..RunSummary::default() }]
    }

    #[test]
    fn a_hold_is_found_or_the_person_is_told_what_to_add() {
        let check = |holds: &[(&str, &str, &str)], args: ResumeArgs, expect: Result<&str, &str>| match (
            find(&runs(holds), &args),
            expect,
        ) {
            (Ok(hold), Ok(node)) => assert_eq!(hold.node_id, node),
            (Err(fail), Err(words)) => assert!(fail.message.contains(words), "{}", fail.message),
            (seen, expect) => panic!("seen {seen:?}, expected {expect:?}"),
        };
        check(&[], args("p", None, None), Err("nothing is"));
        check(&[("q", "r1", "a")], args("p", None, None), Err("held are: q"));
        check(&[("p", "r1", "a"), ("q", "r1", "b")], args("q", None, None), Ok("b"));
        check(&[("p", "r1", "a"), ("p", "r2", "b")], args("p", None, None), Err("give --run"));
        check(&[("p", "r1", "a"), ("p", "r2", "b")], args("p", Some("r2"), None), Ok("b"));
        check(&[("p", "r1", "a"), ("p", "r1", "b")], args("p", None, None), Err("give --node"));
        check(&[("p", "r1", "a"), ("p", "r1", "b")], args("p", None, Some("b")), Ok("b"));
    }

    #[test]
    fn a_value_is_json_or_a_file_of_it() {
        assert_eq!(value("--output", "{\"a\": 1.0}").expect("JSON").get(), "{\"a\": 1.0}");
        assert!(value("--output", "hello").expect_err("no JSON").message.contains("needs its quotes"));
        assert!(value("--output", "@/no/such/file").expect_err("no file").message.contains("cannot read"));
    }
}
