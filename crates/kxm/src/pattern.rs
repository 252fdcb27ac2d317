//! The string patterns of the schema, each as its published expression and as a hand-written test.
//!
//! Invariant: the test accepts exactly what the expression does in the ECMA dialect (`$` only at the very end,
//! classes in ASCII). A test never looks at a byte more than once or twice.

/// A named pattern.
#[derive(Debug)]
pub struct Pattern {
    /// The expression as published, ECMA-262 with the `u` flag.
    pub source: &'static str,
    /// Whether it accepts `text`.
    pub accepts: fn(text: &str) -> bool,
}

/// `common#identifier`
pub(crate) static IDENTIFIER: Pattern =
    Pattern { source: "^[a-z][a-z0-9]*(?:[-_][a-z0-9]+)*$", accepts: |text| identifier(text.as_bytes()) };
/// `common#opaqueId`
pub(crate) static OPAQUE_ID: Pattern =
    Pattern { source: "^[a-z][a-z0-9]{1,15}_[A-Za-z0-9][A-Za-z0-9_-]{5,127}$", accepts: opaque_id };
/// `common#sha256`
pub(crate) static SHA256: Pattern = Pattern { source: "^sha256:[a-f0-9]{64}$", accepts: sha256 };
/// `common#timestamp`
pub(crate) static TIMESTAMP: Pattern = Pattern {
    source: "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\\.[0-9]{1,9})?Z$",
    accepts: timestamp,
};
/// `common#usage.currency`
pub(crate) static CURRENCY: Pattern = Pattern {
    source: "^[A-Z]{3}$",
    accepts: |text| text.len() == 3 && text.bytes().all(|byte| byte.is_ascii_uppercase()),
};
/// `common#environmentResolution.name`
pub(crate) static ENVIRONMENT_NAME: Pattern =
    Pattern { source: "^[A-Z_][A-Z0-9_]*$", accepts: environment_name };
/// `common#relativePath`
pub(crate) static RELATIVE_PATH: Pattern = Pattern { source: RELATIVE_PATH_SOURCE, accepts: relative_path };
/// `run-event#monotonicNs`
pub(crate) static DECIMAL: Pattern = Pattern { source: "^(?:0|[1-9][0-9]*)$", accepts: decimal };
/// `run-event#producerError`
pub(crate) static PRODUCER_ERROR: Pattern =
    Pattern { source: "^[a-z][a-z0-9]*(?:_[a-z0-9]+){1,3}$", accepts: producer_error };
/// `run-event#baseCommit`
pub(crate) static COMMIT: Pattern = Pattern {
    source: "^[a-f0-9]{40,64}$",
    accepts: |text| (40..=64).contains(&text.len()) && text.bytes().all(lower_hex),
};

const RELATIVE_PATH_SOURCE: &str = concat!(
    r#"^(?:\.|(?!.*[\u0000-\u001f<>:"\\|?*])(?!.*[. ](?:/|$))(?!.*(?:^|/)\.{1,2}(?:/|$))"#,
    r"(?!.*(?:^|/)(?:[cC][oO][nN]|[pP][rR][nN]|[aA][uU][xX]|[nN][uU][lL]|[cC][oO][mM][1-9\u00b9\u00b2\u00b3]",
    r"|[lL][pP][tT][1-9\u00b9\u00b2\u00b3]|[cC][oO][nN][iI][nN]\$|[cC][oO][nN][oO][uU][tT]\$",
    r"|[cC][lL][oO][cC][kK]\$) *(?:\.[^/]*)?(?:/|$))[^/]+(?:/[^/]+)*)$"
);

fn lower_alnum(byte: u8) -> bool {
    byte.is_ascii_lowercase() || byte.is_ascii_digit()
}

fn lower_hex(byte: u8) -> bool {
    matches!(byte, b'0'..=b'9' | b'a'..=b'f')
}

fn identifier(text: &[u8]) -> bool {
    text.first().is_some_and(u8::is_ascii_lowercase)
        && text
            .split(|byte| matches!(byte, b'-' | b'_'))
            .all(|part| !part.is_empty() && part.iter().all(|b| lower_alnum(*b)))
}

fn opaque_id(text: &str) -> bool {
    let Some((prefix, rest)) = text.split_once('_') else { return false };
    (2..=16).contains(&prefix.len())
        && prefix.as_bytes()[0].is_ascii_lowercase()
        && prefix.bytes().all(lower_alnum)
        && (6..=128).contains(&rest.len())
        && rest.as_bytes()[0].is_ascii_alphanumeric()
        && rest.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
}

fn sha256(text: &str) -> bool {
    text.strip_prefix("sha256:").is_some_and(|hex| hex.len() == 64 && hex.bytes().all(lower_hex))
}

fn timestamp(text: &str) -> bool {
    let bytes = text.as_bytes();
    let Some((stem, rest)) = bytes.split_at_checked(19) else { return false };
    let shaped = stem.iter().zip(b"0000-00-00T00:00:00").all(|(byte, form)| match form {
        b'0' => byte.is_ascii_digit(),
        _ => byte == form,
    });
    shaped && fraction(rest)
}

fn fraction(rest: &[u8]) -> bool {
    match rest {
        b"Z" => true,
        [b'.', digits @ .., b'Z'] => (1..=9).contains(&digits.len()) && digits.iter().all(u8::is_ascii_digit),
        _ => false,
    }
}

fn environment_name(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.first().is_some_and(|first| !first.is_ascii_digit())
        && bytes.iter().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || *byte == b'_')
}

fn decimal(text: &str) -> bool {
    text == "0"
        || (text.bytes().all(|byte| byte.is_ascii_digit()) && !text.is_empty() && !text.starts_with('0'))
}

fn producer_error(text: &str) -> bool {
    (2..=4).contains(&text.split('_').count()) && identifier(text.as_bytes()) && !text.contains('-')
}

/// The negative tests stop at U+2028 and U+2029 (`.` does not cross them), the shape does not.
fn relative_path(text: &str) -> bool {
    if text == "." {
        return true;
    }
    let seen_to = text.find(['\u{2028}', '\u{2029}']).unwrap_or(text.len());
    if text[..seen_to].chars().any(forbidden) || text.split('/').any(str::is_empty) {
        return false;
    }
    let mut start = 0;
    text.split('/').all(|segment| {
        let (from, to) = (start, start + segment.len());
        start = to + 1;
        // A separator past the limit is never reached by a test; one that opens a segment at the limit is.
        let opened = from == 0 || from - 1 < seen_to;
        let closed = to <= seen_to;
        !(closed && segment.ends_with(['.', ' ']))
            && !(opened && (matches!(segment, "." | "..") || device(segment)))
    })
}

fn forbidden(character: char) -> bool {
    matches!(character, '\0'..='\u{1f}' | '<' | '>' | ':' | '"' | '\\' | '|' | '?' | '*')
}

/// A Windows device name, alone or before blanks and an extension; letters fold in ASCII only.
fn device(segment: &str) -> bool {
    let stem = segment.split('.').next().unwrap_or_default().trim_end_matches(' ');
    if stem.len() > 7 {
        return false;
    }
    let stem = stem.to_ascii_lowercase();
    match stem.as_str() {
        "con" | "prn" | "aux" | "nul" | "conin$" | "conout$" | "clock$" => true,
        _ => stem.strip_prefix("com").or_else(|| stem.strip_prefix("lpt")).is_some_and(|port| {
            matches!(port, "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9" | "¹" | "²" | "³")
        }),
    }
}
