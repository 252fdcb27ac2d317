//! The viewer page, under a policy that lets it load nothing but itself and talk to nobody but us.
//!
//! Invariant: a path with `..`, a backslash, NUL or an empty segment never reaches the host's files.

use std::borrow::Cow;

use hyper::StatusCode;
use hyper::header::{CONTENT_SECURITY_POLICY, HeaderValue, X_FRAME_OPTIONS};

use super::Site;
use super::reply::{Reply, error, reply};

const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; \
    img-src 'self' data: blob:; font-src 'self' data:; \
    connect-src 'self' ws://127.0.0.1:* ws://localhost:*; \
    base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const NO_PAGE: &str = "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>Holdpoint</title></head>\
<body><h1>Holdpoint is running</h1><p>This build carries no viewer page. Build it with <code>cargo xtask web</code> and \
start again; apps can attach at <code>/ingest</code> meanwhile.</p></body></html>";

/// The file for `path` (which starts with a slash).
pub(super) fn page(path: &str, site: &Site) -> Reply {
    let name = if path == "/" { "index.html" } else { path.trim_start_matches('/') };
    if !is_plain(name) {
        return error(StatusCode::NOT_FOUND, "no such page");
    }
    let found = match &site.config.assets {
        Some(assets) => assets.get(name),
        None if name == "index.html" => Some((Cow::Borrowed(NO_PAGE.as_bytes()), "text/html; charset=utf-8")),
        None => None,
    };
    let Some((bytes, mime)) = found else { return error(StatusCode::NOT_FOUND, "no such page") };
    let mut response = match bytes {
        Cow::Borrowed(bytes) => reply(StatusCode::OK, mime, bytes),
        Cow::Owned(bytes) => reply(StatusCode::OK, mime, bytes),
    };
    let headers = response.headers_mut();
    headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    headers.insert(X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
    response
}

pub(super) fn is_plain(name: &str) -> bool {
    name.split('/').all(|segment| {
        !segment.is_empty()
            && segment != "."
            && segment != ".."
            && segment.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
    })
}

#[cfg(test)]
mod tests {
    use super::is_plain;

    #[test]
    fn only_plain_relative_names_reach_the_assets() {
        for name in ["index.html", "pkg/app_bg.wasm", "fonts/a-b_c.woff2"] {
            assert!(is_plain(name), "{name}");
        }
        for name in [
            "",
            "..",
            "../token",
            "a/../token",
            "/etc/passwd",
            "a//b",
            "%2e%2e/token",
            "..%2ftoken",
            "a\\b",
            "a\0",
        ] {
            assert!(!is_plain(name), "{name}");
        }
    }
}
