//! Which member names hold a secret: by their words, split at `_`, `-`, `.` and capitals.
//!
//! `max_tokens`, `token_count` and other figures never are one. It does not look at values.

/// What a name says about its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Naming {
    /// Nothing.
    Plain,
    /// A value that looks random is a secret: `openai_key`, `signature`.
    Doubtful,
    /// A text is a secret, a number is a figure: `token`.
    Token,
    /// Whatever stands there is a secret: `password`, `api_key`, `Set-Cookie`.
    Secret,
}

/// Longest name that is looked at, in bytes.
const NAME_BYTES_MAX: usize = 128;
/// Every name that says anything holds one of these.
const HINTS: &[&str] =
    &["auth", "cookie", "pass", "pwd", "secret", "token", "key", "cred", "bearer", "jwt", "session", "sign"];
/// Words that make a secret wherever they stand.
const WORDS: &[&str] = &[
    "authorization",
    "cookie",
    "cookies",
    "password",
    "passwords",
    "passwd",
    "pwd",
    "passphrase",
    "passcode",
    "secret",
    "secrets",
    "apikey",
    "apikeys",
    "credential",
    "credentials",
    "bearer",
    "auth",
    "jwt",
];
/// Ends of words that are written together: `PGPASSWORD`, `clientsecret`.
const ENDS: &[&str] = &[
    "password",
    "passwd",
    "passphrase",
    "secret",
    "apikey",
    "accesskey",
    "secretkey",
    "privatekey",
    "accesstoken",
    "authtoken",
    "refreshtoken",
    "idtoken",
    "bearertoken",
    "sessiontoken",
];
/// Words that make a key secret: `api_key`, `privateKey`.
const KEYS: &[&str] =
    &["api", "access", "private", "secret", "signing", "encryption", "master", "auth", "ssh"];
/// A name that ends so speaks about a secret and does not hold it: `token_type`, `auth_url`.
const ABOUT: &[&str] = &[
    "type",
    "method",
    "url",
    "uri",
    "endpoint",
    "mode",
    "scheme",
    "provider",
    "required",
    "status",
    "name",
    "length",
    "policy",
    "enabled",
    "expires",
    "expiry",
    "expiration",
    "at",
    "in",
    "placeholder",
    "count",
    "counts",
    "usage",
    "limit",
    "limits",
    "budget",
    "details",
    "index",
    "rate",
    "cost",
    "price",
    "present",
];
/// Words behind `token` that make it a figure: `token_count.prompt`.
const FIGURES: &[&str] =
    &["count", "counts", "usage", "limit", "budget", "details", "ids", "cost", "rate", "window"];
/// Words before `token` that make it a unit or a symbol: `max_token`, `eos_token`, `time_to_first_token`.
const UNITS: &[&str] = &[
    "max",
    "min",
    "num",
    "n",
    "per",
    "first",
    "last",
    "eos",
    "bos",
    "pad",
    "unk",
    "sep",
    "cls",
    "mask",
    "stop",
    "special",
    "input",
    "output",
    "prompt",
    "completion",
    "reasoning",
    "cached",
    "total",
];

/// What a member's name says about its value.
///
/// ```
/// use kxm::{Naming, naming};
/// assert_eq!(naming("x-api-key"), Naming::Secret);
/// assert_eq!(naming("accessToken"), Naming::Token);
/// assert_eq!(naming("max_tokens"), Naming::Plain);
/// ```
#[must_use]
pub fn naming(name: &str) -> Naming {
    if name.len() > NAME_BYTES_MAX || !HINTS.iter().any(|hint| holds(name, hint)) {
        return Naming::Plain;
    }
    let parts = parts(name);
    let about = parts.last().is_some_and(|last| ABOUT.contains(&last.as_str()));
    let figure = parts.windows(2).any(|two| two[0] == "token" && FIGURES.contains(&two[1].as_str()));
    if about || figure {
        return Naming::Plain;
    }
    let said = |part: &String| WORDS.contains(&part.as_str()) || ENDS.iter().any(|end| part.ends_with(end));
    let key = |two: &[String]| KEYS.contains(&two[0].as_str()) && matches!(two[1].as_str(), "key" | "keys");
    if parts.iter().any(said) || parts.windows(2).any(key) {
        return Naming::Secret;
    }
    let unit = |at: usize| at > 0 && UNITS.contains(&parts[at - 1].as_str());
    if (0..parts.len()).any(|at| matches!(parts[at].as_str(), "token" | "pass") && !unit(at)) {
        return Naming::Token;
    }
    let doubtful = parts.iter().any(|part| matches!(part.as_str(), "key" | "signature" | "sig"));
    if doubtful { Naming::Doubtful } else { Naming::Plain }
}

