//! ATIF trajectories (Agent Trajectory Interchange Format, `ATIF-v1.x`).
//!
//! A step of the agent is a call of its model, its tool calls hang under it, results are joined by the call's id.
//! Sub-agents stand inside the file or in files of their own; either way they hang under the call whose result
//! names them, to any depth. Time stamps are optional: without any the axis counts steps.

mod step;

use std::collections::BTreeMap;

use wire::Raw;

use crate::adapter::{Adapter, Item, Out};
use crate::attributes::count;
use crate::detect::Format;
use crate::read::{either, list, text};
use crate::report::Report;
use crate::span::{Span, SpanUsage, Spans};
use step::{Reference, Steps};

pub(crate) const FORMATS: &[Format] = &[Format {
    name: "ATIF trajectory",
    recognises: |look| {
        look.text("schema_version").is_some_and(|version| version.starts_with("ATIF"))
            && (look.has(&["steps"]) || look.has(&["agent"]))
    },
    adapter: || Box::new(Atif::default()),
}];

/// One trajectory, of the main agent or of a sub-agent.
struct Trajectory {
    /// Id of its root span, and of its run if nothing spawned it.
    id: String,
    /// What references may call it: its id, its session, its file.
    names: Vec<String>,
    app: (String, String),
    steps: Steps,
    /// The trajectory that embeds it.
    inside: Option<usize>,
    usage: Option<SpanUsage>,
}

#[derive(Default)]
struct Atif {
    all: Vec<Trajectory>,
}

/// Where a trajectory hangs: the other one, and the span of it.
type Parents = Vec<Option<(usize, String)>>;

impl Adapter for Atif {
    fn take(&mut self, item: Item<'_>, out: &mut Out<'_>) -> Result<(), String> {
        // Sub-agents may nest to any depth: each goes on a list, none calls another.
        let mut open = vec![(item.raw, None)];
        while let Some((raw, inside)) = open.pop() {
            let at = self.all.len();
            match Trajectory::read(raw, item.file, inside, &mut out.report) {
                Ok(trajectory) => {
                    self.all.push(trajectory);
                    let subs = list(raw, &["subagent_trajectories"]).into_iter().flat_map(Raw::items);
                    open.extend(subs.map(|sub| (sub, Some(at))));
                }
                Err(reason) => out.report.skip(item.line, reason),
            }
        }
        Ok(())
    }

    fn finish(&mut self, out: &mut Out<'_>) {
        let parents = self.join(&mut out.report);
        let runs: Vec<String> =
            (0..self.all.len()).map(|at| self.all[root_of(at, &parents)].id.clone()).collect();
        let mut spans = Spans::default();
        for (at, trajectory) in std::mem::take(&mut self.all).into_iter().enumerate() {
            let run = spans.run(&runs[at]);
            let parent = parents[at].as_ref().map(|(_, call)| call.clone());
            if parent.is_none() {
                run.facts.app = Some(trajectory.app.0.clone());
                run.facts.sdk = Some(trajectory.app.clone());
                run.facts.ordinal = !trajectory.steps.clocked;
            }
            run.spans.extend(trajectory.spans(parent));
        }
        spans.finish("ATIF", out);
    }
}

