//! Any text as the payload of a graph message.
#![no_main]
#![expect(dead_code, reason = "the laws are shared; a target checks one of them")]
#[path = "../../crates/stream/tests/laws/check.rs"]
mod check;

libfuzzer_sys::fuzz_target!(|text: &str| check::item(text));
