//! Any text as a file of a stated format: the first byte chooses the adapter, detection is passed by.
#![no_main]
#![expect(dead_code, reason = "the laws are shared; a target checks one of them")]
#[path = "../../crates/trace/tests/laws/check.rs"]
mod check;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| check::adapter(bytes));
