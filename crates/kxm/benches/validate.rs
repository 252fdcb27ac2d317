//! Parsing and checking records, against crate `jsonschema` on the same texts in the same run; prints the ratio.

#[path = "../tests/support/documents.rs"]
mod documents;

use std::hint::black_box;
use std::time::Instant;

use documents::{Dice, accepted, change};
use kxm::{Typed, decode, sync::SyncEvent};
use serde_json::Value;

const RECORDS: usize = 20_000;

fn main() {
    let mut dice = Dice(7);
    let records: Vec<String> = (0..RECORDS)
        .map(|number| {
            let mut record = accepted(&SyncEvent::RULE, &mut dice);
            if number % 10 == 0 {
                change(&mut record, &mut dice);
            }
            record.to_string()
        })
        .collect();
    let bytes: usize = records.iter().map(String::len).sum();
    let validator = jsonschema::validator_for(&kxm::sync_schema()).expect("our schema compiles");
    let parsed: Vec<Value> = records.iter().filter_map(|text| serde_json::from_str(text).ok()).collect();
    let ours = best(|| records.iter().filter(|text| decode(text).is_ok()).count());
    let theirs = best(|| {
        let valid =
            |text: &String| serde_json::from_str::<Value>(text).is_ok_and(|value| validator.is_valid(&value));
        records.iter().filter(|text| valid(text)).count()
    });
    let checked_only = best(|| parsed.iter().filter(|value| validator.is_valid(value)).count());
    println!("{RECORDS} records, {bytes} bytes");
    println!("kxm::decode (parse and check)        {:.2} us a record", ours * 1e6 / RECORDS as f64);
    println!("serde_json + jsonschema              {:.2} us a record", theirs * 1e6 / RECORDS as f64);
    println!("jsonschema alone, parsed beforehand  {:.2} us a record", checked_only * 1e6 / RECORDS as f64);
    println!("ratio, both parse: {:.2}; against checking alone: {:.2}", theirs / ours, checked_only / ours);
}

fn best(mut run: impl FnMut() -> usize) -> f64 {
    (0..5)
        .map(|_| {
            let start = Instant::now();
            black_box(run());
            start.elapsed().as_secs_f64()
        })
        .fold(f64::INFINITY, f64::min)
}
