//! Any bytes as a file that a person opens: containers, detection, and the adapter that it leads to.
#![no_main]
#![expect(dead_code, reason = "the laws are shared; a target checks one of them")]
#[path = "../../crates/trace/tests/laws/check.rs"]
mod check;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| check::file(bytes));
