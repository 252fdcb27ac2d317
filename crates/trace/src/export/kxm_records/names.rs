//! Names as identifiers: a plain name in its own letters, anything else by a stand-in.

use crate::export::ids::digest;

/// Longest identifier.
const IDENTIFIER_MAX: usize = 64;
/// A name of more words is a sentence.
const WORDS_MAX: usize = 5;
/// A longer name is a text.
const NAME_MAX: usize = 48;

/// A name as an identifier, and whether it was replaced. `kind` stands before a stand-in.
pub(super) fn identifier(name: &str, kind: &str) -> (String, bool) {
    match plain(name) {
        Some(plain) => (plain, false),
        None => (format!("{kind}-{}", digest(&["name", name], 6)), true),
    }
}

/// The identifier that a plain name is, in lower case with `-` between its words.
fn plain(name: &str) -> Option<String> {
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | ' ' | '.' | ':');
    let short = !name.is_empty() && name.len() <= NAME_MAX && name.chars().all(allowed);
    let secret = || {
        !kxm::find(name, kxm::Reach::Everything).is_empty()
            || kxm::is_secret(name, kxm::Reach::Everything)
            || name.split(|c: char| !c.is_ascii_alphanumeric()).any(kxm::looks_random)
    };
    if !short || secret() {
        return None;
    }
    let mut id = String::new();
    let mut before = ' ';
    for c in name.chars() {
        if !c.is_ascii_alphanumeric() {
            before = ' ';
            continue;
        }
        let camel = c.is_ascii_uppercase() && (before.is_ascii_lowercase() || before.is_ascii_digit());
        if (before == ' ' || camel) && !id.is_empty() {
            id.push('-');
        }
        id.push(c.to_ascii_lowercase());
        before = c;
    }
    let starts = id.starts_with(|c: char| c.is_ascii_lowercase());
    let words = name.split_whitespace().count();
    (starts && id.len() <= IDENTIFIER_MAX && words <= WORDS_MAX).then_some(id)
}

/// An opaque id: a prefix and a digest, the same for the same parts.
pub(super) fn opaque(prefix: &str, parts: &[&str]) -> String {
    let parts: Vec<&str> = [prefix].iter().chain(parts).copied().collect();
    format!("{prefix}_{}", digest(&parts, 16))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_names_stay_and_others_are_replaced() {
        let check = |name: &str, expect: Option<&str>| assert_eq!(plain(name).as_deref(), expect, "{name}");
        check("parse_amount", Some("parse-amount"));
        check("agent:Research Lead", Some("agent-research-lead"));
        check("readFile2", Some("read-file2"));
        check("2nd", None);
        check("/home/ana/x", None);
        check("ana@example.org", None);
        check("Please look at the mail of ana and answer", None);
        check("sk-ant-api03-Zq8vT2mXw4Lk9RbN1yHc", None);
        check("", None);
        assert_eq!(identifier("\u{e9}t\u{e9}", "tool").0, identifier("\u{e9}t\u{e9}", "tool").0);
    }
}
