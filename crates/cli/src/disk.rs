//! Runs from files: the journals of a data directory, or a recording a person names.
//!
//! Invariant: a line that is no envelope, a torn last line among them, is skipped and counted; one broken file never
//! hides another. Nothing here writes.

use crate::fail::{Context, Done, Fail};
use graph::{Run, Store};
use serde_json::value::RawValue;
use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

/// What was read from one or more files.
#[derive(Default)]
pub(crate) struct Recording {
    pub(crate) store: Store,
    /// Lines that were no envelopes.
    pub(crate) skipped: u64,
}

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

/// Calls `each` with every envelope line of `path`; how many lines were none.
pub(crate) fn each_line(path: &Path, mut each: impl FnMut(&str)) -> Done<u64> {
    let file = File::open(path).context(format!("cannot read {}", path.display()))?;
    let mut lines = BufReader::with_capacity(1 << 18, file);
    let mut bytes = Vec::new();
    let mut skipped = 0;
    loop {
        bytes.clear();
        let read = lines.read_until(b'\n', &mut bytes).context(format!("cannot read {}", path.display()))?;
        if read == 0 {
            return Ok(skipped);
        }
        match std::str::from_utf8(&bytes).map(str::trim) {
            Ok("") => {}
            Ok(line) if wire::decode(line).header().is_some() => each(line),
            _ => skipped += 1,
        }
    }
}

/// Reads whole files, each as a recording of its own.
pub(crate) fn read(paths: &[PathBuf]) -> Done<Recording> {
    let mut all = Recording::default();
    for path in paths {
        all.skipped += each_line(path, |line| {
            all.store.apply(&wire::decode(line));
        })?;
    }
    all.store.settle();
    Ok(all)
}

/// Every journal of `data_dir`; one that cannot be read is skipped with a word on standard error.
pub(crate) fn read_journals(data_dir: &Path) -> Recording {
    let mut all = Recording::default();
    for path in journals(data_dir) {
        let mut lines = 0;
        let read = each_line(&path, |line| {
            lines += 1;
            all.store.apply(&wire::decode(line));
        });
        match read {
            Ok(skipped) => all.skipped += skipped,
            Err(fail) => eprintln!("holdpoint: {}", fail.message),
        }
    }
    all.store.settle();
    all
}

/// The envelopes of one run of a recording, in full.
pub(crate) fn events(paths: &[PathBuf], key: &str) -> Done<Vec<Box<RawValue>>> {
    let mut store = Store::new();
    let mut found = Vec::new();
    for path in paths {
        each_line(path, |line| {
            let decoded = wire::decode(line);
            let change = store.apply(&decoded);
            let duplicate = change.duplicate;
            if !duplicate
                && change.run.as_ref().is_some_and(|run| run.as_str() == key)
                && let Ok(raw) = RawValue::from_string(line.to_owned())
            {
                found.push(raw);
            }
        })?;
    }
    Ok(found)
}

/// The run a person means: by key, by the sender's id, or the newest.
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

/// No such run; which there are.
pub(crate) fn unknown<'a>(wanted: Option<&str>, known: impl Iterator<Item = &'a str>) -> Fail {
    /// Names listed before the rest is only counted.
    const NAMED: usize = 8;
    let known: Vec<&str> = known.collect();
    let rest = known.len().saturating_sub(NAMED);
    let more = if rest > 0 { format!(" and {rest} more") } else { String::new() };
    let names = known[known.len() - known.len().min(NAMED)..].join(", ");
    match (wanted, names.as_str()) {
        (_, "") => Fail::new("there are no runs yet: start `holdpoint demo`, or connect an agent"),
        (Some(wanted), _) => {
            Fail::new(format!("no run and no file is called {wanted:?}; runs: {names}{more}"))
        }
        (None, _) => Fail::new(format!("name a run: {names}{more}")),
    }
}
