//! One app: its frames to the hub in turns, the hub's messages to it.
//!
//! Invariant: the first frame (`hello`) overtakes every flood on its way to the hub; after it an app hands over at most
//! one turn at a time and waits until that is taken.

use std::sync::Arc;

use futures_util::{FutureExt, StreamExt};
use tokio::sync::{mpsc, watch};
use tokio_tungstenite::tungstenite::{self, Message as Frame, Utf8Bytes};

use super::{Socket, close, fault, send};
use crate::hub::{Input, SessionId};
use crate::limits::{APP_QUEUE, FIRST_FRAME_WAIT, TURN_BYTES_MAX, TURN_FRAMES_MAX};
use crate::rim::{HubHandle, Message, Seat, ToApp};

/// Why an app's task ends.
enum End {
    /// The peer is gone, or reads nothing any more.
    Gone,
    /// We close, with a code and a word.
    Close(u16, String),
}

type Read = Option<Result<Frame, tungstenite::Error>>;

/// Serves one app until either side goes.
pub(crate) async fn serve(
    socket: Socket,
    hub: HubHandle,
    token: Arc<str>,
    seat: Seat,
    stopped: watch::Receiver<bool>,
) {
    let session = SessionId(hub.next_id());
    let (queue, outbox) = mpsc::channel(APP_QUEUE);
    if !hub.urgent(Message::App { session, token, queue }).await {
        return;
    }
    let mut app = App { socket, hub, session, outbox, stopped };
    let end = app.talk().await;
    let App { socket, hub, session, .. } = app;
    hub.send(Message::Input(Input::SessionClosed { session })).await;
    drop(seat);
    if let End::Close(code, reason) = end {
        close(socket, code, &reason).await;
    }
}

struct App {
    socket: Socket,
    hub: HubHandle,
    session: SessionId,
    outbox: mpsc::Receiver<ToApp>,
    stopped: watch::Receiver<bool>,
}

impl App {
    async fn talk(&mut self) -> End {
        let first = tokio::select! {
            read = self.socket.next() => read,
            () = tokio::time::sleep(FIRST_FRAME_WAIT) => {
                return End::Close(1008, "no hello came".to_owned());
            }
            () = crate::server::stopping(&mut self.stopped) => return going(),
        };
        let mut turn = Vec::new();
        if let Err(end) = self.take(first, &mut turn).await {
            return end;
        }
        let frames = std::mem::take(&mut turn);
        if !self.hub.urgent(Message::Input(Input::Frames { session: self.session, frames })).await {
            return going();
        }
        loop {
            let step = tokio::select! {
                read = self.socket.next() => self.turn(read).await,
                message = self.outbox.recv() => self.deliver(message).await,
                () = crate::server::stopping(&mut self.stopped) => Err(going()),
            };
            if let Err(end) = step {
                return end;
            }
        }
    }

    /// Hands over what has come, up to one turn.
    async fn turn(&mut self, first: Read) -> Result<(), End> {
        let mut turn: Vec<Utf8Bytes> = Vec::new();
        let mut bytes = 0;
        let mut read = Some(first);
        let mut end = Ok(());
        while let Some(next) = read.take() {
            end = self.take(next, &mut turn).await;
            bytes += turn.last().map_or(0, |frame| frame.len());
            if end.is_ok() && turn.len() < TURN_FRAMES_MAX && bytes < TURN_BYTES_MAX {
                read = self.socket.next().now_or_never();
            }
        }
        let frames = Message::Input(Input::Frames { session: self.session, frames: turn });
        if !self.hub.send(frames).await {
            return Err(going());
        }
        end
    }

    /// Puts one frame into the turn, or says what is wrong with it.
    async fn take(&mut self, read: Read, turn: &mut Vec<Utf8Bytes>) -> Result<(), End> {
        match read {
            Some(Ok(Frame::Text(text))) => turn.push(text),
            Some(Ok(Frame::Binary(bytes))) => {
                let what = format!("sent a binary frame of {} bytes; the contract is text", bytes.len());
                self.complain(what).await;
            }
            Some(Ok(Frame::Ping(_) | Frame::Pong(_) | Frame::Frame(_))) => {}
            Some(Ok(Frame::Close(_))) | None => return Err(End::Gone),
            Some(Err(error)) => {
                let Some((code, what)) = fault(&error) else { return Err(End::Gone) };
                self.complain(format!("was disconnected: {what}")).await;
                return Err(End::Close(code, what));
            }
        }
        Ok(())
    }

    async fn complain(&self, what: String) {
        self.hub.send(Message::Input(Input::SessionFault { session: self.session, what })).await;
    }

    async fn deliver(&mut self, message: Option<ToApp>) -> Result<(), End> {
        match message {
            Some(ToApp::Text { text, receipt }) => {
                if !send(&mut self.socket, Frame::text(text)).await {
                    return Err(End::Gone);
                }
                if let Some((viewer, req)) = receipt {
                    self.hub.urgent(Message::Input(Input::Delivered { viewer, req })).await;
                }
                Ok(())
            }
            Some(ToApp::Close { code, reason }) => Err(End::Close(code, reason)),
            None => Err(End::Close(1008, "this app does not read what it is sent".to_owned())),
        }
    }
}

fn going() -> End {
    End::Close(1001, "the debugger is closing".to_owned())
}
