//! The verdict on a document equals that of a reference validator on the published schema, document by document.

mod support {
    pub(crate) mod documents;
}

use kxm::local::LocalEvent;
use kxm::sync::SyncEvent;
use kxm::{Rule, Typed, decode};
use serde_json::{Value, json};
use support::documents::{Dice, accepted, change};

const BASE: &str = "https://schemas.kxm.dev/";

fn parse(text: &str) -> Value {
    serde_json::from_str(text).expect("a schema file is JSON")
}

/// The KXM sync event schema as published, with the definitions it refers to.
fn reference() -> jsonschema::Validator {
    let registry = jsonschema::Registry::new()
        .add(format!("{BASE}common.schema.json"), parse(include_str!("schema/common.schema.json")))
        .and_then(|registry| {
            registry.add(
                format!("{BASE}run-event.schema.json"),
                parse(include_str!("schema/run-event.schema.json")),
            )
        })
        .and_then(|registry| registry.prepare())
        .expect("the registry takes both files");
    jsonschema::options()
        .with_registry(&registry)
        .build(&parse(include_str!("schema/sync-event.schema.json")))
        .expect("the published schema compiles")
}

fn ours(schema: &Value) -> jsonschema::Validator {
    jsonschema::validator_for(schema).expect("our schema compiles")
}

/// A document of the rule that breaks none of the laws between members too often to be useful.
fn document(rule: &Rule, dice: &mut Dice) -> Value {
    let mut document = accepted(rule, dice);
    if dice.roll(3) > 0 {
        let payload = json!({ "status": "running", "stepId": "plan" });
        document["payload"] = if dice.roll(2) == 0 { payload } else { document["payload"].take() };
    }
    document
}

fn agree(rule: &Rule, validator: &jsonschema::Validator, seed: u64, documents: usize) {
    let mut dice = Dice(seed);
    let mut valid = 0;
    for number in 0..documents {
        let mut document = document(rule, &mut dice);
        for _ in 0..dice.roll(3) {
            change(&mut document, &mut dice);
        }
        let text = document.to_string();
        let expected = validator.is_valid(&document);
        let verdict = decode(&text);
        valid += usize::from(expected);
        assert_eq!(verdict.is_ok(), expected, "document {number}: {text}\n{verdict:?}");
    }
    assert!(valid > documents / 20, "only {valid} of {documents} documents were valid: the test says little");
}

#[test]
fn sync_verdicts_equal_the_published_schema() {
    agree(&SyncEvent::RULE, &reference(), 0x9e37_79b9_7f4a_7c15, 8_000);
}

#[test]
fn the_schema_we_publish_gives_the_same_verdicts() {
    agree(&SyncEvent::RULE, &ours(&kxm::sync_schema()), 0x1234_5678_9abc_def1, 2_000);
    agree_local(2_000);
}

fn agree_local(documents: usize) {
    let validator = ours(&kxm::local_schema());
    let mut dice = Dice(0x0fed_cba9_8765_4321);
    let mut valid = 0;
    for _ in 0..documents {
        let mut document = accepted(&LocalEvent::RULE, &mut dice);
        if dice.roll(2) == 0 {
            change(&mut document, &mut dice);
        }
        if document["schema"] != kxm::local::LOCAL_SCHEMA {
            continue;
        }
        let expected = validator.is_valid(&document);
        valid += usize::from(expected);
        assert_eq!(decode(&document.to_string()).is_ok(), expected, "{document}");
    }
    assert!(valid > documents / 20, "only {valid} valid");
}

#[test]
fn published_schemas_stand_as_pinned() {
    let text = format!("{:#}\n", json!({ "sync": kxm::sync_schema(), "local": kxm::local_schema() }));
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/schema/published.golden.json");
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(path, &text).expect("the golden file can be written");
    }
    assert_eq!(std::fs::read_to_string(path).expect("the golden file is there"), text);
}
