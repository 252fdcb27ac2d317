//! `POST /ingest/kxm`: KXM records by plain HTTP, one or many, each with an answer of its own.
//!
//! Like `/ingest` it needs no token, because a program must be able to report without set-up. What keeps a web page from
//! forging records is the guard before (a browser names its Origin on every POST) and, should a browser ever not, the
//! content type: a type that a page may send elsewhere without asking first is not taken. Invariant: bodies in memory are
//! bounded in size, number and time.

use http_body_util::{BodyExt, LengthLimitError, Limited};
use hyper::body::{Body, Bytes, Incoming};
use hyper::header::CONTENT_TYPE;
use hyper::{HeaderMap, Request, StatusCode};

use super::Site;
use super::reply::{Reply, error, json};
use crate::limits::{RECORD_POSTS_MAX, RECORDS_BYTES_MAX, RECORDS_WAIT};
use crate::sockets::reporter::report;

const TYPES: [&str; 5] = [
    "application/json",
    "application/x-ndjson",
    "application/ndjson",
    "application/jsonl",
    "application/json-lines",
];

/// Takes records and says of each what became of it.
pub(super) async fn post(request: Request<Incoming>, site: &Site) -> Reply {
    if !super::guard::has_token(&request, &site.token) && !is_json(request.headers()) {
        let what = "records come as application/json or application/x-ndjson (Content-Type)";
        return error(StatusCode::UNSUPPORTED_MEDIA_TYPE, what);
    }
    let Some(_seat) = site.hub.post_seat(RECORD_POSTS_MAX) else {
        let what = format!("{RECORD_POSTS_MAX} bodies are being read, send it again");
        return error(StatusCode::SERVICE_UNAVAILABLE, &what);
    };
    let bytes = match body(request).await {
        Ok(bytes) => bytes,
        Err(refusal) => return *refusal,
    };
    let Some(answer) = report(&site.hub, None, bytes).await else {
        return error(StatusCode::SERVICE_UNAVAILABLE, "the server is stopping");
    };
    let status = match &answer {
        answer if answer.is_empty() => StatusCode::BAD_REQUEST,
        answer if answer.cut_at_line.is_some() => StatusCode::PAYLOAD_TOO_LARGE,
        answer if answer.has_good() => StatusCode::OK,
        answer if answer.refused > 0 => StatusCode::INSUFFICIENT_STORAGE,
        _ => StatusCode::UNPROCESSABLE_ENTITY,
    };
    json(status, serde_json::json!(answer).to_string())
}

async fn body(request: Request<Incoming>) -> Result<Bytes, Box<Reply>> {
    let refuse = |status, what: &str| Err(Box::new(error(status, what)));
    let too_large = || {
        refuse(
            StatusCode::PAYLOAD_TOO_LARGE,
            &format!("a body has at most {RECORDS_BYTES_MAX} bytes; nothing of it was stored"),
        )
    };
    // Said before anything is read where the size is told.
    if request.body().size_hint().lower() > RECORDS_BYTES_MAX as u64 {
        return too_large();
    }
    let reading = Limited::new(request.into_body(), RECORDS_BYTES_MAX).collect();
    match tokio::time::timeout(RECORDS_WAIT, reading).await {
        Ok(Ok(body)) => Ok(body.to_bytes()),
        Ok(Err(what)) if what.is::<LengthLimitError>() => too_large(),
        Ok(Err(what)) => refuse(StatusCode::BAD_REQUEST, &format!("the body broke off: {what}")),
        Err(_) => refuse(StatusCode::REQUEST_TIMEOUT, "the body took too long; nothing of it was stored"),
    }
}

fn is_json(headers: &HeaderMap) -> bool {
    let mut values = headers.get_all(CONTENT_TYPE).iter();
    let (Some(value), None) = (values.next(), values.next()) else { return false };
    let kind = value.to_str().unwrap_or_default().split(';').next().unwrap_or_default().trim();
    TYPES.iter().any(|known| known.eq_ignore_ascii_case(kind))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(values: &[&str], expect: bool) {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(CONTENT_TYPE, value.parse().expect("a header value"));
        }
        assert_eq!(is_json(&headers), expect, "{values:?}");
    }

    #[test]
    fn only_types_that_a_page_cannot_send_elsewhere_unasked_are_taken() {
        for kind in TYPES {
            check(&[kind], true);
        }
        check(&["Application/JSON; charset=utf-8"], true);
        check(&["application/x-ndjson;charset=UTF-8"], true);
        for kind in [
            "text/plain",
            "application/x-www-form-urlencoded",
            "multipart/form-data; boundary=x",
            "",
            "text/plain;application/json",
        ] {
            check(&[kind], false);
        }
        check(&[], false);
        check(&["application/json", "text/plain"], false);
    }
}
