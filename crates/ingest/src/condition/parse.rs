//! From tokens to an expression.
//!
//! Invariant: recursion is bounded by `EXPRESSION_DEPTH_MAX`; whatever follows a whole expression is an error.

use super::token::{Placed, Token, tokens};
use super::{Expr, Operator, Part, Path, Step};
use crate::limits::EXPRESSION_DEPTH_MAX;

const ROOTS: [&str; 9] = ["input", "output", "error", "name", "kind", "node", "instance", "point", "run"];

struct Parser<'a> {
    tokens: &'a [Placed],
    at: usize,
    depth: usize,
    end: usize,
}

/// Reads a whole condition.
pub(super) fn condition(text: &str) -> Result<Expr, String> {
    let tokens = tokens(text)?;
    let mut parser = Parser { tokens: &tokens, at: 0, depth: 0, end: text.len() };
    let expr = parser.or()?;
    parser.finish()?;
    Ok(expr)
}

/// Reads a log text.
pub(super) fn template(text: &str) -> Result<Vec<Part>, String> {
    let mut parts = Vec::new();
    let mut literal = String::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        if rest.starts_with("{{") || rest.starts_with("}}") {
            literal.push(c);
            rest = &rest[2..];
        } else if c == '{' {
            let end =
                rest.find('}').ok_or_else(|| format!("at {}: no }} closes this", text.len() - rest.len()))?;
            if !literal.is_empty() {
                parts.push(Part::Literal(std::mem::take(&mut literal)));
            }
            parts.push(Part::Value(path_only(&rest[1..end])?));
            rest = &rest[end + 1..];
        } else {
            literal.push(c);
            rest = &rest[c.len_utf8()..];
        }
    }
    if !literal.is_empty() {
        parts.push(Part::Literal(literal));
    }
    Ok(parts)
}

fn path_only(text: &str) -> Result<Path, String> {
    let tokens = tokens(text)?;
    let mut parser = Parser { tokens: &tokens, at: 0, depth: 0, end: text.len() };
    let path = parser.path()?;
    parser.finish()?;
    Ok(path)
}

impl Parser<'_> {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at).map(|(token, _)| token)
    }

    fn place(&self) -> usize {
        self.tokens.get(self.at).map_or(self.end, |(_, place)| *place)
    }

    fn take(&mut self, sign: &str) -> bool {
        let found = matches!(self.peek(), Some(Token::Sign(seen)) if *seen == sign);
        self.at += usize::from(found);
        found
    }

    fn expected<T>(&self, what: &str) -> Result<T, String> {
        let seen = match self.peek() {
            None => "the end".to_owned(),
            Some(Token::Word(word)) => format!("{word:?}"),
            Some(Token::Text(text)) => format!("the text {text:?}"),
            Some(Token::Number(number)) => number.to_string(),
            Some(Token::Sign(sign)) => format!("{sign:?}"),
        };
        Err(format!("at {}: expected {what}, seen {seen}", self.place()))
    }

    fn need(&mut self, sign: &str) -> Result<(), String> {
        if self.take(sign) { Ok(()) } else { self.expected(&format!("{sign:?}")) }
    }

    fn finish(&self) -> Result<(), String> {
        if self.peek().is_none() { Ok(()) } else { self.expected("an operator or the end") }
    }

    fn deeper<T>(&mut self, parse: impl FnOnce(&mut Self) -> Result<T, String>) -> Result<T, String> {
        if self.depth >= EXPRESSION_DEPTH_MAX {
            return Err(format!("at {}: nested deeper than {EXPRESSION_DEPTH_MAX}", self.place()));
        }
        self.depth += 1;
        let parsed = parse(self);
        self.depth -= 1;
        parsed
    }

    fn or(&mut self) -> Result<Expr, String> {
        let first = self.and()?;
        if !self.take("||") {
            return Ok(first);
        }
        let rest = self.deeper(Self::or)?;
        Ok(Expr::Or(first.into(), rest.into()))
    }

    fn and(&mut self) -> Result<Expr, String> {
        let first = self.not()?;
        if !self.take("&&") {
            return Ok(first);
        }
        let rest = self.deeper(Self::and)?;
        Ok(Expr::And(first.into(), rest.into()))
    }

    fn not(&mut self) -> Result<Expr, String> {
        if self.take("!") {
            return Ok(Expr::Not(self.deeper(Self::not)?.into()));
        }
        let left = self.operand()?;
        let Some(operator) = self.operator() else { return Ok(left) };
        self.at += 1;
        let right = self.operand()?;
        if self.operator().is_some() {
            return self.expected("&&, || or the end (comparisons do not chain)");
        }
        Ok(Expr::Compare(left.into(), operator, right.into()))
    }

    fn operator(&self) -> Option<Operator> {
        Some(match self.peek()? {
            Token::Sign("==") => Operator::Equal,
            Token::Sign("!=") => Operator::Unequal,
            Token::Sign("<") => Operator::Less,
            Token::Sign("<=") => Operator::LessOrEqual,
            Token::Sign(">") => Operator::Greater,
            Token::Sign(">=") => Operator::GreaterOrEqual,
            Token::Word(word) if word == "contains" => Operator::Contains,
            Token::Word(word) if word == "startsWith" => Operator::StartsWith,
            Token::Word(word) if word == "endsWith" => Operator::EndsWith,
            _ => return None,
        })
    }

    fn operand(&mut self) -> Result<Expr, String> {
        if self.take("(") {
            let inner = self.deeper(Self::or)?;
            self.need(")")?;
            return Ok(inner);
        }
        let literal = match self.peek() {
            Some(Token::Text(text)) => Expr::Text(text.clone()),
            Some(Token::Number(number)) => Expr::Number(*number),
            Some(Token::Word(word)) => match word.as_str() {
                "true" => Expr::Bool(true),
                "false" => Expr::Bool(false),
                "null" => Expr::Null,
                "exists" => return self.call().map(Expr::Exists),
                "len" => return self.call().map(Expr::Length),
                _ => return self.path().map(Expr::Path),
            },
            _ => return self.expected("a value, a path or ("),
        };
        self.at += 1;
        Ok(literal)
    }

    fn call(&mut self) -> Result<Path, String> {
        self.at += 1;
        self.need("(")?;
        let path = self.path()?;
        self.need(")")?;
        Ok(path)
    }

    fn path(&mut self) -> Result<Path, String> {
        let root = match self.peek() {
            Some(Token::Word(word)) if ROOTS.contains(&word.as_str()) => word.clone(),
            _ => return self.expected(&format!("one of {}", ROOTS.join(", "))),
        };
        self.at += 1;
        let mut steps = Vec::new();
        loop {
            if self.take(".") {
                match self.peek() {
                    Some(Token::Word(word)) => steps.push(Step::Member(word.clone())),
                    _ => return self.expected("a member name"),
                }
                self.at += 1;
            } else if self.take("[") {
                match self.peek() {
                    Some(Token::Text(text)) => steps.push(Step::Member(text.clone())),
                    Some(Token::Number(n)) if *n >= 0.0 && n.fract() == 0.0 => {
                        steps.push(Step::Item(*n as usize))
                    }
                    _ => return self.expected("a text or an index"),
                }
                self.at += 1;
                self.need("]")?;
            } else {
                return Ok(Path { root, steps });
            }
        }
    }
}
