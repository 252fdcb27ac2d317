//! Any text as a body of KXM records.
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| ingest::laws::lines(text));
