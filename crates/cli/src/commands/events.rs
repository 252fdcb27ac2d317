//! `holdpoint events`: the envelopes of a run, exactly as its program sent them.

use super::{
    Context,
    show::{file, pick},
};
use crate::{
    args::EventsArgs,
    disk,
    fail::{Done, Fail},
    print,
    viewer::{Missing, Viewer},
};
use serde::Serialize;
use serde_json::value::RawValue;
use std::path::PathBuf;
use wire::viewer::{ServerFrame, ViewerFrame};

/// Envelopes asked for at a time.
const PAGE: u64 = 1_000;

/// What is printed, page by page in memory for people, whole for programs.
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
    let events = match Viewer::attach(&context.place).await {
        Ok((viewer, welcome)) => match pick(&welcome.runs, args.run.as_deref()) {
            Ok(summary) => from_server(viewer, &summary.run, args).await?,
            Err(fail) => from_file(file(args.run.as_deref()).ok_or(fail)?, args)?,
        },
        Err(Missing::Nobody(_)) if !context.place.named => from_disk(context, args)?,
        Err(missing) => return Err(missing.into()),
    };
    if context.json {
        return print::json(&events);
    }
    events.events.iter().try_for_each(|event| print::line(&one_line(event.get())))
}

async fn from_server(mut viewer: Viewer, key: &str, args: &EventsArgs) -> Done<Events> {
    let mut all = Events { run_id: key.to_owned(), total: 0, events: Vec::new(), next_after_seq: args.after };
    loop {
        let left = args.limit.map_or(PAGE, |limit| limit.saturating_sub(all.events.len() as u64).min(PAGE));
        let req = viewer.req();
        let ask =
            ViewerFrame::EventsGet { req, run: key.to_owned(), after_seq: all.next_after_seq, limit: left };
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

fn from_disk(context: &Context, args: &EventsArgs) -> Done<Events> {
    if let Some(path) = file(args.run.as_deref()) {
        return from_file(path, args);
    }
    let recording = disk::read_journals(&context.place.data_dir);
    let key = disk::pick(&recording.store, args.run.as_deref())?.key().to_string();
    let events = disk::events(&disk::journals(&context.place.data_dir), &key)?;
    Ok(cut(key, events, args))
}

fn from_file(path: PathBuf, args: &EventsArgs) -> Done<Events> {
    let paths = [path];
    let recording = disk::read(&paths)?;
    let mut keys = recording.store.runs().map(|run| run.key().to_string());
    let key = keys.next().ok_or_else(|| Fail::new(format!("{} holds no run", paths[0].display())))?;
    let others: Vec<String> = keys.collect();
    if !others.is_empty() {
        eprintln!("holdpoint: these are the events of {key}; the file also holds {}", others.join(", "));
    }
    Ok(cut(key.clone(), disk::events(&paths, &key)?, args))
}

/// The part that was asked for.
fn cut(run_id: String, mut events: Vec<Box<RawValue>>, args: &EventsArgs) -> Events {
    let total = events.len() as u64;
    let seq = |raw: &RawValue| wire::decode(raw.get()).header().map_or(0, |header| header.seq);
    events.sort_by_key(|raw| seq(raw));
    events.retain(|raw| args.after.is_none_or(|after| seq(raw) > after));
    let limit = args.limit.and_then(|limit| usize::try_from(limit).ok()).unwrap_or(usize::MAX);
    let more = events.len() > limit;
    events.truncate(limit);
    let next_after_seq = events.last().filter(|_| more).map(|raw| seq(raw));
    Events { run_id, total, events, next_after_seq }
}

/// Number, type, node and the rest of an envelope, for a person.
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
