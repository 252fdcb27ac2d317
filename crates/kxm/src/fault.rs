//! What was wrong with a document, and where.
//!
//! Invariant: a document yields at most [`FAULTS_MAX`] faults, each of bounded length, whatever it holds.

use std::fmt;

use crate::json::Json;

/// Faults kept of one document; the last one then says that there are more.
pub const FAULTS_MAX: usize = 64;
/// Characters of a seen value that a fault repeats.
const SEEN_MAX: usize = 80;
/// Characters of a member name that a pointer repeats.
const NAME_MAX: usize = 128;

/// One broken rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The place, as a JSON pointer; empty for the whole document.
    pub pointer: String,
    /// The rule, in words.
    pub rule: String,
    /// What was there instead, shortened.
    pub seen: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = if self.pointer.is_empty() { "the record" } else { &self.pointer };
        write!(f, "{place} {}; seen: {}", self.rule, self.seen)
    }
}

/// A place in a document, as a chain up to its root; written out only for a fault.
pub(crate) enum Place<'a> {
    Root,
    Member(&'a Place<'a>, &'a str),
    Item(&'a Place<'a>, usize),
}

impl Place<'_> {
    fn pointer(&self) -> String {
        match self {
            Self::Root => String::new(),
            Self::Member(parent, name) => {
                let name: String = name.chars().take(NAME_MAX).collect();
                format!("{}/{}", parent.pointer(), name.replace('~', "~0").replace('/', "~1"))
            }
            Self::Item(parent, index) => format!("{}/{index}", parent.pointer()),
        }
    }
}

#[derive(Default)]
pub(crate) struct Faults {
    pub(crate) list: Vec<Fault>,
}

impl Faults {
    pub(crate) fn add(&mut self, at: &Place<'_>, rule: String, seen: &Json<'_>) {
        self.push(at, rule, shown(seen));
    }

    pub(crate) fn add_missing(&mut self, at: &Place<'_>, name: &str) {
        self.push(at, format!("must have \"{name}\""), "no such member".to_owned());
    }

    fn push(&mut self, at: &Place<'_>, rule: String, seen: String) {
        if self.list.len() + 1 < FAULTS_MAX {
            self.list.push(Fault { pointer: at.pointer(), rule, seen });
        } else if self.list.len() < FAULTS_MAX {
            let rule = "breaks more rules than are listed".to_owned();
            self.list.push(Fault { pointer: String::new(), rule, seen: "see the faults before".to_owned() });
        }
    }
}

fn shown(json: &Json<'_>) -> String {
    match json {
        Json::Array(items) => format!("an array of {}", items.len()),
        Json::Object(members) => format!("an object of {}", members.len()),
        Json::Text(text) => {
            let mut cut = String::new();
            Json::Text(text.chars().take(SEEN_MAX).collect::<String>().into()).write(&mut cut);
            if text.chars().nth(SEEN_MAX).is_some() { format!("{cut} and more") } else { cut }
        }
        _ => {
            let mut text = String::new();
            json.write(&mut text);
            text
        }
    }
}
