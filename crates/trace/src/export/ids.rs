//! Ids and times of other forms, made from a run's own: the same run gives the same ids.

use sha2::{Digest, Sha256};

/// The first `bytes` of a digest over these parts, in hexadecimal.
pub(super) fn digest(parts: &[&str], bytes: usize) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part.as_bytes());
    }
    hash.finalize().iter().take(bytes).map(|byte| format!("{byte:02x}")).collect()
}

/// Whether a text is an id of that many bytes in hexadecimal already.
pub(super) fn is_hex(text: &str, bytes: usize) -> bool {
    text.len() == bytes * 2
        && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
        && text.bytes().any(|byte| byte != b'0')
}

/// Milliseconds since 1970 as nanoseconds; before 1970 is 1970.
pub(super) fn nanos(ms: f64) -> u128 {
    let ms = if ms.is_finite() { ms.max(0.0) } else { 0.0 };
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "not negative, and saturating"
    )]
    let (whole, part) = (ms.trunc() as u128, (ms.fract() * 1e6).round() as u128);
    whole * 1_000_000 + part
}
