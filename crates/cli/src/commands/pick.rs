//! What a person means by a run: one of the server's, one on the disk, or recordings by their paths.

use super::Context;
use crate::{
    disk,
    fail::{Context as _, Done, Fail},
    viewer::{Missing, Viewer, Welcome},
};
use graph::Run;
use std::path::PathBuf;
use wire::viewer::{RunSummary, ServerFrame, ViewerFrame};

/// Where a run was found.
pub(crate) enum Found {
    /// On the server, under this key.
    Server(Box<Viewer>, String),
    /// Among the journals, under this key.
    Disk(String),
    /// In files.
    Files(Vec<PathBuf>),
}

/// Finds what `wanted` names; nothing names the newest run.
pub(crate) async fn find(context: &Context, wanted: &[String]) -> Done<Found> {
    let files: Vec<PathBuf> = wanted.iter().map(PathBuf::from).filter(|path| path.is_file()).collect();
    let run = wanted.first().map(String::as_str);
    if wanted.len() > 1 && files.len() < wanted.len() {
        return Err(Fail::new("several names must all be files; one run at a time can be shown"));
    }
    match Viewer::attach(&context.place).await {
        Ok((viewer, Welcome { runs, .. })) => match of_server(&runs, run) {
            Ok(summary) if files.len() < 2 => Ok(Found::Server(Box::new(viewer), summary.run.clone())),
            _ if !files.is_empty() => Ok(Found::Files(files)),
            found => found.and_then(|_| Err(Fail::new("name one run"))),
        },
        Err(_) if !files.is_empty() => Ok(Found::Files(files)),
        Err(Missing::Nobody(_)) if !context.place.named => {
            let store = disk::read_journals(&context.place.data_dir);
            disk::pick(&store, run).map(|run| Found::Disk(run.key().to_string()))
        }
        Err(missing) => Err(missing.into()),
    }
}

/// The run a person means: by key, or the newest.
pub(crate) fn of_server<'a>(runs: &'a [RunSummary], wanted: Option<&str>) -> Done<&'a RunSummary> {
    let newest = || runs.iter().max_by(|a, b| a.started_ms.total_cmp(&b.started_ms));
    let found = match wanted {
        Some(key) => runs.iter().find(|run| run.run == key),
        None => newest(),
    };
    found.ok_or_else(|| disk::unknown(wanted, runs.iter().map(|run| run.run.as_str())))
}

/// The runs that were found, as the reducer has them.
pub(crate) async fn runs(context: &Context, found: Found) -> Done<Vec<Run>> {
    match found {
        Found::Server(viewer, key) => Ok(vec![snapshot(*viewer, &key).await?]),
        Found::Disk(key) => {
            let store = disk::read_journals(&context.place.data_dir);
            disk::pick(&store, Some(&key)).map(|run| vec![run.clone()])
        }
        Found::Files(paths) => {
            let (store, report) = disk::read(&paths)?;
            disk::tell(&report);
            Ok(store.runs().cloned().collect())
        }
    }
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
