//! Whether a document obeys a rule, and each place where it does not.
//!
//! The verdict equals a JSON Schema 2020-12 validator's. A rule's depth bounds the recursion, not the document's:
//! what no rule reaches is not entered. Nothing is built for a document that is accepted.

use std::collections::HashSet;

use crate::fault::{Fault, Faults, Place};
use crate::json::Json;
use crate::law::demand;
use crate::rule::{Object, Rule};

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
        Rule::Const(_) | Rule::Enum(_) | Rule::Text { .. } => text(rule, json, at, faults),
        Rule::Integer { .. } | Rule::Number { .. } => number(rule, json, at, faults),
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

/// Whether a rule for strings accepts `text`; other rules accept none.
pub(crate) fn accepts_text(rule: &Rule, text: &str) -> bool {
    match rule {
        Rule::Const(expected) => text == *expected,
        Rule::Enum(words) => words.contains(&text),
        Rule::Text { min, max, pattern } => {
            !too_long(text, *max)
                && text.len() >= *min
                && pattern.is_none_or(|pattern| (pattern.accepts)(text))
        }
        _ => false,
    }
}

/// Whether a rule for numbers accepts `json`; other rules accept none.
pub(crate) fn accepts_number(rule: &Rule, json: &Json<'_>) -> bool {
    match (rule, json.as_f64()) {
        (Rule::Integer { min, max }, Some(number)) => json.is_integer() && (*min..=*max).contains(&number),
        (Rule::Number { min }, Some(number)) => number >= *min,
        _ => false,
    }
}

/// A text has at most as many code points as bytes: most are accepted without counting.
fn too_long(text: &str, max: usize) -> bool {
    text.len() > max && text.chars().count() > max
}

fn text(rule: &Rule, json: &Json<'_>, at: &Place<'_>, faults: &mut Faults) {
    let known = json.as_str();
    if known.is_some_and(|text| accepts_text(rule, text)) {
        return;
    }
    match (rule, known) {
        (Rule::Const(expected), _) => faults.add(at, format!("must be \"{expected}\""), json),
        (Rule::Enum(words), _) => faults.add(at, format!("must be one of {}", words.join(", ")), json),
        (Rule::Text { min, max, pattern }, Some(text)) => {
            if too_long(text, *max) {
                faults.add(at, format!("must have at most {max} characters"), json);
            }
            if text.len() < *min {
                faults.add(at, format!("must have at least {min} characters"), json);
            }
            if let Some(pattern) = pattern.filter(|pattern| !(pattern.accepts)(text)) {
                faults.add(at, format!("must match {}", pattern.source), json);
            }
        }
        _ => faults.add(at, "must be a string".into(), json),
    }
}

fn number(rule: &Rule, json: &Json<'_>, at: &Place<'_>, faults: &mut Faults) {
    if accepts_number(rule, json) {
        return;
    }
    match (rule, json.as_f64()) {
        (Rule::Integer { .. }, Some(_)) if !json.is_integer() => {
            faults.add(at, "must be an integer".into(), json);
        }
        (Rule::Integer { .. }, None) => faults.add(at, "must be an integer".into(), json),
        (Rule::Integer { max, .. }, Some(number)) if number > *max => {
            faults.add(at, format!("must be at most {max}"), json);
        }
        (Rule::Integer { min, .. } | Rule::Number { min }, Some(_)) => {
            faults.add(at, format!("must be at least {min}"), json);
        }
        _ => faults.add(at, "must be a number".into(), json),
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
    if distinct(items.iter().filter_map(Json::as_str)) {
        return;
    }
    let mut seen = HashSet::with_capacity(items.len());
    for (index, item) in items.iter().enumerate() {
        if item.as_str().is_some_and(|text| !seen.insert(text)) {
            faults.add(&Place::Item(at, index), "must not stand twice".into(), item);
        }
    }
}

/// Lists with more items find repeated ones by hashing, not by looking back.
const LOOK_BACK_MAX: usize = 16;

/// Whether no text stands twice.
pub(crate) fn distinct<'t>(texts: impl Iterator<Item = &'t str> + Clone) -> bool {
    if texts.clone().nth(LOOK_BACK_MAX).is_none() {
        return texts.clone().enumerate().all(|(index, text)| !texts.clone().take(index).any(|t| t == text));
    }
    let mut seen = HashSet::new();
    texts.into_iter().all(|text| seen.insert(text))
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
