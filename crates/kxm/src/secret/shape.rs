//! Which values are secrets by their look: prefixes of issuers, JSON Web Tokens, random words.
//!
//! It errs on the side of finding one. Names are looked at elsewhere.

use super::name::holds;

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
    ("gldt-", 12),
    ("glsa_", 16),
    ("xoxb-", 8),
    ("xoxp-", 8),
    ("xoxa-", 8),
    ("xoxr-", 8),
    ("xoxs-", 8),
    ("xoxe-", 8),
    ("xapp-", 8),
    ("hf_", 16),
    ("npm_", 16),
    ("pypi-", 16),
    ("AKIA", 16),
    ("ASIA", 16),
    ("AIza", 30),
    ("ya29.", 16),
    ("GOCSPX-", 12),
    ("SG.", 16),
    ("lsv2_", 16),
    ("gsk_", 16),
    ("r8_", 16),
    ("tvly-", 12),
    ("pcsk_", 12),
    ("dop_v1_", 16),
    ("doo_v1_", 16),
    ("shpat_", 16),
    ("shpss_", 16),
    ("AGE-SECRET-KEY-", 16),
    ("xai-", 16),
    ("pplx-", 16),
    ("nvapi-", 16),
    ("ATATT", 24),
    ("sq0atp-", 12),
    ("sbp_", 16),
    ("lin_api_", 16),
    ("figd_", 16),
    ("PMAK-", 16),
    ("e2b_", 16),
    ("ntn_", 16),
    ("rubygems_", 16),
    ("dckr_pat_", 12),
    ("vercel_", 16),
    ("hvs.", 16),
    ("EAAC", 40),
];
/// No prefix and its rest are shorter.
const PREFIXED_BYTES_MIN: usize = 12;
/// How far before a random word the word that makes it a secret may stand, in bytes.
const NEAR_BYTES: usize = 48;
/// Words that make a random word behind them a secret.
const NEAR: &[&str] = &["key", "token", "secret", "password", "passwd", "credential", "passphrase", "auth"];

/// A key of an issuer, or a JSON Web Token.
pub(super) fn is_known(word: &str) -> bool {
    jwt(word)
        || (word.len() >= PREFIXED_BYTES_MIN
            && PREFIXES
                .iter()
                .any(|(prefix, rest)| word.len() >= prefix.len() + rest && word.starts_with(prefix)))
}

fn jwt(word: &str) -> bool {
    word.starts_with("eyJ") && word.len() > 40 && word.contains('.')
}

/// A long word of mixed letters and digits, as random keys are; hexadecimal digests are not.
pub(super) fn is_random(word: &str) -> bool {
    let class = |test: fn(&u8) -> bool| word.as_bytes().iter().filter(|byte| test(byte)).count();
    word.len() >= 32
        && key_bytes(word)
        && class(u8::is_ascii_lowercase) >= 4
        && class(u8::is_ascii_uppercase) >= 4
        && class(u8::is_ascii_digit) >= 3
}

/// Random enough for a word that something near it calls a key: 20 characters of two kinds, or 32 of hexadecimal.
#[must_use]
pub fn looks_random(word: &str) -> bool {
    let class = |test: fn(&u8) -> bool| word.as_bytes().iter().filter(|byte| test(byte)).count();
    let letters = class(u8::is_ascii_alphabetic);
    let digits = class(u8::is_ascii_digit);
    let both_cases = class(u8::is_ascii_lowercase) >= 3 && class(u8::is_ascii_uppercase) >= 3;
    word.len() >= 20 && key_bytes(word) && letters >= 3 && digits >= 3 && (both_cases || word.len() >= 32)
}

/// Whether a word close before this place says that a key follows.
pub(super) fn near_a_name(text: &str, at: usize) -> bool {
    let before = &text[text.floor_char_boundary(at.saturating_sub(NEAR_BYTES))..at];
    NEAR.iter().any(|word| holds(before, word))
}

fn key_bytes(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'+' | b'/' | b'='))
}
