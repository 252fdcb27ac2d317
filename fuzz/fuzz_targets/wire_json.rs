//! Any text as a value: own code agrees with the general parser.
#![no_main]
#![expect(dead_code, reason = "the laws are shared; a target checks one of them")]
#[path = "../../crates/wire/tests/laws/check.rs"]
mod check;

libfuzzer_sys::fuzz_target!(|text: &str| {
    check::json(text);
});
