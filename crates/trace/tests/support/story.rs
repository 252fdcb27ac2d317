//! An import told in lines, so that a test is an input and what came of it.
#![expect(dead_code, reason = "each test file tells its stories in one of these ways")]

use std::ops::ControlFlow;

use trace::{Report, Source, import};

/// One line an event: `+ node < parent [instance]` for a start, `- node status usage` for an end, `! name: message`.
pub(crate) fn story(text: &str) -> (Report, Vec<String>) {
    let source = Source::Bytes { name: "trace".into(), bytes: text.as_bytes().to_vec() };
    let mut lines = Vec::new();
    let report = import(&[source], &mut |line| {
        lines.extend(told(&checked(line)));
        ControlFlow::Continue(())
    });
    (report.unwrap_or_else(|failure| panic!("{failure} {:?}", failure.report)), lines)
}

/// A whole import as a text: format, events, skipped records, notes; a failure in its words.
pub(crate) fn tell(sources: &[Source]) -> String {
    let mut lines = Vec::new();
    let result = import(sources, &mut |line| {
        lines.extend(told(&checked(line)).map(|told| format!("  {told}")));
        ControlFlow::Continue(())
    });
    let report = match result {
        Ok(report) => report,
        Err(failure) => {
            lines.push(format!("failed: {failure}"));
            *failure.report.unwrap_or_default()
        }
    };
    let counts = (report.records, report.imported, report.skipped_total);
    lines.insert(
        0,
        format!("{}: {} records, {} used, {} skipped", report.format, counts.0, counts.1, counts.2),
    );
    lines.extend(report.skipped.iter().map(|skip| format!("skipped {}: {}", skip.line, skip.reason)));
    lines.extend(report.notes().iter().map(|note| format!("note: {note}")));
    lines.join("\n") + "\n"
}

fn checked(line: &str) -> serde_json::Value {
    assert!(matches!(wire::decode(line), wire::Decoded::Ok(_) | wire::Decoded::UnknownType(_)), "{line}");
    serde_json::from_str(line).expect("an envelope is JSON")
}

fn told(event: &serde_json::Value) -> Option<String> {
    let payload = &event["payload"];
    let text = |name: &str| payload[name].as_str().unwrap_or("-").to_owned();
    Some(match event["type"].as_str()? {
        "run.started" => format!("run {} {}", event["runId"].as_str()?, text("app")),
        "node.started" => format!(
            "+ {} < {} [{}] {}",
            text("nodeId"),
            text("parentId"),
            text("instanceId"),
            payload["input"]
        ),
        "node.finished" => {
            format!("- {} {} {}{}", text("nodeId"), text("status"), payload["output"], tokens(payload))
        }
        "node.error" => {
            format!("! {}: {}", payload["error"]["name"].as_str()?, payload["error"]["message"].as_str()?)
        }
        "run.finished" => format!("end {}", text("status")),
        other => other.to_owned(),
    })
}

/// Input and output, then what is known beyond them.
fn tokens(payload: &serde_json::Value) -> String {
    let usage = &payload["usage"];
    if !usage.is_object() {
        return String::new();
    }
    let further = [("cacheReadTokens", "r"), ("cacheWriteTokens", "w"), ("reasoningTokens", "t")];
    let further: String = further
        .iter()
        .filter_map(|(name, sign)| {
            Some(format!(" {sign}{}", usage[name].as_u64().filter(|count| *count > 0)?))
        })
        .collect();
    format!(" {}/{}{further}", usage["inputTokens"], usage["outputTokens"])
}

/// The format and the story of a text.
pub(crate) fn check(text: &str, format: &str, expected: &[&str]) {
    let (report, lines) = story(text);
    assert_eq!(
        (report.format.as_str(), lines),
        (format, expected.iter().map(ToString::to_string).collect()),
        "{:?}",
        report
    );
}
