//! The demo agent: an invoice is reconciled with a bank statement, and one amount cannot be read.
//!
//! An agent like any other, built on the client alone: it knows no server, no window, no key and no network. Its
//! planted bug is honest: [`amounts::parse_amount`] does not know the decimal comma.

mod agent;
mod amounts;
mod books;
mod pace;
mod steps;

use agent::Reconciled;
use client::Session;
use pace::Pace;
use std::time::Duration;

/// How long to look for the debugger before giving up.
const ATTACH_BUDGET: Duration = Duration::from_secs(10);

/// How a demo went.
#[derive(Debug, PartialEq)]
pub(crate) enum Outcome {
    /// It came to its end; the total, and whether the bank says the same.
    Done {
        /// In euros.
        total: f64,
        /// The bank statement agrees.
        balanced: bool,
    },
    /// It failed or was aborted; why.
    Failed(String),
    /// There is no debugger at the address.
    Alone(String),
}

/// Runs the demo against the debugger at `url`; `fast` leaves the pauses out.
pub(crate) async fn run(url: &str, fast: bool) -> Outcome {
    let session =
        Session::builder("Invoice reconciliation").url(url).retry_every(Duration::from_millis(500)).start();
    if !session.attached(ATTACH_BUDGET).await {
        let reason = session.status().last_error.unwrap_or_else(|| "it is switched off".to_owned());
        return Outcome::Alone(reason);
    }
    match agent::reconcile(&session, Pace::new(fast)).await {
        Ok(Reconciled { total, balanced, .. }) => Outcome::Done { total, balanced },
        Err(error) => Outcome::Failed(error.to_string()),
    }
}
