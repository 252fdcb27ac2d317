//! From an HTTP request to a WebSocket.
//!
//! Invariant: seats are taken before the upgrade is answered, so a refusal is a plain HTTP status.

use hyper::header::{
    CONNECTION, HeaderMap, HeaderName, HeaderValue, SEC_WEBSOCKET_ACCEPT, SEC_WEBSOCKET_KEY,
    SEC_WEBSOCKET_VERSION, UPGRADE,
};
use hyper::{Method, Request, StatusCode};
use tokio_tungstenite::tungstenite::handshake::derive_accept_key;

use super::Site;
use super::reply::{Reply, error, reply};
use crate::limits::{APPS_MAX, VIEWERS_MAX};
use crate::rim::Seat;
use crate::sockets::{self, Socket};

/// An app dials.
pub(super) fn app<B>(request: Request<B>, site: &Site) -> Reply {
    let key = match key(&request) {
        Ok(key) => key,
        Err(refusal) => return *refusal,
    };
    let Some(seat) = site.hub.app_seat(APPS_MAX) else { return full(APPS_MAX, "apps") };
    let Ok(token) = crate::server::new_token() else {
        return error(StatusCode::SERVICE_UNAVAILABLE, "the system gives no random bytes");
    };
    let (hub, stopped) = (site.hub.clone(), site.stopped.clone());
    switch(request, &key, move |socket| sockets::app::serve(socket, hub, token.into(), seat, stopped))
}

/// A program that sends KXM records dials.
pub(super) fn reporter<B>(request: Request<B>, site: &Site) -> Reply {
    let key = match key(&request) {
        Ok(key) => key,
        Err(refusal) => return *refusal,
    };
    let Some(seat) = site.hub.app_seat(APPS_MAX) else { return full(APPS_MAX, "apps") };
    let (hub, stopped) = (site.hub.clone(), site.stopped.clone());
    switch(request, &key, move |socket| sockets::reporter::serve(socket, hub, seat, stopped))
}

/// A viewer dials; its token has been checked.
pub(super) fn viewer<B>(request: Request<B>, site: &Site) -> Reply {
    let (key, seat) = match watcher(&request, site) {
        Ok(watcher) => watcher,
        Err(refusal) => return *refusal,
    };
    let (hub, stopped) = (site.hub.clone(), site.stopped.clone());
    switch(request, &key, move |socket| sockets::viewer::serve(socket, hub, seat, stopped))
}

/// A subscriber dials; its token has been checked.
pub(super) async fn subscriber<B>(request: Request<B>, site: &Site) -> Reply {
    let subscription = match super::api::subscription(site, request.uri()).await {
        Ok(subscription) => subscription,
        Err(refusal) => return *refusal,
    };
    let (key, seat) = match watcher(&request, site) {
        Ok(watcher) => watcher,
        Err(refusal) => return *refusal,
    };
    let (hub, stopped) = (site.hub.clone(), site.stopped.clone());
    switch(request, &key, move |socket| sockets::stream::serve(socket, hub, subscription, seat, stopped))
}

/// The accept key and the seat of somebody who looks on.
fn watcher<B>(request: &Request<B>, site: &Site) -> Result<(String, Seat), Box<Reply>> {
    let key = key(request)?;
    let seat = site.hub.viewer_seat(VIEWERS_MAX).ok_or_else(|| full(VIEWERS_MAX, "viewers"))?;
    Ok((key, seat))
}

fn full(most: usize, who: &str) -> Reply {
    error(StatusCode::SERVICE_UNAVAILABLE, &format!("{most} {who} are attached, no more fit"))
}

/// Answers that the protocol is switched, and serves the socket once it is.
fn switch<B, F>(request: Request<B>, key: &str, serve: impl FnOnce(Socket) -> F + Send + 'static) -> Reply
where
    F: Future<Output = ()> + Send + 'static,
{
    let upgrade = hyper::upgrade::on(request);
    tokio::spawn(async move {
        if let Some(socket) = sockets::upgraded(upgrade).await {
            serve(socket).await;
        }
    });
    switching(key)
}

fn key<B>(request: &Request<B>) -> Result<String, Box<Reply>> {
    let headers = request.headers();
    let asks = has_word(headers, &UPGRADE, "websocket") && has_word(headers, &CONNECTION, "upgrade");
    if request.method() != Method::GET || !asks {
        let mut refusal = error(StatusCode::UPGRADE_REQUIRED, "this path takes a WebSocket");
        refusal.headers_mut().insert(UPGRADE, HeaderValue::from_static("websocket"));
        return Err(refusal.into());
    }
    if !has_word(headers, &SEC_WEBSOCKET_VERSION, "13") {
        let mut refusal = error(StatusCode::BAD_REQUEST, "WebSocket version 13 is spoken here");
        refusal.headers_mut().insert(SEC_WEBSOCKET_VERSION, HeaderValue::from_static("13"));
        return Err(refusal.into());
    }
    let key = headers.get(SEC_WEBSOCKET_KEY).filter(|key| key.len() == 24);
    let key =
        key.ok_or_else(|| error(StatusCode::BAD_REQUEST, "Sec-WebSocket-Key is missing or malformed"))?;
    Ok(derive_accept_key(key.as_bytes()))
}

fn has_word(headers: &HeaderMap, name: &HeaderName, word: &str) -> bool {
    let values = headers.get_all(name).iter().filter_map(|value| value.to_str().ok());
    values.flat_map(|value| value.split(',')).any(|part| part.trim().eq_ignore_ascii_case(word))
}

fn switching(accept: &str) -> Reply {
    let mut response = reply(StatusCode::SWITCHING_PROTOCOLS, "text/plain", "");
    let headers = response.headers_mut();
    headers.clear();
    headers.insert(UPGRADE, HeaderValue::from_static("websocket"));
    headers.insert(CONNECTION, HeaderValue::from_static("Upgrade"));
    if let Ok(accept) = HeaderValue::from_str(accept) {
        headers.insert(SEC_WEBSOCKET_ACCEPT, accept);
    }
    response
}
