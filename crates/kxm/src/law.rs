//! The laws between members of a record: when some hold, what is then asked (seed 003, `allOf`).
//!
//! A condition is read the same way from a parsed tree, where a broken law becomes a fault, and from the quick
//! pass, where it only decides.

use crate::fault::{Faults, Place};
use crate::json::Json;
use crate::rule::{Is, Law, Then, When};

/// A value that laws can look into.
pub(crate) trait Node<'t>: Copy {
    /// The member called `name`, if this is an object that has it.
    fn member(self, name: &str) -> Option<Self>;
    /// The text of a string.
    fn word(self) -> Option<&'t str>;
    /// The value of a truth value.
    fn truth(self) -> Option<bool>;
    /// Whether this is an object.
    fn is_object(self) -> bool;
}

impl<'t> Node<'t> for &'t Json<'_> {
    fn member(self, name: &str) -> Option<Self> {
        self.get(name)
    }

    fn word(self) -> Option<&'t str> {
        self.as_str()
    }

    fn truth(self) -> Option<bool> {
        match self {
            Json::Bool(value) => Some(*value),
            _ => None,
        }
    }

    fn is_object(self) -> bool {
        matches!(self, Json::Object(_))
    }
}

/// Whether `law` is kept by an object whose members obey their own rules.
pub(crate) fn keeps<'t>(law: &Law, object: impl Node<'t>) -> bool {
    if !law.when.iter().all(|when| holds(when, object)) {
        return true;
    }
    match &law.then {
        Then::Require { at, names } => target(*at, object)
            .is_none_or(|found| !found.is_object() || names.iter().all(|name| found.member(name).is_some())),
        Then::Forbid { at, names } => {
            target(*at, object).is_none_or(|found| names.iter().all(|name| found.member(name).is_none()))
        }
        Then::Bool { name, value } => object.member(name).is_none_or(|found| found.truth() == Some(*value)),
    }
}

/// Adds a fault for each member that breaks `law`.
pub(crate) fn demand(law: &Law, json: &Json<'_>, at: &Place<'_>, faults: &mut Faults) {
    if keeps(law, json) {
        return;
    }
    let (member, found) = match &law.then {
        Then::Require { at, .. } | Then::Forbid { at, .. } => (*at, target(*at, json)),
        Then::Bool { .. } => (None, Some(json)),
    };
    let Some(found) = found else { return };
    match member {
        None => blame(&law.then, found, at, faults),
        Some(name) => blame(&law.then, found, &Place::Member(at, name), faults),
    }
}

fn blame(then: &Then, found: &Json<'_>, place: &Place<'_>, faults: &mut Faults) {
    match then {
        Then::Require { names, .. } => {
            for name in names.iter().filter(|name| found.get(name).is_none()) {
                faults.add_missing(place, name);
            }
        }
        Then::Forbid { names, .. } => {
            for (name, value) in names.iter().filter_map(|name| Some((name, found.get(name)?))) {
                faults.add(&Place::Member(place, name), "must be absent here".into(), value);
            }
        }
        Then::Bool { name, value } => {
            if let Some(seen) = found.get(name) {
                faults.add(&Place::Member(place, name), format!("must be {value} here"), seen);
            }
        }
    }
}

fn target<'t, N: Node<'t>>(member: Option<&str>, object: N) -> Option<N> {
    member.map_or(Some(object), |name| object.member(name))
}

fn holds<'t>(when: &When, object: impl Node<'t>) -> bool {
    let found = when.path.iter().try_fold(object, |found, name| found.member(name));
    found.is_some_and(|found| match &when.is {
        Is::OneOf(words) => found.word().is_some_and(|word| words.contains(&word)),
        Is::Bool(expected) => found.truth() == Some(*expected),
    })
}
