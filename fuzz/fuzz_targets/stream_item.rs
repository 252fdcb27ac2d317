//! Any text as the payload of a graph message.
#![no_main]
#[path = "../../crates/stream/tests/laws/check.rs"]
mod check;

libfuzzer_sys::fuzz_target!(|text: &str| check::item(text));
