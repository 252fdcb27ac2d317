//! How long an import takes, as a ratio to a floor of the same run: `serde_json` reading every line into
//! `IgnoredAny` on one thread. Run with `cargo bench -p trace`; `TRACE_BENCH_EVENTS` sets the size, a million by default.

use std::hint::black_box;
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::de::IgnoredAny;
use trace::{Source, import};

fn main() {
    let events =
        std::env::var("TRACE_BENCH_EVENTS").ok().and_then(|text| text.parse().ok()).unwrap_or(1_000_000);
    let folder = std::env::temp_dir().join(format!("holdpoint-bench-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for the files");
    let flat = (0..45_385).map(|at| span(at, (at > 0).then_some(0), 900));
    let chain = (0..50_000_u64).map(|at| span(at, at.checked_sub(1), 900));
    let cases = [
        ("recording of many events", recording(&folder, events)),
        ("45,384 spans under one root", otlp(&folder, "flat", flat)),
        ("a chain of 50,000 spans", otlp(&folder, "chain", chain)),
        ("one span with a body of 100 MB", otlp(&folder, "body", [span(0, None, 100 << 20)])),
    ];
    println!("{:<32} {:>6} {:>9} {:>10} {:>6} {:>8}", "", "MB", "floor ms", "import ms", "ratio", "peak MB");
    for (name, path) in &cases {
        let size_mb = std::fs::metadata(path).map_or(0, |facts| facts.len()) / 1_000_000;
        let floor = best(|| floor(path));
        let ours = best(|| ours(path));
        let ratio = ours.as_secs_f64() / floor.as_secs_f64();
        let (floor, ours) = (floor.as_millis(), ours.as_millis());
        println!("{name:<32} {size_mb:>6} {floor:>9} {ours:>10} {ratio:>6.2} {:>8}", peak_mb().unwrap_or(0));
    }
    std::fs::remove_dir_all(&folder).expect("the folder can be removed");
}

/// The better of two runs: the first also warms the file cache.
fn best(mut run: impl FnMut() -> Duration) -> Duration {
    run().min(run())
}

fn floor(path: &Path) -> Duration {
    let start = Instant::now();
    let mut reader = BufReader::with_capacity(1 << 16, std::fs::File::open(path).expect("the file is there"));
    let mut line = Vec::new();
    while reader.read_until(b'\n', &mut line).expect("the file can be read") > 0 {
        black_box(serde_json::from_slice::<IgnoredAny>(&line).expect("every line is JSON"));
        line.clear();
    }
    start.elapsed()
}

fn ours(path: &Path) -> Duration {
    let start = Instant::now();
    let report = import(&[Source::Path(path.to_owned())], &mut |line| {
        black_box(line);
        ControlFlow::Continue(())
    });
    let report = report.unwrap_or_else(|failure| panic!("{failure}"));
    assert_eq!(report.skipped_total, 0, "{:?}", report.skipped);
    start.elapsed()
}

/// Most memory that the process has held so far; not every system says.
fn peak_mb() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().trim_end_matches(" kB").parse::<u64>().ok().map(|kb| kb / 1000)
}

/// Starts, tokens and ends of calls, about 350 bytes each.
fn recording(folder: &Path, events: u64) -> PathBuf {
    let path = folder.join("recording.jsonl");
    let mut out = BufWriter::new(std::fs::File::create(&path).expect("a file can be made"));
    let text = "the quick brown fox said \\\"jump\\\" and then \\u2013 later \\n it did so again ".repeat(2);
    for seq in 0..events {
        let (id, node) = (seq / 4, format!("tool:n{}", seq / 4 % 50));
        let body = match seq % 4 {
            0 => format!(
                r#""node.started","payload":{{"nodeId":"{node}","parentId":"llm:step","kind":"tool","name":"n","instanceId":"i{id}","input":{{"query":"{text}","limit":[1,2,3]}}}}"#
            ),
            1 | 2 => format!(
                r#""node.token","payload":{{"nodeId":"{node}","deltas":[{{"t":"text","v":"{text}"}},{{"t":"reasoning","v":"hm"}}]}}"#
            ),
            _ => format!(
                r#""node.finished","payload":{{"nodeId":"{node}","instanceId":"i{id}","output":{{"text":"{text}"}},"usage":{{"inputTokens":12,"outputTokens":34}},"durationMs":12.5,"status":"ok"}}"#
            ),
        };
        let ts = seq * 3;
        writeln!(out, r#"{{"gm":1,"seq":{},"ts":{ts},"runId":"r1","type":{body}}}"#, seq + 1)
            .expect("a line");
    }
    out.flush().expect("the file is written");
    path
}

fn span(id: u64, parent: Option<u64>, body_bytes: usize) -> String {
    let parent = parent.map_or_else(String::new, |parent| format!("{:016x}", parent + 1));
    let (id, body) = (id + 1, "x".repeat(body_bytes));
    format!(
        r#"{{"traceId":"5b8efff798038103d269b633813fc60c","spanId":"{id:016x}","parentSpanId":"{parent}","name":"work","startTimeUnixNano":"{id}000000","endTimeUnixNano":"900000000000","attributes":[{{"key":"input.value","value":{{"stringValue":"{body}"}}}},{{"key":"openinference.span.kind","value":{{"stringValue":"TOOL"}}}}],"status":{{}}}}"#
    )
}

/// One request a line, a hundred spans each.
fn otlp(folder: &Path, name: &str, spans: impl IntoIterator<Item = String>) -> PathBuf {
    let path = folder.join(format!("{name}.jsonl"));
    let mut out = BufWriter::new(std::fs::File::create(&path).expect("a file can be made"));
    let mut spans = spans.into_iter().peekable();
    while spans.peek().is_some() {
        let some: Vec<String> = spans.by_ref().take(100).collect();
        let spans = some.join(",");
        writeln!(out, r#"{{"resourceSpans":[{{"scopeSpans":[{{"spans":[{spans}]}}]}}]}}"#).expect("a line");
    }
    out.flush().expect("the file is written");
    path
}
