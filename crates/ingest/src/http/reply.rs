//! Answers: one body type, the same protective headers on each.
//!
//! Invariant: no answer carries a CORS header, and none may be sniffed, framed or cached by accident.

use std::io;

use http_body_util::combinators::UnsyncBoxBody;
use http_body_util::{BodyExt, Full};
use hyper::body::Bytes;
use hyper::header::{
    CACHE_CONTROL, CONTENT_TYPE, HeaderName, HeaderValue, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
};
use hyper::{Response, StatusCode};

/// Every answer of this server.
pub(super) type Reply = Response<UnsyncBoxBody<Bytes, io::Error>>;

/// An answer with a body of the given MIME type.
pub(super) fn reply(status: StatusCode, mime: &'static str, body: impl Into<Bytes>) -> Reply {
    let body = Full::new(body.into()).map_err(|never| match never {});
    let mut response = Response::new(body.boxed_unsync());
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(mime));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.insert(
        HeaderName::from_static("cross-origin-resource-policy"),
        HeaderValue::from_static("same-origin"),
    );
    response
}

/// A JSON answer.
pub(super) fn json(status: StatusCode, text: impl Into<Bytes>) -> Reply {
    reply(status, "application/json; charset=utf-8", text)
}

/// An error as JSON: `{"error": "…"}`, one sentence.
pub(super) fn error(status: StatusCode, what: &str) -> Reply {
    json(status, serde_json::json!({ "error": what }).to_string())
}
