//! Fields of OTLP in all their spellings: names, ids, times, numbers, enums.

use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use base64::{Engine, alphabet};
use wire::{JsonKind, Raw};

use crate::read::{Members, either};

/// A trace or span id.
pub(crate) struct Id;

impl Id {
    /// The id as lower-case hexadecimal; none where it is absent, empty or all zeros.
    pub(crate) fn read<'a>(object: impl Members<'a>, names: &[&str], len_bytes: usize) -> Option<String> {
        let value = either(object, names)?;
        let id = match value.kind() {
            JsonKind::Array => Self::bytes(value),
            // A byte buffer as JavaScript writes it.
            JsonKind::Object => Self::bytes(either(value, &["data"])?),
            _ => Self::normal(&value.as_str()?, len_bytes),
        };
        (!id.is_empty() && !id.bytes().all(|byte| byte == b'0')).then_some(id)
    }

    fn bytes(list: Raw<'_>) -> String {
        hex(&list.items().filter_map(|item| u8::try_from(item.as_u64()?).ok()).collect::<Vec<_>>())
    }

    /// One form for an id however it was written; what is none of the known forms stays as it is.
    pub(crate) fn normal(text: &str, len_bytes: usize) -> String {
        let bare = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")).unwrap_or(text);
        let is_hex = |text: &str| text.bytes().all(|byte| byte.is_ascii_hexdigit());
        if bare.len() == len_bytes * 2 && is_hex(bare) {
            return bare.to_ascii_lowercase();
        }
        match base64(text) {
            Some(bytes) if bytes.len() == len_bytes => hex(&bytes),
            Some(bytes) if bytes.len() == len_bytes * 2 && bytes.iter().all(u8::is_ascii_hexdigit) => {
                String::from_utf8_lossy(&bytes).to_ascii_lowercase()
            }
            _ if is_hex(bare) => bare.to_ascii_lowercase(),
            _ => text.to_owned(),
        }
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Bytes of a base64 text in either alphabet, padded or not.
fn base64(text: &str) -> Option<Vec<u8>> {
    let lenient = GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent);
    let standard = text.replace('-', "+").replace('_', "/");
    GeneralPurpose::new(&alphabet::STANDARD, lenient).decode(standard).ok()
}

/// Nanoseconds since 1970 as milliseconds; zero is no time.
pub(crate) fn time_ms<'a>(object: impl Members<'a>, names: &[&str]) -> Option<f64> {
    let value = either(object, names)?;
    let text = value.as_str();
    let digits = text.as_deref().unwrap_or(value.get()).trim();
    let ns: f64 = match digits.parse::<i128>() {
        // Split before going to a double: its 53 bits do not hold nanoseconds since 1970.
        Ok(ns) => return (ns > 0).then(|| (ns / 1_000_000) as f64 + (ns % 1_000_000) as f64 / 1e6),
        Err(_) => digits.parse().ok()?,
    };
    (ns > 0.0 && ns.is_finite()).then_some(ns / 1e6)
}

/// Whether a status code says error, as number, name or text.
pub(crate) fn status_is_error(code: Raw<'_>) -> bool {
    match code.as_str() {
        Some(text) => {
            matches!(text.as_ref(), "2" | "STATUS_CODE_ERROR" | "ERROR" | "Error" | "StatusCode.ERROR")
        }
        None => code.as_u64() == Some(2),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, len_bytes: usize, expected: &str) {
        assert_eq!(Id::normal(text, len_bytes), expected, "{text}");
    }

    #[test]
    fn one_id_has_one_form() {
        check("5B8EFFF798038103D269B633813FC60C", 16, "5b8efff798038103d269b633813fc60c");
        check("0x5b8efff798038103d269b633813fc60c", 16, "5b8efff798038103d269b633813fc60c");
        check("W47/95gDgQPSabYzgT/GDA==", 16, "5b8efff798038103d269b633813fc60c");
        check("NWI4ZWZmZjc5ODAzODEwM2QyNjliNjMzODEzZmM2MGM=", 16, "5b8efff798038103d269b633813fc60c");
        check("7uGbfsPBsXM=", 8, "eee19b7ec3c1b173");
        check("ZWVlMTliN2VjM2MxYjE3Mw==", 8, "eee19b7ec3c1b173");
        check("eee19b7ec3c1b173", 8, "eee19b7ec3c1b173");
        check("span-7", 8, "span-7");
    }

    #[test]
    fn times_are_exact_to_the_microsecond() {
        let object = |value: &str| format!("{{\"t\":{value}}}");
        for value in ["1700000000123456789", "\"1700000000123456789\""] {
            let json = object(value);
            let ms = time_ms(Raw::parse(&json).unwrap(), &["t"]).unwrap();
            assert!((ms - 1_700_000_000_123.456_8).abs() < 0.001, "{ms}");
        }
        let zero = object("0");
        assert_eq!(time_ms(Raw::parse(&zero).unwrap(), &["t"]), None);
        let float = object("1.7e18");
        assert_eq!(time_ms(Raw::parse(&float).unwrap(), &["t"]), Some(1.7e12));
    }
}
