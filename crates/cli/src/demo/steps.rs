//! The single steps of the demo: each is one node.

use super::{
    amounts::{Amount, AmountText, ValueError, parse_amount},
    books::{Inbox, Line, PAID, PROPOSALS, Statement, TERMS, THOUGHTS, USD_EUR},
    pace::Pace,
};
use client::{Node, Scope, Usage};
use serde_json::{Value, json};

type Step<T> = Result<T, ValueError>;

/// The model that everything here pretends to call.
const MODEL: &str = "ledger-large-2";

pub(crate) async fn read_inbox(root: &Scope, pace: Pace) -> Step<Inbox> {
    let step = root.node("resource", "read_inbox");
    step.call(json!({"folder": "inbox/2026-04"}), |_, _: Value| async move {
        pace.work(520).await;
        Ok(Inbox { files: 38, invoice: "inv-0417.pdf".to_owned(), lines: 6 })
    })
    .await
}

pub(crate) async fn load_ledger(root: &Scope, pace: Pace) -> Step<Value> {
    let step = root.node("retriever", "load_ledger");
    step.call(json!({"supplier": "Nordwind GmbH", "open": true}), |_, _: Value| async move {
        pace.work(1_640).await;
        let orders = ["PO-2289", "PO-2290", "PO-2291", "PO-2294", "PO-2297", "PO-2301"];
        Ok(json!({"orders": orders, "balance": 4_876.35}))
    })
    .await
}

pub(crate) async fn match_policy(root: &Scope, pace: Pace) -> Step<String> {
    let step = root.node("prompt", "match_policy");
    step.call(json!({"version": 14}), |_, _: Value| async move {
        pace.work(310).await;
        Ok("Match each line with one open order. Amounts must agree to the cent; ask when they do not."
            .to_owned())
    })
    .await
}

pub(crate) async fn bank_feed(root: &Scope, pace: Pace) -> Step<Statement> {
    let step = root.node("server", "bank_feed");
    step.call(json!({"account": "DE02 1203 0000 0000 2020 51", "days": 14}), |_, _: Value| async move {
        pace.work(2_380).await;
        Ok(Statement { booked: 214, paid: PAID, currency: "EUR".to_owned() })
    })
    .await
}

/// The model that says which order goes with which line.
pub(crate) async fn propose(matching: &Scope, pace: Pace, round: usize, lines: &[Line]) -> Step<Value> {
    let pairs: Vec<Value> =
        lines.iter().map(|line| json!({"line": line.number, "order": line.order})).collect();
    let input = json!({"round": round + 1, "lines": lines, "policy": "v14"});
    let step = matching.llm("propose").model(MODEL);
    step.call(input, |node: Node, _: Value| {
        let pairs = pairs.clone();
        async move {
            pace.work(420).await;
            pace.think(&node, THOUGHTS[round]).await;
            pace.say(&node, PROPOSALS[round]).await;
            let read = 1_180 + 460 * round as u64;
            node.usage(Usage::tokens(1_940 + 510 * round as u64, 64).cache_read(read).reasoning(18));
            Ok(json!({"pairs": pairs}))
        }
    })
    .await
}

pub(crate) async fn fetch_order(lookup: &Scope, pace: Pace, line: Line) -> Step<Value> {
    let input = json!({"order": line.order, "line": line.number});
    let step = |given: Value| async move {
        pace.work(700 + u64::from(line.number) * 90).await;
        Ok(json!({"order": given["order"], "supplier": "Nordwind GmbH", "open": true}))
    };
    lookup.tool("fetch_order", input, step).await
}

pub(crate) async fn read_amount(lookup: &Scope, pace: Pace, line: Line) -> Step<Amount> {
    let input =
        AmountText { text: line.text.to_owned(), currency: line.currency.to_owned(), line: line.number };
    let step = |given: AmountText| async move {
        pace.work(480 + u64::from(line.number) * 70).await;
        parse_amount(&given)
    };
    let mut amount = lookup.tool("parse_amount", input, step).await?;
    if amount.line == 0 {
        amount.line = line.number;
    }
    Ok(amount)
}

/// The rate of the invoice's day; only dollars need one, but the policy wants it looked up each round.
pub(crate) async fn fx_rate(lookup: &Scope, pace: Pace, round: usize) -> Step<f64> {
    let input = json!({"pair": "USD/EUR", "day": format!("2026-04-{:02}", 14 + round)});
    lookup
        .tool("fx_rate", input, |_: Value| async move {
            pace.work(1_150).await;
            Ok(USD_EUR)
        })
        .await
}

/// The model that reads the terms of payment.
pub(crate) async fn read_terms(lookup: &Scope, pace: Pace, round: usize) -> Step<Value> {
    let input = json!({"file": "inv-0417.pdf", "page": round + 1});
    let step = lookup.llm("read_terms").model(MODEL);
    step.call(input, |node: Node, _: Value| async move {
        pace.work(350).await;
        pace.say(&node, TERMS[round]).await;
        node.usage(Usage::tokens(3_210 + 140 * round as u64, 42).cache_read(2_900));
        Ok(json!({"page": round + 1, "discount": 0}))
    })
    .await
}
