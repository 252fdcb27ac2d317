//! Recorded traces: any file that an agent tool has written, read as envelopes of one kind.
//!
//! [`import`] unwraps containers, tells the format by its structure, runs that format's adapter and ends in a
//! [`Report`]. Everything that follows (the reducer, the window, the command line) sees GraphMind envelopes and does
//! not know where they came from. Ids and times come from the input alone, so importing twice gives the same run.
//!
//! ```
//! use std::ops::ControlFlow;
//! let line = br#"{"gm":1,"seq":1,"ts":0,"runId":"r1","type":"run.started","payload":{"app":"a","sdk":{"name":"s","version":"1"}}}"#;
//! let source = trace::Source::Bytes { name: "a.jsonl".into(), bytes: line.to_vec() };
//! let mut events = 0;
//! let report = trace::import(&[source], &mut |_envelope| { events += 1; ControlFlow::Continue(()) }).unwrap();
//! assert_eq!((report.imported, events), (1, 1));
//! ```

mod adapter;
mod attributes;
mod container;
mod detect;
mod error;
pub mod export;
mod formats;
mod import;
mod protobuf;
mod read;
mod report;
mod source;
mod span;
mod split;
mod time;
mod unknown;
mod wrapped;

pub use container::{EXPAND_BYTES_FREE, EXPAND_RATIO_MAX};
pub use error::Failure;
pub use import::{Progress, formats, import, import_as, import_watched};
pub use report::{InvalidRecord, Report, SKIPPED_MAX, Skipped};
pub use source::Source;
