//! `holdpoint check`: what can be read of a file, and why the rest cannot.

use super::Context;
use crate::{
    fail::{Done, Fail},
    print,
};
use serde_json::{Value, json};
use std::ops::ControlFlow;
use std::path::PathBuf;
use trace::Source;

/// Prints the report of importing `files`; fails where nothing could be imported.
pub(crate) fn run(context: &Context, files: &[PathBuf]) -> Done {
    let sources: Vec<Source> = files.iter().cloned().map(Source::Path).collect();
    let (report, failed) = match trace::import(&sources, &mut |_| ControlFlow::Continue(())) {
        Ok(report) if report.imported == 0 => {
            (report.to_json(), Some("nothing in it could be imported".to_owned()))
        }
        Ok(report) => (report.to_json(), None),
        Err(failure) => {
            let read = failure.report.map_or_else(|| nothing(&failure.message), |report| report.to_json());
            (read, Some(failure.message))
        }
    };
    if context.json {
        print::json(&report)?
    } else {
        text(&report)?
    }
    failed.map_or(Ok(()), |why| Err(Fail::new(why)))
}

/// The report of a file that gave nothing at all.
fn nothing(message: &str) -> Value {
    json!({"format": null, "records": 0, "imported": 0, "events": 0, "skipped": [], "skippedTotal": 0,
           "notes": [message]})
}

fn text(report: &Value) -> Done {
    let number = |name: &str| report[name].as_u64().unwrap_or_default();
    let format = report["format"].as_str().filter(|format| !format.is_empty()).unwrap_or("no known format");
    print::line(&format!(
        "{format}: {} of {} records imported, {} events, {} skipped",
        number("imported"),
        number("records"),
        number("events"),
        number("skippedTotal"),
    ))?;
    for skip in report["skipped"].as_array().into_iter().flatten() {
        print::line(&format!("  line {}: {}", skip["line"], skip["reason"].as_str().unwrap_or_default()))?;
    }
    for fault in report["invalid"].as_array().into_iter().flatten() {
        let word = |name: &str| fault[name].as_str().unwrap_or_default().to_owned();
        print::line(&format!(
            "  line {}: {} {}, seen {}",
            fault["line"],
            word("pointer"),
            word("rule"),
            word("seen")
        ))?;
    }
    report["notes"]
        .as_array()
        .into_iter()
        .flatten()
        .try_for_each(|note| print::line(&format!("  {}", note.as_str().unwrap_or_default())))
}
