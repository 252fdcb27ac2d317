//! The native window, for demonstrations.
fn main() {}
