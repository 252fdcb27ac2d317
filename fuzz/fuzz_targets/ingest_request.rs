//! Any text as the head of an HTTP request.
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| ingest::laws::request(text));
