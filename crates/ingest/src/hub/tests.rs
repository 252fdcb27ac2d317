//! Deterministic tests of the hub.
