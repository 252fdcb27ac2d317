//! Conditions, hit counts and log texts of breakpoints: a small total language.
//!
//! A condition compares what is known at a hold: `input`, `output` and `error` (JSON values, reached into with `.name`,
//! `["any name"]` and `[0]`), and the words `name`, `kind`, `node`, `instance`, `point` and `run`. Literals are JSON's.
//! Operators, weakest first: `||`, `&&`, `!`, then one comparison of two operands: `==`, `!=`, `<`, `<=`, `>`, `>=`,
//! `contains`, `startsWith`, `endsWith`. `exists(path)` and `len(path)` take a path. Parentheses group.
//!
//! Invariant: parsing and evaluating end after work in proportion to the text and the value; neither can fail but with a
//! sentence. A path that is not there, or a comparison of things that do not compare, is an error, not `false`.

mod eval;
mod hit;
mod parse;
mod token;

use wire::Raw;

pub(crate) use hit::Hit;

/// What can be asked about at a hold.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Scope<'a> {
    pub(crate) run: &'a str,
    pub(crate) node: &'a str,
    pub(crate) kind: &'a str,
    pub(crate) name: &'a str,
    pub(crate) point: &'a str,
    pub(crate) instance: Option<&'a str>,
    /// Values by name; one without a value has not been seen.
    pub(crate) bodies: Option<[(&'static str, Option<Raw<'a>>); 3]>,
    /// Why there are no bodies at all.
    pub(crate) why_no_bodies: &'static str,
}

/// A parsed condition.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Condition(Expr);

#[derive(Clone, Debug, PartialEq)]
enum Expr {
    Or(Box<Expr>, Box<Expr>),
    And(Box<Expr>, Box<Expr>),
    Not(Box<Expr>),
    Compare(Box<Expr>, Operator, Box<Expr>),
    Exists(Path),
    Length(Path),
    Path(Path),
    Text(String),
    Number(f64),
    Bool(bool),
    Null,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operator {
    Equal,
    Unequal,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Contains,
    StartsWith,
    EndsWith,
}

/// A name and the steps into its value.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Path {
    root: String,
    steps: Vec<Step>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Step {
    Member(String),
    Item(usize),
}

impl Condition {
    /// Reads a condition; the error says where and what was expected.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        parse::condition(text).map(Self)
    }

    /// Whether it holds; the error says on which value it failed.
    pub(crate) fn holds(&self, scope: &Scope<'_>) -> Result<bool, String> {
        eval::truth(&self.0, scope)
    }
}

/// A log text: literal parts and `{path}` parts; `{{` and `}}` are braces.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Template(Vec<Part>);

#[derive(Clone, Debug, PartialEq)]
enum Part {
    Literal(String),
    Value(Path),
}

impl Template {
    /// Reads a log text.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        parse::template(text).map(Self)
    }

    /// The text with its values, each cut to a readable length; a value that is not there says so in place.
    pub(crate) fn render(&self, scope: &Scope<'_>) -> String {
        let mut text = String::new();
        for part in &self.0 {
            match part {
                Part::Literal(literal) => text.push_str(literal),
                Part::Value(path) => text.push_str(&eval::shown(path, scope)),
            }
        }
        text
    }
}

#[cfg(test)]
mod tests;
