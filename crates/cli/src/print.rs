//! Tables and figures for people, and lines for programs.

use crate::fail::{Context, Done};
use serde::Serialize;
use std::io::{self, Write};

/// Prints `value` as one line of JSON.
pub(crate) fn json<T: Serialize>(value: &T) -> Done {
    let text = serde_json::to_string(value).context("cannot write JSON")?;
    line(&text)
}

/// Prints a line. A reader that has gone (`| head`) is no error.
pub(crate) fn line(text: &str) -> Done {
    match writeln!(io::stdout().lock(), "{text}") {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => std::process::exit(0),
        other => other.context("cannot write to standard output"),
    }
}

/// Prints rows under their heads, each column as wide as its widest cell.
pub(crate) fn table(heads: &[&str], rows: &[Vec<String>]) -> Done {
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count());
        cells.chain([heads[column].len()]).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..heads.len()).map(width).collect();
    let lay = |cells: &[String]| {
        let padded = cells.iter().zip(&widths).map(|(cell, width)| format!("{cell:width$}"));
        padded.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    line(&lay(&heads.iter().map(|head| (*head).to_owned()).collect::<Vec<_>>()))?;
    rows.iter().try_for_each(|row| line(&lay(row)))
}

/// A span of milliseconds as a person says it.
pub(crate) fn span(time_ms: f64) -> String {
    let seconds = time_ms / 1_000.0;
    match seconds {
        s if s < 1.0 => format!("{time_ms:.0} ms"),
        s if s < 60.0 => format!("{s:.1} s"),
        s if s < 3_600.0 => format!("{:.0} min {:02.0} s", (s / 60.0).floor(), (s % 60.0).floor()),
        s => format!("{:.0} h {:02.0} min", (s / 3_600.0).floor(), (s % 3_600.0 / 60.0).floor()),
    }
}

/// What stands in place of something that is not there.
pub(crate) fn or_dash(value: Option<&str>) -> String {
    value.filter(|value| !value.is_empty()).unwrap_or("-").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_are_said_in_the_unit_that_fits() {
        let check = |time_ms, expect: &str| assert_eq!(span(time_ms), expect);
        check(0.4, "0 ms");
        check(999.4, "999 ms");
        check(12_340.0, "12.3 s");
        check(128_000.0, "2 min 08 s");
        check(7_620_000.0, "2 h 07 min");
    }
}
