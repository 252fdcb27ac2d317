//! Whole files through the importer: containers, dirty lines, what is no trace.

use std::io::Write;
use std::ops::ControlFlow;

use trace::{Failure, Report, Source, import};

fn run(bytes: &[u8]) -> (Result<Report, Failure>, Vec<String>) {
    let source = Source::Bytes { name: "file.json".into(), bytes: bytes.to_vec() };
    let mut lines = Vec::new();
    let report = import(&[source], &mut |line| {
        lines.push(line.to_owned());
        ControlFlow::Continue(())
    });
    (report, lines)
}

fn envelope(seq: u64) -> String {
    format!(r#"{{"gm":1,"seq":{seq},"ts":0,"runId":"r1","type":"mode.set","payload":{{"mode":"step"}}}}"#)
}

/// Two envelopes in some container.
fn check_two(bytes: &[u8]) {
    let (report, lines) = run(bytes);
    let report = report.unwrap_or_else(|failure| panic!("{failure}"));
    assert_eq!((report.imported, report.skipped_total), (2, 0), "{:?}", report.skipped);
    assert_eq!(lines, [envelope(1), envelope(2)]);
}

#[test]
fn containers_are_told_by_their_bytes() {
    let plain = format!("{}\n{}\n", envelope(1), envelope(2));
    check_two(plain.as_bytes());
    check_two(format!("[{},{}]", envelope(1), envelope(2)).as_bytes());
    check_two(format!("\u{feff}{plain}").as_bytes());
    let utf16 = |big: bool| -> Vec<u8> {
        let units = std::iter::once(0xfeff).chain(plain.encode_utf16());
        units.flat_map(|unit| if big { unit.to_be_bytes() } else { unit.to_le_bytes() }).collect()
    };
    check_two(&utf16(false));
    check_two(&utf16(true));
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(plain.as_bytes()).unwrap();
    check_two(&gzip.finish().unwrap());
    let zstd =
        ruzstd::encoding::compress_to_vec(plain.as_bytes(), ruzstd::encoding::CompressionLevel::Fastest);
    check_two(&zstd);
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    zip.start_file("a/run.jsonl", zip::write::SimpleFileOptions::default()).unwrap();
    zip.write_all(plain.as_bytes()).unwrap();
    check_two(&zip.finish().unwrap().into_inner());
    check_two(
        format!("<!DOCTYPE html><body><script>let x=1</script><script type=x>\n{plain}</script>").as_bytes(),
    );
}

/// The failure's words contain `expected`.
fn check_failure(bytes: &[u8], expected: &str) {
    let (report, _) = run(bytes);
    let failure = report.expect_err("nothing can be imported");
    assert!(failure.message.contains(expected), "{failure}");
}

#[test]
fn what_is_no_trace_is_named() {
    check_failure(b"", "an empty file");
    check_failure(b"null", "a single JSON value");
    check_failure(b"123", "a single JSON value");
    check_failure(b"{\"a\":1}", "JSON of no known format");
    check_failure(b"hello there", "no JSON");
    check_failure(b"PAR1\0\0", "a Parquet file");
    check_failure(b"{\"resourceLogs\":[]}", "OpenTelemetry logs");
    check_failure(b"{\"lc\":1,\"type\":\"constructor\",\"id\":[]}", "a serialised LangChain message");
    check_failure(b"{'updates': {'a': 1}}", "Python's own notation");
    check_failure(b"[('updates', {})]", "Python's own notation");
    check_failure(b"id,name\n1,a\n2,b\n", "a table (CSV)");
    check_failure(b"SQLite format 3\0....", "a SQLite database");
    check_failure(b"\x00\x01\x02\x03", "binary data");
    check_failure(b"[{\"role\":\"user\",\"content\":\"x\"}]", "a list of chat messages");
    check_failure(b"{\"body\":\"x\",\"severity_text\":\"INFO\"}", "an OpenTelemetry log record");
    check_failure(b"{\"resourceMetrics\":[]}", "OpenTelemetry metrics");
    check_failure(b"<html><body>hi</body></html>", "a web page without a recording");
    check_failure(b"\x1f\x8b\x08garbage", "cannot be read");
}

#[test]
fn dirty_lines_are_listed_and_good_ones_load() {
    let text = format!(
        "\"text\"\n42\n[1]\n{{\"gn\":1}}\n{}\n{{\"gm\":2,\"seq\":1,\"ts\":0,\"runId\":\"r\",\"type\":\"x\",\"payload\":{{}}}}\n{}\n{{\"gm\":1,\"seq\":41,\"ts\":17",
        envelope(1),
        envelope(2)
    );
    let (report, lines) = run(text.as_bytes());
    let report = report.unwrap();
    assert_eq!((report.records, report.imported, lines.len()), (8, 2, 2));
    let skipped: Vec<(u64, &str)> =
        report.skipped.iter().map(|skip| (skip.line, skip.reason.as_str())).collect();
    assert_eq!(
        skipped,
        [
            (1, "a string (\"text\"), not an event"),
            (2, "a number (42), not an event"),
            (3, "a list of no known format"),
            (4, "an object of no known format, with gn"),
            (6, "protocol major 2; accepted is 1"),
            (8, "last line incomplete (24 bytes)"),
        ]
    );
}

#[test]
fn a_break_of_the_sink_cancels() {
    let text = format!("{}\n{}\n", envelope(1), envelope(2));
    let source = Source::Bytes { name: "a".into(), bytes: text.into_bytes() };
    let failure = import(&[source], &mut |_| ControlFlow::Break(())).unwrap_err();
    assert!(failure.cancelled);
}

#[test]
fn a_bomb_is_refused_with_its_figures() {
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    let zeros = vec![b' '; 1 << 20];
    for _ in 0..80 {
        gzip.write_all(&zeros).unwrap();
    }
    check_failure(&gzip.finish().unwrap(), "refused as a decompression bomb");
    let options = zip::write::SimpleFileOptions::default();
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for part in 0..2 {
        zip.start_file(format!("{part}.json"), options).unwrap();
        (0..40).for_each(|_| zip.write_all(&zeros).unwrap());
    }
    check_failure(&zip.finish().unwrap().into_inner(), "the archive expands more than 400 times");
    let spaces = vec![b' '; 70 << 20];
    let zstd = ruzstd::encoding::compress_to_vec(&spaces[..], ruzstd::encoding::CompressionLevel::Fastest);
    check_failure(&zstd, "refused as a decompression bomb");
}

#[test]
fn a_repeated_number_is_counted_and_its_line_handed_on() {
    let other = envelope(2).replace("node.started", "node.retold");
    let text = [envelope(1), envelope(2), other, envelope(2)].join("\n");
    let (report, lines) = run(text.as_bytes());
    let report = report.unwrap_or_else(|failure| panic!("{failure}"));
    assert_eq!((report.records, report.imported, report.skipped_total, lines.len()), (4, 4, 0, 4));
    let note = "a line repeats a sequence number of its run: the first line with the number counts (2 times)";
    assert_eq!(report.notes(), [note]);
}

#[test]
fn compressed_data_that_ends_early_keeps_what_came_before() {
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    (0..50_000).for_each(|seq| writeln!(gzip, "{}", envelope(seq)).unwrap());
    let mut bytes = gzip.finish().unwrap();
    bytes.truncate(bytes.len() / 2);
    let (report, lines) = run(&bytes);
    let report = report.unwrap_or_else(|failure| panic!("{failure}"));
    assert!(lines.len() > 1000 && report.imported == lines.len() as u64);
    assert!(
        report.skipped.iter().any(|skip| skip.reason.starts_with("the data ends here")),
        "{:?}",
        report.skipped
    );
}

#[test]
fn progress_is_told_and_can_stop_it() {
    let bytes = (envelope(1) + "\n").repeat(50_000).into_bytes();
    let total = bytes.len() as u64;
    let source = [Source::Bytes { name: "a".into(), bytes }];
    let mut told = Vec::new();
    let watched = trace::import_watched(&source, &mut |_| ControlFlow::Continue(()), &mut |progress| {
        told.push(progress.read_bytes);
        assert_eq!(progress.total_bytes, total);
        ControlFlow::Continue(())
    });
    assert!(watched.is_ok() && told.len() >= 3 && told.is_sorted(), "{told:?}");
    let stopped =
        trace::import_watched(&source, &mut |_| ControlFlow::Continue(()), &mut |_| ControlFlow::Break(()));
    assert!(stopped.unwrap_err().cancelled);
}

#[test]
fn kxm_faults_stand_in_the_report() {
    let text = "{\"schema\":\"kxm.sync-event.v1\",\"sequence\":0}\n";
    let (report, _) = run(text.as_bytes());
    let report = *report.unwrap_err().report.unwrap();
    let json = report.to_json();
    assert_eq!(json["format"], "KXM records");
    let place =
        json["invalid"].as_array().unwrap().iter().find(|fault| fault["pointer"] == "/sequence").unwrap();
    assert_eq!(place["rule"], "must be at least 1");
}
