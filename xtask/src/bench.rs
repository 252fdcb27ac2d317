//! `cargo xtask bench`: every benchmark of the workspace, found by asking cargo, so that a new one needs no entry here.

use serde_json::Value;

use crate::sh::{self, Done};

/// Runs each package's `bench` targets in the release profile.
pub(crate) fn run() -> Done {
    let metadata = sh::read(sh::cargo(&["metadata", "--no-deps", "--format-version", "1", "--locked"]))?;
    let metadata: Value =
        serde_json::from_str(&metadata).map_err(|error| format!("cannot read cargo metadata: {error}"))?;
    let benches = benches(&metadata);
    if benches.is_empty() {
        return Err("no package has a benchmark".to_string());
    }
    for (package, bench) in benches {
        println!("bench: {package} {bench}");
        sh::run(sh::cargo(&["bench", "--locked", "-p", &package, "--bench", &bench]))?;
    }
    Ok(())
}

fn benches(metadata: &Value) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for package in metadata["packages"].as_array().into_iter().flatten() {
        for target in package["targets"].as_array().into_iter().flatten() {
            let is_bench =
                target["kind"].as_array().is_some_and(|kinds| kinds.iter().any(|kind| kind == "bench"));
            if let (true, Some(package), Some(name)) =
                (is_bench, package["name"].as_str(), target["name"].as_str())
            {
                found.push((package.to_string(), name.to_string()));
            }
        }
    }
    found
}
