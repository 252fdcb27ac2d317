//! What the disk has when the server starts: runs with their facts, who owns them, the debug state.
//!
//! Invariant: journals are the truth. A sidecar only spares reading what it covers; one that is missing, damaged or ahead
//! of its journal is rebuilt. Whatever a file contains, the next file is read.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use graph::RunKey;
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::hub::{Facts, Remembered};
use crate::journal::{Index, Journal, RunFile, checksum, scan};
use crate::server::write_private;

/// Who owns which run, one JSON object a line.
pub(super) const SESSIONS: &str = "sessions.ndjson";
/// Breakpoints, mode, pause on error.
pub(super) const DEBUG: &str = "debug.json";

/// What was found.
#[derive(Default)]
pub(crate) struct Restored {
    pub(crate) runs: Vec<Facts>,
    pub(crate) identities: Vec<Remembered>,
    pub(crate) debug: Option<String>,
    /// What people should know about it.
    pub(crate) troubles: Vec<String>,
}

#[derive(Deserialize)]
struct Sidecar {
    v: u64,
    sum: u64,
    bytes: u64,
    facts: Box<RawValue>,
    index: Box<RawValue>,
}

/// Reads the data directory and makes its journals known. Blocks.
pub(crate) fn restore(data_dir: &Path, journal: &Journal) -> Restored {
    let mut restored =
        Restored { debug: fs::read_to_string(data_dir.join(DEBUG)).ok(), ..Restored::default() };
    restored.identities = identities(&data_dir.join(SESSIONS));
    let mut paths: Vec<PathBuf> = match fs::read_dir(journal.dir()) {
        Ok(entries) => entries.flatten().map(|entry| entry.path()).collect(),
        Err(error) => {
            restored.troubles.push(format!("the runs cannot be listed: {error}"));
            Vec::new()
        }
    };
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "ndjson"));
    paths.sort();
    let mut unnamed = Vec::new();
    for path in paths {
        match read(&path) {
            Ok((facts, _)) if facts.events == 0 => {
                if facts.bad_lines + facts.torn_bytes > 0 {
                    restored.troubles.push(format!("{} has no readable event", name(&path)));
                }
            }
            Ok((facts, index)) if facts.key.is_empty() => unnamed.push((path, facts, index)),
            Ok((facts, index)) => take(&mut restored, journal, path, facts, index),
            Err(error) => restored.troubles.push(format!("{} cannot be read: {error}", name(&path))),
        }
    }
    for (path, mut facts, index) in unnamed {
        facts.key = lost_key(journal, &path, &facts.run_id, &restored.runs);
        facts.source = if restored.owns(&facts.key) { "live" } else { "recording" }.to_owned();
        take(&mut restored, journal, path, facts, index);
    }
    restored.forget_unused(&data_dir.join(SESSIONS));
    restored
}

fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn take(restored: &mut Restored, journal: &Journal, path: PathBuf, mut facts: Facts, index: Index) {
    if restored.runs.iter().any(|other| other.key == facts.key) {
        facts.key = lost_key(journal, &path, &facts.run_id, &restored.runs);
    }
    if facts.torn_bytes > 0 {
        let text = format!("run {}: last line incomplete ({} bytes), skipped", facts.key, facts.torn_bytes);
        restored.troubles.push(text);
    }
    if facts.bad_lines > 0 {
        restored
            .troubles
            .push(format!("run {}: {} lines cannot be read, skipped", facts.key, facts.bad_lines));
    }
    let len = fs::metadata(&path).map_or(0, |meta| meta.len());
    journal.adopt(&facts.key, RunFile::new(path, index, len));
    restored.runs.push(facts);
}

/// The facts and the index of a journal; the key is empty if no sidecar names it.
fn read(path: &Path) -> std::io::Result<(Facts, Index)> {
    let len = fs::metadata(path)?.len();
    let (from, mut facts, mut index) = sidecar(path, len).unwrap_or_default();
    facts.torn_bytes = 0;
    let scanned = scan(path, from, None, |line, offset| {
        let decoded = wire::decode(line);
        let Some(header) = decoded.header() else { return false };
        if facts.run_id.is_empty() {
            facts.run_id = header.run_id.to_string();
        }
        if header.run_id != *facts.run_id {
            return false;
        }
        if facts.apply(header, &decoded) != crate::hub::Effect::Duplicate {
            index.push(header.seq, offset);
        }
        true
    })?;
    facts.bad_lines += scanned.bad_lines;
    facts.torn_bytes = scanned.torn_bytes;
    Ok((facts, index))
}

