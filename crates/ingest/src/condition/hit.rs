//! Hit counts: which of the times that a breakpoint matches it holds.
//!
//! Invariant: the count starts at 1 with the first match after the breakpoint was set.

/// `5` or `== 5`, `> 3`, `>= 3`, `< 3`, `<= 3`, `!= 3`, `% 10` (every tenth).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Hit {
    operator: &'static str,
    number: u64,
}

const OPERATORS: [&str; 7] = [">=", "<=", "==", "!=", ">", "<", "%"];

impl Hit {
    /// Reads a hit count; the error says what is accepted.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let operator = OPERATORS.into_iter().find(|operator| text.starts_with(operator));
        let digits = text[operator.map_or(0, str::len)..].trim();
        let operator = operator.unwrap_or("==");
        match digits.parse() {
            Ok(0) if operator == "%" => {
                Err("every 0th time is never; a number from 1 on is expected".to_owned())
            }
            Ok(number) => Ok(Self { operator, number }),
            Err(_) => Err(format!(
                "expected a number after one of {} (or a number alone), seen {text:?}",
                OPERATORS.join(" ")
            )),
        }
    }

    /// Whether the `count`-th match holds.
    pub(crate) fn holds(self, count: u64) -> bool {
        match self.operator {
            ">=" => count >= self.number,
            "<=" => count <= self.number,
            "!=" => count != self.number,
            ">" => count > self.number,
            "<" => count < self.number,
            "%" => count.is_multiple_of(self.number),
            _ => count == self.number,
        }
    }
}
