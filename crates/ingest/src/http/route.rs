//! Which request gets which answer.
//!
//! Invariant: everything under `/api` but `hello`, and every socket of viewers and subscribers, needs the token; unknown paths give
//! nothing away.

use hyper::body::Incoming;
use hyper::header::{HeaderValue, WWW_AUTHENTICATE};
use hyper::{Method, Request, StatusCode, Uri};

use super::reply::{Reply, error, json};
use super::{Site, api, assets, export, guard, records, upgrade};

/// Answers one request.
pub(super) async fn answer(request: Request<Incoming>, site: &Site) -> Reply {
    if let Err((status, what)) = site.guard.check(&request) {
        return error(status, &what);
    }
    let path = request.uri().path().to_owned();
    match (request.method(), path.as_str()) {
        (&Method::GET, "/api/hello") => json(StatusCode::OK, hello(site)),
        (_, path) if ["/api", "/ws", "/stream"].iter().any(|own| path.starts_with(own)) => {
            if !guard::has_token(&request, &site.token) {
                let mut refusal = error(StatusCode::UNAUTHORIZED, "this needs the token of this launch");
                refusal.headers_mut().insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
                return refusal;
            }
            trusted(request, path, site).await
        }
        (_, "/ingest") => upgrade::app(request, site),
        (&Method::POST, "/ingest/kxm") => records::post(request, site).await,
        (_, "/ingest/kxm") => upgrade::reporter(request, site),
        (&Method::GET | &Method::HEAD, path) => assets::page(path, site),
        _ => error(StatusCode::METHOD_NOT_ALLOWED, "this path takes GET"),
    }
}

/// What needs the token, and has it.
async fn trusted(request: Request<Incoming>, path: &str, site: &Site) -> Reply {
    let uri = request.uri().clone();
    if path == "/ws/ui" {
        return upgrade::viewer(request, site);
    }
    if path == "/stream" {
        return upgrade::subscriber(request, site).await;
    }
    let segments: Vec<&str> = path.trim_start_matches("/api").split('/').skip(1).collect();
    match (request.method(), segments.as_slice()) {
        (&Method::POST, ["import"]) => return api::import(site, request).await,
        (&Method::GET, ["runs"]) => return api::runs(site).await,
        (&Method::GET, ["runs", id, rest @ ..]) => {
            let Some(id) = decode(id, false) else {
                return error(StatusCode::BAD_REQUEST, "the run id is not valid percent-encoded UTF-8");
            };
            match rest {
                [] => return api::run(site, &id).await,
                ["events"] => return api::events(site, &id, &uri).await,
                ["body"] => return api::body(site, &id, &uri).await,
                ["export"] => return export::export(site, &id, &uri).await,
                _ => {}
            }
        }
        (_, ["import" | "runs", ..]) => {
            return error(StatusCode::METHOD_NOT_ALLOWED, "runs take GET, import takes POST");
        }
        _ => {}
    }
    error(StatusCode::NOT_FOUND, "no such resource")
}

fn hello(site: &Site) -> String {
    serde_json::json!({
        "holdpoint": env!("CARGO_PKG_VERSION"),
        "gm": 1,
        "pid": std::process::id(),
        "port": site.port,
    })
    .to_string()
}

/// The percent-decoded value of `name` in the query; the first one wins.
pub(super) fn query(uri: &Uri, name: &str) -> Option<String> {
    let pairs = uri.query()?.split('&').map(|pair| pair.split_once('=').unwrap_or((pair, "")));
    pairs.into_iter().find(|(key, _)| *key == name).and_then(|(_, value)| decode(value, true))
}

/// Undoes percent encoding; `None` if the bytes are no UTF-8 or an escape is broken.
pub(super) fn decode(text: &str, plus_is_blank: bool) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'%' => {
                let digits = [rest.next()?, rest.next()?].map(|digit| char::from(digit).to_digit(16));
                u8::try_from(digits[0]? * 16 + digits[1]?).ok()?
            }
            b'+' if plus_is_blank => b' ',
            byte => byte,
        });
    }
    String::from_utf8(bytes).ok()
}
