//! What a condition says about a hold.
//!
//! Invariant: total over every JSON value, however deep or long: values are walked as text, never built.

use std::borrow::Cow;
use std::cmp::Ordering;

use wire::{JsonKind, Raw};

use super::{Expr, Operator, Path, Scope, Step};

/// Longest value in a log text, in bytes.
const SHOWN_BYTES_MAX: usize = 512;

enum Value<'a> {
    Text(Cow<'a, str>),
    Number(f64),
    Bool(bool),
    Null,
    /// An object or a list.
    Compound(Raw<'a>),
}

impl Value<'_> {
    fn what(&self) -> &'static str {
        match self {
            Self::Text(_) => "a text",
            Self::Number(_) => "a number",
            Self::Bool(_) => "true or false",
            Self::Null => "null",
            Self::Compound(raw) if raw.kind() == JsonKind::Array => "a list",
            Self::Compound(_) => "an object",
        }
    }
}

/// Whether the expression is true.
pub(super) fn truth(expr: &Expr, scope: &Scope<'_>) -> Result<bool, String> {
    match expr {
        Expr::Or(left, right) => Ok(truth(left, scope)? || truth(right, scope)?),
        Expr::And(left, right) => Ok(truth(left, scope)? && truth(right, scope)?),
        Expr::Not(inner) => Ok(!truth(inner, scope)?),
        Expr::Compare(left, operator, right) => compare(value(left, scope)?, *operator, value(right, scope)?),
        Expr::Exists(path) => Ok(find(path, scope)?.is_some()),
        other => match value(other, scope)? {
            Value::Bool(truth) => Ok(truth),
            value => Err(format!("expected true or false, seen {}", value.what())),
        },
    }
}

fn value<'a>(expr: &'a Expr, scope: &Scope<'a>) -> Result<Value<'a>, String> {
    Ok(match expr {
        Expr::Text(text) => Value::Text(text.as_str().into()),
        Expr::Number(number) => Value::Number(*number),
        Expr::Bool(truth) => Value::Bool(*truth),
        Expr::Null => Value::Null,
        Expr::Path(path) => there(path, scope)?,
        Expr::Length(path) => Value::Number(length(path, scope)?),
        truthy => Value::Bool(truth(truthy, scope)?),
    })
}

fn there<'a>(path: &'a Path, scope: &Scope<'a>) -> Result<Value<'a>, String> {
    find(path, scope)?.ok_or_else(|| format!("{} is not there", written(path)))
}

fn length(path: &Path, scope: &Scope<'_>) -> Result<f64, String> {
    match there(path, scope)? {
        Value::Text(text) => Ok(text.chars().count() as f64),
        Value::Compound(raw) if raw.kind() == JsonKind::Array => Ok(raw.items().count() as f64),
        Value::Compound(raw) => Ok(raw.members().count() as f64),
        other => Err(format!("{} is {}, which has no length", written(path), other.what())),
    }
}

fn find<'a>(path: &'a Path, scope: &Scope<'a>) -> Result<Option<Value<'a>>, String> {
    let word = match path.root.as_str() {
        "run" => Some(scope.run),
        "node" => Some(scope.node),
        "kind" => Some(scope.kind),
        "name" => Some(scope.name),
        "point" => Some(scope.point),
        "instance" => {
            return Ok(scope.instance.filter(|_| path.steps.is_empty()).map(|i| Value::Text(i.into())));
        }
        _ => None,
    };
    if let Some(word) = word {
        return Ok(path.steps.is_empty().then(|| Value::Text(word.into())));
    }
    let bodies = scope.bodies.as_ref().ok_or(scope.why_no_bodies)?;
    let Some(mut raw) = bodies.iter().find(|(name, _)| *name == path.root).and_then(|(_, raw)| *raw) else {
        return Ok(None);
    };
    for step in &path.steps {
        let next = match step {
            Step::Member(name) if raw.kind() == JsonKind::Object => raw.member(name),
            Step::Item(at) if raw.kind() == JsonKind::Array => raw.items().nth(*at),
            _ => None,
        };
        let Some(next) = next else { return Ok(None) };
        raw = next;
    }
    Ok(Some(read(raw)))
}

