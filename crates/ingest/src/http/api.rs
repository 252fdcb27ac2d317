//! The HTTP resources: runs, their events and bodies, imports.
//!
//! Invariant: events leave as they were received, byte for byte; a page is bounded whatever is asked for.

use std::sync::Arc;
use std::time::Duration;

use http_body_util::{BodyExt, Limited};
use hyper::body::{Bytes, Incoming};
use hyper::{Request, StatusCode, Uri};

use stream::StreamFilter;

use super::Site;
use super::reply::{Reply, error, json};
use super::route::query;
use crate::config::{ImportFile, ImportSource};
use crate::journal::RunFile;
use crate::limits::{
    BODY_BYTES_MAX, IMPORT_BYTES_MAX, PAGE_EVENTS_DEFAULT, STREAM_RUN_WAIT, STREAM_RUN_WAIT_MAX,
};
use crate::rim::{self, ImportOutcome};
use crate::sockets::stream::{Subscription, find};

/// `GET /api/runs`: `{"runs": [RunSummary, …]}`.
pub(super) async fn runs(site: &Site) -> Reply {
    match site.hub.ask(|hub, _| hub.summaries()).await {
        Some(runs) => json(StatusCode::OK, serde_json::json!({ "runs": runs }).to_string()),
        None => stopping(),
    }
}

/// `GET /api/runs/{id}`: one RunSummary.
pub(super) async fn run(site: &Site, id: &str) -> Reply {
    let name = id.to_owned();
    match site.hub.ask(move |hub, _| hub.find(&name)).await {
        Some(Some((_, run))) => json(StatusCode::OK, serde_json::json!(run).to_string()),
        Some(None) => missing(id),
        None => stopping(),
    }
}

/// A run's own id, its key and its journal.
pub(super) async fn journal_of(site: &Site, id: &str) -> Result<(String, String, Arc<RunFile>), Reply> {
    let name = id.to_owned();
    let found = site.hub.ask(move |hub, _| hub.find(&name)).await.ok_or_else(stopping)?;
    let (key, run) = found.ok_or_else(|| missing(id))?;
    let file = site.journal.find(key.as_str()).ok_or_else(|| missing(id))?;
    Ok((run.run_id, key.to_string(), file))
}

/// `GET /api/runs/{id}/events?afterSeq=&limit=`: `{runId, total, events, nextAfterSeq}`.
pub(super) async fn events(site: &Site, id: &str, uri: &Uri) -> Reply {
    let (run_id, _, file) = match journal_of(site, id).await {
        Ok(found) => found,
        Err(refusal) => return refusal,
    };
    let (after, limit) = match (number(uri, "afterSeq"), number(uri, "limit")) {
        (Ok(after), Ok(limit)) => (after, limit.unwrap_or(PAGE_EVENTS_DEFAULT)),
        (Err(refusal), _) | (_, Err(refusal)) => return *refusal,
    };
    let read = tokio::task::spawn_blocking(move || {
        let page = rim::page(&file, after, limit)?;
        let mut text =
            format!("{{\"runId\":{},\"total\":{},\"events\":[", serde_json::json!(run_id), page.total);
        for (at, event) in page.events.iter().enumerate() {
            if at > 0 {
                text.push(',');
            }
            text.push_str(event);
        }
        text.push_str(&format!("],\"nextAfterSeq\":{}}}", serde_json::json!(page.next)));
        Ok::<_, std::io::Error>(text)
    });
    match read.await {
        Ok(Ok(text)) => json(StatusCode::OK, text),
        Ok(Err(what)) => {
            error(StatusCode::INTERNAL_SERVER_ERROR, &format!("the journal cannot be read: {what}"))
        }
        Err(_) => stopping(),
    }
}

/// What `GET /stream?run=&modes=&namespace=&nodes=&from=&wait=` asks for.
pub(super) async fn subscription(site: &Site, uri: &Uri) -> Result<Subscription, Box<Reply>> {
    let refuse = |what: &str| Box::new(error(StatusCode::BAD_REQUEST, what));
    let run = query(uri, "run").filter(|run| !run.is_empty()).ok_or_else(|| refuse("run is missing"))?;
    let filter = StreamFilter::from_query(uri.query().unwrap_or_default());
    let mut filter = filter.map_err(|what| refuse(&what.to_string()))?;
    // The run is the subscription itself; its key need not be what the envelopes call it.
    filter.runs.clear();
    let from = number(uri, "from")?.unwrap_or(0);
    let wait = number(uri, "wait")?.map_or(STREAM_RUN_WAIT, Duration::from_secs).min(STREAM_RUN_WAIT_MAX);
    if wait.is_zero() && find(&site.hub, &site.journal, &run).await.is_none() {
        return Err(missing(&run).into());
    }
    Ok(Subscription { run, journal: site.journal.clone(), filter, from, wait })
}

