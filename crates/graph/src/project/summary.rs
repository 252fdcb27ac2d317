//! A run in the list of runs.

use wire::viewer::{HoldSummary, RunSummary};

use crate::Run;
use crate::project::{HoldRow, holds};

/// A run in the list of runs. `size_bytes` is 0: the state does not know its recording.
pub fn summary(run: &Run) -> RunSummary {
    RunSummary {
        run: run.key().to_string(),
        run_id: run.run_id().to_string(),
        parent: parent(run),
        app: run.app().to_owned(),
        source: run.source().to_owned(),
        sdk: run.sdk().map(str::to_owned),
        status: run.status().as_str().to_owned(),
        events: run.event_count(),
        started_ms: run.start().map(|start| start.at.ts).or(run.first_ts()).unwrap_or_default(),
        ended_ms: run.end().map(|end| end.at.ts).or_else(|| run.last_ts().filter(|_| !run.is_live())),
        holds: holds(run).iter().map(|row| hold_summary(run, row)).collect(),
        live: run.is_live(),
        size_bytes: 0,
    }
}

/// The run above it, by its sender's id.
fn parent(run: &Run) -> Option<String> {
    let lineage = run.lineage();
    let named = [&lineage.parent, &lineage.root].into_iter().flatten().map(|(_, id)| &**id);
    named.into_iter().find(|id| *id != run.run_id().as_str()).map(str::to_owned)
}

fn hold_summary(run: &Run, row: &HoldRow<'_>) -> HoldSummary {
    HoldSummary {
        pause_id: row.pause_id.to_owned(),
        run: run.key().to_string(),
        node_id: row.node_id.to_owned(),
        name: row.name.to_owned(),
        instance_id: row.instance_id.map(str::to_owned),
        point: row.point,
        reason: row.reason.map(str::to_owned),
        since_ms: row.since_ms,
        editable: row.editable,
    }
}
