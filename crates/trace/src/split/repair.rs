//! What sloppy writers leave in JSON, and documents that end too early.
//!
//! Invariant: only what stands outside the standard is changed, each change has a name, and one pass does it.

/// Text with the tokens of other languages and bare control characters put right, and what that was; nothing where
/// there is nothing to put right.
pub(super) fn json(text: &str) -> Option<(String, &'static str)> {
    let (mut out, mut what) = (String::with_capacity(text.len() + 16), None);
    let (mut in_string, mut escaped) = (false, false);
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let mut len = first.len_utf8();
        match first {
            _ if escaped => escaped = false,
            '\\' if in_string => escaped = true,
            '"' => in_string = !in_string,
            control if in_string && control < ' ' => {
                out.push_str(&format!("\\u{:04x}", u32::from(control)));
                what = Some("control characters in a text were escaped");
                rest = &rest[len..];
                continue;
            }
            '-' | 'N' | 'I' if !in_string => {
                if let Some(token) =
                    ["NaN", "Infinity", "-Infinity"].iter().find(|token| rest.starts_with(**token))
                {
                    out.push_str("null");
                    what = Some("NaN and Infinity, which JSON lacks, were read as null");
                    rest = &rest[token.len()..];
                    continue;
                }
            }
            _ => len = plain(rest, in_string),
        }
        out.push_str(&rest[..len]);
        rest = &rest[len..];
    }
    what.map(|what| (out, what))
}

/// Bytes up to the next one that could matter; at least one character.
fn plain(rest: &str, in_string: bool) -> usize {
    let matters = |byte: &u8| match byte {
        b'"' | b'\\' => true,
        b'-' | b'N' | b'I' => !in_string,
        byte => in_string && *byte < b' ',
    };
    let first = rest.chars().next().map_or(1, char::len_utf8);
    rest.as_bytes()[first..].iter().position(matters).map_or(rest.len(), |at| first + at)
}

/// How many bytes of a document that ends too early are complete members and items, and the brackets that close
/// them; nothing where not even one is.
pub(super) fn close(text: &str) -> Option<(usize, String)> {
    let mut open: Vec<u8> = Vec::new();
    // The place, and how many brackets are open there: none that is open there is closed after it.
    let mut safe = None;
    let (mut in_string, mut escaped) = (false, false);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            _ if in_string => {}
            b'{' => open.push(b'}'),
            b'[' => open.push(b']'),
            b'}' | b']' => {
                open.pop();
                safe = Some((at + 1, open.len()));
            }
            b',' => safe = Some((at, open.len())),
            _ => {}
        }
    }
    let (keep, depth) = safe?;
    let brackets = open.get(..depth)?.iter().rev().map(|byte| char::from(*byte)).collect();
    Some((keep, brackets))
}
