//! Which parts of a free text must not leave the machine: secrets by name, by shape, and paths outside a
//! repository.
//!
//! Invariant: cleaning is idempotent, and only ever replaces: the rest of the text stays as it is. It errs on the
//! side of replacing. It does not know which field a text came from. There is one detector for all that leaves the
//! machine; what differs is its [`Reach`].

mod name;
mod shape;

use std::borrow::Cow;
use std::ops::Range;

pub use name::{Naming, naming};
pub use shape::looks_random;

/// What stands where a secret was.
pub(crate) const REDACTED: &str = "[redacted]";
/// Bytes of a word that tell whether it is a key.
const KEY_BYTES_LOOKED_AT: usize = 512;
/// Bytes that tell whether a word begins as an issuer's keys do, and goes on.
const PREFIX_BYTES_LOOKED_AT: usize = 64;
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

/// What must not leave.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// Secrets. A random word is one where a name stands near it: ids and digests of a trace stay.
    Secrets,
    /// Secrets, every random word, ids of sessions, and absolute paths.
    Everything,
}

/// A part of a text that must not leave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// Where it stands, in bytes.
    pub range: Range<usize>,
    /// What should stand there.
    pub mark: &'static str,
}

/// Replaces every secret and every absolute path in `text`.
#[must_use]
pub fn clean(text: &str) -> Cleaned<'_> {
    let found = find(text, Reach::Everything);
    if found.is_empty() {
        return Cleaned { text: Cow::Borrowed(text), replaced: 0 };
    }
    let mut out = String::with_capacity(text.len());
    let mut kept = 0;
    for Found { range, mark } in &found {
        out.push_str(&text[kept..range.start]);
        out.push_str(mark);
        kept = range.end;
    }
    out.push_str(&text[kept..]);
    Cleaned { text: Cow::Owned(out), replaced: found.len() as u64 }
}

/// Every part of `text` that must not leave, in order, none overlapping.
///
/// ```
/// let found = kxm::find("use password=hunter2 here", kxm::Reach::Secrets);
/// assert_eq!(&"use password=hunter2 here"[found[0].range.clone()], "hunter2");
/// ```
#[must_use]
pub fn find(text: &str, reach: Reach) -> Vec<Found> {
    let mut all = Vec::new();
    let mut at = 0;
    while at < text.len() {
        match find_at(text, at, reach) {
            Some(found) if !found.range.is_empty() => {
                at = found.range.end;
                all.push(found);
            }
            _ => at += next_start(&text[at..]),
        }
    }
    all
}

/// Whether a whole value (an id, a name) looks like a secret, whatever stands around it.
#[must_use]
pub fn is_secret(value: &str, reach: Reach) -> bool {
    shape::is_known(value) || (reach == Reach::Everything && shape::is_random(value))
}

/// Bytes to the next place where something can begin: after a run of word characters, or the next character.
fn next_start(text: &str) -> usize {
    let word = text.bytes().take_while(|byte| word_byte(*byte)).count();
    if word > 0 { word } else { text.chars().next().map_or(1, char::len_utf8) }
}

fn word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')
}

fn find_at(text: &str, at: usize, reach: Reach) -> Option<Found> {
    let rest = &text[at..];
    let paths = reach == Reach::Everything;
    match rest.as_bytes().first()? {
        b'-' => pem(rest, at).or_else(|| word(text, at, reach)),
        b':' => url_login(rest, at),
        b'/' | b'~' | b'\\' => paths.then(|| path(text, at)).flatten().or_else(|| word(text, at, reach)),
        byte if word_byte(*byte) || matches!(byte, b'+' | b'=') => {
            paths.then(|| path(text, at)).flatten().or_else(|| word(text, at, reach))
        }
        _ => None,
    }
}

fn word(text: &str, at: usize, reach: Reach) -> Option<Found> {
    named(&text[at..], at, reach).or_else(|| token(text, at, reach))
}

fn pem(rest: &str, at: usize) -> Option<Found> {
    if !rest.starts_with("-----BEGIN ") {
        return None;
    }
    let end = rest.find("-----END ").map_or(rest.len(), |end| {
        rest[end + 9..].find("-----").map_or(rest.len(), |dashes| end + 9 + dashes + 5)
    });
    Some(Found { range: at..at + end, mark: REDACTED })
}

/// `://user:password@`: the login goes, the host stays.
fn url_login(rest: &str, at: usize) -> Option<Found> {
    let login = rest.strip_prefix("://")?;
    let end = login.find(['/', ' ', '"', '\'', '\n', '?', '#']).unwrap_or(login.len());
    let user_end = login[..end].rfind('@')?;
    (&login[..user_end] != REDACTED).then(|| Found { range: at + 3..at + 3 + user_end, mark: REDACTED })
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
    (unix || home || drive || share || file).then(|| Found { range: at..at + word.len(), mark: PATH })
}

/// `name: value`, `name=value`, `"name": "value"` where the name is that of a secret.
fn named(rest: &str, at: usize, reach: Reach) -> Option<Found> {
    let name_len = rest.bytes().take_while(|byte| word_byte(*byte)).count();
    let name = &rest[..name_len];
    let session = reach == Reach::Everything && name::of_session(name);
    if !session && !name::of_text(name) {
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
    if [REDACTED, PATH, "__REDACTED__"].iter().any(|mark| value.starts_with(mark)) {
        return None;
    }
    let len = value_len(value, secret_line(name));
    let plain = value[..len].trim_end_matches('…').is_empty();
    let start = at + value_start + lead;
    (!plain).then_some(Found { range: start..start + len, mark: REDACTED })
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

/// A bare word that looks like a key.
fn token(text: &str, at: usize, reach: Reach) -> Option<Found> {
    let rest = &text[at..];
    let run = |most: usize| rest.bytes().take(most).take_while(|byte| wide_byte(*byte)).count();
    let narrow = rest.bytes().take_while(|byte| word_byte(*byte)).count();
    let near = |word: &str| shape::looks_random(word) && shape::near_a_name(text, at);
    let secret = |word: &str| is_secret(word, reach) || near(word);
    // Every word of a long run (an image, say) begins here again: only the first is judged with what follows it.
    let begins = at == 0 || !wide_byte(text.as_bytes()[at - 1]);
    let most = if begins || rest.starts_with("eyJ") { KEY_BYTES_LOOKED_AT } else { PREFIX_BYTES_LOOKED_AT };
    let wide = rest[..run(most)].trim_end_matches(['.', '=', '/']);
    let whole = if begins { secret(wide) } else { shape::is_known(wide) };
    let end = if whole { Some(run(usize::MAX)) } else { secret(&rest[..narrow]).then_some(narrow) };
    end.map(|end| Found { range: at..at + end, mark: REDACTED })
}

/// A byte of a key, or of several joined: `key.id/value=`.
fn wide_byte(byte: u8) -> bool {
    word_byte(byte) || matches!(byte, b'.' | b'+' | b'/' | b'=')
}
