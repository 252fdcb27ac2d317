//! Any text as a frame: the four outcomes, and what must hold of each.
#![no_main]
#[path = "../../crates/wire/tests/laws/check.rs"]
mod check;

libfuzzer_sys::fuzz_target!(|text: &str| check::frame(text));
