//! An import's report in a sentence: what was read, what was skipped and why. Reads the report loosely, so that a
//! newer server may say more.

use serde_json::Value;

use super::format;

/// The sentence.
pub fn summary(report: &Value) -> String {
    if let Some(error) = report.get("error").and_then(Value::as_str) {
        return error.to_owned();
    }
    let figure = |names: &[&str]| names.iter().find_map(|name| report.get(*name).and_then(Value::as_u64));
    let mut parts = Vec::new();
    if let Some(dialect) =
        ["dialect", "format"].iter().find_map(|name| report.get(*name).and_then(Value::as_str))
    {
        parts.push(dialect.to_owned());
    }
    if let Some(read) = figure(&["read", "linesRead", "lines", "events", "records"]) {
        parts.push(format!("{} read", format::count(read)));
    }
    let skipped = figure(&["skipped", "linesSkipped"])
        .or_else(|| report.get("skipped").and_then(Value::as_array).map(|list| list.len() as u64));
    if let Some(skipped) = skipped {
        parts.push(format!("{} skipped", format::count(skipped)));
    }
    if parts.is_empty() { "Opened.".to_owned() } else { parts.join(", ") }
}

/// Whether nothing could be opened.
pub fn failed(report: &Value) -> bool {
    report.get("error").is_some_and(|error| !error.is_null())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_is_one_sentence() {
        let table = [
            (
                r#"{"dialect":"OpenTelemetry JSON","read":50000,"skipped":12}"#,
                "OpenTelemetry JSON, 50,000 read, 12 skipped",
            ),
            (r#"{"error":"Line 1 is not JSON."}"#, "Line 1 is not JSON."),
            ("{}", "Opened."),
        ];
        for (report, expect) in table {
            assert_eq!(summary(&serde_json::from_str(report).unwrap_or_default()), expect);
        }
    }
}
