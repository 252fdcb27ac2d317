//! What one source file must keep to: its size, a first line that says what it is for, no call that its crate promises
//! not to make, and a reason beside every silenced lint.

/// More than this and a reader no longer knows where to look.
const LINES_MAX: usize = 600;

/// Crates without clock, threads or IO, and the viewer, which runs where none of them exist.
const PURE: [&str; 6] = [
    "crates/wire/src/",
    "crates/stream/src/",
    "crates/kxm/src/",
    "crates/graph/src/",
    "crates/layout/src/",
    "ui/src/",
];
/// The rim of the viewer: the native program around the pure library.
const RIM: [&str; 3] = ["ui/src/bin/", "ui/src/native", "ui/src/main.rs"];
const FORBIDDEN: [&str; 6] =
    ["std::time::Instant", "std::time::SystemTime", "std::thread", "std::net", "std::fs", "std::process"];

/// Every problem of one file, each as `path:line: what`.
pub(crate) fn problems(path: &str, text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let lines = text.lines().count();
    if lines > LINES_MAX {
        found.push(format!("{path}: {lines} lines; {LINES_MAX} are the most"));
    }
    if path.ends_with("/mod.rs") {
        found.push(format!("{path}: name a module's file after the module, beside its folder"));
    }
    if !text.lines().find(|line| !line.trim().is_empty()).is_some_and(|line| line.starts_with("//!")) {
        found.push(format!("{path}:1: open with `//!`: what the module decides, and what it does not know"));
    }
    found.extend(silenced(path, text));
    if is_pure(path) {
        found.extend(impure(path, text));
    }
    found
}

fn is_pure(path: &str) -> bool {
    PURE.iter().any(|dir| path.starts_with(dir)) && !RIM.iter().any(|rim| path.starts_with(rim))
}

/// Code lines with their numbers, without comments.
fn code(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = text.lines().enumerate().map(|(at, line)| (at + 1, line.trim_start()));
    lines.filter(|(_, line)| !line.starts_with("//"))
}

fn silenced(path: &str, text: &str) -> Vec<String> {
    let attribute = |line: &str, name: &str| {
        line.starts_with(&format!("#[{name}(")) || line.starts_with(&format!("#![{name}("))
    };
    let bare = code(text).filter(|(_, line)| attribute(line, "allow"));
    let bare = bare.map(|(at, _)| format!("{path}:{at}: use #[expect(lint, reason = \"…\")], never allow"));
    let numbered: Vec<(usize, &str)> = code(text).collect();
    let unexplained =
        numbered.iter().enumerate().filter(|(_, (_, line))| attribute(line, "expect")).filter(|(ix, _)| {
            let whole = numbered[*ix..].iter().map(|(_, line)| *line);
            let mut whole = whole.scan(false, |ended, line| {
                let was = *ended;
                *ended = line.ends_with(")]");
                (!was).then_some(line)
            });
            !whole.any(|line| line.contains("reason"))
        });
    bare.chain(unexplained.map(|(_, (at, _))| format!("{path}:{at}: say the reason of this expect")))
        .collect()
}

/// Tests of a pure crate may read golden files; what ships may not.
fn impure(path: &str, text: &str) -> Vec<String> {
    let shipped = text.split("#[cfg(test)]").next().unwrap_or_default();
    if path.ends_with("/tests.rs") || path.contains("/tests/") {
        return Vec::new();
    }
    let calls = code(shipped).flat_map(|(at, line)| {
        FORBIDDEN.iter().filter(move |call| line.contains(*call)).map(move |call| (at, *call))
    });
    calls.map(|(at, call)| format!("{path}:{at}: {call} has no place in this crate")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_rule_finds_its_breach_and_lets_the_rest_pass() {
        let check = |path: &str, text: &str, expect: usize| {
            let found = problems(path, text);
            assert_eq!(found.len(), expect, "{path}: {text:?}: {found:?}");
        };
        check("crates/wire/src/a.rs", "//! Says it.\nfn a() {}\n", 0);
        check("crates/wire/src/a.rs", "fn a() {}\n", 1);
        check("crates/wire/src/a/mod.rs", "//! Says it.\n", 1);
        check("crates/wire/src/a.rs", &format!("//! Long.\n{}", "\n".repeat(LINES_MAX)), 1);
        check("crates/wire/src/a.rs", "//! X.\nuse std::time::Instant;\n", 1);
        check("crates/wire/src/a.rs", "//! X.\nuse std::time::Duration;\n// std::fs\n", 0);
        check("crates/wire/src/a.rs", "//! X.\n#[cfg(test)]\nmod tests { use std::fs; }\n", 0);
        check("crates/ingest/src/a.rs", "//! X.\nuse std::fs;\n", 0);
        check("ui/src/a.rs", "//! X.\nuse std::thread;\n", 1);
        check("ui/src/bin/holdpoint-ui.rs", "//! X.\nuse std::thread;\n", 0);
        check("crates/ingest/src/a.rs", "//! X.\n#[allow(dead_code)]\nfn a() {}\n", 1);
        check("crates/ingest/src/a.rs", "//! X.\n#[expect(dead_code)]\nfn a() {}\n", 1);
        check(
            "crates/ingest/src/a.rs",
            "//! X.\n#[expect(dead_code, reason = \"read by C\")]\nfn a() {}\n",
            0,
        );
        check(
            "crates/ingest/src/a.rs",
            "//! X.\n#[expect(\n dead_code,\n reason = \"x\"\n)]\nfn a() {}\n",
            0,
        );
    }
}
