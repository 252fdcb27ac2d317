//! Who may talk to us: Host must be loopback, a browser's Origin must be our own page, readers bring the token.
//!
//! Invariant: values are compared whole; a missing Host, a doubled header or an absolute target elsewhere is refused.

use hyper::header::{AUTHORIZATION, HOST, HeaderMap, HeaderName, ORIGIN};
use hyper::{Request, StatusCode};

/// The rules for one port.
pub(super) struct Guard {
    origins: Vec<String>,
}

impl Guard {
    pub(super) fn new(port: u16, extra: &[String]) -> Self {
        let own = ["127.0.0.1", "localhost", "[::1]"].map(|host| format!("http://{host}:{port}"));
        Self { origins: own.into_iter().chain(extra.iter().cloned()).collect() }
    }

    /// Refuses a request that a foreign page or a rebound name sent.
    pub(super) fn check<B>(&self, request: &Request<B>) -> Result<(), (StatusCode, String)> {
        let refuse = |what: String| Err((StatusCode::FORBIDDEN, what));
        match single(request.headers(), &HOST) {
            Ok(Some(host)) if is_loopback(host) => {}
            Ok(host) => {
                let seen = host.unwrap_or("none");
                return refuse(format!("Host {seen:?} is not 127.0.0.1, localhost or [::1]"));
            }
            Err(what) => return refuse(what),
        }
        if let Some(authority) = request.uri().authority()
            && !is_loopback(authority.as_str())
        {
            return refuse(format!("request target {:?} is not loopback", authority.as_str()));
        }
        match single(request.headers(), &ORIGIN) {
            Ok(None) => Ok(()),
            Ok(Some(origin)) if self.origins.iter().any(|own| own == origin) => Ok(()),
            Ok(Some(origin)) => refuse(format!("Origin {origin:?} is not this server's own page")),
            Err(what) => refuse(what),
        }
    }
}

fn single<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Result<Option<&'a str>, String> {
    let mut values = headers.get_all(name).iter();
    let Some(value) = values.next() else { return Ok(None) };
    if values.next().is_some() {
        return Err(format!("more than one {name} header"));
    }
    value.to_str().map(Some).map_err(|_| format!("{name} is not plain text"))
}

fn is_loopback(authority: &str) -> bool {
    let host = match authority.rsplit_once(':') {
        // The colons inside of [::1] belong to the address.
        Some((host, port)) if !port.ends_with(']') => {
            if port.is_empty() || !port.bytes().all(|byte| byte.is_ascii_digit()) {
                return false;
            }
            host
        }
        _ => authority,
    };
    host == "127.0.0.1" || host == "[::1]" || host.eq_ignore_ascii_case("localhost")
}

/// Whether the request brings the token, as `Authorization: Bearer` or as the query's `token=`.
pub(super) fn has_token<B>(request: &Request<B>, token: &str) -> bool {
    let bearer = request
        .headers()
        .get(AUTHORIZATION)
        .and_then(|value| value.to_str().ok())
        .and_then(|value| value.split_once(' '))
        .filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"))
        .map(|(_, given)| given.trim());
    let query = super::route::query(request.uri(), "token");
    bearer.is_some_and(|given| same(given, token)) || query.is_some_and(|given| same(&given, token))
}

/// Compares without stopping at the first difference, so that time tells nothing.
fn same(given: &str, token: &str) -> bool {
    let difference = given.bytes().zip(token.bytes()).fold(0, |sum, (a, b)| sum | (a ^ b));
    given.len() == token.len() && difference == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(host: &str, origin: Option<&str>, expect: u16) {
        let mut request = Request::builder().uri("/x");
        if !host.is_empty() {
            request = request.header("host", host);
        }
        if let Some(origin) = origin {
            request = request.header("origin", origin);
        }
        let guard = Guard::new(4747, &["tauri://localhost".to_owned()]);
        let got =
            guard.check(&request.body(()).expect("a request")).map_or_else(|(s, _)| s.as_u16(), |()| 200);
        assert_eq!(got, expect, "Host {host:?}, Origin {origin:?}");
    }

    #[test]
    fn only_loopback_hosts_and_our_own_origins_pass() {
        for host in ["127.0.0.1:4747", "localhost:4747", "[::1]:4747", "LOCALHOST", "127.0.0.1", "[::1]"] {
            check(host, None, 200);
        }
        for host in [
            "",
            "evil.example:4747",
            "localhost.evil.example",
            "127.0.0.1.evil.example",
            "127.0.0.1:47x",
            "127.0.0.1:",
            "::1",
            "0.0.0.0:4747",
            "localhost:4747@evil.example",
        ] {
            check(host, None, 403);
        }
        for origin in
            ["http://127.0.0.1:4747", "http://localhost:4747", "http://[::1]:4747", "tauri://localhost"]
        {
            check("127.0.0.1:4747", Some(origin), 200);
        }
        for origin in [
            "https://evil.example",
            "http://localhost.evil.example",
            "http://127.0.0.1.evil.example",
            "null",
            "",
            "http://127.0.0.1",
            "http://127.0.0.1:4748",
            "https://127.0.0.1:4747",
            "http://127.0.0.1:4747/",
            "HTTP://127.0.0.1:4747",
        ] {
            check("127.0.0.1:4747", Some(origin), 403);
        }
    }

    #[test]
    fn a_token_is_taken_whole_from_header_or_query() {
        let given = |uri: &str, header: Option<&str>| {
            let mut request = Request::builder().uri(uri);
            if let Some(header) = header {
                request = request.header("authorization", header);
            }
            has_token(&request.body(()).expect("a request"), "abc123")
        };
        assert!(given("/x?token=abc123", None));
        assert!(given("/x?a=b&token=abc123&c", None));
        assert!(given("/x", Some("Bearer abc123")));
        assert!(given("/x", Some("bearer abc123")));
        assert!(!given("/x?token=abc12", None));
        assert!(!given("/x?token=abc1234", None));
        assert!(!given("/x?token=", None));
        assert!(!given("/x?xtoken=abc123", None));
        assert!(!given("/x", Some("Basic abc123")));
        assert!(!given("/x", None));
    }
}