impl Atif {
    /// Hangs every sub-agent where a result names it, else under the trajectory that embeds it.
    fn join(&self, report: &mut Report) -> Parents {
        let mut by_name: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (at, trajectory) in self.all.iter().enumerate() {
            trajectory.names.iter().for_each(|name| by_name.entry(name).or_default().push(at));
        }
        let mut parents: Parents = vec![None; self.all.len()];
        for (at, trajectory) in self.all.iter().enumerate() {
            for Reference { call, names } in &trajectory.steps.references {
                let named = names.iter().filter_map(|name| by_name.get(name.as_str())).flatten();
                let free =
                    named.copied().find(|sub| parents[*sub].is_none() && root_of(at, &parents) != *sub);
                match free {
                    Some(sub) => parents[sub] = Some((at, call.clone())),
                    None if names.iter().any(|name| by_name.contains_key(name.as_str())) => {}
                    None => report.note(format!(
                        "sub-agent {} is not in the file: open its file too",
                        names.join(", ")
                    )),
                }
            }
        }
        for (at, trajectory) in self.all.iter().enumerate() {
            if let (None, Some(inside)) = (&parents[at], trajectory.inside) {
                report.note(format!("sub-agent {}: no result names it", trajectory.id));
                if root_of(inside, &parents) != at {
                    parents[at] = Some((inside, self.all[inside].id.clone()));
                }
            }
        }
        parents
    }
}

fn root_of(at: usize, parents: &Parents) -> usize {
    let mut root = at;
    while let Some((parent, _)) = &parents[root] {
        root = *parent;
    }
    root
}

impl Trajectory {
    fn read(raw: Raw<'_>, file: &str, inside: Option<usize>, report: &mut Report) -> Result<Self, String> {
        let list = list(raw, &["steps"]).ok_or("a trajectory without steps")?;
        let own = text(raw, &["trajectory_id"]);
        let session = text(raw, &["session_id"]);
        let id = own.clone().or_else(|| session.clone()).unwrap_or_else(|| "trajectory".to_owned());
        let agent = either(raw, &["agent"]);
        let of_agent = |name: &str| agent.and_then(|agent| text(agent, &[name]));
        let mut steps = Steps::new(&id, of_agent("model_name"));
        for step in list.items() {
            steps.step(step);
            report.used();
        }
        let stray = std::mem::take(&mut steps.strays);
        report.note_times("a result names a call that its step does not make", stray);
        report
            .note_times("a step repeats an earlier one as context: its tokens were not added", steps.copied);
        let usage = totals(raw, &steps, report);
        let mut names: Vec<String> = own.into_iter().chain(session).collect();
        names.extend(inside.is_none().then(|| base(file).to_owned()));
        let app = of_agent("name").unwrap_or_else(|| "agent".to_owned());
        Ok(Self { id, names, app: (app, of_agent("version").unwrap_or_default()), steps, inside, usage })
    }

    fn spans(self, parent: Option<String>) -> Vec<Span> {
        let Self { id, app, steps, usage, .. } = self;
        let (start_ms, end_ms) = steps.life();
        let mut spans = steps.spans;
        spans.push(Span {
            id,
            parent,
            kind: "agent".to_owned(),
            name: app.0,
            start_ms,
            end_ms,
            usage,
            ..Span::default()
        });
        spans
    }
}

/// The last part of a path, which is all that a file dropped on a window has.
fn base(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// The figures of the whole: they are checked against the steps, and count only where no step has any.
fn totals(raw: Raw<'_>, steps: &Steps, report: &mut Report) -> Option<SpanUsage> {
    let whole = either(raw, &["final_metrics"])?;
    let at = |name: &str| either(whole, &[name]).and_then(count);
    let usage = SpanUsage {
        input: at("total_prompt_tokens"),
        output: at("total_completion_tokens"),
        cache_read: at("total_cached_tokens"),
        cost: either(whole, &["total_cost_usd"]).and_then(Raw::as_f64).map(|cost| (cost, "USD".to_owned())),
        inclusive: Some(true),
        own: true,
        source: Some("final_metrics".to_owned()),
        ..SpanUsage::default()
    };
    let (input, output) = steps.tokens();
    if (input, output) == (0, 0) {
        return (!usage.is_empty()).then_some(usage);
    }
    let (said_in, said_out) = (usage.input.unwrap_or(input), usage.output.unwrap_or(output));
    if (said_in, said_out) != (input, output) {
        report.note(format!(
            "final_metrics says {said_in} prompt and {said_out} completion tokens; the steps have {input} and {output}"
        ));
    }
    None
}
