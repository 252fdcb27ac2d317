//! Any text as a subscriber's line, and as a filter's query.
#![no_main]
#[path = "../../crates/stream/tests/laws/check.rs"]
mod check;

libfuzzer_sys::fuzz_target!(|text: &str| check::line(text));