fn sidecar(path: &Path, len: u64) -> Option<(u64, Facts, Index)> {
    let text = fs::read_to_string(path.with_extension("json")).ok()?;
    let sidecar: Sidecar = serde_json::from_str(&text).ok()?;
    let Sidecar { v, sum, bytes, facts, index } = sidecar;
    let whole = v == 2 && bytes <= len && sum == checksum(bytes, facts.get(), index.get());
    if !whole || !ends_a_line(path, bytes) {
        return None;
    }
    let facts: Facts = serde_json::from_str(facts.get()).ok()?;
    let index: Index = serde_json::from_str(index.get()).ok()?;
    (facts.events == index.lines()).then_some((bytes, facts, index))
}

/// A journal that was replaced or cut by something else does not have its line end where the sidecar says.
fn ends_a_line(path: &Path, at: u64) -> bool {
    use std::io::{Read, Seek, SeekFrom};
    let read = || -> std::io::Result<bool> {
        let mut file = fs::File::open(path)?;
        file.seek(SeekFrom::Start(at.saturating_sub(1)))?;
        let mut byte = [0u8];
        file.read_exact(&mut byte)?;
        Ok(byte == *b"\n")
    };
    at == 0 || read().unwrap_or(false)
}

/// The key of a journal without a sidecar: the one whose file name it has, else a free one.
fn lost_key(journal: &Journal, path: &Path, run_id: &str, taken: &[Facts]) -> String {
    let free = |key: &RunKey| !taken.iter().any(|facts| facts.key == key.as_str());
    let mut candidates = (1..).map(|ordinal| RunKey::numbered(run_id, ordinal));
    let named = (1..1_000).map(|ordinal| RunKey::numbered(run_id, ordinal));
    let own = named.into_iter().filter(free).find(|key| journal.path_of(key.as_str()) == *path);
    own.or_else(|| candidates.find(free)).map_or_else(|| run_id.to_owned(), |key| key.to_string())
}

#[derive(Deserialize)]
struct Line {
    token: String,
    hello: Option<u64>,
    run: Option<String>,
    from: Option<String>,
    #[serde(default)]
    claims: bool,
}

fn identities(path: &Path) -> Vec<Remembered> {
    let mut found: BTreeMap<String, Remembered> = BTreeMap::new();
    let mut order: Vec<String> = Vec::new();
    let _ = scan(path, 0, None, |line, _| {
        let Ok(line) = serde_json::from_str::<Line>(line) else { return false };
        let former = line.from.and_then(|from| found.remove(&from));
        let known = found.entry(line.token.clone()).or_insert_with(|| {
            order.push(line.token.clone());
            Remembered { token: Arc::from(line.token.as_str()), ..Remembered::default() }
        });
        known.claims |= line.claims;
        known.elsewhere.extend(line.hello);
        if let Some(former) = former {
            known.elsewhere.extend(former.elsewhere);
        }
        if let Some(run) = line.run {
            known.runs.retain(|other| *other != run);
            known.runs.push(run);
        }
        true
    });
    order.into_iter().filter_map(|token| found.remove(&token)).collect()
}

impl Restored {
    fn owns(&self, key: &str) -> bool {
        self.identities.iter().any(|identity| identity.runs.iter().any(|run| run == key))
    }

    /// Drops identities without runs, and writes the file anew without them.
    fn forget_unused(&mut self, path: &Path) {
        let runs: std::collections::HashSet<&str> =
            self.runs.iter().map(|facts| facts.key.as_str()).collect();
        self.identities
            .iter_mut()
            .for_each(|identity| identity.runs.retain(|run| runs.contains(run.as_str())));
        self.identities.retain(|identity| !identity.runs.is_empty());
        let surplus = self.identities.len().saturating_sub(crate::limits::TOKENS_MAX);
        self.identities.drain(..surplus);
        let mut text = String::new();
        for identity in &self.identities {
            let token = &*identity.token;
            let claims = identity.claims;
            for hello in &identity.elsewhere {
                text +=
                    &format!("{}\n", serde_json::json!({ "token": token, "hello": hello, "claims": claims }));
            }
            for run in &identity.runs {
                text += &format!("{}\n", serde_json::json!({ "token": token, "run": run, "claims": claims }));
            }
        }
        if let Err(error) = write_private(path, text.as_bytes()) {
            self.troubles.push(format!("sessions cannot be kept: {error}"));
        }
    }
}
