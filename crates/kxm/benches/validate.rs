//! Parsing and checking records, against crate `jsonschema` on the same texts in the same run; prints the ratios.

#[path = "../tests/support/documents.rs"]
mod documents;

use std::hint::black_box;
use std::time::Instant;

use documents::{Dice, accepted, change};
use kxm::{Policy, Typed, decode, redact, sync::SyncEvent};
use serde_json::Value;

const RECORDS: usize = 10_000;

fn main() {
    let validator = jsonschema::validator_for(&kxm::sync_schema()).expect("our schema compiles");
    let mut dice = Dice(7);
    let mut all = Vec::new();
    let mut valid = Vec::new();
    while valid.len() < RECORDS {
        let mut record = accepted(&SyncEvent::RULE, &mut dice);
        if dice.roll(10) == 0 {
            change(&mut record, &mut dice);
        }
        if validator.is_valid(&record) {
            valid.push(record.to_string());
        }
        if all.len() < RECORDS {
            all.push(record.to_string());
        }
    }
    compare("the records of a delivery run, made safe to sync", &delivery(), &validator);
    compare("valid records of any shape", &valid, &validator);
    compare("records of which many break a rule", &all, &validator);
}

/// Real shapes: short ids, hashes and times, a few members each.
fn delivery() -> Vec<String> {
    let policy = Policy {
        version: "redaction-v1".to_owned(),
        sync_policy_revision: format!("sha256:{}", "0".repeat(64)),
    };
    let run = include_str!("../../testkit/recordings/delivery.kxm.ndjson");
    let safe: Vec<String> =
        run.lines().map(|record| redact(record, &policy).expect("the recording is valid")).collect();
    safe.iter().cycle().take(RECORDS).cloned().collect()
}

fn compare(what: &str, records: &[String], validator: &jsonschema::Validator) {
    let parsed: Vec<Value> = records.iter().filter_map(|text| serde_json::from_str(text).ok()).collect();
    let count = parsed.iter().filter(|value| validator.is_valid(value)).count();
    let ours = best(|| records.iter().filter(|text| decode(text).is_ok()).count());
    let theirs = best(|| {
        let valid =
            |text: &String| serde_json::from_str::<Value>(text).is_ok_and(|value| validator.is_valid(&value));
        records.iter().filter(|text| valid(text)).count()
    });
    let checked_only = best(|| parsed.iter().filter(|value| validator.is_valid(value)).count());
    let bytes: usize = records.iter().map(String::len).sum();
    let each = |seconds: f64| seconds * 1e6 / records.len() as f64;
    println!("{what}: {} of {bytes} bytes, {count} valid", records.len());
    println!("  kxm::decode (parse and check)        {:.2} us a record", each(ours));
    println!("  serde_json + jsonschema              {:.2} us a record", each(theirs));
    println!("  jsonschema alone, parsed beforehand  {:.2} us a record", each(checked_only));
    println!("  ratio, both parse: {:.2}; against checking alone: {:.2}", theirs / ours, checked_only / ours);
}

fn best(mut run: impl FnMut() -> usize) -> f64 {
    (0..9)
        .map(|_| {
            let start = Instant::now();
            black_box(run());
            start.elapsed().as_secs_f64()
        })
        .fold(f64::INFINITY, f64::min)
}
