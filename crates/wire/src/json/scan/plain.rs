//! The fast part of a string: where its first special byte is.

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGHS: u64 = 0x8080_8080_8080_8080;

/// How many leading bytes are neither a quote, a backslash nor a control character, eight at a time.
#[inline]
pub(super) fn plain_len(bytes: &[u8]) -> usize {
    let (words, tail) = bytes.as_chunks::<8>();
    for (index, word) in words.iter().enumerate() {
        let stops = stops(u64::from_le_bytes(*word));
        if stops != 0 {
            return index * 8 + (stops.trailing_zeros() / 8) as usize;
        }
    }
    let stop = tail.iter().position(|byte| matches!(byte, b'"' | b'\\' | 0..=0x1f));
    words.len() * 8 + stop.unwrap_or(tail.len())
}

/// The high bit of the lowest stopping byte is exact; bits above it may be false, and are not looked at.
#[inline]
fn stops(word: u64) -> u64 {
    let quote = word ^ (ONES * u64::from(b'"'));
    let backslash = word ^ (ONES * u64::from(b'\\'));
    let has_quote = quote.wrapping_sub(ONES) & !quote;
    let has_backslash = backslash.wrapping_sub(ONES) & !backslash;
    let has_control = word.wrapping_sub(ONES * 0x20) & !word;
    (has_quote | has_backslash | has_control) & HIGHS
}
