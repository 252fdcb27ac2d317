//! The invoice, the ledger, the policy and the bank statement of the demo, and what its models say.

use serde::{Deserialize, Serialize};

/// One line of the invoice.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Line {
    pub(crate) number: u32,
    pub(crate) order: &'static str,
    pub(crate) text: &'static str,
    pub(crate) currency: &'static str,
    pub(crate) file: &'static str,
}

const fn line(number: u32, order: &'static str, text: &'static str, currency: &'static str) -> Line {
    Line { number, order, text, currency, file: "inv-0417.pdf" }
}

/// Two lines a round.
pub(crate) const ROUNDS: [[Line; 2]; 3] = [
    [line(1, "PO-2289", "412.00", "EUR"), line(2, "PO-2290", "96.40", "EUR")],
    [line(3, "PO-2291", "1.284,50", "EUR"), line(4, "PO-2294", "780.00", "USD")],
    [line(5, "PO-2297", "2 310.75", "EUR"), line(6, "PO-2301", "55.10", "EUR")],
];

/// Euros for a dollar on the invoice's day.
pub(crate) const USD_EUR: f64 = 0.92;

/// What the bank has paid.
pub(crate) const PAID: f64 = 4_876.35;

/// What the proposing model says in each round.
pub(crate) const PROPOSALS: [&str; 3] = [
    "PO-2289 and PO-2290 are both open and small. Start there: lines 1 and 2 look like exact matches, \
     quantities agree, so only the amounts remain to be read.",
    "PO-2291 fits line 3, amount still to parse. PO-2294 is billed in dollars, so line 4 needs the rate of the \
     invoice day before it can be compared.",
    "Two lines are left. PO-2297 is a partial delivery and line 5 bills exactly that part; PO-2301 is the freight \
     and belongs to line 6. After these the invoice should balance.",
];

/// What it thinks before it speaks.
pub(crate) const THOUGHTS: [&str; 3] = [
    "Six lines, six open orders. Smallest first.",
    "Line 3 comes from a German template, line 4 is not in euros.",
    "If both match, the sum should be the bank's.",
];

/// What the reading model finds in the terms of payment.
pub(crate) const TERMS: [&str; 3] = [
    "The terms on page 1 say: payable within 30 days of receipt, no discount on small orders, and the supplier's \
     bank details are unchanged since the last invoice.",
    "Page 2 applies to framework orders: due 30 days net, or 2 % off if paid in 10 days. The payment went out on \
     day 12, so the discount is not due and the full amount stands.",
    "Page 3 covers partial deliveries: each part may be billed on its own, freight is added once and at cost, and \
     nothing has to be held back.",
];

/// Last words of the report.
pub(crate) const REPORT: &str = "All six lines of invoice 0417 were matched with their orders and posted. The sum \
     agrees with the bank statement, the terms were kept, and nothing is left open for the owner to decide.";
pub(crate) const REPORT_OFF: &str = "All six lines of invoice 0417 were matched, but the sum does not agree with \
     the bank statement. The owner was asked and nothing was posted.";

/// What reading the inbox gives.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Inbox {
    pub(crate) files: u32,
    pub(crate) invoice: String,
    pub(crate) lines: u32,
}

/// What the bank says.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Statement {
    pub(crate) booked: u32,
    pub(crate) paid: f64,
    pub(crate) currency: String,
}
