//! What was wrong with a frame, in words a person can act on: where, what was expected, what was seen.
use crate::{
    json::{JsonKind, Raw, Scanner},
    limits::ISSUES_MAX,
};
use std::fmt;

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Issue {
    /// Where, for example `payload.deltas[0].v`.
    pub path: String,
    /// What is accepted there.
    pub expected: String,
    /// What stands there, shortened.
    pub seen: String,
}

impl fmt::Display for Issue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: expected {}, seen {}", self.path, self.expected, self.seen)
    }
}

/// A frame that is not an envelope, or an envelope whose payload breaks the contract.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invalid {
    /// The whole story in a line.
    pub reason: String,
    /// Each problem found, at most [`ISSUES_MAX`].
    pub issues: Vec<Issue>,
}

impl fmt::Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason)
    }
}

impl std::error::Error for Invalid {}

impl Invalid {
    /// `what` with the first issue spelt out.
    pub(crate) fn new(what: &str, issues: Issues) -> Self {
        let reason = match issues.0.as_slice() {
            [] => what.to_owned(),
            [one] => format!("{what}: {one}"),
            [first, rest @ ..] => format!("{what}: {first} (and {} more)", rest.len()),
        };
        Self { reason, issues: issues.0 }
    }
}

/// Collects issues while a value is read. Costs nothing until there is one.
#[derive(Debug, Default)]
pub(crate) struct Issues(Vec<Issue>);

impl Issues {
    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Notes that the value at the cursor is not what was expected, and steps over it.
    #[cold]
    pub(crate) fn mismatch<T>(&mut self, scanner: &mut Scanner<'_>, expected: &str) -> Option<T> {
        let seen = match Raw::scan(scanner) {
            Ok(raw) => describe(raw),
            Err(fault) => fault.to_string(),
        };
        self.push("", expected, seen);
        None
    }

    /// Notes that a required member is not there.
    #[cold]
    pub(crate) fn missing<T>(&mut self, name: &str, expected: &str) -> Option<T> {
        self.push(name, expected, "nothing".to_owned());
        None
    }

    fn push(&mut self, path: &str, expected: &str, seen: String) {
        if self.0.len() < ISSUES_MAX {
            self.0.push(Issue { path: path.to_owned(), expected: expected.to_owned(), seen });
        }
    }

    /// Puts the issues noted since `mark` under `segment`.
    #[cold]
    pub(crate) fn under(&mut self, mark: usize, segment: &str) {
        for issue in self.0.iter_mut().skip(mark) {
            let dot = if issue.path.is_empty() || issue.path.starts_with('[') { "" } else { "." };
            issue.path = format!("{segment}{dot}{}", issue.path);
        }
    }

    /// Forgets what was noted under `segment` since `mark`: a later duplicate of the member takes its place.
    #[cold]
    pub(crate) fn retract(&mut self, mark: usize, segment: &str) {
        let mut index = 0;
        self.0.retain(|issue| {
            index += 1;
            let rest = issue.path.strip_prefix(segment);
            let under = rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']));
            index <= mark || !under
        });
    }
}

/// A value in a few words: `string "abc…"`, `number 12`, `an object`.
pub(crate) fn describe(raw: Raw<'_>) -> String {
    let shown: String = raw.get().chars().take(40).collect();
    let dots = if shown.len() < raw.get().len() { "…" } else { "" };
    match raw.kind() {
        JsonKind::String => format!("string {shown}{dots}"),
        JsonKind::Number => format!("number {shown}{dots}"),
        JsonKind::Object => "an object".to_owned(),
        JsonKind::Array => "an array".to_owned(),
        JsonKind::Bool | JsonKind::Null => shown,
    }
}
