//! The demo's agent: sources side by side, then matching round by round, then the books are closed.

use super::{
    amounts::{Amount, ValueError},
    books::{Line, REPORT, REPORT_OFF, ROUNDS, Statement},
    pace::Pace,
    steps,
};
use client::{Hint, Node, Scope, Session, Usage};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

type Step<T> = Result<T, ValueError>;

/// What the agent hands over.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Reconciled {
    pub(crate) invoice: String,
    pub(crate) lines: usize,
    pub(crate) total: f64,
    pub(crate) balanced: bool,
}

/// Where the matching stands.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Totals {
    matched: usize,
    open: usize,
    total: f64,
}

/// Everything that may run, so that it is shown grey until it does.
fn hints() -> Vec<Hint> {
    let top = [
        ("resource", "read_inbox"),
        ("retriever", "load_ledger"),
        ("prompt", "match_policy"),
        ("server", "bank_feed"),
        ("chain", "match"),
        ("custom", "ask_owner"),
        ("tool", "post_entries"),
        ("llm", "write_report"),
    ];
    let matching = [("llm", "propose"), ("chain", "lookup"), ("custom", "check_totals")];
    let lookup =
        [("tool", "fetch_order"), ("tool", "parse_amount"), ("tool", "fx_rate"), ("llm", "read_terms")];
    let under = |parent: &'static str| {
        move |(kind, name): (&'static str, &'static str)| Hint::new(kind, name).under(parent)
    };
    top.map(|(kind, name)| Hint::new(kind, name))
        .into_iter()
        .chain(matching.map(under("chain:match")))
        .chain(lookup.map(under("chain:lookup")))
        .collect()
}

/// The whole agent as one run.
pub(crate) async fn reconcile(session: &Session, pace: Pace) -> Step<Reconciled> {
    let input = json!({"invoice": "inv-0417.pdf", "supplier": "Nordwind GmbH"});
    let run = session.run("reconcile").meta(&json!({"demo": true})).hint(hints());
    run.call(input, |root: Node, _: Value| async move {
        let (inbox, ledger, policy, bank) = tokio::join!(
            steps::read_inbox(&root, pace),
            steps::load_ledger(&root, pace),
            steps::match_policy(&root, pace),
            steps::bank_feed(&root, pace),
        );
        let (inbox, bank) = (inbox?, bank?);
        let sources = json!({"lines": inbox.lines, "orders": ledger?["orders"], "policy": policy?});
        let totals = root.chain("match").call(sources, |matching, _| match_lines(matching, pace)).await?;
        let balanced = (totals.total - bank.paid).abs() < 0.005;
        close(&root, pace, &totals, &bank, balanced).await?;
        Ok(Reconciled { invoice: inbox.invoice, lines: totals.matched, total: totals.total, balanced })
    })
    .await
}

/// Rounds until nothing is open: propose, look up, check; the check sends it back twice.
async fn match_lines(matching: Node, pace: Pace) -> Step<Totals> {
    let mut totals = Totals { matched: 0, open: ROUNDS.iter().map(|round| round.len()).sum(), total: 0.0 };
    for (round, lines) in ROUNDS.iter().enumerate() {
        let pairs = steps::propose(&matching, pace, round, lines).await?;
        let lookup = |lookup, _: Value| look_up(lookup, pace, round, *lines);
        let amounts: Vec<Amount> = matching.chain("lookup").call(pairs, lookup).await?;
        totals = check_totals(&matching, pace, totals, amounts).await?;
    }
    Ok(totals)
}

/// Everything about the lines of one round, at the same time; amounts in euros.
async fn look_up(lookup: Node, pace: Pace, round: usize, [one, two]: [Line; 2]) -> Step<Vec<Amount>> {
    let (order_one, order_two, amount_one, amount_two, rate, terms) = tokio::join!(
        steps::fetch_order(&lookup, pace, one),
        steps::fetch_order(&lookup, pace, two),
        steps::read_amount(&lookup, pace, one),
        steps::read_amount(&lookup, pace, two),
        steps::fx_rate(&lookup, pace, round),
        steps::read_terms(&lookup, pace, round),
    );
    let rate = rate?;
    // The amounts first: what went wrong there is what the agent stops for.
    let amounts = [amount_one?, amount_two?].map(|amount| in_euros(amount, rate)).to_vec();
    order_one.and(order_two).and(terms)?;
    Ok(amounts)
}

fn in_euros(amount: Amount, rate: f64) -> Amount {
    if amount.currency == "EUR" {
        return amount;
    }
    Amount { amount: cents(amount.amount * rate), currency: "EUR".to_owned(), ..amount }
}

fn cents(amount: f64) -> f64 {
    (amount * 100.0).round() / 100.0
}

async fn check_totals(matching: &Scope, pace: Pace, before: Totals, amounts: Vec<Amount>) -> Step<Totals> {
    let step = matching.node("custom", "check_totals");
    step.call((before, amounts), |_, (before, amounts): (Totals, Vec<Amount>)| async move {
        pace.work(460).await;
        let sum: f64 = amounts.iter().map(|amount| amount.amount).sum();
        Ok(Totals {
            matched: before.matched + amounts.len(),
            open: before.open - amounts.len(),
            total: cents(before.total + sum),
        })
    })
    .await
}

/// Posts what balances, asks the owner about what does not, and says so.
async fn close(root: &Scope, pace: Pace, totals: &Totals, bank: &Statement, balanced: bool) -> Step<()> {
    let facts = json!({"total": totals.total, "paid": bank.paid, "lines": totals.matched});
    if balanced {
        let post = |facts: Value| async move {
            pace.work(1_380).await;
            Ok::<Value, ValueError>(json!({"posted": facts["lines"]}))
        };
        root.tool("post_entries", facts.clone(), post).await?;
    } else {
        let ask = root.node("custom", "ask_owner");
        ask.call(facts.clone(), |_, _: Value| async move {
            pace.work(900).await;
            Ok::<_, ValueError>(json!({"asked": "owner", "answer": null}))
        })
        .await?;
    }
    let report = root.llm("write_report").model("ledger-small-2");
    report
        .call(facts, |node: Node, _: Value| async move {
            pace.work(300).await;
            let words = if balanced { REPORT } else { REPORT_OFF };
            pace.say(&node, words).await;
            node.usage(Usage::tokens(812, 58));
            Ok::<_, ValueError>(words.to_owned())
        })
        .await?;
    Ok(())
}