fn read(raw: Raw<'_>) -> Value<'_> {
    match raw.kind() {
        JsonKind::Null => Value::Null,
        JsonKind::Bool => Value::Bool(raw.as_bool() == Some(true)),
        JsonKind::Number => Value::Number(raw.as_f64().unwrap_or(f64::NAN)),
        JsonKind::String => Value::Text(raw.as_str().unwrap_or_default()),
        JsonKind::Array | JsonKind::Object => Value::Compound(raw),
    }
}

fn compare(left: Value<'_>, operator: Operator, right: Value<'_>) -> Result<bool, String> {
    match operator {
        Operator::Equal => Ok(equal(&left, &right)),
        Operator::Unequal => Ok(!equal(&left, &right)),
        Operator::Less => order(&left, &right).map(Ordering::is_lt),
        Operator::LessOrEqual => order(&left, &right).map(Ordering::is_le),
        Operator::Greater => order(&left, &right).map(Ordering::is_gt),
        Operator::GreaterOrEqual => order(&left, &right).map(Ordering::is_ge),
        Operator::Contains => contains(&left, &right),
        Operator::StartsWith | Operator::EndsWith => match (&left, &right) {
            (Value::Text(text), Value::Text(part)) if operator == Operator::StartsWith => {
                Ok(text.starts_with(&**part))
            }
            (Value::Text(text), Value::Text(part)) => Ok(text.ends_with(&**part)),
            _ => Err(format!("{} and {} have no common beginning or end", left.what(), right.what())),
        },
    }
}

/// Things of different kinds are unequal; objects and lists are compared by their text.
fn equal(left: &Value<'_>, right: &Value<'_>) -> bool {
    match (left, right) {
        (Value::Text(a), Value::Text(b)) => a == b,
        (Value::Number(a), Value::Number(b)) => a == b,
        (Value::Bool(a), Value::Bool(b)) => a == b,
        (Value::Null, Value::Null) => true,
        (Value::Compound(a), Value::Compound(b)) => a == b,
        _ => false,
    }
}

fn order(left: &Value<'_>, right: &Value<'_>) -> Result<Ordering, String> {
    let ordered = match (left, right) {
        (Value::Number(a), Value::Number(b)) => a.partial_cmp(b),
        (Value::Text(a), Value::Text(b)) => Some(a.cmp(b)),
        _ => None,
    };
    ordered.ok_or_else(|| format!("{} and {} have no order", left.what(), right.what()))
}

fn contains(left: &Value<'_>, right: &Value<'_>) -> Result<bool, String> {
    match (left, right) {
        (Value::Text(text), Value::Text(part)) => Ok(text.contains(&**part)),
        (Value::Compound(raw), part) if raw.kind() == JsonKind::Array => {
            Ok(raw.items().any(|item| equal(&read(item), part)))
        }
        (Value::Compound(raw), Value::Text(name)) => Ok(raw.member(name).is_some()),
        _ => Err(format!("{} cannot contain {}", left.what(), right.what())),
    }
}

fn written(path: &Path) -> String {
    path.steps.iter().fold(path.root.clone(), |text, step| match step {
        Step::Member(name) => format!("{text}.{name}"),
        Step::Item(at) => format!("{text}[{at}]"),
    })
}

/// The value of a path for people.
pub(super) fn shown(path: &Path, scope: &Scope<'_>) -> String {
    let mut text = match there(path, scope) {
        Ok(Value::Text(text)) => text.into_owned(),
        Ok(Value::Number(number)) => number.to_string(),
        Ok(Value::Bool(truth)) => truth.to_string(),
        Ok(Value::Null) => "null".to_owned(),
        Ok(Value::Compound(raw)) => raw.get().get(..SHOWN_BYTES_MAX).unwrap_or(raw.get()).to_owned(),
        Err(what) => return format!("({what})"),
    };
    if text.len() > SHOWN_BYTES_MAX {
        text.truncate(text.floor_char_boundary(SHOWN_BYTES_MAX));
        text.push('…');
    }
    text
}
