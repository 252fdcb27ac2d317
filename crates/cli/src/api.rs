//! The server's HTTP resources: events exactly as they were received, in pages.
//!
//! Viewers' frames carry events whose long values are left behind; these carry all of them.

use crate::{
    commands::stream::escaped,
    fail::{Context, Done, Fail},
    place::Place,
};
use http_body_util::{BodyExt, Empty};
use hyper::body::Bytes;
use hyper::client::conn::http1;
use hyper::header::{AUTHORIZATION, HOST};
use hyper_util::rt::TokioIo;
use serde::Deserialize;
use serde_json::value::RawValue;
use tokio::net::TcpStream;

/// Envelopes asked for at a time; the server bounds the bytes.
const PAGE: u64 = 5_000;

/// Envelopes of a run.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Page {
    pub(crate) total: u64,
    pub(crate) events: Vec<Box<RawValue>>,
    pub(crate) next_after_seq: Option<u64>,
}

/// The envelopes of a run behind `after`, at most `limit` where there is a limit, in the order of their numbers.
pub(crate) async fn events(place: &Place, run: &str, after: Option<u64>, limit: Option<u64>) -> Done<Page> {
    let mut all = Page { next_after_seq: after, ..Page::default() };
    loop {
        let left = limit.map_or(PAGE, |limit| limit.saturating_sub(all.events.len() as u64).min(PAGE));
        let after = all.next_after_seq.map_or_else(String::new, |after| format!("&afterSeq={after}"));
        let path = format!("/api/runs/{}/events?limit={left}{after}", escaped(run));
        let page: Page =
            serde_json::from_slice(&get(place, &path).await?).context("the server's page of events")?;
        let empty = page.events.is_empty();
        all.events.extend(page.events);
        (all.total, all.next_after_seq) = (page.total, page.next_after_seq);
        let full = limit.is_some_and(|limit| all.events.len() as u64 >= limit);
        if full || empty || page.next_after_seq.is_none() {
            return Ok(all);
        }
    }
}

async fn get(place: &Place, path: &str) -> Done<Bytes> {
    let host = place.host()?;
    let stream = TcpStream::connect(host).await.context(format!("cannot reach {host}"))?;
    let lost = || format!("{host} went away");
    let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await.context(lost())?;
    let request = hyper::Request::get(path)
        .header(HOST, host)
        .header(AUTHORIZATION, format!("Bearer {}", place.token()?))
        .body(Empty::<Bytes>::new())
        .context("a request for the server")?;
    // The connection ends when its sender does.
    let answer = async move {
        let answer = sender.send_request(request).await?;
        let status = answer.status();
        Ok::<_, hyper::Error>((status, answer.into_body().collect().await?.to_bytes()))
    };
    let (answer, _) = tokio::join!(answer, connection);
    let (status, body) = answer.context(lost())?;
    if status.is_success() {
        return Ok(body);
    }
    Err(Fail::new(format!("{host} answers {status}: {}", String::from_utf8_lossy(&body))))
}
