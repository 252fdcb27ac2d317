//! `holdpoint show`: a run as the reducer has it, from the server, a journal or a recording.

use super::Context;
use crate::{
    disk,
    fail::{Context as _, Done, Fail},
    print,
    viewer::{Missing, Viewer, Welcome},
};
use graph::{Run, project};
use serde_json::json;
use std::path::PathBuf;
use wire::viewer::{RunSummary, ServerFrame, ViewerFrame};

/// Prints it.
pub(crate) async fn run(context: &Context, wanted: Option<&str>) -> Done {
    let shown = match Viewer::attach(&context.place).await {
        Ok((viewer, welcome)) => from_server(viewer, welcome, wanted).await?,
        Err(Missing::Nobody(_)) if !context.place.named => from_disk(context, wanted)?,
        Err(missing) => return Err(missing.into()),
    };
    if context.json {
        let shown: Vec<project::Show> = shown.iter().map(project::show).collect();
        return print::json(&json!({"runs": shown}));
    }
    shown.iter().try_for_each(text)
}

async fn from_server(viewer: Viewer, welcome: Welcome, wanted: Option<&str>) -> Done<Vec<Run>> {
    match pick(&welcome.runs, wanted) {
        Ok(summary) => Ok(vec![snapshot(viewer, &summary.run).await?]),
        Err(fail) => file(wanted).map_or(Err(fail), |path| whole_file(&path)),
    }
}

fn from_disk(context: &Context, wanted: Option<&str>) -> Done<Vec<Run>> {
    if let Some(path) = file(wanted) {
        return whole_file(&path);
    }
    let recording = disk::read_journals(&context.place.data_dir);
    disk::pick(&recording.store, wanted).map(|run| vec![run.clone()])
}

/// The run a person means: by key, by the sender's id, or the newest.
pub(crate) fn pick<'a>(runs: &'a [RunSummary], wanted: Option<&str>) -> Done<&'a RunSummary> {
    let newest = || runs.iter().max_by(|a, b| a.started_ms.total_cmp(&b.started_ms));
    let found = match wanted {
        Some(key) => runs.iter().find(|run| run.run == key),
        None => newest(),
    };
    found.ok_or_else(|| disk::unknown(wanted, runs.iter().map(|run| run.run.as_str())))
}

/// A recording the person named by its path.
pub(crate) fn file(wanted: Option<&str>) -> Option<PathBuf> {
    wanted.map(PathBuf::from).filter(|path| path.is_file())
}

fn whole_file(path: &PathBuf) -> Done<Vec<Run>> {
    let recording = disk::read(std::slice::from_ref(path))?;
    if recording.skipped > 0 {
        eprintln!(
            "holdpoint: {} lines of {} are no events and were skipped",
            recording.skipped,
            path.display()
        );
    }
    let runs: Vec<Run> = recording.store.runs().cloned().collect();
    if runs.is_empty() {
        return Err(Fail::new(format!(
            "{} holds no run: expected one GraphMind event a line",
            path.display()
        )));
    }
    Ok(runs)
}

/// The server's own state of a run.
async fn snapshot(mut viewer: Viewer, key: &str) -> Done<Run> {
    viewer.send(&ViewerFrame::Watch { run: key.to_owned() }).await?;
    loop {
        match viewer.next().await? {
            ServerFrame::Snapshot { run, state } if run == key => {
                return serde_json::from_str(state.get()).context("the server's state of the run");
            }
            ServerFrame::Failed { reason, .. } => return Err(Fail::new(reason)),
            _ => {}
        }
    }
}

fn text(run: &Run) -> Done {
    let shown = project::show(run);
    let usage = &shown.usage;
    print::line(&format!("{}  {}  {}  {} events", shown.run_id, shown.app, shown.status, shown.events))?;
    if usage.total > 0 {
        print::line(&format!(
            "{} tokens ({} fresh, {} from cache)",
            usage.total, usage.fresh, usage.cache_read
        ))?;
    }
    let rows: Vec<Vec<String>> = shown
        .nodes
        .iter()
        .map(|node| {
            let depth = depth(&shown, node);
            let counts = node.instances;
            let times = if counts.total == 0 { "-".to_owned() } else { format!("x{}", counts.total) };
            let failed = if counts.error > 0 { counts.error.to_string() } else { "-".to_owned() };
            vec![
                format!("{}{}", "  ".repeat(depth), node.name),
                node.kind.clone(),
                node.status.to_owned(),
                times,
                failed,
            ]
        })
        .collect();
    print::table(&["NODE", "KIND", "STATUS", "RUN", "FAILED"], &rows)?;
    for hold in &shown.holds {
        let end = if hold.held { "held" } else { hold.action.unwrap_or("released") };
        print::line(&format!("hold {}  {} at {}: {end}", hold.pause_id, hold.node_id, hold.point))?;
    }
    shown.notes.iter().try_for_each(|note| print::line(&format!("note: {}", note.text)))
}

/// How deep a node is indented; bounded, as a parent's chain is as deep as a peer likes.
fn depth(shown: &project::Show, node: &project::ShowNode) -> usize {
    const DEPTH_MAX: usize = 12;
    let parent = |id: &str| shown.nodes.iter().find(|node| node.node_id == id)?.parent_id.as_deref();
    std::iter::successors(node.parent_id.as_deref(), |id| parent(id)).take(DEPTH_MAX).count()
}
