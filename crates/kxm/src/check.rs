//! Whether a document obeys a rule, and each place where it does not.
//!
//! The verdict equals a JSON Schema 2020-12 validator's. A rule's depth bounds the recursion, not the document's:
//! what no rule reaches is not entered. Nothing is built for a document that is accepted.

use std::collections::HashSet;

use crate::fault::{Fault, Faults, Place};
use crate::json::Json;
use crate::rule::{Is, Law, Object, Rule, Then, When};

/// Checks one value; no fault means that it is valid.
#[must_use]
pub fn check(rule: &Rule, json: &Json<'_>) -> Vec<Fault> {
    let mut faults = Faults::default();
    value(rule, json, &Place::Root, &mut faults);
    faults.list
}

fn value(rule: &Rule, json: &Json<'_>, at: &Place<'_>, faults: &mut Faults) {
    match rule {
        Rule::Any => {}
        Rule::Const(expected) => {
            if json.as_str() != Some(*expected) {
                faults.add(at, format!("must be \"{expected}\""), json);
            }
        }
        Rule::Enum(words) => {
            if !json.as_str().is_some_and(|text| words.contains(&text)) {
                faults.add(at, format!("must be one of {}", words.join(", ")), json);
            }
        }
        Rule::Text { .. } => text(rule, json, at, faults),
        Rule::Integer { min, max } => integer((*min, *max), json, at, faults),
        Rule::Number { min } => match json.as_f64() {
            Some(number) if number >= *min => {}
            Some(_) => faults.add(at, format!("must be at least {min}"), json),
            None => faults.add(at, "must be a number".into(), json),
        },
        Rule::Bool => {
            if !matches!(json, Json::Bool(_)) {
                faults.add(at, "must be true or false".into(), json);
            }
        }
        Rule::Array { .. } => array(rule, json, at, faults),
        Rule::Object(object) => members(object, json, at, faults),
        Rule::Map { names, values, max } => map((names, values, *max), json, at, faults),
        Rule::AnyObject => {
            if !matches!(json, Json::Object(_)) {
                faults.add(at, "must be an object".into(), json);
            }
        }
    }
}

fn text(rule: &Rule, json: &Json<'_>, at: &Place<'_>, faults: &mut Faults) {
    let Rule::Text { min, max, pattern } = rule else { return };
    let Some(text) = json.as_str() else {
        return faults.add(at, "must be a string".into(), json);
    };
    // A text has at most as many code points as bytes: most are accepted without counting.
    if text.len() > *max && text.chars().count() > *max {
        faults.add(at, format!("must have at most {max} characters"), json);
    }
    if text.len() < *min {
        faults.add(at, format!("must have at least {min} characters"), json);
    }
    if let Some(pattern) = pattern
        && !(pattern.accepts)(text)
    {
        faults.add(at, format!("must match {}", pattern.source), json);
    }
}

fn integer((min, max): (f64, f64), json: &Json<'_>, at: &Place<'_>, faults: &mut Faults) {
    let Some(number) = json.as_f64().filter(|_| json.is_integer()) else {
        return faults.add(at, "must be an integer".into(), json);
    };
    if number < min {
        faults.add(at, format!("must be at least {min}"), json);
    }
    if number > max {
        faults.add(at, format!("must be at most {max}"), json);
    }
}

fn array(rule: &Rule, json: &Json<'_>, at: &Place<'_>, faults: &mut Faults) {
    let Rule::Array { items: item_rule, min, max, unique } = rule else { return };
    let Json::Array(items) = json else {
        return faults.add(at, "must be an array".into(), json);
    };
    if items.len() < *min {
        faults.add(at, format!("must have at least {min} items"), json);
    }
    if items.len() > *max {
        faults.add(at, format!("must have at most {max} items"), json);
    }
    for (index, item) in items.iter().enumerate() {
        value(item_rule, item, &Place::Item(at, index), faults);
    }
    if *unique {
        repeated(items, at, faults);
    }
}

/// Only lists of strings are unique in this schema; items of another type are faults already.
fn repeated(items: &[Json<'_>], at: &Place<'_>, faults: &mut Faults) {
    let mut seen = HashSet::with_capacity(items.len());
    for (index, item) in items.iter().enumerate() {
        if item.as_str().is_some_and(|text| !seen.insert(text)) {
            faults.add(&Place::Item(at, index), "must not stand twice".into(), item);
        }
    }
}

fn map((names, values, max): (&Rule, &Rule, usize), json: &Json<'_>, at: &Place<'_>, faults: &mut Faults) {
    let Json::Object(entries) = json else {
        return faults.add(at, "must be an object".into(), json);
    };
    if entries.len() > max {
        faults.add(at, format!("must have at most {max} members"), json);
    }
    for (name, entry) in entries {
        let place = Place::Member(at, name);
        value(names, &Json::Text(name.as_ref().into()), &place, faults);
        value(values, entry, &place, faults);
    }
}

fn members(object: &Object, json: &Json<'_>, at: &Place<'_>, faults: &mut Faults) {
    let Json::Object(entries) = json else {
        return faults.add(at, "must be an object".into(), json);
    };
    if entries.len() < object.min {
        faults.add(at, format!("must have at least {} members", object.min), json);
    }
    let mut required_seen = 0;
    for (name, entry) in entries {
        let place = Place::Member(at, name);
        match object.member(name) {
            Some(member) => {
                required_seen += usize::from(member.required);
                value(member.rule, entry, &place, faults);
            }
            None => faults.add(&place, format!("is not a member of {}", object.name), entry),
        }
    }
    let required = object.members.iter().filter(|member| member.required);
    if required_seen < required.clone().count() {
        for member in required.filter(|member| json.get(member.name).is_none()) {
            faults.add_missing(at, member.name);
        }
    }
    object.laws.iter().flat_map(|group| group.iter()).for_each(|law| demand(law, json, at, faults));
}

fn demand(law: &Law, json: &Json<'_>, at: &Place<'_>, faults: &mut Faults) {
    if !law.when.iter().all(|when| holds(when, json)) {
        return;
    }
    match &law.then {
        Then::Require { at: member, names } => with(*member, json, at, |target, place| {
            if !matches!(target, Json::Object(_)) {
                // The member's own rule has said so already.
                return;
            }
            for name in names.iter().filter(|name| target.get(name).is_none()) {
                faults.add_missing(place, name);
            }
        }),
        Then::Forbid { at: member, names } => with(*member, json, at, |target, place| {
            for name in *names {
                if let Some(found) = target.get(name) {
                    faults.add(&Place::Member(place, name), "must be absent here".into(), found);
                }
            }
        }),
        Then::Bool { name, value } => {
            if let Some(found) = json.get(name).filter(|found| **found != Json::Bool(*value)) {
                faults.add(&Place::Member(at, name), format!("must be {value} here"), found);
            }
        }
    }
}

fn with(member: Option<&str>, json: &Json<'_>, at: &Place<'_>, mut each: impl FnMut(&Json<'_>, &Place<'_>)) {
    match member {
        None => each(json, at),
        Some(name) => {
            if let Some(target) = json.get(name) {
                each(target, &Place::Member(at, name));
            }
        }
    }
}

fn holds(when: &When, json: &Json<'_>) -> bool {
    let mut found = json;
    for name in when.path {
        match found.get(name) {
            Some(next) => found = next,
            None => return false,
        }
    }
    match (&when.is, found) {
        (Is::OneOf(words), Json::Text(text)) => words.contains(&text.as_ref()),
        (Is::Bool(expected), Json::Bool(value)) => expected == value,
        _ => false,
    }
}
