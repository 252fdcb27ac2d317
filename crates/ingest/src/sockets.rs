//! WebSockets: one task a peer, which reads in turns, writes what it is given, and ends cleanly or at once.
//!
//! Invariant: a peer that floods gets one turn like everyone else; a peer that stalls is given up after `SEND_WAIT`;
//! whatever it sends, the worst that happens is that its own socket closes.

pub(crate) mod app;
pub(crate) mod reporter;
pub(crate) mod stream;
pub(crate) mod viewer;

use std::time::Duration;

use futures_util::SinkExt;
use hyper_util::rt::TokioIo;
use tokio::io::AsyncReadExt;
use tokio::net::TcpStream;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;
use tokio_tungstenite::tungstenite::protocol::{CloseFrame, Role, WebSocketConfig};
use tokio_tungstenite::tungstenite::{Error, Message, error::CapacityError};

use crate::limits::{CLOSE_WAIT, DRAIN_BYTES_MAX, FRAME_BYTES_MAX, READ_BUFFER_BYTES, SEND_WAIT};

/// A peer's socket.
pub(crate) type Socket = WebSocketStream<TcpStream>;

/// Takes an upgraded connection over; `None` if it is not one of ours or broke on the way.
pub(crate) async fn upgraded(request: hyper::upgrade::OnUpgrade) -> Option<Socket> {
    let parts = request.await.ok()?.downcast::<TokioIo<TcpStream>>().ok()?;
    let config = WebSocketConfig::default()
        .read_buffer_size(READ_BUFFER_BYTES)
        .write_buffer_size(READ_BUFFER_BYTES)
        .max_message_size(Some(FRAME_BYTES_MAX))
        .max_frame_size(Some(FRAME_BYTES_MAX));
    let (stream, rest) = (parts.io.into_inner(), parts.read_buf.to_vec());
    Some(WebSocketStream::from_partially_read(stream, rest, Role::Server, Some(config)).await)
}

/// Sends within `SEND_WAIT`; false if the peer is gone or does not read.
async fn send(socket: &mut Socket, message: Message) -> bool {
    in_time(socket.send(message)).await
}

/// Waits for a part of sending, at most `SEND_WAIT`; false if the peer is gone or does not read.
async fn in_time<E>(sending: impl Future<Output = Result<(), E>>) -> bool {
    matches!(tokio::time::timeout(SEND_WAIT, sending).await, Ok(Ok(())))
}

/// What is wrong with a peer: the close code for it, and a sentence for people.
fn fault(error: &Error) -> Option<(u16, String)> {
    match error {
        Error::Capacity(CapacityError::MessageTooLong { size, max_size }) => {
            Some((1009, format!("a frame of {size} bytes is too large, at most {max_size} are read")))
        }
        Error::Utf8(_) => Some((1007, "a text frame is not UTF-8".to_owned())),
        Error::Protocol(what) => Some((1002, format!("the WebSocket protocol is broken: {what}"))),
        Error::Capacity(what) => Some((1009, what.to_string())),
        _ => None,
    }
}

/// Closes with a code and a word, and reads on for a moment so that the peer gets to see them.
async fn close(mut socket: Socket, code: u16, reason: &str) {
    // The longest reason that fits a control frame.
    let reason = &reason[..reason.floor_char_boundary(120)];
    let frame = CloseFrame { code: CloseCode::from(code), reason: reason.into() };
    let closing = async {
        if socket.close(Some(frame)).await.is_err() {
            return;
        }
        // With unread bytes the system would answer them by a reset, which overtakes the close frame.
        let stream = socket.get_mut();
        let mut waste = vec![0u8; 64 << 10];
        let mut drained = 0;
        while let Ok(read) = stream.read(&mut waste).await {
            drained += read;
            if read == 0 || drained > DRAIN_BYTES_MAX {
                break;
            }
        }
    };
    let _: Result<(), _> = tokio::time::timeout(CLOSE_WAIT.max(Duration::from_millis(1)), closing).await;
}
