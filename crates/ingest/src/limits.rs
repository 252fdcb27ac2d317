//! Every bound of the server, named once.
//!
//! Invariant: no queue, buffer, count or wait anywhere in this crate is without one of these.

use std::time::Duration;

/// The port apps dial when nothing else is said (seed: Handshake).
pub const PORT_DEFAULT: u16 = 4747;
/// How many ports above a taken one are tried for the offer in the error.
pub const PORTS_TRIED: u16 = 64;

/// Largest WebSocket message from anyone, in bytes; above it the socket closes with 1009.
pub const FRAME_BYTES_MAX: usize = 16 << 20;
/// Largest message to an app whose client reads 1 MiB a frame (Python 0.5.1), in bytes.
pub const APP_FRAME_BYTES_MAX: usize = 1 << 20;
/// Largest request head, in bytes.
pub const HEAD_BYTES_MAX: usize = 16 << 10;
/// Most header fields in one request.
pub const HEADERS_MAX: usize = 64;
/// Largest body of `POST /api/import`, in bytes.
pub const IMPORT_BYTES_MAX: usize = 2 << 30;

/// Bytes of an export that are in memory at once on their way out.
pub const EXPORT_CHUNK_BYTES: usize = 256 << 10;
/// How often viewers are told how far a long import is; one that is over sooner is not told of.
pub const IMPORT_TOLD_EVERY: Duration = Duration::from_millis(250);

/// Largest body of `POST /ingest/kxm`, in bytes; one record is not larger.
pub const RECORDS_BYTES_MAX: usize = FRAME_BYTES_MAX;
/// Records in one request or frame; the rest is left and said.
pub const RECORDS_MAX: usize = 100_000;
/// Faults of a batch that are listed; beyond it they are counted.
pub const FAULTS_TOLD_MAX: usize = 1_000;
/// Bodies of records being read at once.
pub const RECORD_POSTS_MAX: usize = 32;
/// How long a body of records may take.
pub const RECORDS_WAIT: Duration = Duration::from_secs(30);
/// Bytes above which records are checked on a thread of their own.
pub const RECORDS_INLINE_BYTES: usize = 64 << 10;
/// Live runs of records, so that made-up run ids cannot fill memory and disk with runs.
pub const RECORD_RUNS_MAX: usize = 10_000;
/// How long a run of records that no socket sends may be silent before it counts as abandoned, in milliseconds.
pub const RECORDS_QUIET_MS: u64 = 600_000;

/// Apps attached at once.
pub const APPS_MAX: usize = 4_000;
/// Viewers attached at once.
pub const VIEWERS_MAX: usize = 64;
/// Connections that have not become a WebSocket; beyond it the oldest is dropped.
pub const HALF_OPEN_MAX: usize = 1_024;
/// How long a request head may take.
pub const HEAD_WAIT: Duration = Duration::from_secs(5);
/// How long accepting rests when the system has no more file descriptors.
pub const ACCEPT_PAUSE: Duration = Duration::from_millis(20);
/// How long an app's socket may stay without its first frame.
pub const FIRST_FRAME_WAIT: Duration = Duration::from_secs(10);
/// How long a closing handshake, or draining an oversized frame, may take.
pub const CLOSE_WAIT: Duration = Duration::from_secs(2);
/// How long one send to a viewer or an app may stall before its socket is given up.
pub const SEND_WAIT: Duration = Duration::from_secs(30);
/// Close code for an app that speaks another protocol major.
pub const NOT_OUR_VERSION: u16 = 4_001;
/// Bytes read and dropped after a refusal, so that the peer gets to see it.
pub const DRAIN_BYTES_MAX: usize = 64 << 20;
/// What one read from a socket may bring, in bytes; also what is gathered before one write.
pub const READ_BUFFER_BYTES: usize = 32 << 10;
/// Bytes of a journal that a subscriber reads at once (one line may exceed it).
pub const STREAM_CHUNK_BYTES: u64 = 256 << 10;
/// How long a subscriber waits for a run that is not there yet, unless it says otherwise.
pub const STREAM_RUN_WAIT: Duration = Duration::from_secs(60);
/// The longest it may ask for.
pub const STREAM_RUN_WAIT_MAX: Duration = Duration::from_secs(3_600);
/// Close code for a subscriber whose run did not come.
pub const NO_SUCH_RUN: u16 = 4_004;
/// How often a subscriber looks whether the import it waits for has become a run.
pub const STREAM_RUN_CHECK: Duration = Duration::from_secs(1);
/// Frames to a viewer that share one flush.
pub const VIEWER_FEED_MAX: usize = 64;
/// What is kept for putting lines together between two writes, in bytes.
pub const WRITE_BUFFER_BYTES: usize = 4 << 20;
/// Bytes of a journal that a subscriber reads without a thread of its own.
pub const STREAM_INLINE_BYTES: u64 = 64 << 10;
/// Pending connections the system queues for us.
pub const BACKLOG: u32 = 4_096;

