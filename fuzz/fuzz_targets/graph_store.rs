//! Any lines as the frames of one run.
#![no_main]
#[path = "../../crates/graph/tests/it/noise.rs"]
mod noise;

libfuzzer_sys::fuzz_target!(|text: &str| noise::check(text));
