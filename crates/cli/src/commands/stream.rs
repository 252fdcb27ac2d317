//! `holdpoint stream`: a run as stream parts, one a line, live from the server or from a recording.

use super::{
    Context,
    pick::{self, Found},
};
use crate::{
    args::StreamArgs,
    disk::{self, From},
    fail::{Context as _, Done, Fail},
    place::Place,
    print,
};
use futures_util::StreamExt;
use serde_json::value::RawValue;
use std::path::PathBuf;
use stream::{LineBody, Outcome, RunFold, StreamFilter, StreamItem, StreamLine};
use tokio::net::TcpStream;
use tokio_tungstenite::{
    client_async,
    tungstenite::{Error, Message},
};

/// Prints lines until the run ends.
pub(crate) async fn run(context: &Context, args: &StreamArgs) -> Done {
    let query = args.query();
    let filter = StreamFilter::from_query(&query).map_err(|error| Fail::new(error.to_string()))?;
    match pick::find(context, args.run.as_slice()).await? {
        Found::Server(viewer, key) => {
            drop(viewer);
            follow(&context.place, &format!("run={}&{query}", escaped(&key)), args.from, context.json).await
        }
        Found::Disk(key) => {
            let events = disk::events(&From::Journals(&context.place.data_dir), &key)?;
            replay(&events, &filter, args.from, context.json)
        }
        Found::Files(paths) => from_files(&paths, &filter, args.from, context.json),
    }
}

/// Every run of a recording in turn.
fn from_files(paths: &[PathBuf], filter: &StreamFilter, from: u64, json: bool) -> Done {
    let (store, report) = disk::read(paths)?;
    disk::tell(&report);
    for run in store.runs() {
        let events = disk::events(&From::Files(paths), run.key().as_str())?;
        replay(&events, filter, from, json)?;
    }
    Ok(())
}

/// The lines of a recording: what a subscriber who was there would have read.
fn replay(events: &[Box<RawValue>], filter: &StreamFilter, from: u64, json: bool) -> Done {
    let mut fold = RunFold::default();
    let mut told = Outcome::default();
    for event in events {
        let item = match StreamItem::decode(&wire::decode(event.get())) {
            Ok(Some(item)) => item,
            Ok(None) => continue,
            Err(error) => {
                eprintln!("holdpoint: an event is passed over: {error}");
                continue;
            }
        };
        fold.apply(&item);
        if item.seq >= from {
            stream::lines(&item, filter).iter().try_for_each(|line| say(line, json))?;
        }
        let outcome = fold.outcome();
        if outcome != told {
            say(&StreamLine::encode_outcome(&outcome), json)?;
            told = outcome;
        }
    }
    say(&StreamLine::encode_end(), json)
}

async fn follow(place: &Place, query: &str, from: u64, json: bool) -> Done {
    let host = place.host()?;
    let stream = TcpStream::connect(host).await.context(format!("cannot reach {host}"))?;
    let url = format!("ws://{host}/stream?from={from}&token={}&{query}", place.token()?);
    let (mut socket, _) = client_async(url, stream).await.map_err(|error| Fail::new(refused(host, error)))?;
    while let Some(frame) = socket.next().await {
        match frame.context("the server went away")? {
            Message::Text(text) => {
                say(&text, json)?;
                if matches!(StreamLine::parse(&text), Ok(StreamLine::End)) {
                    return Ok(());
                }
            }
            Message::Close(Some(close)) if !close.reason.is_empty() => {
                return Err(Fail::new(format!("the server closed the stream: {}", close.reason)));
            }
            _ => {}
        }
    }
    Err(Fail::new("the server went away before the run had ended"))
}

/// Why there is no stream, in the server's words where it has some.
fn refused(host: &str, error: Error) -> String {
    if let Error::Http(response) = error {
        let words = response.body().as_deref().map(|body| String::from_utf8_lossy(body).into_owned());
        return format!("{host} refuses ({}): {}", response.status(), words.unwrap_or_default().trim());
    }
    format!("{host} refuses: {error}")
}

fn say(line: &str, json: bool) -> Done {
    print::line(&if json { line.to_owned() } else { words(line) })
}

/// A line for a person.
fn words(line: &str) -> String {
    match StreamLine::parse(line) {
        Ok(StreamLine::Item(item)) => {
            let place = item.context.namespace.join("/");
            let node = item.context.node.as_ref().map_or("", |node| node.as_str());
            let what = match &item.body {
                LineBody::Part(part) => serde_json::to_string(part).unwrap_or_default(),
                LineBody::Event(event) => event.to_json(),
                LineBody::Harness { kind, payload } => format!("{kind} {}", payload.get()),
            };
            let shown: String = what.chars().take(160).collect();
            let dots = if shown.len() < what.len() { "…" } else { "" };
            format!("{:>6}  {:<11} {place:<12} {node:<12} {shown}{dots}", item.seq, item.mode)
        }
        Ok(StreamLine::Outcome(outcome)) => {
            let output =
                outcome.final_output.map_or_else(String::new, |output| format!(", output {}", output.get()));
            let asks = outcome.pending_interrupts.len();
            let asks =
                if asks > 0 { format!(", {asks} interrupts wait for an answer") } else { String::new() };
            format!("        outcome     {:?}{output}{asks}", outcome.status)
        }
        Ok(StreamLine::Missed { after_seq, count }) => {
            format!("        missed      {count} after {after_seq}")
        }
        Ok(StreamLine::End) => "        end".to_owned(),
        Err(_) => line.to_owned(),
    }
}

/// Percent escapes for what could end a word of a query.
pub(crate) fn escaped(word: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.~:".contains(&byte);
    word.bytes()
        .map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect()
}
