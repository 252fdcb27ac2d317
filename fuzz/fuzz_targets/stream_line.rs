//! Any text as a subscriber's line, and as a filter's query.
#![no_main]
#![expect(dead_code, reason = "the laws are shared; a target checks one of them")]
#[path = "../../crates/stream/tests/laws/check.rs"]
mod check;

libfuzzer_sys::fuzz_target!(|text: &str| check::line(text));