/// `GET /api/runs/{id}/body?seq=&pointer=&offset=&limit=`: `{seq, pointer, offset, totalBytes, text}`.
pub(super) async fn body(site: &Site, id: &str, uri: &Uri) -> Reply {
    let file = match journal_of(site, id).await {
        Ok((.., file)) => file,
        Err(refusal) => return refusal,
    };
    let (seq, offset, limit) = match (number(uri, "seq"), number(uri, "offset"), number(uri, "limit")) {
        (Ok(Some(seq)), Ok(offset), Ok(limit)) => {
            (seq, offset.unwrap_or(0), limit.unwrap_or(BODY_BYTES_MAX as u64))
        }
        (Ok(None), ..) => return error(StatusCode::BAD_REQUEST, "seq is missing"),
        (Err(refusal), ..) | (_, Err(refusal), _) | (_, _, Err(refusal)) => return *refusal,
    };
    let pointer = query(uri, "pointer").unwrap_or_default();
    let asked = pointer.clone();
    match tokio::task::spawn_blocking(move || rim::body(&file, seq, &asked, offset, limit)).await {
        Ok(Ok(part)) => {
            let answer = serde_json::json!({
                "seq": seq, "pointer": pointer, "offset": part.offset,
                "totalBytes": part.total_bytes, "text": part.text,
            });
            json(StatusCode::OK, answer.to_string())
        }
        Ok(Err(what)) => error(StatusCode::NOT_FOUND, &what),
        Err(_) => stopping(),
    }
}

/// `POST /api/import?name=`: the body is one file; `{runs, report}` or 422 with `{error, report}`.
pub(super) async fn import(site: &Site, request: Request<Incoming>) -> Reply {
    let Some(importer) = site.config.importer.clone() else {
        return error(StatusCode::NOT_IMPLEMENTED, "this server was started without an importer");
    };
    let name = query(request.uri(), "name").unwrap_or_else(|| "upload".to_owned());
    let bytes: Bytes = match Limited::new(request.into_body(), IMPORT_BYTES_MAX).collect().await {
        Ok(body) => body.to_bytes(),
        Err(what) => return error(StatusCode::PAYLOAD_TOO_LARGE, &format!("the upload broke off: {what}")),
    };
    let (journal, hub) = (site.journal.clone(), site.hub.weak());
    let files = vec![ImportFile { name: name.clone(), source: ImportSource::Bytes(bytes.to_vec()) }];
    drop(bytes);
    let work =
        tokio::task::spawn_blocking(move || rim::import(&*importer, &journal, &hub, name, files, None));
    let Ok(ImportOutcome { runs, report, error: failed }) = work.await else { return stopping() };
    let report = report.and_then(|text| serde_json::from_str::<serde_json::Value>(&text).ok());
    match failed {
        None => json(StatusCode::OK, serde_json::json!({ "runs": runs, "report": report }).to_string()),
        Some(what) => {
            let answer = serde_json::json!({ "error": what, "report": report });
            json(StatusCode::UNPROCESSABLE_ENTITY, answer.to_string())
        }
    }
}

fn number(uri: &Uri, name: &str) -> Result<Option<u64>, Box<Reply>> {
    match query(uri, name) {
        None => Ok(None),
        Some(text) if text.is_empty() => Ok(None),
        Some(text) => text.parse().map(Some).map_err(|_| {
            Box::new(error(
                StatusCode::BAD_REQUEST,
                &format!("{name} is a whole number from 0 on, seen {text:?}"),
            ))
        }),
    }
}

fn missing(id: &str) -> Reply {
    error(StatusCode::NOT_FOUND, &format!("there is no run {id:?}"))
}

fn stopping() -> Reply {
    error(StatusCode::SERVICE_UNAVAILABLE, "the server is stopping")
}
