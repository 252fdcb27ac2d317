//! Where frames come from and go to. A trait, so that a page uses a WebSocket and a test a queue; deliberately knows
//! nothing of what a frame says.

pub mod backoff;
pub mod queue;
pub mod recording;

pub use queue::Queue;
pub use recording::Recording;

/// State of the connection to the server, as shown in the status bar.
#[derive(Clone, Debug, PartialEq)]
pub enum Link {
    /// Opening for the first time.
    Connecting,
    /// Frames flow.
    Open,
    /// Lost; trying again.
    Retrying {
        /// Attempts so far since the last open connection.
        attempt: u32,
        /// Seconds until the next one.
        wait_s: f64,
    },
    /// Will not be tried again by itself; says why and what to do.
    Down {
        /// In words for a person.
        reason: String,
    },
}

/// A two-way stream of text frames that reconnects by itself.
pub trait Transport {
    /// Appends the frames that arrived, oldest first, at most `limit`; returns whether there is more.
    /// `now_s` is a monotonic time in seconds, used for reconnects.
    fn poll(&mut self, now_s: f64, limit: usize, into: &mut Vec<String>) -> bool;

    /// Sends a frame; `false` when there is no connection.
    fn send(&mut self, frame: String) -> bool;

    /// How the connection is.
    fn link(&self) -> Link;

    /// Number that grows with every new connection: a change means that everything must be watched anew.
    fn epoch(&self) -> u64;

    /// Reconnects at once.
    fn reconnect(&mut self);

    /// Where it connects to, for the status bar (host and port).
    fn address(&self) -> String;
}
