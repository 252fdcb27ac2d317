//! The order of a file says nothing where its records say when they were: shuffled, or each twice, is the same run.

use std::ops::ControlFlow;

use proptest::prelude::*;
use trace::{Source, import};

fn seed(name: &str) -> String {
    let path = format!("{}/../../fuzz/corpus/trace_import/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn events(lines: &[&str]) -> Vec<String> {
    let source = Source::Bytes { name: "trace".into(), bytes: lines.join("\n").into_bytes() };
    let mut events = Vec::new();
    let report = import(&[source], &mut |line| {
        events.push(line.to_owned());
        ControlFlow::Continue(())
    });
    report.unwrap_or_else(|failure| panic!("{failure}"));
    events
}

/// Formats whose records carry their own order, one a line.
const ORDERED: &[&str] = &[
    "claude.jsonl",
    "openai.jsonl",
    "openai-log.jsonl",
    "codex-clock.jsonl",
    "langsmith.jsonl",
    "spans.jsonl",
];
/// Formats that pass through: the receiver orders them by their numbers and drops what it has seen.
const NUMBERED: &[&str] = &["graphmind.jsonl", "journal.jsonl", "journal-new.jsonl"];

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(24) })]
    #[test]
    fn shuffled_or_doubled_lines_are_the_same_run(order in Just((0..64).collect::<Vec<usize>>()).prop_shuffle()) {
        for name in ORDERED {
            let text = seed(name);
            let lines: Vec<&str> = text.lines().collect();
            let expected = events(&lines);
            let shuffled: Vec<&str> = order.iter().filter_map(|at| lines.get(*at).copied()).collect();
            prop_assert_eq!(&events(&shuffled), &expected, "{} shuffled", name);
            let doubled: Vec<&str> = lines.iter().chain(&shuffled).copied().collect();
            prop_assert_eq!(&events(&doubled), &expected, "{} doubled", name);
        }
        for name in NUMBERED {
            let text = seed(name);
            let lines: Vec<&str> = text.lines().collect();
            let shuffled: Vec<&str> = order.iter().filter_map(|at| lines.get(*at).copied()).collect();
            let sorted = |lines: &[&str]| { let mut events = events(lines); events.sort(); events };
            prop_assert_eq!(sorted(&shuffled), sorted(&lines), "{} shuffled", name);
        }
    }
}

#[test]
fn line_ends_and_blank_lines_say_nothing() {
    for name in ORDERED.iter().chain(NUMBERED) {
        let text = seed(name);
        let lines: Vec<&str> = text.lines().collect();
        let expected = events(&lines);
        assert_eq!(events(&[&lines.join("\r\n")]), expected, "{name} with CRLF");
        assert_eq!(
            events(&[&format!("\n  \n{}\n\n", lines.join("\n\n"))]),
            expected,
            "{name} with blank lines"
        );
        assert_eq!(events(&[&format!("[{}]", lines.join(","))]), expected, "{name} as one list");
    }
}
