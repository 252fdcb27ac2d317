//! The laws of `laws/check.rs` over the fuzz corpora, and over deterministic mutations of them.
//!
//! `TRACE_MUTATIONS=100000 cargo test -p trace --test laws` goes on for longer than the usual few of each seed.

#[path = "laws/check.rs"]
mod check;

use std::fs;
use std::path::PathBuf;

/// Mutations of each seed in an ordinary run.
const MUTATIONS: u64 = 30;

fn corpus(name: &str) -> Vec<(String, Vec<u8>)> {
    let folder = PathBuf::from(format!("{}/../../fuzz/corpus/{name}", env!("CARGO_MANIFEST_DIR")));
    let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut seeds: Vec<(String, Vec<u8>)> = entries
        .map(|entry| entry.expect("a folder can be listed").path())
        .map(|path| (path.display().to_string(), fs::read(&path).expect("a seed can be read")))
        .collect();
    seeds.sort();
    assert!(!seeds.is_empty(), "{name} has seeds");
    seeds
}

/// Says which input broke a law.
fn check(name: &str, law: fn(&[u8]), bytes: &[u8]) {
    let broken = std::panic::catch_unwind(|| law(bytes)).is_err();
    assert!(!broken, "{name}: {}", String::from_utf8_lossy(bytes));
}

#[test]
fn the_fuzz_corpora_hold_every_law() {
    for (name, seed) in corpus("trace_import") {
        check(&name, check::file, &seed);
    }
    for (name, seed) in corpus("trace_adapter") {
        check(&name, check::adapter, &seed);
    }
}

#[test]
fn a_file_that_ends_anywhere_holds_every_law() {
    for (name, seed) in corpus("trace_import") {
        let step = (seed.len() / 150).max(1);
        for end in (0..seed.len()).step_by(step) {
            check(&format!("{name} up to {end}"), check::file, &seed[..end]);
        }
    }
}

#[test]
fn mutated_files_hold_every_law() {
    let seeds = corpus("trace_import");
    let times = std::env::var("TRACE_MUTATIONS").ok().and_then(|text| text.parse().ok()).unwrap_or(MUTATIONS);
    for (number, (name, seed)) in seeds.iter().enumerate() {
        for time in 0..times {
            let mut random = Random(0x9e37_79b9_7f4a_7c15 ^ (number as u64) << 32 ^ (time + 1));
            let other = &seeds[random.below(seeds.len())].1;
            let bytes = mutated(seed, other, &mut random);
            check(&format!("{name}, mutation {time}"), check::file, &bytes);
        }
    }
}

#[test]
fn every_adapter_takes_the_files_of_every_other() {
    let seeds = corpus("trace_import");
    for (number, _) in trace::formats().enumerate() {
        for (name, seed) in &seeds {
            let number = u8::try_from(number).expect("there are few formats");
            let bytes = [&[number], seed.as_slice()].concat();
            check(&format!("{name} as format {number}"), check::adapter, &bytes);
        }
    }
}

/// xorshift64: the same mutations on every machine.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, end: usize) -> usize {
        (self.next() % end.max(1) as u64) as usize
    }
}

/// Pieces that programs trip over.
const PIECES: &[&[u8]] = &[
    b"null",
    b"{}",
    b"[]",
    b"\"\"",
    b"-1",
    b"1e999",
    b"18446744073709551616",
    b"\"\\ud800\"",
    b"\0",
    b"\xff\xfe",
    b"\r\n",
    b"\n",
    b",",
    b"NaN",
    b"[[[[[[[[[[[[[[[[[[[[",
    b"\"1970-01-01\"",
    b"\"9999-99-99T99:99:99Z\"",
    b"true",
    b"\xef\xbb\xbf",
];

fn mutated(seed: &[u8], other: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = seed.to_vec();
    for _ in 0..=random.below(4) {
        let at = random.below(bytes.len() + 1);
        match random.below(7) {
            0 => bytes.truncate(at),
            1 if at < bytes.len() => bytes[at] = random.next() as u8,
            2 => drop(bytes.splice(at..at, PIECES[random.below(PIECES.len())].iter().copied())),
            3 => replace_value(&mut bytes, at, random),
            4 => lines(&mut bytes, random),
            5 => drop(bytes.splice(at..at, other[random.below(other.len())..].iter().copied())),
            _ => {
                let end = (at + random.below(40)).min(bytes.len());
                bytes.drain(at..end);
            }
        }
    }
    bytes
}

/// Puts a piece in the place of the JSON value after a colon.
fn replace_value(bytes: &mut Vec<u8>, from: usize, random: &mut Random) {
    let Some(colon) = bytes[from..].iter().position(|byte| *byte == b':').map(|at| from + at + 1) else {
        return;
    };
    let end =
        bytes[colon..].iter().position(|byte| b",}]".contains(byte)).map_or(bytes.len(), |at| colon + at);
    bytes.splice(colon..end, PIECES[random.below(PIECES.len())].iter().copied());
}

/// Doubles, drops or swaps lines.
fn lines(bytes: &mut Vec<u8>, random: &mut Random) {
    let mut lines: Vec<Vec<u8>> = bytes.split_inclusive(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect();
    let (a, b) = (random.below(lines.len()), random.below(lines.len()));
    match random.below(3) {
        _ if lines.is_empty() => {}
        0 => lines.swap(a, b),
        1 => lines.insert(a, lines[b].clone()),
        _ => drop(lines.remove(a)),
    }
    *bytes = lines.concat();
}
