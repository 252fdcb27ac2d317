//! `holdpoint holds`: everything that waits for an answer.

use super::Context;
use crate::{fail::Done, print, viewer::Viewer};
use serde_json::{Value, json};
use wire::viewer::HoldSummary;

/// Prints it, oldest first.
pub(crate) async fn run(context: &Context) -> Done {
    let (_, welcome) = Viewer::attach(&context.place).await?;
    let mut holds: Vec<HoldSummary> = welcome.runs.into_iter().flat_map(|run| run.holds).collect();
    holds.sort_by(|a, b| a.since_ms.total_cmp(&b.since_ms));
    if context.json {
        return print::json(&json!({"holds": holds.iter().map(one).collect::<Vec<_>>()}));
    }
    if holds.is_empty() {
        return print::line("Nothing is held.");
    }
    let rows: Vec<Vec<String>> = holds.iter().map(row).collect();
    print::table(&["PAUSE", "NODE", "POINT", "REASON", "RUN", "EDITABLE"], &rows)
}

fn one(hold: &HoldSummary) -> Value {
    json!({
        "pauseId": hold.pause_id,
        "runId": hold.run,
        "nodeId": hold.node_id,
        "name": hold.name,
        "instanceId": hold.instance_id,
        "point": hold.point,
        "reason": hold.reason,
        "sinceMs": hold.since_ms,
        "editable": hold.editable,
    })
}

fn row(hold: &HoldSummary) -> Vec<String> {
    vec![
        hold.pause_id.clone(),
        hold.node_id.clone(),
        hold.point.to_string(),
        print::or_dash(hold.reason.as_deref()),
        hold.run.clone(),
        if hold.editable { "yes" } else { "no" }.to_owned(),
    ]
}
