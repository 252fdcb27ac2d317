//! Numbers as a JavaScript peer means them: one kind, a double; an integer may be written `1.0` or `1e2`.

/// The greatest integer every peer represents exactly, 2^53 - 1.
pub const MAX_SAFE_INTEGER: u64 = (1 << 53) - 1;

/// A finite number, `None` where it overflows a double.
pub fn finite(text: &str) -> Option<f64> {
    if let Some(whole) = digits(text) {
        return Some(whole as f64);
    }
    text.parse::<f64>().ok().filter(|value| value.is_finite())
}

/// An integer from 0 to 2^53 - 1, in any spelling.
pub fn count(text: &str) -> Option<u64> {
    if let Some(whole) = digits(text) {
        return Some(whole);
    }
    let value = finite(text)?;
    let whole = value.fract() == 0.0 && value >= 0.0 && value <= MAX_SAFE_INTEGER as f64;
    whole.then_some(value as u64)
}

/// The common spelling: up to 15 digits, which a double holds exactly.
fn digits(text: &str) -> Option<u64> {
    if text.len() > 15 || text.is_empty() {
        return None;
    }
    let next = |sum: u64, byte: u8| byte.is_ascii_digit().then(|| sum * 10 + u64::from(byte - b'0'));
    text.bytes().try_fold(0_u64, next)
}

/// Appends a finite number as a peer would write it: no exponent, no `.0`. Others have no JSON and become `null`.
pub fn write_number(value: f64, out: &mut String) {
    if value.is_finite() { out.push_str(&value.to_string()) } else { out.push_str("null") }
}
