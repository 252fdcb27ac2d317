//! One viewer: its requests to the hub, the hub's frames to it.
//!
//! Invariant: reading goes on while writing waits, so that credits arrive; a viewer that takes nothing for `SEND_WAIT` is
//! closed.

use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt, StreamExt};
use tokio::sync::{mpsc, watch};
use tokio_tungstenite::tungstenite::Message as Frame;

use super::{Socket, close, fault, in_time};
use crate::hub::{Input, ViewerId};
use crate::limits::VIEWER_FEED_MAX;
use crate::rim::{HubHandle, Message, Seat, ToViewer, ViewerQueue};

/// Serves one viewer until either side goes.
pub(crate) async fn serve(socket: Socket, hub: HubHandle, seat: Seat, mut stopped: watch::Receiver<bool>) {
    let viewer = ViewerId(hub.next_id());
    let (queue, outbox) = ViewerQueue::new();
    if !hub.urgent(Message::Viewer { viewer, queue: queue.clone() }).await {
        return;
    }
    let (mut sink, mut stream) = socket.split();
    let end = tokio::select! {
        end = read(&mut stream, &hub, viewer) => end,
        end = write(&mut sink, outbox, &queue) => end,
        () = crate::server::stopping(&mut stopped) => Some((1001, "the server is closing".to_owned())),
    };
    hub.urgent(Message::Input(Input::ViewerClosed { viewer })).await;
    drop(seat);
    if let (Some((code, reason)), Ok(socket)) = (end, sink.reunite(stream)) {
        close(socket, code, &reason).await;
    }
}

/// How it ends: with a close frame, or without because the peer is gone.
type End = Option<(u16, String)>;

async fn read(stream: &mut SplitStream<Socket>, hub: &HubHandle, viewer: ViewerId) -> End {
    loop {
        match stream.next().await {
            Some(Ok(Frame::Text(text))) => {
                if !hub.urgent(Message::Input(Input::ViewerFrame { viewer, text })).await {
                    return Some((1001, "the server is closing".to_owned()));
                }
            }
            Some(Ok(Frame::Binary(_))) => return Some((1003, "viewer frames are text".to_owned())),
            Some(Ok(Frame::Ping(_) | Frame::Pong(_) | Frame::Frame(_))) => {}
            Some(Ok(Frame::Close(_))) | None => return None,
            Some(Err(error)) => return fault(&error),
        }
    }
}

async fn write(
    sink: &mut SplitSink<Socket, Frame>,
    mut outbox: mpsc::UnboundedReceiver<ToViewer>,
    queue: &ViewerQueue,
) -> End {
    loop {
        let mut next = outbox.recv().await;
        // What is ready goes out together: one flush, not one a frame.
        let mut fed = 0;
        let mut bytes = 0;
        while let Some(message) = next.take() {
            let text = match message {
                ToViewer::Text(text) => text,
                ToViewer::Close { code, reason } => return Some((code, reason.to_owned())),
            };
            bytes += text.len();
            if !in_time(sink.feed(Frame::Text(text))).await {
                return Some((1008, "this viewer reads too slowly".to_owned()));
            }
            fed += 1;
            if fed < VIEWER_FEED_MAX {
                next = outbox.try_recv().ok();
            }
        }
        if fed == 0 {
            return Some((1008, "this viewer reads too slowly".to_owned()));
        }
        if !in_time(sink.flush()).await {
            return Some((1008, "this viewer reads too slowly".to_owned()));
        }
        queue.left(bytes);
    }
}
