//! `GET /api/runs/{id}/export?to=&redact=`: a run written for others, as a file to keep.
//!
//! Invariant: the whole of it is written before the first byte leaves, so that a failure is an answer and not half a file;
//! what leaves is read in parts, so that neither a large run nor a slow reader fills memory.

use std::io;

use futures_util::stream;
use http_body_util::{BodyExt, StreamBody};
use hyper::body::{Bytes, Frame};
use hyper::header::{CONTENT_DISPOSITION, CONTENT_LENGTH, HeaderName, HeaderValue};
use hyper::{StatusCode, Uri};

use super::Site;
use super::reply::{Reply, error, reply};
use super::route::query;
use crate::config::{ExportAsk, ExportForm, Exported};
use crate::rim::Spool;

/// What an export says beside its bytes: `{"events","replaced","notes"}`, ASCII.
const ABOUT: HeaderName = HeaderName::from_static("x-holdpoint-export");

pub(super) async fn export(site: &Site, id: &str, uri: &Uri) -> Reply {
    let to = query(uri, "to").unwrap_or_default();
    let redact = match query(uri, "redact").as_deref() {
        None | Some("" | "true") => true,
        Some("false") => false,
        Some(other) => {
            let text = format!("redact is true or false, seen {other:?}");
            return error(StatusCode::BAD_REQUEST, &text);
        }
    };
    let Some(exporter) = site.config.exporter.clone() else {
        return error(StatusCode::NOT_IMPLEMENTED, "this server was started without an exporter");
    };
    let Some(form) = exporter.form(&to) else {
        return error(StatusCode::BAD_REQUEST, &format!("{to:?} is no form of a run that can be written"));
    };
    let (key, file) = match super::api::journal_of(site, id).await {
        Ok((_, key, file)) => (key, file),
        Err(refusal) => return refusal,
    };
    let Ok(random) = crate::server::new_token() else {
        return error(StatusCode::SERVICE_UNAVAILABLE, "the system gives no random bytes");
    };
    let path = site.config.data_dir.join(crate::server::EXPORTS).join(&random[..16]);
    let name = file_name(&key, &form);
    let ask = ExportAsk { to, redact, title: key };
    let work = tokio::task::spawn_blocking(move || Spool::write(&*exporter, &file, &ask, path));
    match work.await {
        Ok(Ok((spool, done))) => answer(spool, &done, &name, &form),
        Ok(Err(what)) => {
            error(StatusCode::UNPROCESSABLE_ENTITY, &format!("the run cannot be written: {what}"))
        }
        Err(_) => error(StatusCode::SERVICE_UNAVAILABLE, "the server is stopping"),
    }
}

fn answer(spool: Spool, done: &Exported, name: &str, form: &ExportForm) -> Reply {
    let mut response = reply(StatusCode::OK, form.mime, "");
    let about = serde_json::json!({ "events": done.events, "replaced": done.replaced, "notes": done.notes });
    for (header, text) in [
        (CONTENT_LENGTH, spool.len.to_string()),
        (CONTENT_DISPOSITION, format!("attachment; filename=\"{name}\"")),
        (ABOUT, ascii(&about.to_string())),
    ] {
        if let Ok(value) = HeaderValue::from_str(&text) {
            response.headers_mut().insert(header, value);
        }
    }
    let parts = stream::try_unfold(spool, |mut spool| async move {
        let read = tokio::task::spawn_blocking(move || spool.next().map(|part| (part, spool)));
        let (part, spool) = read.await.map_err(io::Error::other)??;
        let part = (!part.is_empty()).then(|| Frame::data(Bytes::from(part)));
        Ok::<_, io::Error>(part.map(|part| (part, spool)))
    });
    *response.body_mut() = StreamBody::new(parts).boxed_unsync();
    response
}

/// `KEY.ENDING` of letters, digits, `-`, `_` and `.` only.
pub(super) fn file_name(key: &str, form: &ExportForm) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || "-_.".contains(c) { c } else { '_' };
    let name: String = key.chars().map(plain).take(80).collect();
    format!("{}.{}", name.trim_start_matches('.'), form.ending)
}

/// JSON in ASCII: a header takes nothing else.
fn ascii(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    for c in json.chars() {
        if c.is_ascii() {
            out.push(c);
        } else {
            let mut units = [0; 2];
            c.encode_utf16(&mut units).iter().for_each(|unit| out.push_str(&format!("\\u{unit:04x}")));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_goes_into_a_header_is_ascii_and_the_same_json() {
        for text in ["", "plain", "µ 漢 🦀 \"quoted\" \n"] {
            let json = serde_json::json!({ "notes": [text] });
            let header = ascii(&json.to_string());
            assert!(header.is_ascii());
            assert_eq!(serde_json::from_str::<serde_json::Value>(&header).unwrap(), json);
        }
    }

    #[test]
    fn a_file_is_named_after_its_run_without_what_a_path_could_mean() {
        let form = ExportForm { ending: "html", mime: "text/html" };
        for (key, name) in
            [("run-7f3a", "run-7f3a.html"), ("r1 (2)", "r1__2_.html"), ("../../etc/x", "_.._etc_x.html")]
        {
            assert_eq!(file_name(key, &form), name);
        }
    }
}
