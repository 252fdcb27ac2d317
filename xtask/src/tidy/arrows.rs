//! Which crate may use which: the table of the architecture, checked against `cargo metadata`.
//!
//! Arrows are read from the manifests, optional, target-specific and build dependencies included: an arrow that is
//! compiled only sometimes is an arrow. Dev-dependencies may add `testkit` and what `DEV` names, nothing else.

use serde_json::Value;

/// A package, and which of ours it may use. A package that is not here has no place in the house.
const TABLE: [(&str, &[&str]); 15] = [
    ("wire", &[]),
    ("stream", &["wire"]),
    ("kxm", &[]),
    ("graph", &["wire", "stream"]),
    ("layout", &[]),
    ("trace", &["wire", "stream", "kxm"]),
    ("ingest", &["wire", "stream", "kxm", "graph"]),
    ("client", &["wire", "stream"]),
    ("cli", &["wire", "stream", "kxm", "graph", "layout", "trace", "ingest", "client"]),
    ("ui", &["wire", "stream", "graph", "layout"]),
    ("holdpoint-app", &["wire", "trace", "ingest"]),
    ("testkit", &["wire", "stream", "kxm"]),
    ("acceptance", &["wire", "stream", "kxm", "graph", "layout", "trace", "ingest", "client", "testkit"]),
    ("xtask", &[]),
    ("xtask-bindgen", &[]),
];

/// What tests may use beyond the table, besides `testkit`: a server is tested with the real client and the other way.
const DEV: [(&str, &[&str]); 3] = [("ingest", &["client"]), ("client", &["ingest"]), ("trace", &["graph"])];

/// Other people's crates that would break what a crate promises (no IO and no clock; or a home of its own).
const FORBIDDEN: [(&str, &[&str]); 8] = [
    ("wire", &PURE),
    ("stream", &PURE),
    ("kxm", &PURE),
    ("graph", &PURE),
    ("layout", &PURE),
    ("trace", &["tokio", "hyper", "egui", "eframe", "tauri"]),
    ("ingest", &["egui", "eframe", "tauri"]),
    ("ui", &["tokio", "tokio-tungstenite", "hyper", "tauri"]),
];

const PURE: [&str; 15] = [
    "tokio",
    "tokio-tungstenite",
    "hyper",
    "futures-util",
    "egui",
    "eframe",
    "tauri",
    "getrandom",
    "rand",
    "uuid",
    "chrono",
    "time",
    "rayon",
    "web-time",
    "directories",
];

/// Every arrow in the metadata that the table does not have.
pub(crate) fn problems(metadata: &Value) -> Vec<String> {
    let packages = list(&metadata["packages"]);
    let ours: Vec<&str> = packages.iter().filter_map(|package| package["name"].as_str()).collect();
    let mut found = Vec::new();
    for package in packages {
        let name = package["name"].as_str().unwrap_or_default();
        let Some(allowed) = row(&TABLE, name) else {
            found.push(format!("{name}: this crate is not in the table of xtask/src/tidy/arrows.rs"));
            continue;
        };
        for dependency in list(&package["dependencies"]) {
            let to = dependency["name"].as_str().unwrap_or_default();
            let is_dev = dependency["kind"] == "dev";
            let is_ours = ours.contains(&to) || !dependency["path"].is_null();
            if is_ours && !allowed.contains(&to) && !(is_dev && may_test_with(name, to)) {
                let kind = if is_dev { " in its tests" } else { "" };
                found.push(format!("{name} -> {to}: {name} may not use {to}{kind}"));
            }
            if !is_dev && row(&FORBIDDEN, name).is_some_and(|forbidden| forbidden.contains(&to)) {
                found.push(format!("{name} -> {to}: what {name} promises rules {to} out"));
            }
        }
    }
    found
}

fn may_test_with(name: &str, to: &str) -> bool {
    // A crate may name itself: cargo's way to switch on a feature for its own tests.
    to == "testkit" || to == name || row(&DEV, name).is_some_and(|more| more.contains(&to))
}

fn row<'a>(table: &'a [(&str, &'a [&'a str])], name: &str) -> Option<&'a [&'a str]> {
    table.iter().find(|(package, _)| *package == name).map(|(_, allowed)| *allowed)
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// Metadata of the shape cargo prints, with `from` depending on `to`.
    fn metadata(from: &str, to: &str, kind: Option<&str>) -> Value {
        json!({ "packages": [
            { "name": from, "dependencies": [{ "name": to, "kind": kind, "path": null }] },
            { "name": if row(&TABLE, to).is_some() && to != from { to } else { "xtask" }, "dependencies": [] },
        ]})
    }

    #[test]
    fn arrows_outside_the_table_are_named_and_those_inside_pass() {
        let check = |from: &str, to: &str, kind: Option<&str>, expect: usize| {
            let found = problems(&metadata(from, to, kind));
            assert_eq!(found.len(), expect, "{from} -> {to} ({kind:?}): {found:?}");
        };
        check("graph", "wire", None, 0);
        check("graph", "ui", None, 1);
        check("graph", "ingest", None, 1);
        check("graph", "tokio", None, 1);
        check("graph", "testkit", Some("dev"), 0);
        check("graph", "testkit", None, 1);
        check("layout", "graph", None, 1);
        check("layout", "egui", None, 1);
        check("ingest", "layout", None, 1);
        check("ingest", "tauri", Some("build"), 1);
        check("ui", "ingest", None, 1);
        check("ui", "client", Some("dev"), 1);
        check("ui", "tokio", None, 1);
        check("client", "graph", None, 1);
        check("trace", "kxm", None, 0);
        check("holdpoint-app", "graph", None, 1);
        check("wire", "serde_json", None, 0);
        check("newcomer", "serde_json", None, 1);
    }
}
