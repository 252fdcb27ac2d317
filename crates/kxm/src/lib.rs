//! KXM records: what they are, whether one is valid, and how a local one becomes safe to sync.
//!
//! One declaration a record type ([`sync`], [`local`], [`common`]) gives the Rust type, the rule that a document
//! is checked by ([`check`]), and the published JSON Schema ([`schema`]); they cannot disagree. The verdict on a
//! document equals that of a JSON Schema 2020-12 validator, and each refusal names the place, the rule and what
//! was seen.
//!
//! ```
//! let invalid = kxm::decode(r#"{"schema":"kxm.sync-event.v1","sequence":0}"#).unwrap_err();
//! let sequence = invalid.faults.iter().find(|fault| fault.pointer == "/sequence").unwrap();
//! assert_eq!(sequence.rule, "must be at least 1");
//! assert_eq!(sequence.seen, "0");
//! ```
//!
//! The crate does no IO, has no clock, and knows nothing of graphs or windows.

pub mod common;
pub mod local;
pub mod schema;
pub mod sync;

mod check;
mod decode;
mod facts;
mod fault;
mod json;
mod law;
mod pattern;
mod record;
mod redact;
mod rule;
mod secret;
mod tape;

pub use check::check;
pub use decode::{
    Head, Invalid, Kind, days_since_epoch, decode, head, kind_of, local_schema, sync_schema, to_envelope,
};
pub use fault::{FAULTS_MAX, Fault};
pub use json::Json;
pub use pattern::Pattern;
pub use record::{List, Typed};
pub use redact::{Policy, Refused, redact, stand_in};
pub use rule::{Is, Law, Member, Object, Rule, Then, When};
pub use secret::{Cleaned, Found, Naming, Reach, clean, find, is_secret, looks_random, naming};
