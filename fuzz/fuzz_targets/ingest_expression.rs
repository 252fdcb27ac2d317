//! Any text as a condition, a hit count, a log text.
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| ingest::laws::expression(text));
