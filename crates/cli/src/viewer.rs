//! A viewer without a screen: one socket to the server, frames in both directions.
//!
//! Invariant: every wait has an end, and a server that goes away is an error in words. What frames mean is the
//! commands' business.

use crate::{
    fail::{Context, Done, Fail},
    place::Place,
};
use futures_util::{SinkExt, StreamExt};
use std::time::Duration;
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::{
    WebSocketStream, client_async_with_config,
    tungstenite::{Error, Message, protocol::WebSocketConfig},
};
use wire::viewer::{BreakpointState, DebugState, RunSummary, ServerFrame, ViewerFrame};

/// Time to find the server, and time for any answer that needs no program.
const ANSWER_WAIT: Duration = Duration::from_secs(10);
/// Largest frame taken from the server: a snapshot of a large run.
const FRAME_BYTES_MAX: usize = 1 << 30;
/// Frames after which the server gets new credits.
const CREDITS_EVERY: u32 = 16;

/// What the server says first.
#[derive(Debug)]
pub(crate) struct Welcome {
    pub(crate) debug: DebugState,
    pub(crate) runs: Vec<RunSummary>,
}

/// See the module's documentation.
pub(crate) struct Viewer {
    socket: WebSocketStream<TcpStream>,
    taken: u32,
    asked: u64,
}

/// Why there is no connection.
pub(crate) enum Missing {
    /// Nobody listens.
    Nobody(Fail),
    /// Somebody does, and it went wrong.
    Wrong(Fail),
}

impl From<Missing> for Fail {
    fn from(missing: Missing) -> Self {
        match missing {
            Missing::Nobody(fail) | Missing::Wrong(fail) => fail,
        }
    }
}

impl Viewer {
    /// Attaches to the server at `place`.
    pub(crate) async fn attach(place: &Place) -> Result<(Self, Welcome), Missing> {
        let host = place.host().map_err(Missing::Nobody)?;
        let dialled = timeout(ANSWER_WAIT, TcpStream::connect(host)).await;
        let stream = dialled
            .map_err(|_| Missing::Nobody(place.nobody(format!("{host} does not answer"))))?
            .map_err(|error| Missing::Nobody(place.nobody(format!("{host}: {error}"))))?;
        // Controls are small and a person waits for them.
        stream.set_nodelay(true).ok();
        let token = place.token().map_err(Missing::Wrong)?;
        Self::upgrade(stream, host, &token).await.map_err(Missing::Wrong)
    }

    async fn upgrade(stream: TcpStream, host: &str, token: &str) -> Done<(Self, Welcome)> {
        let url = format!("ws://{host}/ws/ui?token={token}");
        let config = WebSocketConfig::default()
            .max_message_size(Some(FRAME_BYTES_MAX))
            .max_frame_size(Some(FRAME_BYTES_MAX));
        let upgraded = timeout(ANSWER_WAIT, client_async_with_config(url, stream, Some(config))).await;
        let (socket, _) =
            upgraded.context(format!("{host} does not answer"))?.map_err(|error| refused(host, &error))?;
        let mut viewer = Self { socket, taken: 0, asked: 0 };
        match viewer.next().await? {
            ServerFrame::Welcome { debug, runs, .. } => Ok((viewer, Welcome { debug, runs })),
            other => {
                Err(Fail::new(format!("{host} is not a Holdpoint server: it began with {}", other.encode())))
            }
        }
    }

    /// A number for a request.
    pub(crate) fn req(&mut self) -> u64 {
        self.asked += 1;
        self.asked
    }

    pub(crate) async fn send(&mut self, frame: &ViewerFrame) -> Done {
        self.socket.send(Message::text(frame.encode())).await.context("the server went away")
    }

    /// The next frame, within the usual time.
    pub(crate) async fn next(&mut self) -> Done<ServerFrame> {
        match self.next_within(ANSWER_WAIT).await? {
            Some(frame) => Ok(frame),
            None => Err(Fail::new(format!("the server says nothing for {} s", ANSWER_WAIT.as_secs()))),
        }
    }

    /// The next frame, or `None` when none comes in time.
    pub(crate) async fn next_within(&mut self, wait: Duration) -> Done<Option<ServerFrame>> {
        let read = async {
            loop {
                match self.socket.next().await {
                    Some(Ok(Message::Text(text))) => {
                        return ServerFrame::decode(&text).context("the server's frame");
                    }
                    Some(Ok(Message::Close(close))) => {
                        let why = close.map(|close| close.reason.to_string()).unwrap_or_default();
                        return Err(Fail::new(format!("the server closed the connection {why}").trim()));
                    }
                    Some(Ok(_)) => {}
                    Some(Err(error)) => return Err(Fail::new(format!("the server went away: {error}"))),
                    None => return Err(Fail::new("the server went away")),
                }
            }
        };
        let Ok(frame) = timeout(wait, read).await else { return Ok(None) };
        let frame = frame?;
        self.taken += 1;
        if self.taken >= CREDITS_EVERY {
            let frames = std::mem::take(&mut self.taken);
            self.send(&ViewerFrame::Credit { frames }).await?;
        }
        Ok(Some(frame))
    }

    /// Sends a control and waits until the server has passed it on; an error where it refuses.
    pub(crate) async fn control(&mut self, frame: &ViewerFrame, req: u64) -> Done<Option<DebugState>> {
        self.send(frame).await?;
        let mut debug = None;
        loop {
            match self.next().await? {
                ServerFrame::Control { req: answered, stage, reason } if answered == req => {
                    return match stage {
                        wire::viewer::ControlStage::Delivered => Ok(debug),
                        wire::viewer::ControlStage::Refused => {
                            Err(Fail::new(reason.unwrap_or_else(|| "refused without a reason".to_owned())))
                        }
                    };
                }
                ServerFrame::Failed { req: answered, reason } if answered == req => {
                    return Err(Fail::new(reason));
                }
                ServerFrame::Debug { debug: now } => debug = Some(now),
                _ => {}
            }
        }
    }
}

fn refused(host: &str, error: &Error) -> Fail {
    let why = match error {
        Error::Http(response) if response.status() == 401 => {
            "it does not know this token: the server was started with another --data-dir".to_owned()
        }
        error => error.to_string(),
    };
    Fail::new(format!("{host} refuses: {why}"))
}

/// A breakpoint in a few words.
pub(crate) fn breakpoint_words(state: &BreakpointState) -> String {
    let matcher = &state.spec.matcher;
    let part = |value: &Option<String>| value.clone().unwrap_or_else(|| "any".to_owned());
    format!("{} {} at {}", part(&matcher.kind), part(&matcher.name), matcher.effective_point())
}
