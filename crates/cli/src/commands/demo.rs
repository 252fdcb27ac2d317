//! `holdpoint demo`: the demo agent, told where the debugger is.

use super::Context;
use crate::{
    demo::{self, Outcome},
    fail::{Done, Fail},
    print,
};
use serde_json::json;

/// Runs it to its end, which a person decides.
pub(crate) async fn run(context: &Context, fast: bool) -> Done {
    let url = address(context);
    if !context.json {
        print::line(
            "The demo is held at a bug: inject {\"amount\":1284.5,\"currency\":\"EUR\",\"line\":3}, or 1284.5.",
        )?;
    }
    match demo::run(&url, fast).await {
        Outcome::Done { total, balanced } if context.json => {
            print::json(&json!({"total": total, "balanced": balanced}))
        }
        Outcome::Done { total, balanced } => {
            let agrees = if balanced { "agrees" } else { "does not agree" };
            print::line(&format!("Reconciled: {total:.2} EUR, which {agrees} with the bank statement."))
        }
        Outcome::Failed(error) => Err(Fail::new(format!("the demo agent ended with an error: {error}"))),
        Outcome::Alone(why) => Err(Fail::new(format!(
            "no debugger at {url}: {why}. Start one with `holdpoint serve`, or open the window"
        ))),
    }
}

/// What was said, else the server of this data directory, else where agents usually dial.
fn address(context: &Context) -> String {
    let usual = || std::env::var("GRAPHMIND_URL").unwrap_or_else(|_| client::DEFAULT_URL.to_owned());
    match &context.url {
        Some(url) if url.starts_with("ws://") => url.clone(),
        _ => context.place.ingest_url().unwrap_or_else(|_| usual()),
    }
}
