//! `holdpoint events`: the envelopes of a run, exactly as its program sent them.

use super::{
    Context,
    pick::{self, Found},
};
use crate::{
    api,
    args::EventsArgs,
    disk::{self, From},
    fail::Done,
    print,
};
use serde::Serialize;
use serde_json::value::RawValue;
use std::path::PathBuf;

/// What is printed.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Events {
    run_id: String,
    total: u64,
    events: Vec<Box<RawValue>>,
    next_after_seq: Option<u64>,
}

/// Prints them.
pub(crate) async fn run(context: &Context, args: &EventsArgs) -> Done {
    let events = match pick::find(context, args.run.as_slice()).await? {
        Found::Server(_, key) => {
            let page = api::events(&context.place, &key, args.after, args.limit).await?;
            Events {
                run_id: key,
                total: page.total,
                events: page.events,
                next_after_seq: page.next_after_seq,
            }
        }
        Found::Disk(key) => {
            let events = disk::events(&From::Journals(&context.place.data_dir), &key)?;
            cut(key, events, args)
        }
        Found::Files(paths) => from_files(&paths, args)?,
    };
    if context.json {
        return print::json(&events);
    }
    events.events.iter().try_for_each(|event| print::line(&one_line(event.get())))
}

fn from_files(paths: &[PathBuf], args: &EventsArgs) -> Done<Events> {
    let (store, report) = disk::read(paths)?;
    disk::tell(&report);
    let key = match &args.of {
        Some(of) => disk::pick(&store, Some(of))?.key().to_string(),
        None => store.runs().next().map(|run| run.key().to_string()).unwrap_or_default(),
    };
    if store.runs().len() > 1 && args.of.is_none() {
        eprintln!("holdpoint: these are the events of {key}; the other runs are shown with --of RUN");
    }
    let events = disk::events(&From::Files(paths), &key)?;
    Ok(cut(key, events, args))
}

/// The part that was asked for.
fn cut(run_id: String, mut events: Vec<Box<RawValue>>, args: &EventsArgs) -> Events {
    let total = events.len() as u64;
    let seq = |raw: &RawValue| wire::decode(raw.get()).header().map_or(0, |header| header.seq);
    events.retain(|raw| args.after.is_none_or(|after| seq(raw) > after));
    let limit = args.limit.and_then(|limit| usize::try_from(limit).ok()).unwrap_or(usize::MAX);
    let more = events.len() > limit;
    events.truncate(limit);
    let next_after_seq = events.last().filter(|_| more).map(|raw| seq(raw));
    Events { run_id, total, events, next_after_seq }
}

/// Number, type and the beginning of the payload, for a person.
fn one_line(text: &str) -> String {
    /// Characters of a payload that are shown.
    const SHOWN: usize = 160;
    let decoded = wire::decode(text);
    let Some(header) = decoded.header() else { return text.to_owned() };
    let payload = wire::Raw::parse(text).ok().and_then(|raw| raw.member("payload"));
    let payload = payload.map_or("", wire::Raw::get);
    let shown: String = payload.chars().take(SHOWN).collect();
    let dots = if shown.len() < payload.len() { "…" } else { "" };
    format!("{:>6}  {:<14} {shown}{dots}", header.seq, header.kind)
}
