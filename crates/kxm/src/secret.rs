//! Which parts of a free text must not leave the machine: secrets by name, by shape, and paths outside a
//! repository.
//!
//! Invariant: cleaning is idempotent, and only ever replaces: the rest of the text stays as it is. It errs on the
//! side of replacing. It does not know which field a text came from.

use std::borrow::Cow;

/// What stands where a secret was.
pub(crate) const REDACTED: &str = "[redacted]";
/// What stands where a path was.
pub(crate) const PATH: &str = "[path]";

/// A text after cleaning.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cleaned<'a> {
    /// The text; borrowed where nothing was replaced.
    pub text: Cow<'a, str>,
    /// How many values were replaced.
    pub replaced: u64,
}

/// Replaces every secret and every absolute path in `text`.
#[must_use]
pub fn clean(text: &str) -> Cleaned<'_> {
    let mut out = String::new();
    let mut replaced = 0;
    let mut kept = 0;
    let mut at = 0;
    while at < text.len() {
        match find_at(text, at) {
            Some(Found { from, to, mark }) if to > from => {
                out.push_str(&text[kept..from]);
                out.push_str(mark);
                replaced += 1;
                kept = to;
                at = to;
            }
            _ => at += next_start(&text[at..]),
        }
    }
    if replaced == 0 {
        return Cleaned { text: Cow::Borrowed(text), replaced };
    }
    out.push_str(&text[kept..]);
    Cleaned { text: Cow::Owned(out), replaced }
}

/// Whether a whole value (an id, a name) looks like a secret.
#[must_use]
pub(crate) fn is_secret(value: &str) -> bool {
    known_prefix(value) || jwt(value) || random(value)
}

struct Found {
    from: usize,
    to: usize,
    mark: &'static str,
}

/// Bytes to the next place where something can begin: after a run of word characters, or the next character.
fn next_start(text: &str) -> usize {
    let word = text.bytes().take_while(|byte| word_byte(*byte)).count();
    if word > 0 { word } else { text.chars().next().map_or(1, char::len_utf8) }
}

fn word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')
}

fn find_at(text: &str, at: usize) -> Option<Found> {
    let rest = &text[at..];
    pem(rest, at)
        .or_else(|| url_login(rest, at))
        .or_else(|| path(text, at))
        .or_else(|| named(rest, at))
        .or_else(|| token(rest, at))
}

fn pem(rest: &str, at: usize) -> Option<Found> {
    if !rest.starts_with("-----BEGIN ") {
        return None;
    }
    let end = rest.find("-----END ").map_or(rest.len(), |end| {
        rest[end + 9..].find("-----").map_or(rest.len(), |dashes| end + 9 + dashes + 5)
    });
    Some(Found { from: at, to: at + end, mark: REDACTED })
}

/// `://user:password@`: the login goes, the host stays.
fn url_login(rest: &str, at: usize) -> Option<Found> {
    let login = rest.strip_prefix("://")?;
    let end = login.find(['/', ' ', '"', '\'', '\n', '?', '#']).unwrap_or(login.len());
    let user_end = login[..end].rfind('@')?;
    (&login[..user_end] != REDACTED).then_some(Found { from: at + 3, to: at + 3 + user_end, mark: REDACTED })
}

/// An absolute path with at least two segments, or one below a home folder, a drive or a share.
fn path(text: &str, at: usize) -> Option<Found> {
    let before = text[..at].chars().next_back();
    if before.is_some_and(|c| c.is_alphanumeric() || matches!(c, '/' | '.' | ':' | '-' | '_' | '\\' | ']')) {
        return None;
    }
    let rest = &text[at..];
    let end = rest.find(|c: char| c.is_whitespace() || "\"'`,;()<>|[]{}".contains(c)).unwrap_or(rest.len());
    let word = rest[..end].trim_end_matches(['.', ':', '!', '?']);
    let bytes = word.as_bytes();
    let unix = word.starts_with('/') && word[1..].contains('/') && word.len() > 3;
    let home = word.starts_with("~/") && word.len() > 2;
    let drive = bytes.len() > 3
        && bytes[0].is_ascii_alphabetic()
        && bytes[1] == b':'
        && matches!(bytes[2], b'\\' | b'/');
    let share = word.starts_with("\\\\") && word.len() > 3;
    let file = word.starts_with("file://") && word.len() > 8;
    (unix || home || drive || share || file).then(|| Found { from: at, to: at + word.len(), mark: PATH })
}

/// `name: value`, `name=value`, `"name": "value"` where the name is that of a secret.
fn named(rest: &str, at: usize) -> Option<Found> {
    let name_len = rest.bytes().take_while(|byte| word_byte(*byte)).count();
    let name = &rest[..name_len];
    if !secret_name(name) {
        return None;
    }
    let after = &rest[name_len..];
    let gap = after.len() - after.trim_start_matches(['"', '\'', ' ', '\\', '`']).len();
    let sign = after.as_bytes().get(gap).copied();
    let bearer = name.eq_ignore_ascii_case("bearer") && gap > 0;
    if !matches!(sign, Some(b':' | b'=')) && !bearer {
        return None;
    }
    let value_start = name_len + gap + usize::from(!bearer);
    let value = &rest[value_start..];
    let lead = value.len() - value.trim_start_matches(['"', '\'', ' ', '\\', '`', '=', '>']).len();
    let value = &value[lead..];
    let len = value_len(value, secret_line(name));
    let marked = [REDACTED, PATH, "__REDACTED__"].iter().any(|mark| value.starts_with(mark));
    let plain = marked || value[..len].trim_end_matches('…').is_empty();
    (!plain).then(|| Found {
        from: at + value_start + lead,
        to: at + value_start + lead + len,
        mark: REDACTED,
    })
}

