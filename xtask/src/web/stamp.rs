//! Whether the viewer in `dist/` still belongs to the sources: one number over everything that goes into it.

use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};

use super::Page;
use crate::sh::{self, Done};

/// Folders and files of which every byte counts.
const INPUTS: [&str; 8] = [
    "Cargo.lock",
    "Cargo.toml",
    "ui",
    "crates/wire",
    "crates/stream",
    "crates/graph",
    "crates/layout",
    "xtask/bindgen",
];
/// Parts of them that never reach the page.
const SKIPPED: [&str; 4] = ["tests", "benches", "snapshots", "examples"];

/// The number for the sources under `root`.
pub(crate) fn key(root: &Path, page: Page) -> Done<String> {
    let mut files = Vec::new();
    for input in INPUTS {
        collect(&root.join(input), &mut files);
    }
    files.sort();
    let mut hasher = DefaultHasher::new();
    page.hash(&mut hasher);
    for file in &files {
        file.strip_prefix(root).unwrap_or(file).hash(&mut hasher);
        fs::read(file).map_err(|error| format!("cannot read {}: {error}", file.display()))?.hash(&mut hasher);
    }
    Ok(format!("{:016x}", hasher.finish()))
}

/// True if `dist` was made from these very sources.
pub(crate) fn is_current(key: &str, dist: &Path) -> bool {
    let whole =
        ["index.html", "holdpoint.js", "holdpoint_bg.wasm"].iter().all(|name| dist.join(name).is_file());
    whole && fs::read_to_string(path()).is_ok_and(|was| was == key)
}

/// Remembers that `dist` was made from them.
pub(crate) fn write(key: &str) -> Done {
    fs::write(path(), key).map_err(|error| format!("cannot write {}: {error}", path().display()))
}

fn path() -> PathBuf {
    sh::target_dir().join("web").join("stamp")
}

fn collect(path: &Path, into: &mut Vec<PathBuf>) {
    if path.is_file() {
        into.push(path.to_path_buf());
    }
    let Ok(entries) = fs::read_dir(path) else { return };
    for entry in entries.flatten() {
        if !SKIPPED.iter().any(|name| entry.file_name() == *name) {
            collect(&entry.path(), into);
        }
    }
}
