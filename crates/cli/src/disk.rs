//! Runs from files: the journals of a data directory, or recordings a person names.
//!
//! Invariant: one broken file never hides another, and what was skipped is said. Journals are read as the server wrote
//! them, line by line; recordings of any format go through `trace`. Nothing here writes.

use crate::fail::{Context, Done, Fail};
use graph::{Run, Store};
use serde::Deserialize;
use serde_json::value::RawValue;
use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use trace::{Report, Source};

/// The journals under `data_dir`, oldest first.
pub(crate) fn journals(data_dir: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(data_dir.join("runs")).into_iter().flatten().flatten();
    let mut files: Vec<(std::time::SystemTime, PathBuf)> = entries
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "ndjson"))
        .map(|path| {
            (path.metadata().and_then(|about| about.modified()).unwrap_or(std::time::UNIX_EPOCH), path)
        })
        .collect();
    files.sort();
    files.into_iter().map(|(_, path)| path).collect()
}

/// Calls `each` with every envelope of a journal; a torn last line and lines that are no envelopes are passed over.
fn each_line(path: &Path, mut each: impl FnMut(&str)) -> Done {
    let failed = || format!("cannot read {}", path.display());
    let mut lines = BufReader::with_capacity(1 << 18, File::open(path).context(failed())?);
    let mut bytes = Vec::new();
    while lines.read_until(b'\n', &mut bytes).context(failed())? > 0 {
        if let Ok(line) = std::str::from_utf8(&bytes)
            && wire::decode(line.trim()).header().is_some()
        {
            each(line.trim());
        }
        bytes.clear();
    }
    Ok(())
}

/// What the server notes beside a journal, as far as it matters here.
#[derive(Deserialize)]
struct Sidecar {
    facts: Facts,
}

#[derive(Deserialize)]
struct Facts {
    source: String,
}

/// Where the run of a journal came from; without a note, from a program.
fn source_of(journal: &Path) -> String {
    let text = fs::read_to_string(journal.with_extension("json")).unwrap_or_default();
    let noted = serde_json::from_str::<Sidecar>(&text).map(|sidecar| sidecar.facts.source);
    noted.ok().filter(|source| !source.is_empty()).unwrap_or_else(|| "live".to_owned())
}

/// Every journal of `data_dir`; one that cannot be read is passed over with a word on standard error.
pub(crate) fn read_journals(data_dir: &Path) -> Store {
    let mut store = Store::new();
    for path in journals(data_dir) {
        let mut keys = Vec::new();
        let read = each_line(&path, |line| {
            let change = store.apply(&wire::decode(line));
            keys.extend(change.run.filter(|_| change.created));
        });
        if let Err(fail) = read {
            eprintln!("holdpoint: {}", fail.message);
        }
        let source = source_of(&path);
        keys.iter().for_each(|key| store.set_source(key, &source));
    }
    store.settle();
    store
}

/// A recording of any format: its runs, and the report of reading it.
pub(crate) fn read(paths: &[PathBuf]) -> Done<(Store, Report)> {
    let mut store = Store::new();
    let report = each_envelope(paths, |envelope| {
        store.apply(&wire::decode(envelope));
    })?;
    let keys: Vec<graph::RunKey> = store.runs().map(|run| run.key().clone()).collect();
    keys.iter().for_each(|key| store.set_source(key, &report.format));
    store.settle();
    if store.runs().len() == 0 {
        return Err(Fail::new(format!("{} holds no run", names(paths))));
    }
    Ok((store, report))
}

/// Says on standard error what a report has to say.
pub(crate) fn tell(report: &Report) {
    if report.skipped_total > 0 {
        eprintln!(
            "holdpoint: {} records were skipped; `holdpoint check` says which and why",
            report.skipped_total
        );
    }
}

fn each_envelope(paths: &[PathBuf], mut each: impl FnMut(&str)) -> Done<Report> {
    let sources: Vec<Source> = paths.iter().cloned().map(Source::Path).collect();
    let mut sink = |envelope: &str| {
        each(envelope);
        ControlFlow::Continue(())
    };
    trace::import(&sources, &mut sink).map_err(|failure| Fail::new(failure.message))
}

/// Where envelopes are read from.
pub(crate) enum From<'a> {
    Journals(&'a Path),
    Files(&'a [PathBuf]),
}

/// The different envelopes of the run `key`, in full, in order.
pub(crate) fn events(from: &From<'_>, key: &str) -> Done<Vec<Box<RawValue>>> {
    let mut store = Store::new();
    let mut found = Vec::new();
    let mut take = |line: &str| {
        let decoded = wire::decode(line);
        let change = store.apply(&decoded);
        if !change.duplicate
            && change.run.is_some_and(|run| run.as_str() == key)
            && let Some(header) = decoded.header()
            && let Ok(raw) = RawValue::from_string(line.to_owned())
        {
            found.push((header.seq, raw));
        }
    };
    match from {
        From::Journals(data_dir) => {
            // One that cannot be read was named when the runs were listed.
            journals(data_dir).iter().for_each(|path| drop(each_line(path, &mut take)));
        }
        From::Files(paths) => drop(each_envelope(paths, take)?),
    }
    found.sort_by_key(|(seq, _)| *seq);
    Ok(found.into_iter().map(|(_, raw)| raw).collect())
}

/// The run a person means: by key, or the newest.
pub(crate) fn pick<'a>(store: &'a Store, wanted: Option<&str>) -> Done<&'a Run> {
    let newest = || store.runs().max_by(|a, b| started(a).total_cmp(&started(b)));
    let found = match wanted {
        Some(key) => store.find(key),
        None => newest(),
    };
    found.ok_or_else(|| unknown(wanted, store.runs().map(|run| run.key().as_str())))
}

fn started(run: &Run) -> f64 {
    run.first_ts().unwrap_or_default()
}

/// Names of files for a message.
pub(crate) fn names(paths: &[PathBuf]) -> String {
    paths.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(", ")
}

/// No such run; which there are.
pub(crate) fn unknown<'a>(wanted: Option<&str>, known: impl Iterator<Item = &'a str>) -> Fail {
    /// Names listed before the rest is only counted.
    const NAMED: usize = 8;
    let known: Vec<&str> = known.collect();
    let rest = known.len().saturating_sub(NAMED);
    let more = if rest > 0 { format!(" and {rest} more") } else { String::new() };
    let names = known[rest..].join(", ");
    match (wanted, names.as_str()) {
        (Some(wanted), "") => {
            Fail::new(format!("no run and no file is called {wanted:?}; there are no runs yet"))
        }
        (None, "") => Fail::new("there are no runs yet: start `holdpoint demo`, or connect an agent"),
        (Some(wanted), _) => {
            Fail::new(format!("no run and no file is called {wanted:?}; runs: {names}{more}"))
        }
        (None, _) => Fail::new(format!("name a run: {names}{more}")),
    }
}
