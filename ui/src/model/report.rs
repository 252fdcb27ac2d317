//! An import's report in a sentence: what was read, what was skipped and why. Reads the report loosely, so that a
//! newer server may say more.

use serde_json::Value;

use super::format;

/// Reports kept; older ones are forgotten.
pub const KEPT: usize = 50;

/// A report, read once when it arrives.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// The file.
    pub name: String,
    /// In a sentence.
    pub summary: String,
    /// A row for each skipped line, broken rule and note.
    pub rows: Vec<String>,
    /// Skipped lines that the report counts and does not list.
    pub unlisted: u64,
    /// The whole of it.
    pub json: String,
}

/// Reads a report.
pub fn read(name: &str, json: &str, report: &Value) -> Report {
    let list = |key: &str| report.get(key).and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let text = |value: &Value, key: &str| value.get(key).and_then(Value::as_str).unwrap_or("").to_owned();
    let line =
        |value: &Value| value.get("line").and_then(Value::as_u64).map_or_else(String::new, format::count);
    let skipped =
        list("skipped").iter().map(|skip| format!("Line {} skipped: {}", line(skip), text(skip, "reason")));
    let invalid = list("invalid").iter().map(|fault| {
        let (place, rule, seen) = (text(fault, "pointer"), text(fault, "rule"), text(fault, "seen"));
        format!("Line {} at {place}: {rule}, seen {seen}", line(fault))
    });
    let notes =
        list("notes").iter().map(|note| note.as_str().map_or_else(|| note.to_string(), str::to_owned));
    let rows: Vec<String> = notes.chain(skipped).chain(invalid).collect();
    let total = report.get("skippedTotal").and_then(Value::as_u64).unwrap_or(0);
    let unlisted = total.saturating_sub(list("skipped").len() as u64);
    Report { name: name.to_owned(), summary: summary(report), rows, unlisted, json: json.to_owned() }
}

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
    if let Some(read) = figure(&["read", "linesRead", "lines", "imported", "events", "records"]) {
        parts.push(format!("{} read", format::count(read)));
    }
    let skipped = figure(&["skipped", "skippedTotal", "linesSkipped"])
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
    fn every_skip_fault_and_note_is_a_row() {
        let json = r#"{"format":"OTLP JSON","imported":3,"skippedTotal":5,"notes":["2 spans never ended"],
            "skipped":[{"line":7,"reason":"not JSON"}],"invalid":[{"line":9,"pointer":"/a","rule":"required","seen":"nothing"}]}"#;
        let report = read("t.json", json, &serde_json::from_str(json).unwrap_or_default());
        let rows =
            ["2 spans never ended", "Line 7 skipped: not JSON", "Line 9 at /a: required, seen nothing"];
        assert_eq!((report.rows, report.unlisted), (rows.map(str::to_owned).to_vec(), 4));
        assert_eq!(report.summary, "OTLP JSON, 3 read, 5 skipped");
    }

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
