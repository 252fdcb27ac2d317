//! Times as text tools write them: ISO 8601, numbers of seconds or milliseconds, and pairs of seconds and
//! nanoseconds.

use wire::Raw;

/// Milliseconds since 1970 of an ISO 8601 text (UTC where it names no zone) or of a number.
pub(crate) fn time_ms(value: Raw<'_>) -> Option<f64> {
    match value.as_str() {
        Some(text) => iso_ms(&text),
        None => value.as_f64().map(scaled),
    }
}

/// `[seconds, nanoseconds]`; all zeros is no time.
pub(crate) fn hr_time_ms(value: Raw<'_>) -> Option<f64> {
    let mut parts = value.items().filter_map(Raw::as_f64);
    let (seconds, nanos) = (parts.next()?, parts.next()?);
    (seconds > 0.0 || nanos > 0.0).then_some(seconds * 1e3 + nanos / 1e6)
}

/// A bare number: seconds, milliseconds, microseconds or nanoseconds since 1970, told by its size.
fn scaled(number: f64) -> f64 {
    match number {
        n if n < 1e11 => n * 1e3,
        n if n < 1e14 => n,
        n if n < 1e17 => n / 1e3,
        n => n / 1e6,
    }
}

fn iso_ms(text: &str) -> Option<f64> {
    let part = |range: std::ops::Range<usize>| text.get(range)?.parse::<i64>().ok();
    let (year, month, day) = (part(0..4)?, part(5..7)?, part(8..10)?);
    let (hour, minute, second) = (part(11..13)?, part(14..16)?, part(17..19).unwrap_or(0));
    let rest = text.get(19..).unwrap_or_default();
    let digits =
        rest.strip_prefix(['.', ',']).map_or(0, |rest| rest.bytes().take_while(u8::is_ascii_digit).count());
    let fraction: f64 = if digits == 0 { 0.0 } else { format!("0.{}", &rest[1..=digits]).parse().ok()? };
    let zone = rest.get(if digits == 0 { 0 } else { digits + 1 }..)?.trim();
    let seconds = kxm::days_since_epoch(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second
        - offset_seconds(zone)?;
    #[expect(clippy::cast_precision_loss, reason = "seconds of four-digit years are far below 2^53")]
    Some(seconds as f64 * 1e3 + fraction * 1e3)
}

fn offset_seconds(zone: &str) -> Option<i64> {
    let sign = match zone.as_bytes().first() {
        None | Some(b'Z' | b'z') => return Some(0),
        Some(b'+') => 1,
        Some(b'-') => -1,
        Some(_) => return None,
    };
    let digits: String = zone.chars().filter(char::is_ascii_digit).collect();
    let hours: i64 = digits.get(0..2)?.parse().ok()?;
    let minutes: i64 = digits.get(2..4).map_or(Some(0), |text| text.parse().ok())?;
    Some(sign * (hours * 3600 + minutes * 60))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(json: &str, expected: Option<f64>) {
        assert_eq!(time_ms(Raw::parse(json).unwrap()), expected, "{json}");
    }

    #[test]
    fn a_time_is_read_however_it_is_written() {
        check("\"1970-01-02T00:00:00Z\"", Some(86_400_000.0));
        check("\"2026-01-02T03:04:05.250+00:00\"", Some(1_767_323_045_250.0));
        check("\"2026-01-02T05:04:05.25+02:00\"", Some(1_767_323_045_250.0));
        check("\"2026-01-02 03:04:05\"", Some(1_767_323_045_000.0));
        check("1767323045.25", Some(1_767_323_045_250.0));
        check("1767323045250", Some(1_767_323_045_250.0));
        check("\"yesterday\"", None);
        assert_eq!(hr_time_ms(Raw::parse("[1767323045, 250000000]").unwrap()), Some(1_767_323_045_250.0));
    }
}
