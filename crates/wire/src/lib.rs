//! The GraphMind wire contract: envelopes, events, controls, handshake, matchers, and the frames of the viewer protocol.
//!
//! Everything that happens is an [`Envelope`]; everything a person asks for is a control. Both are defined here, once.
//! [`decode`] reads the header first and leaves payload values as text ([`Raw`]); unknown members survive byte for byte
//! in [`Extra`]. The crate is pure: no clock, randomness, threads or IO, and no recursion over the depth of its input.
//! It deliberately does not know what a run is; `graph` does.
mod body;
mod envelope;
mod envelope_schema;
mod error;
mod extra;
mod field;
mod ids;
pub mod json;
pub mod limits;
mod loose;
mod matcher;
mod message;
mod schema;
pub mod tokens;
pub mod viewer;
mod words;

pub use body::{Body, STUB_KEY, slim};
pub use envelope::{Decoded, Envelope, Header, Opaque, decode, encode, encode_raw, encode_with};
pub use error::{Invalid, Issue};
pub use extra::Extra;
pub use field::{Record, Text};
pub use ids::{InstanceId, NodeId, PauseId, RunId, SessionToken};
pub use json::{JsonKind, Raw, RawBuf};
pub use limits::{DEFAULT_PORT, GM, WILDCARD_RUN_ID};
pub use matcher::Matcher;
pub use message::*;
pub use schema::{schema, schema_text};
pub use words::{Action, Channel, Kind, Mode, Point, Reason, RefusalCode, RunOutcome};
