//! The text of an inject or an edit: checked as typed, compared with what was there, kept when it is refused.
//! Invariant: what is sent is exactly the text on screen, and only if it is one JSON value.

use std::sync::Arc;

use super::diff::{self, Line};
use crate::action::EditorKind;

/// What is wrong with the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Line, from 1.
    pub line: usize,
    /// Column, from 1.
    pub column: usize,
    /// In words.
    pub what: String,
}

/// An open editor.
#[derive(Clone, Debug)]
pub struct Editor {
    /// Key of the run.
    pub run: Arc<str>,
    /// The hold.
    pub pause: Arc<str>,
    /// Node of the hold.
    pub node: Arc<str>,
    /// Result or arguments.
    pub kind: EditorKind,
    /// What is typed.
    pub text: String,
    /// The body that holds what was there, while it is being fetched.
    pub source: Option<super::BodyKey>,
    /// What was there, printed alike; `None` while it is being fetched.
    pub before: Option<String>,
    /// What was there is an error, said in a few words.
    pub before_error: Option<String>,
    /// The person typed something: the fetched value must not replace it.
    pub touched: bool,
    /// Why the last attempt was refused.
    pub refused: Option<String>,
    /// Put the keyboard into the text once.
    pub focus: bool,
    checked: Option<(String, Result<Vec<Line>, Fault>)>,
}

impl Editor {
    /// An editor that waits for the value that was there.
    pub fn new(run: Arc<str>, pause: Arc<str>, node: Arc<str>, kind: EditorKind) -> Self {
        Self {
            run,
            pause,
            node,
            kind,
            text: String::new(),
            source: None,
            before: None,
            before_error: None,
            touched: false,
            refused: None,
            focus: true,
            checked: None,
        }
    }

    /// The value that was there has arrived, as JSON text. Fills the text unless something was typed.
    pub fn arrived(&mut self, json: &str) {
        let printed = pretty(json).unwrap_or_else(|_| json.to_owned());
        if !self.touched && self.before_error.is_none() {
            self.text.clone_from(&printed);
        }
        self.before = Some(printed);
        self.checked = None;
    }

    /// Nothing was there but an error: the text begins with `suggestion`.
    pub fn failed_before(&mut self, error: &str, suggestion: &str) {
        self.before_error = Some(error.to_owned());
        if !self.touched && self.text.is_empty() {
            self.text = pretty(suggestion).unwrap_or_else(|_| suggestion.to_owned());
        }
        self.checked = None;
    }

    /// Checks the text if it changed since the last call; the lines of the difference, or what is wrong.
    pub fn check(&mut self) -> Result<&[Line], &Fault> {
        let stale = self.checked.as_ref().is_none_or(|(text, _)| *text != self.text);
        if stale {
            let old = match (&self.before_error, &self.before) {
                (Some(error), _) => format!("error: {error}"),
                (None, Some(before)) => before.clone(),
                (None, None) => String::new(),
            };
            let result = pretty(&self.text).map(|new| diff::lines(&old, &new));
            self.checked = Some((self.text.clone(), result));
        }
        match &self.checked {
            Some((_, Ok(lines))) => Ok(lines),
            Some((_, Err(fault))) => Err(fault),
            None => Ok(&[]),
        }
    }

    /// The JSON to send: the text itself, with nothing around it.
    pub fn value(&self) -> Result<String, Fault> {
        pretty(&self.text).map(|_| self.text.trim().to_owned())
    }
}

/// JSON with two spaces an indent, keeping numbers and key order as typed; or what is wrong and where.
pub fn pretty(text: &str) -> Result<String, Fault> {
    if text.trim().is_empty() {
        return Err(Fault {
            line: 1,
            column: 1,
            what: "Type a JSON value, for example null or \"text\".".to_owned(),
        });
    }
    let raw: Box<serde_json::value::RawValue> = serde_json::from_str(text).map_err(|error| fault(&error))?;
    Ok(indent(raw.get()))
}

fn fault(error: &serde_json::Error) -> Fault {
    let text = error.to_string();
    let what = text.split(" at line ").next().unwrap_or(&text);
    let mut chars = what.chars();
    let what =
        chars.next().map(|c| c.to_uppercase().collect::<String>() + chars.as_str()).unwrap_or_default();
    Fault { line: error.line().max(1), column: error.column().max(1), what }
}

/// Re-indents valid JSON without touching its tokens.
fn indent(json: &str) -> String {
    let mut out = String::with_capacity(json.len() * 2);
    let (mut depth, mut text, mut escaped) = (0usize, false, false);
    let mut chars = json.chars().filter(|c| !c.is_ascii_control() || *c == '\n').peekable();
    while let Some(c) = chars.next() {
        if text {
            out.push(c);
            text = escaped || c != '"';
            escaped = !escaped && c == '\\';
            continue;
        }
        match c {
            '"' => {
                text = true;
                out.push(c);
            }
            '{' | '[' => {
                out.push(c);
                while chars.peek().is_some_and(|c| c.is_whitespace()) {
                    chars.next();
                }
                if chars.peek().is_some_and(|next| matches!(next, '}' | ']')) {
                    out.extend(chars.next());
                } else {
                    depth += 1;
                    line_break(&mut out, depth);
                }
            }
            '}' | ']' => {
                depth = depth.saturating_sub(1);
                line_break(&mut out, depth);
                out.push(c);
            }
            ',' => {
                out.push(c);
                line_break(&mut out, depth);
            }
            ':' => out.push_str(": "),
            c if c.is_whitespace() => {}
            c => out.push(c),
        }
    }
    out
}

fn line_break(out: &mut String, depth: usize) {
    out.push('\n');
    for _ in 0..depth.min(64) {
        out.push_str("  ");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn editor() -> Editor {
        Editor::new("r".into(), "p".into(), "tool:x".into(), EditorKind::Inject)
    }

    #[test]
    fn printing_keeps_every_token_as_typed() {
        let table = [
            (
                r#"{"a":1.50,"b":[1,2],"c":{},"d":[ ]}"#,
                "{\n  \"a\": 1.50,\n  \"b\": [\n    1,\n    2\n  ],\n  \"c\": {},\n  \"d\": []\n}",
            ),
            (r#""a\"b: {,}""#, r#""a\"b: {,}""#),
            ("12345678901234567890.10", "12345678901234567890.10"),
        ];
        for (json, expect) in table {
            assert_eq!(pretty(json).as_deref(), Ok(expect));
        }
    }

    #[test]
    fn a_fault_says_where_and_what() {
        let fault = pretty("{\n  \"a\": ,\n}").unwrap_err();
        assert_eq!((fault.line, fault.what.as_str()), (2, "Expected value"));
        assert!(pretty("").is_err());
    }

    #[test]
    fn the_value_that_was_there_fills_the_text_unless_something_was_typed() {
        let mut fresh = editor();
        fresh.arrived(r#"{"a":1}"#);
        assert_eq!(fresh.text, "{\n  \"a\": 1\n}");
        let mut typed = editor();
        typed.text = "42".to_owned();
        typed.touched = true;
        typed.arrived(r#"{"a":1}"#);
        assert_eq!(typed.text, "42");
        assert_eq!(diff::counts(typed.check().unwrap()), (1, 3));
    }

    #[test]
    fn an_error_that_was_there_is_what_the_value_replaces() {
        let mut failed = editor();
        failed.failed_before("ValueError", "null");
        assert_eq!(failed.text, "null");
        assert_eq!(diff::counts(failed.check().unwrap()), (1, 1));
    }
}
