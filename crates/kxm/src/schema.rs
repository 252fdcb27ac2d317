//! The published schema: JSON Schema draft 2020-12, made from the record types.
//!
//! Invariant: one file holds both kinds of records and every definition; a golden test pins it, so a change of
//! the contract is a change of that file.

use serde_json::{Map, Value, json};

use crate::rule::{Is, Law, Object, Rule, Then, When};

/// The schema of the record whose rule is given, with its definitions in `$defs`.
#[must_use]
pub fn schema(title: &str, rule: &Rule) -> Value {
    let mut definitions = Map::new();
    let mut root = inline(rule, &mut definitions);
    if let Value::Object(members) = &mut root {
        members.insert("$schema".into(), "https://json-schema.org/draft/2020-12/schema".into());
        members.insert("title".into(), title.into());
        members.insert("$defs".into(), Value::Object(definitions));
    }
    root
}

fn reference(rule: &Rule, definitions: &mut Map<String, Value>) -> Value {
    let Rule::Object(object) = rule else { return inline(rule, definitions) };
    if !definitions.contains_key(object.name) {
        definitions.insert(object.name.into(), Value::Null);
        let definition = inline(rule, definitions);
        definitions.insert(object.name.into(), definition);
    }
    json!({ "$ref": format!("#/$defs/{}", object.name) })
}

fn inline(rule: &Rule, definitions: &mut Map<String, Value>) -> Value {
    match rule {
        Rule::Any => Value::Bool(true),
        Rule::Const(word) => json!({ "const": word }),
        Rule::Enum(words) => json!({ "enum": words }),
        Rule::Text { min, max, pattern } => text(*min, *max, pattern.map(|pattern| pattern.source)),
        Rule::Integer { min, max } => bounded("integer", *min, *max),
        Rule::Number { min } => bounded("number", *min, f64::INFINITY),
        Rule::Bool => json!({ "type": "boolean" }),
        Rule::Array { items, min, max, unique } => array(reference(items, definitions), *min, *max, *unique),
        Rule::Object(object) => closed(object, definitions),
        Rule::Map { names, values, max } => json!({
            "type": "object",
            "propertyNames": inline(names, definitions),
            "additionalProperties": inline(values, definitions),
            "maxProperties": max,
        }),
        Rule::AnyObject => json!({ "type": "object" }),
    }
}

fn text(min: usize, max: usize, pattern: Option<&str>) -> Value {
    let mut schema = Map::from_iter([("type".to_owned(), Value::from("string"))]);
    if min > 0 {
        schema.insert("minLength".into(), min.into());
    }
    if max < usize::MAX {
        schema.insert("maxLength".into(), max.into());
    }
    if let Some(pattern) = pattern {
        schema.insert("pattern".into(), pattern.into());
    }
    Value::Object(schema)
}

#[expect(clippy::cast_possible_truncation, reason = "every bound of the schema is a whole number below 2^53")]
fn bounded(kind: &str, min: f64, max: f64) -> Value {
    let mut schema =
        Map::from_iter([("type".to_owned(), Value::from(kind)), ("minimum".into(), (min as i64).into())]);
    if max.is_finite() {
        schema.insert("maximum".into(), (max as i64).into());
    }
    Value::Object(schema)
}

fn array(items: Value, min: usize, max: usize, unique: bool) -> Value {
    let mut schema = Map::from_iter([("type".to_owned(), Value::from("array")), ("items".into(), items)]);
    if min > 0 {
        schema.insert("minItems".into(), min.into());
    }
    schema.insert("maxItems".into(), max.into());
    if unique {
        schema.insert("uniqueItems".into(), true.into());
    }
    Value::Object(schema)
}

fn closed(object: &Object, definitions: &mut Map<String, Value>) -> Value {
    let required: Vec<&str> = object.members.iter().filter(|m| m.required).map(|m| m.name).collect();
    let properties: Map<String, Value> =
        object.members.iter().map(|m| (m.name.to_owned(), reference(m.rule, definitions))).collect();
    let mut schema = Map::from_iter([("type".to_owned(), Value::from("object"))]);
    if !required.is_empty() {
        schema.insert("required".into(), json!(required));
    }
    if object.min > 0 {
        schema.insert("minProperties".into(), object.min.into());
    }
    schema.insert("properties".into(), Value::Object(properties));
    let laws: Vec<Value> = object.laws.iter().flat_map(|group| group.iter()).map(law).collect();
    if !laws.is_empty() {
        schema.insert("allOf".into(), Value::Array(laws));
    }
    schema.insert("additionalProperties".into(), false.into());
    Value::Object(schema)
}

fn law(law: &Law) -> Value {
    let conditions: Vec<Value> = law.when.iter().map(condition).collect();
    json!({ "if": { "allOf": conditions }, "then": demand(&law.then) })
}

fn condition(when: &When) -> Value {
    let value = match &when.is {
        Is::OneOf(words) => json!({ "enum": words }),
        Is::Bool(value) => json!({ "const": value }),
    };
    when.path.iter().rev().fold(
        value,
        |inner, name| json!({ "type": "object", "properties": { *name: inner }, "required": [name] }),
    )
}

fn demand(then: &Then) -> Value {
    let (at, inner) = match then {
        Then::Require { at, names } => (at, json!({ "type": "object", "required": names })),
        Then::Forbid { at, names } => {
            let absent: Map<String, Value> =
                names.iter().map(|name| ((*name).to_owned(), false.into())).collect();
            (at, json!({ "properties": absent }))
        }
        Then::Bool { name, value } => (&None, json!({ "properties": { *name: { "const": value } } })),
    };
    match at {
        Some(member) => json!({ "properties": { *member: inner } }),
        None => inner,
    }
}
