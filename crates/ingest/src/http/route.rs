//! Which request gets which answer.
//!
//! Invariant: everything under `/api` but `hello`, and every viewer socket, needs the token; unknown paths give
//! nothing away.

use hyper::body::Incoming;
use hyper::{Method, Request, StatusCode, Uri};

use super::reply::{Reply, error, json};
use super::{Site, assets, guard};

/// Answers one request.
pub(super) async fn answer(request: Request<Incoming>, site: &Site) -> Reply {
    if let Err((status, what)) = site.guard.check(&request) {
        return error(status, &what);
    }
    let path = request.uri().path().to_owned();
    match (request.method(), path.as_str()) {
        (&Method::GET, "/api/hello") => json(StatusCode::OK, hello(site)),
        (_, path) if path.starts_with("/api") || path.starts_with("/ws") => {
            if !guard::has_token(&request, &site.token) {
                return error(StatusCode::UNAUTHORIZED, "this needs the token of this launch");
            }
            error(StatusCode::NOT_FOUND, "no such resource")
        }
        (&Method::GET | &Method::HEAD, path) => assets::page(path, site),
        _ => error(StatusCode::METHOD_NOT_ALLOWED, "this path takes GET"),
    }
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
