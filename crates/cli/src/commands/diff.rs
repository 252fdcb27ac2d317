//! `holdpoint diff`: two runs side by side, aligned by structure.
//!
//! Exit codes are those of `diff`: 0 alike, 1 different, 2 for trouble. Times are shown and do not count: no two runs take
//! equally long.

mod values;

use super::{
    Context,
    pick::{self, Found},
};
use crate::{
    api,
    disk::{self, From},
    fail::{Done, Fail},
    print,
};
use graph::project::{Diff, DiffRow, Difference, Pairing, diff};
use graph::{NodeIx, Run};
use serde_json::value::RawValue;
use serde_json::{Value, json};
use std::path::PathBuf;

/// Prints what differs.
pub(crate) async fn run(context: &Context, first: &str, second: &str) -> Done {
    let (first, second, compared) = both(context, first, second).await.map_err(Fail::into_trouble)?;
    say(context, &first, &second, &compared).map_err(Fail::into_trouble)?;
    if alike(&compared) { Ok(()) } else { Err(Fail::different()) }
}

/// Both runs, compared; long values by all of their text.
async fn both(context: &Context, first: &str, second: &str) -> Done<(Run, Run, Diff)> {
    let (first, second) = (one(context, first).await?, one(context, second).await?);
    let mut compared = diff(&first.run, &second.run);
    let doubts = values::doubts(&first.run, &second.run, &compared);
    if !doubts.is_empty() {
        let (events, others) = (first.events(context).await?, second.events(context).await?);
        let unread = values::settle(&doubts, &events, &others, &mut compared);
        if unread > 0 {
            eprintln!("holdpoint: {unread} long values were compared by their size and beginning only");
        }
    }
    Ok((first.run, second.run, compared))
}

/// A run, and where its events are.
struct Side {
    run: Run,
    origin: Origin,
}

enum Origin {
    Server,
    Disk,
    Files(Vec<PathBuf>),
}

impl Side {
    async fn events(&self, context: &Context) -> Done<Vec<Box<RawValue>>> {
        let key = self.run.key().as_str();
        match &self.origin {
            Origin::Server => Ok(api::events(&context.place, key, None, None).await?.events),
            Origin::Disk => disk::events(&From::Journals(&context.place.data_dir), key),
            Origin::Files(paths) => disk::events(&From::Files(paths), key),
        }
    }
}

/// Whether nothing differs but times.
fn alike(compared: &Diff) -> bool {
    let same = |row: &DiffRow| {
        matches!(row.pairing, Pairing::Both(..))
            && row.differences.iter().all(|difference| matches!(difference, Difference::RunMs(..)))
    };
    compared.status.0 == compared.status.1 && compared.rows.iter().all(same)
}

fn say(context: &Context, first: &Run, second: &Run, compared: &Diff) -> Done {
    if context.json {
        let rows: Vec<Value> = compared.rows.iter().map(|row| row_json(first, second, row)).collect();
        return print::json(&json!({
            "first": first.key().as_str(),
            "second": second.key().as_str(),
            "equal": alike(compared),
            "status": compared.status,
            "elapsedMs": compared.elapsed_ms,
            "usage": compared.usage,
            "rows": rows,
        }));
    }
    let (before, after) = compared.status;
    let (elapsed, usage) = (compared.elapsed_ms, &compared.usage);
    let (took, took_after) = (print::span(elapsed.0), print::span(elapsed.1));
    let (tokens, tokens_after) = (usage.0.total, usage.1.total);
    print::line(&format!("first   {}  {before}  {took}  {tokens} tokens", first.key()))?;
    print::line(&format!("second  {}  {after}  {took_after}  {tokens_after} tokens", second.key()))?;
    let rows: Vec<Vec<String>> = compared.rows.iter().map(row_text).collect();
    print::table(&["", "NODE", "KIND", "DIFFERENCES"], &rows)
}

async fn one(context: &Context, wanted: &str) -> Done<Side> {
    let wanted = [wanted.to_owned()];
    let found = pick::find(context, &wanted).await?;
    let origin = match &found {
        Found::Server(..) => Origin::Server,
        Found::Disk(_) => Origin::Disk,
        Found::Files(paths) => Origin::Files(paths.clone()),
    };
    let runs = pick::runs(context, found).await?;
    let count = runs.len();
    if count > 1 {
        eprintln!("holdpoint: {} holds {count} runs; the first is compared", wanted[0]);
    }
    let run = runs.into_iter().next().ok_or_else(|| Fail::new(format!("{} holds no run", wanted[0])))?;
    Ok(Side { run, origin })
}

fn nodes(pairing: Pairing) -> (Option<NodeIx>, Option<NodeIx>) {
    match pairing {
        Pairing::Both(a, b) => (Some(a), Some(b)),
        Pairing::First(a) => (Some(a), None),
        Pairing::Second(b) => (None, Some(b)),
    }
}

fn row_json(first: &Run, second: &Run, row: &DiffRow) -> Value {
    let (a, b) = nodes(row.pairing);
    let id = |run: &Run, ix: Option<NodeIx>| ix.map(|ix| run.node(ix).id.to_string());
    json!({
        "firstNodeId": id(first, a),
        "secondNodeId": id(second, b),
        "depth": row.depth,
        "kind": row.kind,
        "name": row.name,
        "differences": row.differences,
    })
}

fn row_text(row: &DiffRow) -> Vec<String> {
    let side = match row.pairing {
        Pairing::First(_) => "-",
        Pairing::Second(_) => "+",
        Pairing::Both(..) if row.differences.is_empty() => " ",
        Pairing::Both(..) => "~",
    };
    let words: Vec<String> = row.differences.iter().map(words).collect();
    let indent = "  ".repeat(usize::try_from(row.depth).unwrap_or(0).min(12));
    vec![side.to_owned(), format!("{indent}{}", row.name), row.kind.clone(), words.join("; ")]
}

fn words(difference: &Difference) -> String {
    match difference {
        Difference::Status(a, b) => format!("{a} -> {b}"),
        Difference::Instances(a, b) => format!("x{a} -> x{b}"),
        Difference::Errors(a, b) => format!("{a} failed -> {b} failed"),
        Difference::RunMs(a, b) => format!("{} -> {}", print::span(*a), print::span(*b)),
        Difference::Tokens(a, b) => format!("{a} -> {b} tokens"),
        Difference::Input(ordinal, ..) => format!("input of #{} differs", ordinal + 1),
        Difference::Output(ordinal, ..) => format!("output of #{} differs", ordinal + 1),
    }
}
