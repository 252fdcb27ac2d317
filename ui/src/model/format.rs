//! Numbers as people read them: thousands commas, a blank before the unit, three figures at most.

/// `12,345`.
pub fn count(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(c);
    }
    out
}

/// Milliseconds as `3 ms`, `4.61 s`, `41.6 s`, `2 min 08 s`, `3 h 05 min`.
pub fn duration(ms: f64) -> String {
    let ms = if ms.is_finite() { ms.max(0.0) } else { 0.0 };
    if ms < 999.5 {
        return if ms > 0.0 && ms < 0.95 { format!("{ms:.1} ms") } else { format!("{ms:.0} ms") };
    }
    let s = ms / 1000.0;
    match s {
        _ if s < 9.995 => format!("{s:.2} s"),
        _ if s < 59.95 => format!("{s:.1} s"),
        _ if s < 3599.5 => {
            let whole = s.round() as u64;
            format!("{} min {:02} s", whole / 60, whole % 60)
        }
        _ => {
            let minutes = (s / 60.0).round() as u64;
            format!("{} h {:02} min", count(minutes / 60), minutes % 60)
        }
    }
}

/// Milliseconds as whole seconds while something still runs: `8 s`, `2 min 08 s`.
pub fn running(ms: f64) -> String {
    if ms < 60_000.0 {
        format!("{} s", (ms.max(0.0) / 1000.0).floor())
    } else {
        duration((ms / 1000.0).floor() * 1000.0)
    }
}

/// Milliseconds as a clock: `0:08`, `12:40`, `1:02:03`.
pub fn clock(ms: f64) -> String {
    let s = (ms.max(0.0) / 1000.0).floor() as u64;
    if s < 3600 {
        format!("{}:{:02}", s / 60, s % 60)
    } else {
        format!("{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60)
    }
}

/// Milliseconds from the start of a run as `6:40.611`.
pub fn offset(ms: f64) -> String {
    let ms = ms.max(0.0).round() as u64;
    format!("{}:{:02}.{:03}", ms / 60_000, ms / 1000 % 60, ms % 1000)
}

/// Bytes as `118 B`, `6.4 kB`, `963 MB`.
pub fn bytes(n: u64) -> String {
    let mut value = n as f64;
    let mut unit = "B";
    for next in ["kB", "MB", "GB", "TB"] {
        if value < 999.5 {
            break;
        }
        value /= 1000.0;
        unit = next;
    }
    if unit == "B" || value >= 99.95 { format!("{value:.0} {unit}") } else { format!("{value:.1} {unit}") }
}

/// `53.5k`, for places without room.
pub fn short(n: u64) -> String {
    match n {
        0..=9_999 => count(n),
        10_000..=999_999 => format!("{:.1}k", n as f64 / 1000.0),
        _ => format!("{:.1}M", n as f64 / 1_000_000.0),
    }
}

/// `1 hold`, `2 holds`: the plural adds an s.
pub fn plural(n: u64, word: &str) -> String {
    format!("{} {word}{}", count(n), if n == 1 { "" } else { "s" })
}

/// At most `max` characters, with an ellipsis in the middle: both ends of a name tell it apart.
pub fn elide_middle(text: &str, max: usize) -> String {
    let length = text.chars().count();
    if length <= max {
        return text.to_owned();
    }
    let keep = max.saturating_sub(1);
    let head: String = text.chars().take(keep.div_ceil(2)).collect();
    let tail: String = text.chars().skip(length - keep / 2).collect();
    format!("{head}\u{2026}{tail}")
}

/// The first line of a text, cut at `max` characters.
pub fn first_line(text: &str, max: usize) -> String {
    let line = text.lines().find(|line| !line.trim().is_empty()).unwrap_or("").trim();
    let mut out: String = line.chars().take(max).collect();
    if out.len() < line.len() {
        out.push('\u{2026}');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_three_figures_and_a_unit() {
        let table = [
            (0.0, "0 ms"),
            (0.4, "0.4 ms"),
            (412.0, "412 ms"),
            (999.7, "1.00 s"),
            (4_610.0, "4.61 s"),
            (41_600.0, "41.6 s"),
            (128_000.0, "2 min 08 s"),
            (11_100_000.0, "3 h 05 min"),
            (f64::NAN, "0 ms"),
        ];
        for (ms, expect) in table {
            assert_eq!(duration(ms), expect);
        }
    }

    #[test]
    fn sizes_and_counts_read_at_a_glance() {
        for (n, expect) in [(0, "0 B"), (118, "118 B"), (6_400, "6.4 kB"), (963_000_000, "963 MB")] {
            assert_eq!(bytes(n), expect);
        }
        for (n, expect) in [(7, "7"), (1_284, "1,284"), (2_047_200, "2,047,200")] {
            assert_eq!(count(n), expect);
        }
        assert_eq!(plural(1, "hold"), "1 hold");
        assert_eq!(plural(2, "hold"), "2 holds");
    }

    #[test]
    fn clocks_pad_their_seconds() {
        assert_eq!(clock(8_400.0), "0:08");
        assert_eq!(clock(3_723_000.0), "1:02:03");
        assert_eq!(offset(400_611.0), "6:40.611");
    }

    #[test]
    fn a_long_name_keeps_both_ends() {
        assert_eq!(elide_middle("abcdefghij", 5), "ab\u{2026}ij");
        assert_eq!(elide_middle("äöü", 5), "äöü");
    }
}
