//! `holdpoint events`: the envelopes of a run, exactly as its program sent them.

use super::{
    Context,
    pick::{self, Found},
};
use crate::{
    args::EventsArgs,
    disk::{self, From},
    fail::{Done, Fail},
    print,
    viewer::Viewer,
};
use serde::Serialize;
use serde_json::value::RawValue;
use std::path::PathBuf;
use wire::viewer::{ServerFrame, ViewerFrame};

/// Envelopes asked for at a time.
const PAGE: u64 = 1_000;

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
        Found::Server(viewer, key) => from_server(*viewer, key, args).await?,
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

async fn from_server(mut viewer: Viewer, key: String, args: &EventsArgs) -> Done<Events> {
    let mut all = Events { run_id: key.clone(), total: 0, events: Vec::new(), next_after_seq: args.after };
    loop {
        let left = args.limit.map_or(PAGE, |limit| limit.saturating_sub(all.events.len() as u64).min(PAGE));
        let req = viewer.req();
        let ask =
            ViewerFrame::EventsGet { req, run: key.clone(), after_seq: all.next_after_seq, limit: left };
        viewer.send(&ask).await?;
        let (total, events, next) = page(&mut viewer, req).await?;
        all.total = total;
        all.next_after_seq = next;
        let empty = events.is_empty();
        all.events.extend(events);
        let full = args.limit.is_some_and(|limit| all.events.len() as u64 >= limit);
        if full || next.is_none() || empty {
            return Ok(all);
        }
    }
}

type Page = (u64, Vec<Box<RawValue>>, Option<u64>);

async fn page(viewer: &mut Viewer, wanted: u64) -> Done<Page> {
    loop {
        match viewer.next().await? {
            ServerFrame::EventPage { req, total, events, next_after_seq, .. } if req == wanted => {
                return Ok((total, events, next_after_seq));
            }
            ServerFrame::Failed { req, reason } if req == wanted => return Err(Fail::new(reason)),
            _ => {}
        }
    }
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
