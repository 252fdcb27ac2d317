//! Any text as a query, a value in it, a path.
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| ingest::laws::query(text));
