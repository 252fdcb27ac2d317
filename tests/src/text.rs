//! Base64, as WebDriver sends pictures.

/// The bytes of a base64 text; what is not of its alphabet (line ends, padding) is skipped.
pub(crate) fn from_base64(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let (mut bits, mut held) = (0u32, 0u32);
    for sextet in text.bytes().filter_map(sextet) {
        bits = (bits << 6) | sextet;
        held += 6;
        if held >= 8 {
            held -= 8;
            bytes.push((bits >> held & 0xFF) as u8);
        }
    }
    bytes
}

fn sextet(letter: u8) -> Option<u32> {
    let value = match letter {
        b'A'..=b'Z' => letter - b'A',
        b'a'..=b'z' => letter - b'a' + 26,
        b'0'..=b'9' => letter - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        _ => return None,
    };
    Some(u32::from(value))
}

#[cfg(test)]
mod tests {
    use super::from_base64;

    #[test]
    fn base64_of_every_padding_is_read() {
        for (text, expect) in
            [("", ""), ("Zg==", "f"), ("Zm8=", "fo"), ("Zm9v", "foo"), ("Zm9v\nYmFy", "foobar")]
        {
            assert_eq!(from_base64(text), expect.as_bytes(), "{text}");
        }
    }
}