/// Length of a value: to the end of its word, or of its line where the name is that of a header.
fn value_len(value: &str, line: bool) -> usize {
    let quoted = value.find(['"', '\n', '\r']).unwrap_or(value.len());
    if line {
        return quoted;
    }
    let scheme = ["bearer ", "basic ", "token "]
        .iter()
        .find(|scheme| value.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme)))
        .map_or(0, |scheme| scheme.len());
    let stop = |c: char| c.is_whitespace() || "\"'`,;&)}]\\".contains(c);
    // A value that itself begins with a bracket ends at the next stop after it.
    let skip = value[scheme..].chars().next().map_or(0, char::len_utf8);
    scheme + skip + value[scheme + skip..].find(stop).unwrap_or(value.len() - scheme - skip)
}

fn secret_line(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    matches!(name.as_str(), "authorization" | "proxy-authorization" | "cookie" | "set-cookie")
}

/// Whether a member of that name holds a secret: `apiKey`, `db_password`, `x-auth-token`; never `max_tokens`.
#[must_use]
pub(crate) fn secret_name(name: &str) -> bool {
    if name.is_empty() || name.len() > 128 {
        return false;
    }
    let parts = name_parts(name);
    let has = |word: &str| parts.iter().any(|part| part == word);
    let pair = |a: &str, b: &str| parts.windows(2).any(|two| two[0] == a && two[1] == b);
    [
        "authorization",
        "cookie",
        "password",
        "passwd",
        "pwd",
        "passphrase",
        "secret",
        "secrets",
        "token",
        "apikey",
        "credential",
        "credentials",
        "bearer",
        "auth",
        "jwt",
    ]
    .iter()
    .any(|word| has(word))
        || pair("api", "key")
        || pair("access", "key")
        || pair("private", "key")
        || pair("signing", "key")
        || pair("session", "id")
}

fn name_parts(name: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut lower_before = false;
    for c in name.chars() {
        if matches!(c, '_' | '-' | '.') || (c.is_uppercase() && lower_before) {
            parts.push(String::new());
        }
        lower_before = c.is_lowercase() || c.is_ascii_digit();
        if !matches!(c, '_' | '-' | '.')
            && let Some(last) = parts.last_mut()
        {
            last.extend(c.to_lowercase());
        }
    }
    parts
}

/// A bare word that looks like a key.
fn token(rest: &str, at: usize) -> Option<Found> {
    let len =
        rest.bytes().take_while(|byte| word_byte(*byte) || matches!(byte, b'.' | b'+' | b'/' | b'=')).count();
    let word = rest[..len].trim_end_matches(['.', '=', '/']);
    let narrow = rest.bytes().take_while(|byte| word_byte(*byte)).count();
    if is_secret(word) {
        return Some(Found { from: at, to: at + len, mark: REDACTED });
    }
    is_secret(&rest[..narrow]).then_some(Found { from: at, to: at + narrow, mark: REDACTED })
}

/// Prefixes that issuers put in front of their keys, with the fewest characters that follow.
const PREFIXES: &[(&str, usize)] = &[
    ("sk-", 12),
    ("sk_live_", 8),
    ("sk_test_", 8),
    ("rk_live_", 8),
    ("rk_test_", 8),
    ("pk_live_", 8),
    ("whsec_", 8),
    ("ghp_", 16),
    ("gho_", 16),
    ("ghu_", 16),
    ("ghs_", 16),
    ("ghr_", 16),
    ("github_pat_", 16),
    ("glpat-", 12),
    ("xoxb-", 8),
    ("xoxp-", 8),
    ("xoxa-", 8),
    ("xoxr-", 8),
    ("xoxs-", 8),
    ("xapp-", 8),
    ("hf_", 16),
    ("npm_", 16),
    ("pypi-", 16),
    ("AKIA", 16),
    ("ASIA", 16),
    ("AIza", 30),
    ("ya29.", 16),
    ("SG.", 16),
    ("lsv2_", 16),
    ("gsk_", 16),
    ("r8_", 16),
    ("tvly-", 12),
    ("pcsk_", 12),
    ("dop_v1_", 16),
    ("shpat_", 16),
    ("AGE-SECRET-KEY-", 16),
];

fn known_prefix(word: &str) -> bool {
    PREFIXES.iter().any(|(prefix, rest)| word.len() >= prefix.len() + rest && word.starts_with(prefix))
}

fn jwt(word: &str) -> bool {
    word.starts_with("eyJ") && word.len() > 40 && word.contains('.')
}

/// A long word of mixed letters and digits, as random keys are; hexadecimal digests are not.
fn random(word: &str) -> bool {
    let class = |test: fn(&u8) -> bool| word.as_bytes().iter().filter(|byte| test(byte)).count();
    let body = word.bytes().all(|byte| word_byte(byte) || matches!(byte, b'+' | b'/' | b'='));
    body && word.len() >= 32
        && class(u8::is_ascii_lowercase) >= 4
        && class(u8::is_ascii_uppercase) >= 4
        && class(u8::is_ascii_digit) >= 3
}