/// Whether what follows that name in a free text is a secret.
pub(super) fn of_text(name: &str) -> bool {
    matches!(naming(name), Naming::Secret | Naming::Token)
}

/// Whether a name is that of a session: not secret in a trace, where it joins runs, but not for others to know.
pub(super) fn of_session(name: &str) -> bool {
    holds(name, "session") && parts(name).windows(2).any(|two| two[0] == "session" && two[1] == "id")
}

/// Whether `text` holds the lower-case `word` in any case.
pub(super) fn holds(text: &str, word: &str) -> bool {
    text.as_bytes().windows(word.len()).any(|window| window.eq_ignore_ascii_case(word.as_bytes()))
}

/// The words of a name in lower case, without numbers at their ends.
fn parts(name: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let chars: Vec<char> = name.chars().collect();
    for (at, c) in chars.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|at| chars.get(at));
        let camel = c.is_uppercase()
            && before.is_some_and(|b| {
                b.is_lowercase()
                    || b.is_ascii_digit()
                    || (b.is_uppercase() && chars.get(at + 1).is_some_and(|next| next.is_lowercase()))
            });
        let separator = matches!(c, '_' | '-' | '.' | ' ' | '/' | ':');
        if camel || separator {
            parts.push(String::new());
        }
        if !separator && let Some(last) = parts.last_mut() {
            last.extend(c.to_lowercase());
        }
    }
    for part in &mut parts {
        part.truncate(part.trim_end_matches(|c: char| c.is_ascii_digit()).len());
    }
    parts.retain(|part| !part.is_empty());
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(names: &[&str], expect: Naming) {
        for name in names {
            assert_eq!(naming(name), expect, "{name}");
        }
    }

    #[test]
    fn names_of_secrets_are_told_from_names_of_figures() {
        check(
            &[
                "authorization",
                "Authorization",
                "cookie",
                "Set-Cookie",
                "api_key",
                "apiKey",
                "APIKey",
                "x-api-key",
                "OPENAI_API_KEY",
                "password",
                "db_password",
                "PGPASSWORD",
                "passwd",
                "client_secret",
                "clientSecret",
                "private_key",
                "privateKey",
                "aws_secret_access_key",
                "http.request.header.authorization",
                "credentials",
                "password2",
                "http.request.header.set-cookie",
                "accesstoken",
            ],
            Naming::Secret,
        );
        check(
            &["token", "access_token", "accessToken", "refresh-token", "sessionToken", "token2", "SMTP_PASS"],
            Naming::Token,
        );
        check(
            &[
                "max_tokens",
                "maxTokens",
                "tokens",
                "token_count",
                "tokenCount",
                "llm.token_count.prompt",
                "input_tokens",
                "prompt_tokens",
                "total_tokens",
                "gen_ai.usage.input_tokens",
                "token_type",
                "time_to_first_token",
                "eos_token",
                "tokenizer",
                "author",
                "monkey",
                "compass",
                "secretary_name",
                "password_required",
                "auth_url",
                "max_token",
                "keyboard",
                "session.id",
            ],
            Naming::Plain,
        );
        check(&["key", "openai_key", "signature"], Naming::Doubtful);
    }
}
