//! Finding a debugger and shaking hands, within the contract's budgets.
//!
//! Invariant: until `hello.ack` has been read nothing is armed. An answer that is not one is reported in words.

use crate::{
    config::{CONNECT_BUDGET, HANDSHAKE_BUDGET},
    emit::sdk,
    shared::{Shared, now_ms},
};
use futures_util::{SinkExt, StreamExt, stream::SplitStream};
use std::borrow::Cow;
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::{
    WebSocketStream, client_async,
    tungstenite::{Message as Frame, client::IntoClientRequest, http::Uri},
};
use wire::{ClientVersions, Decoded, Extra, Hello, HelloAck, Matcher, Message, Mode, WILDCARD_RUN_ID};

pub(crate) type Socket = WebSocketStream<TcpStream>;
pub(crate) type Source = SplitStream<Socket>;

/// What this client can do (contract: capabilities).
const CAPABILITIES: [&str; 7] = ["pause", "step", "inject", "retry", "abort", "run-claim", "edit-input"];

/// A connection whose handshake is done.
pub(crate) struct Attached {
    pub(crate) socket: Socket,
    pub(crate) matchers: Vec<Matcher>,
    pub(crate) mode: Mode,
    pub(crate) session_token: Option<String>,
}

/// Dials, upgrades and says hello; `claim` is the token of an earlier connection.
pub(crate) async fn attach(shared: &Shared, claim: Option<&str>) -> Result<Attached, String> {
    let url = &shared.config.url;
    let address = address(url)?;
    let dialled = timeout(CONNECT_BUDGET, TcpStream::connect(&address)).await;
    let stream = dialled
        .map_err(|_| format!("no answer from {address} within {} ms", CONNECT_BUDGET.as_millis()))?
        .map_err(|error| format!("no debugger at {address}: {error}"))?;
    // Small frames matter more than full packets: a hold waits for its answer.
    stream.set_nodelay(true).ok();
    timeout(HANDSHAKE_BUDGET, shake_hands(shared, url, stream, claim))
        .await
        .map_err(|_| format!("no hello.ack within {} ms", HANDSHAKE_BUDGET.as_millis()))?
}

/// `host:port` of a `ws://` address.
pub(crate) fn address(url: &str) -> Result<String, String> {
    let uri: Uri = url.parse().map_err(|error| format!("GRAPHMIND_URL {url:?} is no address: {error}"))?;
    if uri.scheme_str() != Some("ws") {
        return Err(format!("GRAPHMIND_URL {url:?}: expected ws://HOST:PORT/ingest"));
    }
    let host = uri.host().ok_or_else(|| format!("GRAPHMIND_URL {url:?} names no host"))?;
    Ok(format!("{host}:{}", uri.port_u16().unwrap_or(80)))
}

async fn shake_hands(
    shared: &Shared,
    url: &str,
    stream: TcpStream,
    claim: Option<&str>,
) -> Result<Attached, String> {
    let request = url.into_client_request().map_err(|error| error.to_string())?;
    let (mut socket, _) =
        client_async(request, stream).await.map_err(|error| format!("not a debugger: {error}"))?;
    let seq = shared.ring().take_seq();
    let hello = wire::encode(seq, now_ms(), WILDCARD_RUN_ID, &hello(&shared.config.app, claim));
    socket.send(Frame::text(hello)).await.map_err(|error| error.to_string())?;
    loop {
        match socket.next().await {
            Some(Ok(Frame::Text(text))) => {
                if let Some(ack) = read_ack(&text)? {
                    let matchers = ack.breakpoints.iter().map(wire::WireMatcher::to_matcher).collect();
                    let session_token = ack.session_token.as_deref().map(str::to_owned);
                    return Ok(Attached { mode: ack.mode, matchers, session_token, socket });
                }
            }
            Some(Ok(Frame::Close(close))) => {
                let why =
                    close.map_or_else(String::new, |close| format!(": {} {}", close.code, close.reason));
                return Err(format!("the debugger closed the handshake{why}"));
            }
            Some(Ok(_)) => {}
            Some(Err(error)) => return Err(error.to_string()),
            None => return Err("the debugger went away in the handshake".to_owned()),
        }
    }
}

fn hello<'a>(app: &'a str, claim: Option<&'a str>) -> Message<'a> {
    let client = Cow::Borrowed(env!("CARGO_PKG_VERSION"));
    Message::from(Hello {
        versions: ClientVersions { protocol: wire::GM, client, extra: Extra::default() },
        capabilities: CAPABILITIES.into_iter().map(Cow::Borrowed).collect(),
        app: Some(Cow::Borrowed(app)),
        sdk: Some(sdk()),
        resume_token: claim.map(Cow::Borrowed),
        extra: Extra::default(),
    })
}

/// The ack, or `None` for a frame to skip.
fn read_ack(text: &str) -> Result<Option<HelloAck<'_>>, String> {
    match wire::decode(text) {
        Decoded::Ok(envelope) => match envelope.message {
            Message::HelloAck(ack) => Ok(Some(ack)),
            _ => Ok(None),
        },
        Decoded::UnknownType(_) => Ok(None),
        Decoded::VersionMismatch { received } => {
            Err(format!("the debugger speaks protocol {received}, this client {}", wire::GM))
        }
        Decoded::Invalid(invalid) => Err(format!("expected hello.ack, seen {}", invalid.reason)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_read_or_refused_in_words() {
        let check = |url: &str, expect: Result<&str, &str>| match (address(url), expect) {
            (Ok(seen), Ok(expect)) => assert_eq!(seen, expect),
            (Err(seen), Err(expect)) => assert!(seen.contains(expect), "{seen}"),
            (seen, expect) => panic!("{url}: seen {seen:?}, expected {expect:?}"),
        };
        check("ws://127.0.0.1:4747/ingest", Ok("127.0.0.1:4747"));
        check("ws://[::1]:4747/ingest", Ok("[::1]:4747"));
        check("ws://localhost/ingest", Ok("localhost:80"));
        check("wss://example.org/ingest", Err("expected ws://"));
        check("127.0.0.1:4747", Err("expected ws://"));
        check("ws://", Err("GRAPHMIND_URL"));
        check("not an address", Err("GRAPHMIND_URL"));
    }

    #[test]
    fn only_an_ack_of_our_protocol_attaches() {
        let frame = |gm: u64, kind: &str, payload: &str| {
            format!(r#"{{"gm":{gm},"seq":1,"ts":1,"runId":"*","type":"{kind}","payload":{payload}}}"#)
        };
        let good =
            r#"{"versions":{"protocol":1,"viewer":"1"},"capabilities":[],"breakpoints":[],"mode":"run"}"#;
        assert!(read_ack(&frame(1, "hello.ack", good)).expect("good").is_some());
        assert!(read_ack(&frame(1, "news.of.the.day", "{}")).expect("skipped").is_none());
        assert!(read_ack(&frame(2, "hello.ack", good)).expect_err("other major").contains("protocol 2"));
        assert!(read_ack(&frame(1, "hello.ack", "{}")).expect_err("bad").contains("hello.ack"));
    }
}
