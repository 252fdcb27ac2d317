//! Any text as a value: own code agrees with the general parser.
#![no_main]
#[path = "../../crates/wire/tests/laws/check.rs"]
mod check;

libfuzzer_sys::fuzz_target!(|text: &str| check::json(text));
