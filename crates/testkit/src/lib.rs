//! Inputs for tests: envelopes by hand, runs by shape, noise by seed.
//!
//! Decides nothing about right or wrong. Invariant: the same call gives the same bytes on every machine, so a failing
//! seed is a failing test. It deliberately knows only the wire format, never a reducer or a server.
mod chance;
mod delivery;
mod envelopes;
mod noise;
mod shapes;

pub use chance::Chance;
pub use delivery::{DELIVERY_RECORDS, delivery_run, kxm_envelope};
pub use envelopes::{Recording, TS_START_MS, e, e_of, finished, started, token};
pub use noise::{any_frame, any_json, any_payload, corrupt, shuffle};
pub use shapes::{chain, fan_out, token_flood, typical_run};
