//! The session: a program's one line to a debugger.
//!
//! Invariant: starting a session never waits, never fails and never panics; without a debugger everything passes. The
//! last handle waits a moment at its end so that the last events are not lost, and only while a debugger is attached.

use crate::{
    config::{Config, Hide},
    link,
    run::RunBuilder,
    shared::Shared,
    status::Status,
};
use std::fmt::{self, Debug};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::task::Poll;
use std::time::{Duration, Instant};

/// How long the last handle waits for the debugger to have read everything.
const CLOSE_BUDGET: Duration = Duration::from_millis(500);

/// A program's line to a debugger; cheap to clone, one is enough.
///
/// ```
/// let session = client::Session::new("invoices");
/// let run = session.run("nightly").start();
/// let doubled = run.tool_blocking("double", 4, |n: u32| Ok::<_, String>(n * 2));
/// assert_eq!(doubled, Ok(8));
/// ```
#[derive(Clone)]
pub struct Session {
    owner: Arc<Owner>,
}

struct Owner {
    shared: Arc<Shared>,
}

impl Session {
    /// A session for the program called `app`, with the defaults and the environment's switches.
    pub fn new(app: impl Into<String>) -> Self {
        Self::builder(app).start()
    }

    /// A session that does nothing, as under `GRAPHMIND_DISABLED=1`.
    pub fn disabled() -> Self {
        Self::over(Config { enabled: false, ..Config::new("") })
    }

    /// Begins a session with settings of its own.
    pub fn builder(app: impl Into<String>) -> SessionBuilder {
        SessionBuilder { config: Config::new(&app.into()), url: None }
    }

    fn over(config: Config) -> Self {
        let shared = Arc::new(Shared::new(config));
        if shared.enabled()
            && let Err(error) = link::spawn(Arc::clone(&shared))
        {
            shared.watch.failed(format!("no background thread: {error}"));
        }
        Self { owner: Arc::new(Owner { shared }) }
    }

    pub(crate) fn shared(&self) -> &Arc<Shared> {
        &self.owner.shared
    }

    /// Begins a run called `name`.
    pub fn run(&self, name: impl Into<String>) -> RunBuilder {
        RunBuilder::new(self.clone(), name.into())
    }

    /// Where the session stands, and its figures.
    pub fn status(&self) -> Status {
        let shared = self.shared();
        let (state, attached_count, last_error) = shared.watch.figures();
        let (buffered, dropped) = {
            let ring = shared.ring();
            (ring.len(), ring.dropped())
        };
        Status { state, held: shared.holds.len(), buffered, dropped, attached_count, last_error }
    }

    /// Waits until a debugger is attached, at most `timeout`; whether one is.
    ///
    /// For programs whose first gate matters: a session attaches in the background, usually within milliseconds.
    pub async fn attached(&self, timeout: Duration) -> bool {
        self.until(timeout, |shared| shared.armed.is_attached()).await
    }

    /// [`attached`](Self::attached) for a thread without a runtime.
    pub fn attached_blocking(&self, timeout: Duration) -> bool {
        crate::block::block_on(self.attached(timeout))
    }

    /// Waits until the debugger has read every event so far, at most `timeout`; whether it has.
    pub async fn flush(&self, timeout: Duration) -> bool {
        self.shared().dirty.flush();
        self.until(timeout, |shared| shared.ring().is_read()).await
    }

    /// [`flush`](Self::flush) for a thread without a runtime.
    pub fn flush_blocking(&self, timeout: Duration) -> bool {
        crate::block::block_on(self.flush(timeout))
    }

    async fn until(&self, timeout: Duration, holds: impl Fn(&Shared) -> bool) -> bool {
        until(self.shared(), timeout, holds).await
    }
}

