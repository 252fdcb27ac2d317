//! `holdpoint runs`: the list of runs, from the server or from the journals on disk.

use super::Context;
use crate::{
    disk,
    fail::Done,
    print,
    viewer::{Missing, Viewer},
};
use serde_json::{Value, json};
use wire::viewer::RunSummary;

/// Prints it, newest first.
pub(crate) async fn run(context: &Context) -> Done {
    let mut runs = list(context).await?;
    runs.sort_by(|a, b| b.started_ms.total_cmp(&a.started_ms));
    if context.json {
        return print::json(&json!({"runs": runs.iter().map(one).collect::<Vec<_>>()}));
    }
    if runs.is_empty() {
        return print::line("No runs yet: start `holdpoint demo`, or connect an agent.");
    }
    let rows: Vec<Vec<String>> = runs.iter().map(row).collect();
    print::table(&["RUN", "APP", "STATUS", "SOURCE", "EVENTS", "HELD", "TOOK"], &rows)
}

/// All runs the server knows; without a server, those on the disk.
pub(crate) async fn list(context: &Context) -> Done<Vec<RunSummary>> {
    match Viewer::attach(&context.place).await {
        Ok((_, welcome)) => Ok(welcome.runs),
        Err(Missing::Nobody(_)) if !context.place.named => {
            let store = disk::read_journals(&context.place.data_dir);
            Ok(store.runs().map(graph::project::summary).collect())
        }
        Err(missing) => Err(missing.into()),
    }
}

fn one(run: &RunSummary) -> Value {
    json!({
        "runId": run.run,
        "senderRunId": run.run_id,
        "app": run.app,
        "status": run.status,
        "source": run.source,
        "events": run.events,
        "sdk": run.sdk,
        "live": run.live,
        "startedMs": run.started_ms,
        "endedMs": run.ended_ms,
        "holds": run.holds.len(),
        "sizeBytes": run.size_bytes,
    })
}

fn row(run: &RunSummary) -> Vec<String> {
    let took = run.ended_ms.map_or_else(|| "-".to_owned(), |end| print::span(end - run.started_ms));
    let held = if run.holds.is_empty() { "-".to_owned() } else { run.holds.len().to_string() };
    vec![
        run.run.clone(),
        print::or_dash(Some(&run.app)),
        run.status.clone(),
        run.source.clone(),
        run.events.to_string(),
        held,
        took,
    ]
}
