//! Following a run of the debugger's server as a stream of parts, live or recorded.
//!
//! Invariant: whatever was chosen, the outcome (final output, interrupted, pending interrupts) is known; nothing waits
//! for the run's end; a reader that is too slow is told what it missed. A thread of its own reads, so any runtime may
//! await, and none may block instead. What the parts mean is `stream`'s.

mod query;

use futures_util::StreamExt;
use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;
use stream::{Outcome, StreamFilter, StreamLine};
use tokio::net::TcpStream;
use tokio::sync::mpsc;
use tokio_tungstenite::{client_async, tungstenite::Message as Frame};

/// Lines that wait for their reader; beyond them the server is not read, and says later what was missed.
const LINES_WAITING: usize = 1_024;
/// Time for the server to take the subscription.
const SUBSCRIBE_WAIT: Duration = Duration::from_secs(5);

/// Why a subscription ended before the run did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SubscribeError(String);

impl fmt::Display for SubscribeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for SubscribeError {}

/// A run as an async stream; see [`RunStream::subscribe`].
#[derive(Debug)]
pub struct RunStream {
    lines: mpsc::Receiver<Result<StreamLine, SubscribeError>>,
    outcome: Outcome,
    ended: bool,
}

impl RunStream {
    /// Follows the runs that `filter` chooses on the server at `url` (`ws://127.0.0.1:4747`), from their first event.
    ///
    /// Never waits and never fails: what is wrong comes as the stream's last item.
    ///
    /// ```no_run
    /// use client::{RunStream, stream::{StreamFilter, StreamLine}};
    ///
    /// # async fn follow() -> Result<(), Box<dyn std::error::Error>> {
    /// let filter = StreamFilter::from_query("run=r1&modes=updates,custom")?;
    /// let mut stream = RunStream::subscribe("ws://127.0.0.1:4747", "the server's token", &filter);
    /// while let Some(line) = stream.next().await {
    ///     if let StreamLine::Item(item) = line? {
    ///         println!("{} {:?}", item.mode, item.body);
    ///     }
    /// }
    /// println!("{:?}", stream.outcome().final_output);
    /// # Ok(()) }
    /// ```
    pub fn subscribe(url: &str, token: &str, filter: &StreamFilter) -> Self {
        Self::subscribe_from(url, token, filter, 0)
    }

    /// [`subscribe`](Self::subscribe) from the event with number `from` on: where an earlier stream stopped.
    pub fn subscribe_from(url: &str, token: &str, filter: &StreamFilter, from: u64) -> Self {
        let (send, lines) = mpsc::channel(LINES_WAITING);
        let place = url.trim_end_matches('/').trim_end_matches("/ingest");
        let url = format!("{place}/stream?from={from}&token={token}&{}", query::query(filter));
        let failed = send.clone();
        let reader = std::thread::Builder::new().name("holdpoint-stream".to_owned());
        if let Err(error) = reader.spawn(move || read_on_this_thread(&url, &send)) {
            // The channel was made a moment ago and is empty.
            failed.try_send(Err(SubscribeError(format!("no thread to read on: {error}")))).ok();
        }
        Self { lines, outcome: Outcome::default(), ended: false }
    }

    /// The next line; `None` once the run has ended, or after an error.
    pub async fn next(&mut self) -> Option<Result<StreamLine, SubscribeError>> {
        let line = self.lines.recv().await;
        self.note(line)
    }

    /// [`next`](Self::next) for a thread without a runtime.
    pub fn next_blocking(&mut self) -> Option<Result<StreamLine, SubscribeError>> {
        crate::block::block_on(self.next())
    }

    /// What the run has come to so far, whatever was chosen.
    pub fn outcome(&self) -> &Outcome {
        &self.outcome
    }

    fn note(
        &mut self,
        line: Option<Result<StreamLine, SubscribeError>>,
    ) -> Option<Result<StreamLine, SubscribeError>> {
        match &line {
            Some(Ok(StreamLine::Outcome(outcome))) => self.outcome = outcome.clone(),
            Some(Ok(StreamLine::End)) | None => self.ended = true,
            _ => {}
        }
        if self.ended { None } else { line }
    }
}

impl futures_util::Stream for RunStream {
    type Item = Result<StreamLine, SubscribeError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if self.ended {
            return Poll::Ready(None);
        }
        self.lines.poll_recv(context).map(|line| self.note(line))
    }
}

type Lines = mpsc::Sender<Result<StreamLine, SubscribeError>>;

fn read_on_this_thread(url: &str, lines: &Lines) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().enable_time().build();
    let failed = match runtime {
        Ok(runtime) => runtime.block_on(read(url, lines)).err(),
        Err(error) => Some(error.to_string()),
    };
    if let Some(reason) = failed {
        // A reader that has gone needs no reason.
        lines.blocking_send(Err(SubscribeError(reason))).ok();
    }
}

/// Hands lines on until the end, an error, or until nobody reads any more.
async fn read(url: &str, lines: &Lines) -> Result<(), String> {
    let address = crate::link::address(url)?;
    let connect = async {
        let stream =
            TcpStream::connect(&address).await.map_err(|error| format!("no server at {address}: {error}"))?;
        let upgraded = client_async(url, stream).await;
        upgraded.map_err(|error| format!("{address} refuses the subscription: {error}"))
    };
    let connected = tokio::time::timeout(SUBSCRIBE_WAIT, connect).await;
    let (mut socket, _) = connected.map_err(|_| format!("no answer from {address}"))??;
    loop {
        let frame = tokio::select! {
            frame = socket.next() => frame,
            () = lines.closed() => break,
        };
        let text = match frame {
            Some(Ok(Frame::Text(text))) => text,
            Some(Ok(Frame::Close(close))) => return Err(closed(close.map(|close| close.reason.to_string()))),
            Some(Ok(_)) => continue,
            Some(Err(error)) => return Err(format!("the connection broke: {error}")),
            None => return Err(closed(None)),
        };
        let line = StreamLine::parse(&text).map_err(|error| SubscribeError(error.to_string()));
        let last = matches!(line, Ok(StreamLine::End));
        if lines.send(line).await.is_err() || last {
            break;
        }
    }
    // Politeness only: the server sees the end of the connection anyway.
    socket.close(None).await.ok();
    Ok(())
}

fn closed(reason: Option<String>) -> String {
    match reason.filter(|reason| !reason.is_empty()) {
        Some(reason) => format!("the server closed the stream: {reason}"),
        None => "the server went away".to_owned(),
    }
}
