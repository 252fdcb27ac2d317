//! Programs that send KXM records: each text frame is one record or one a line, and is answered by one frame.
//!
//! Invariant: an answer is sent after its records are in their journals; the next frame is read after the answer, so a
//! flood is slowed down at its own socket.

use futures_util::StreamExt;
use hyper::body::Bytes;
use tokio::sync::{oneshot, watch};
use tokio_tungstenite::tungstenite::{Message as Frame, Utf8Bytes};

use super::{Socket, close, fault, send};
use crate::hub::{Input, Receipt, SessionId};
use crate::limits::{RECORDS_INLINE_BYTES, TURN_BYTES_MAX, TURN_FRAMES_MAX};
use crate::records::{self, Answer, Batch};
use crate::rim::{HubHandle, Message, Seat};

/// Serves one program until either side goes.
pub(crate) async fn serve(
    mut socket: Socket,
    hub: HubHandle,
    seat: Seat,
    mut stopped: watch::Receiver<bool>,
) {
    let session = SessionId(hub.next_id());
    let end = tokio::select! {
        end = talk(&mut socket, &hub, session) => end,
        () = crate::server::stopping(&mut stopped) => Some((1001, "the server is closing".to_owned())),
    };
    hub.send(Message::Input(Input::ReporterClosed { session })).await;
    drop(seat);
    if let Some((code, reason)) = end {
        close(socket, code, &reason).await;
    }
}

/// How it ends: with a close frame, or without because the peer is gone.
type End = Option<(u16, String)>;

async fn talk(socket: &mut Socket, hub: &HubHandle, session: SessionId) -> End {
    loop {
        let text = match socket.next().await {
            Some(Ok(Frame::Text(text))) => text,
            Some(Ok(Frame::Binary(_))) => return Some((1003, "records are text".to_owned())),
            Some(Ok(Frame::Ping(_) | Frame::Pong(_) | Frame::Frame(_))) => continue,
            Some(Ok(Frame::Close(_))) | None => return None,
            Some(Err(error)) => return fault(&error),
        };
        let Some(answer) = report(hub, Some(session), text.into()).await else {
            return Some((1001, "the server is closing".to_owned()));
        };
        if !send(socket, Frame::text(serde_json::json!(answer).to_string())).await {
            return Some((1008, "the answers are not read".to_owned()));
        }
    }
}

/// Checks a text, hands its records to the hub in turns, and gives the answer; `None` when the hub is gone.
pub(crate) async fn report(hub: &HubHandle, from: Option<SessionId>, text: Bytes) -> Option<Answer> {
    let batch = if text.len() <= RECORDS_INLINE_BYTES {
        records::read(&text)
    } else {
        tokio::task::spawn_blocking(move || records::read(&text)).await.ok()?
    };
    let Batch { lines, cut_at } = batch;
    let mut answer = Answer::new(cut_at);
    let mut turn = Turn::default();
    for line in lines {
        match line.read {
            Err(faults) => answer.invalid(line.number, faults),
            Ok(record) => {
                turn.bytes += record.envelope.len();
                turn.places.push((line.number, record.sequence));
                turn.records.push(record.envelope);
                if turn.records.len() >= TURN_FRAMES_MAX || turn.bytes >= TURN_BYTES_MAX {
                    turn.hand_over(hub, from, &mut answer).await?;
                }
            }
        }
    }
    turn.hand_over(hub, from, &mut answer).await?;
    answer.sort();
    Some(answer)
}

/// Records on their way to the hub.
#[derive(Default)]
struct Turn {
    records: Vec<Utf8Bytes>,
    /// Line and sequence of each.
    places: Vec<(u64, u64)>,
    bytes: usize,
}

impl Turn {
    async fn hand_over(
        &mut self,
        hub: &HubHandle,
        from: Option<SessionId>,
        answer: &mut Answer,
    ) -> Option<()> {
        let Turn { records, places, .. } = std::mem::take(self);
        if records.is_empty() {
            return Some(());
        }
        let (receipt, fates) = oneshot::channel();
        hub.send(Message::Input(Input::Records { from, records, receipt: Receipt(receipt) })).await;
        for ((line, sequence), fate) in places.into_iter().zip(fates.await.ok()?) {
            answer.decided(line, sequence, fate);
        }
        Some(())
    }
}
