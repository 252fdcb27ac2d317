//! An import told in lines, so that a test is an input and what came of it.

use std::ops::ControlFlow;

use trace::{Report, Source, import};

/// One line an event: `+ node < parent [instance]` for a start, `- node status usage` for an end, `! name: message`.
pub(crate) fn story(text: &str) -> (Report, Vec<String>) {
    let source = Source::Bytes { name: "trace".into(), bytes: text.as_bytes().to_vec() };
    let mut lines = Vec::new();
    let report = import(&[source], &mut |line| {
        assert!(matches!(wire::decode(line), wire::Decoded::Ok(_) | wire::Decoded::UnknownType(_)), "{line}");
        let event: serde_json::Value = serde_json::from_str(line).expect("an envelope is JSON");
        lines.extend(told(&event));
        ControlFlow::Continue(())
    });
    (report.unwrap_or_else(|failure| panic!("{failure} {:?}", failure.report)), lines)
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
            let usage = &payload["usage"];
            let tokens = if usage.is_object() {
                format!(" {}/{}", usage["inputTokens"], usage["outputTokens"])
            } else {
                String::new()
            };
            format!("- {} {} {}{tokens}", text("nodeId"), text("status"), payload["output"])
        }
        "node.error" => {
            format!("! {}: {}", payload["error"]["name"].as_str()?, payload["error"]["message"].as_str()?)
        }
        "run.finished" => format!("end {}", text("status")),
        other => other.to_owned(),
    })
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
