//! Which files tidy looks at: every Rust file of the workspace, in a fixed order, without what is built or fetched.

use std::fs;
use std::path::Path;

use crate::sh::Done;

const SKIPPED: [&str; 4] = ["target", "node_modules", "dist", "gen"];

/// Paths relative to `root`, with forward slashes.
pub(crate) fn rust_files(root: &Path) -> Done<Vec<String>> {
    let mut found = Vec::new();
    let mut open = vec![root.to_path_buf()];
    while let Some(dir) = open.pop() {
        let entries =
            fs::read_dir(&dir).map_err(|error| format!("cannot read {}: {error}", dir.display()))?;
        for entry in entries.flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            if name.starts_with('.') || SKIPPED.contains(&name.as_str()) {
                continue;
            }
            let path = entry.path();
            if path.is_dir() {
                open.push(path);
            } else if name.ends_with(".rs") {
                let relative = path.strip_prefix(root).unwrap_or(&path);
                found.push(relative.to_string_lossy().replace('\\', "/"));
            }
        }
    }
    found.sort();
    Ok(found)
}