/// Frames one session hands over in one turn.
pub const TURN_FRAMES_MAX: usize = 64;
/// Bytes one session hands over in one turn (one frame may exceed it).
pub const TURN_BYTES_MAX: usize = 256 << 10;
/// Turns waiting for the hub; senders wait when it is full.
pub const HUB_QUEUE: usize = 256;
/// Turns the hub takes before it writes and sends, so that writes are batched.
pub const HUB_BATCH_MAX: usize = 128;
/// Frames the hub takes before it writes and sends.
pub const HUB_FRAMES_MAX: usize = 2_048;
/// Lines of an imported run that are written together.
pub const IMPORT_LINES_MAX: usize = 512;
/// Messages waiting for one app's socket; beyond it the app is disconnected (and fails open).
pub const APP_QUEUE: usize = 4_096;
/// Bytes waiting for one viewer's socket; beyond it (one frame may exceed it) the viewer is disconnected.
pub const VIEWER_QUEUE_BYTES_MAX: usize = 64 << 20;
/// Batches a viewer may be sent before it grants more.
pub const CREDITS_START: u32 = 64;
/// Most credits a viewer can pile up.
pub const CREDITS_MAX: u32 = 256;
/// Bytes of slim events that wait for one viewer; beyond it the run is `Lagged` there.
pub const VIEWER_PENDING_BYTES_MAX: usize = 16 << 20;
/// Slim events in one batch to a viewer.
pub const BATCH_EVENTS_MAX: usize = 2_048;

/// How long a run's app may be away before the run counts as abandoned, in milliseconds.
pub const ABANDON_MS: u64 = 15_000;
/// Bytes of stored events that wait for a run whose state is being read.
pub const DEFERRED_BYTES_MAX: usize = 64 << 20;
/// Deferred events caught up in one turn.
pub const CATCH_UP_MAX: usize = 4_096;
/// How long the state of an ended run stays in memory when nobody looks at it, in milliseconds.
pub const IDLE_MS: u64 = 60_000;
/// How often a summary that only counts is shown, in milliseconds; also how often the figures are.
pub const SHOW_EVERY_MS: u64 = 1_000;
/// How long an answer may be on its way before the gate takes another, in milliseconds.
pub const ASKED_MS: u64 = 5_000;
/// Notices of one kind a second; the others are counted and said together.
pub const NOTICES_PER_SECOND: u32 = 10;
/// Notices kept for viewers that come later.
pub const NOTICES_KEPT_MAX: usize = 200;
/// How often the clock is told to the hub.
pub const TICK: Duration = Duration::from_millis(250);
/// Least time between two `fsync` of one journal.
pub const SYNC_EVERY: Duration = Duration::from_secs(1);
/// Journal files kept open.
pub const FILES_OPEN_MAX: usize = 512;
/// Lines between two entries of a journal's index.
pub const INDEX_EVERY: u32 = 128;
/// Bytes after which the index gets an entry anyhow.
pub const INDEX_EVERY_BYTES: u64 = 256 << 10;
/// Events in a page when nothing is asked for.
pub const PAGE_EVENTS_DEFAULT: u64 = 1_000;
/// Most events in one page.
pub const PAGE_EVENTS_MAX: usize = 10_000;
/// Bytes after which a page ends early (one event may exceed it).
pub const PAGE_BYTES_MAX: usize = 32 << 20;
/// Most bytes of a body in one answer.
pub const BODY_BYTES_MAX: usize = 4 << 20;

/// Breakpoints kept.
pub const BREAKPOINTS_MAX: usize = 1_000;
/// Longest text of a matcher field, condition, hit or log expression, in bytes.
pub const EXPRESSION_BYTES_MAX: usize = 4_096;
/// Open instances of a run whose bodies are kept for conditions.
pub const OPEN_BODIES_MAX: usize = 1_024;
/// Values an expression may nest.
pub const EXPRESSION_DEPTH_MAX: usize = 128;
/// Runs one session may own at once.
pub const RUNS_PER_SESSION_MAX: usize = 10_000;
/// Sessions remembered for re-claims.
pub const TOKENS_MAX: usize = 20_000;
