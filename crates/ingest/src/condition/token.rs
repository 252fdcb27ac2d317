//! Words, numbers, texts and signs of a condition.
//!
//! Invariant: each token starts where the one before ended, blanks aside; every error names the place.

/// A token and the byte where it starts.
pub(super) type Placed = (Token, usize);

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    Word(String),
    Text(String),
    Number(f64),
    Sign(&'static str),
}

const SIGNS: [&str; 14] = ["==", "!=", "<=", ">=", "&&", "||", "<", ">", "!", "(", ")", "[", "]", "."];

/// Splits a condition.
pub(super) fn tokens(text: &str) -> Result<Vec<Placed>, String> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(next) = text[at..].chars().next() {
        if next.is_whitespace() {
            at += next.len_utf8();
            continue;
        }
        let (token, length) = one(&text[at..], at)?;
        found.push((token, at));
        at += length;
    }
    Ok(found)
}

fn one(rest: &str, at: usize) -> Result<(Token, usize), String> {
    let first = rest.chars().next().unwrap_or_default();
    if first == '"' || first == '\'' {
        return quoted(rest, first, at);
    }
    if first.is_ascii_digit() || (first == '-' && rest[1..].starts_with(|c: char| c.is_ascii_digit())) {
        let length = rest[1..].find(|c: char| !matches!(c, '0'..='9' | '.' | 'e' | 'E' | '+' | '-'));
        let length = length.map_or(rest.len(), |found| found + 1);
        let number =
            rest[..length].parse().map_err(|_| format!("at {at}: {:?} is no number", &rest[..length]))?;
        return Ok((Token::Number(number), length));
    }
    if first.is_alphabetic() || first == '_' {
        let length = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        return Ok((Token::Word(rest[..length].to_owned()), length));
    }
    match SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
        Some(sign) => Ok((Token::Sign(sign), sign.len())),
        None => Err(format!("at {at}: {first:?} means nothing here")),
    }
}

fn quoted(rest: &str, quote: char, at: usize) -> Result<(Token, usize), String> {
    let mut text = String::new();
    let mut chars = rest.char_indices().skip(1);
    while let Some((place, c)) = chars.next() {
        match c {
            '\\' => match chars.next() {
                Some((_, 'n')) => text.push('\n'),
                Some((_, 't')) => text.push('\t'),
                Some((_, c @ ('\\' | '"' | '\''))) => text.push(c),
                _ => return Err(format!("at {}: only \\n, \\t, \\\\, \\\" and \\' are escapes", at + place)),
            },
            c if c == quote => return Ok((Token::Text(text), place + 1)),
            c => text.push(c),
        }
    }
    Err(format!("at {at}: this text has no end"))
}