async fn until(shared: &Shared, timeout: Duration, holds: impl Fn(&Shared) -> bool) -> bool {
    if !shared.enabled() {
        return false;
    }
    let deadline = Instant::now() + timeout;
    let ticket = shared.ticket();
    let reached = std::future::poll_fn(|context| {
        // Registered before the look, so that a change in between wakes.
        shared.watch.wait(context.waker());
        if holds(shared) {
            return Poll::Ready(true);
        }
        if Instant::now() >= deadline {
            return Poll::Ready(false);
        }
        shared.alarms.set(deadline, ticket, context.waker().clone());
        Poll::Pending
    })
    .await;
    shared.alarms.clear(deadline, ticket);
    reached
}

impl Drop for Owner {
    fn drop(&mut self) {
        let shared = &self.shared;
        if !shared.enabled() {
            return;
        }
        shared.dirty.flush();
        if shared.armed.is_attached() {
            let settled = |shared: &Shared| shared.ring().is_read() || !shared.armed.is_attached();
            crate::block::block_on(until(shared, CLOSE_BUDGET, settled));
        }
        shared.closing.store(true, Ordering::Release);
        shared.close.notify_one();
    }
}

impl Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session").field("app", &self.shared().config.app).finish_non_exhaustive()
    }
}

/// Settings of a session. The environment's kill and hide switches win over them.
///
/// ```
/// use std::time::Duration;
///
/// let session = client::Session::builder("invoices")
///     .url("ws://127.0.0.1:4747/ingest")
///     .redact(["password", "api_key"])
///     .pause_timeout(Duration::from_secs(600))
///     .start();
/// ```
#[derive(Clone, Debug)]
#[must_use = "a session does nothing until it is started"]
pub struct SessionBuilder {
    config: Config,
    url: Option<String>,
}

impl SessionBuilder {
    /// Where the debugger listens; wins over `GRAPHMIND_URL`.
    pub fn url(mut self, url: impl Into<String>) -> Self {
        self.url = Some(url.into());
        self
    }

    /// Whether the session does anything at all.
    pub fn enabled(mut self, enabled: bool) -> Self {
        self.config.enabled = enabled;
        self
    }

    /// Hides object members of these names in every input and output, at any depth.
    pub fn redact<K: Into<String>>(mut self, keys: impl IntoIterator<Item = K>) -> Self {
        self.config.hide.keys.extend(keys.into_iter().map(Into::into));
        self
    }

    /// Which values never leave the process.
    pub fn hide(mut self, hide: Hide) -> Self {
        let keys = std::mem::take(&mut self.config.hide.keys);
        self.config.hide = hide;
        self.config.hide.keys.extend(keys);
        self
    }

    /// Lets a held gate go on by itself after this time. Unset, it waits for a person or the debugger's end.
    pub fn pause_timeout(mut self, timeout: Duration) -> Self {
        self.config.pause_timeout = Some(timeout);
        self
    }

    /// How many equal calls of one tool in a row hold by themselves; 0 for never. Default 3.
    pub fn loop_hold(mut self, repeats: u32) -> Self {
        self.config.loop_repeats = repeats;
        self
    }

    /// Whether a person may edit inputs. Default yes.
    pub fn edit_input(mut self, allowed: bool) -> Self {
        self.config.edit_input = allowed;
        self
    }

    /// Bounds of what is kept for a debugger that comes late: events and bytes.
    pub fn buffer(mut self, events: usize, bytes: usize) -> Self {
        self.config.buffer_events = events;
        self.config.buffer_bytes = bytes;
        self
    }

    /// Longest value sent whole, in bytes of JSON; a longer one is sent as a preview marked truncated.
    pub fn value_bytes_max(mut self, bytes: usize) -> Self {
        self.config.value_bytes_max = bytes;
        self
    }

    /// Pause between two attempts to find a debugger. Default 10 s.
    pub fn retry_every(mut self, pause: Duration) -> Self {
        self.config.retry_every = pause;
        self
    }

    /// Starts the session. Never waits and never fails.
    pub fn start(self) -> Session {
        Session::over(self.config.with_env(self.url, &|name| std::env::var(name).ok()))
    }
}
