//! Reading amounts of money from invoices: where the planted bug is.

use client::Aborted;
use serde::{Deserialize, Serialize};
use std::fmt;

/// What stands on an invoice line.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct AmountText {
    pub(crate) text: String,
    pub(crate) currency: String,
    pub(crate) line: u32,
}

/// An amount that was read. A person may inject `{"amount":1284.5,"currency":"EUR","line":3}` or just `1284.5`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "Given")]
pub(crate) struct Amount {
    pub(crate) amount: f64,
    pub(crate) currency: String,
    pub(crate) line: u32,
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "expected {\"amount\":1284.5,\"currency\":\"EUR\",\"line\":3} or a number")]
enum Given {
    Number(f64),
    Whole {
        amount: f64,
        #[serde(default = "euro")]
        currency: String,
        #[serde(default)]
        line: u32,
    },
}

fn euro() -> String {
    "EUR".to_owned()
}

impl From<Given> for Amount {
    fn from(given: Given) -> Self {
        match given {
            Given::Number(amount) => Self { amount, currency: euro(), line: 0 },
            Given::Whole { amount, currency, line } => Self { amount, currency, line },
        }
    }
}

/// Why an amount could not be read.
#[derive(Clone, PartialEq)]
pub(crate) enum ValueError {
    NotANumber(String),
    Aborted(Aborted),
}

impl From<Aborted> for ValueError {
    fn from(aborted: Aborted) -> Self {
        Self::Aborted(aborted)
    }
}

impl fmt::Display for ValueError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotANumber(text) => write!(f, "could not convert text to a number: '{text}'"),
            Self::Aborted(aborted) => aborted.fmt(f),
        }
    }
}

/// The trail that the inspector shows: where the text was read, innermost first.
impl fmt::Debug for ValueError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "ValueError: {self}")?;
        writeln!(f, "  at to_number ({}:{TO_NUMBER_LINE})  text.parse::<f64>()", file!())?;
        write!(f, "  at parse_amount ({}:{PARSE_AMOUNT_LINE})  to_number(&given.text)?", file!())
    }
}

impl std::error::Error for ValueError {}

const PARSE_AMOUNT_LINE: u32 = line!() + 4;
/// Reads the amount of an invoice line.
pub(crate) fn parse_amount(given: &AmountText) -> Result<Amount, ValueError> {
    let AmountText { currency, line, .. } = given;
    let amount = to_number(&given.text)?;
    Ok(Amount { amount, currency: currency.clone(), line: *line })
}

const TO_NUMBER_LINE: u32 = line!() + 4;
/// The bug: only a point is known, though much of Europe writes 1.284,50.
fn to_number(text: &str) -> Result<f64, ValueError> {
    let plain = text.replace(' ', "");
    plain.parse::<f64>().map_err(|_| ValueError::NotANumber(text.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_planted_bug_is_the_decimal_comma_and_nothing_else() {
        let read = |text: &str| {
            parse_amount(&AmountText { text: text.to_owned(), currency: euro(), line: 3 })
                .map(|read| read.amount)
        };
        assert_eq!(read("412.00"), Ok(412.0));
        assert_eq!(read("2 310.75"), Ok(2310.75));
        assert_eq!(read("1.284,50"), Err(ValueError::NotANumber("1.284,50".to_owned())));
    }

    #[test]
    fn a_person_may_inject_the_whole_value_or_just_the_number() {
        let check = |json: &str, amount: f64, line: u32| {
            let read: Amount = serde_json::from_str(json).expect(json);
            assert_eq!((read.amount, read.currency.as_str(), read.line), (amount, "EUR", line));
        };
        check(r#"{"amount":1284.5,"currency":"EUR","line":3}"#, 1284.5, 3);
        check(r#"{"amount":1284.5}"#, 1284.5, 0);
        check("1284.50", 1284.5, 0);
        let error = serde_json::from_str::<Amount>("\"1284.5\"").expect_err("a text is no amount");
        assert!(error.to_string().contains("or a number"), "{error}");
    }
}
