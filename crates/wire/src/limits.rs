//! Every number a peer can run into. Sizes in bytes; none of them is a clock.

/// The protocol major that is spoken here (`gm`).
pub const GM: u64 = 1;
/// Run id of messages that belong to no run. It never makes a run.
pub const WILDCARD_RUN_ID: &str = "*";
/// Where a debugger listens unless told otherwise.
pub const DEFAULT_PORT: u16 = 4747;
/// Path an instrumented program dials.
pub const INGEST_PATH: &str = "/ingest";
/// A longer frame is refused with close code [`CLOSE_TOO_BIG`].
pub const FRAME_BYTES_MAX: usize = 16 * 1024 * 1024;
/// Close code for a frame over the limit (RFC 6455).
pub const CLOSE_TOO_BIG: u16 = 1009;
/// The greatest frame that every known client reads; a longer answer makes it drop the connection and every hold.
pub const ANSWER_BYTES_MAX: usize = 1024 * 1024;
/// Values nested deeper than this keep their text and are shown as "too deep, raw kept".
pub const VALUE_DEPTH_MAX: usize = 128;
/// A body up to this length is its own preview.
pub const PREVIEW_BYTES_MAX: usize = 256;
/// How many problems of one frame are listed; more say nothing new.
pub const ISSUES_MAX: usize = 16;
/// The text a sender puts in place of a redacted value.
pub const REDACTED: &str = "__REDACTED__";
/// The member that marks a value the sender has cut.
pub const TRUNCATED: &str = "__graphmindTruncated";
