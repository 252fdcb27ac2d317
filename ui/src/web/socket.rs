//! The WebSocket to the server: reconnects with growing waits, wakes the window when something arrives. The credits
//! that bound what the server sends are the receiver's; here frames only wait for the next pass.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{CloseEvent, Event, MessageEvent, WebSocket};

use super::frames;
use crate::transport::backoff::Backoff;
use crate::transport::{Link, Transport};

/// Said where the page's address carries no token.
const NO_TOKEN: &str =
    "This address has no token: open the page from Holdpoint's window, or with the address it printed";

/// What the callbacks write.
#[derive(Debug, Default)]
struct Shared {
    inbound: VecDeque<String>,
    open: bool,
    closed: bool,
}

/// Callbacks live as long as their socket.
struct Line {
    socket: WebSocket,
    shared: Rc<RefCell<Shared>>,
    _message: Closure<dyn FnMut(MessageEvent)>,
    _open: Closure<dyn FnMut(Event)>,
    _close: Closure<dyn FnMut(CloseEvent)>,
}

/// The transport of a page.
pub(super) struct Socket {
    url: String,
    address: String,
    ctx: egui::Context,
    line: Option<Line>,
    backoff: Backoff,
    epoch: u64,
    was_open: bool,
    refused: Option<String>,
    now_s: f64,
}

impl Socket {
    /// To `url` with a token; connects at the first poll.
    pub(super) fn new(url: &str, token: &str, ctx: egui::Context) -> Self {
        let address =
            url.split("//").nth(1).and_then(|rest| rest.split('/').next()).unwrap_or(url).to_owned();
        let url = format!("{url}?token={}", js_sys::encode_uri_component(token));
        let (line, backoff) = (None, Backoff::default());
        // Without a token the server refuses every attempt, and a browser does not say why: the page does.
        let refused = token.is_empty().then(|| NO_TOKEN.to_owned());
        Self { url, address, ctx, line, backoff, epoch: 0, was_open: false, refused, now_s: 0.0 }
    }

    fn connect(&mut self) {
        match Line::open(&self.url, &self.ctx) {
            Some(line) => self.line = Some(line),
            None => self.refused = Some("This page may not open a connection to the debugger.".to_owned()),
        }
    }

    /// Notices that the socket opened or closed since the last poll.
    fn follow(&mut self) {
        let Some(line) = &self.line else { return };
        let shared = line.shared.borrow();
        if shared.open && !self.was_open {
            self.was_open = true;
            self.epoch += 1;
            self.backoff.opened();
        }
        let gone = shared.closed && shared.inbound.is_empty();
        drop(shared);
        if gone {
            self.line = None;
            self.was_open = false;
            self.backoff.failed(self.now_s);
        }
    }
}

impl Line {
    fn open(url: &str, ctx: &egui::Context) -> Option<Self> {
        let socket = WebSocket::new(url).ok()?;
        let shared = Rc::new(RefCell::new(Shared::default()));
        let (inbox, wake) = (Rc::clone(&shared), ctx.clone());
        let message = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
            if let Some(text) = event.data().as_string() {
                inbox.borrow_mut().inbound.push_back(text);
                frames::wake(&wake);
            }
        });
        let (state, wake) = (Rc::clone(&shared), ctx.clone());
        let open = Closure::<dyn FnMut(Event)>::new(move |_: Event| {
            state.borrow_mut().open = true;
            frames::wake(&wake);
        });
        let (state, wake) = (Rc::clone(&shared), ctx.clone());
        let close = Closure::<dyn FnMut(CloseEvent)>::new(move |_: CloseEvent| {
            let mut state = state.borrow_mut();
            state.open = false;
            state.closed = true;
            frames::wake(&wake);
        });
        socket.set_onmessage(Some(message.as_ref().unchecked_ref()));
        socket.set_onopen(Some(open.as_ref().unchecked_ref()));
        socket.set_onclose(Some(close.as_ref().unchecked_ref()));
        Some(Self { socket, shared, _message: message, _open: open, _close: close })
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        self.socket.set_onmessage(None);
        self.socket.set_onopen(None);
        self.socket.set_onclose(None);
        // Closing a closed socket is nothing.
        let _ = self.socket.close();
    }
}

impl Transport for Socket {
    fn poll(&mut self, now_s: f64, limit: usize, into: &mut Vec<String>) -> bool {
        self.now_s = now_s;
        let first = self.line.is_none() && self.epoch == 0 && self.backoff.attempt() == 0;
        if self.refused.is_none() && self.line.is_none() && (first || self.backoff.due(now_s)) {
            self.connect();
        }
        self.follow();
        let Some(line) = &self.line else { return false };
        let mut shared = line.shared.borrow_mut();
        let take = shared.inbound.len().min(limit);
        into.extend(shared.inbound.drain(..take));
        !shared.inbound.is_empty()
    }

    fn send(&mut self, frame: String) -> bool {
        self.was_open && self.line.as_ref().is_some_and(|line| line.socket.send_with_str(&frame).is_ok())
    }

    fn link(&self) -> Link {
        if let Some(reason) = &self.refused {
            return Link::Down { reason: reason.clone() };
        }
        match (self.was_open, self.backoff.attempt()) {
            (true, _) => Link::Open,
            (false, 0) => Link::Connecting,
            (false, attempt) => {
                Link::Retrying { attempt, wait_s: self.backoff.wait_s(self.now_s).unwrap_or(0.0) }
            }
        }
    }

    fn epoch(&self) -> u64 {
        self.epoch
    }

    fn reconnect(&mut self) {
        self.refused = None;
        self.backoff.hurry();
        if self.line.is_none() && self.backoff.attempt() == 0 {
            self.connect();
        }
    }

    fn address(&self) -> String {
        self.address.clone()
    }
}
