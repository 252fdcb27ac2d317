//! State to view: pure functions over a borrowed run.
//!
//! Invariant: a projection changes nothing and needs nothing but the run and what it is asked for.
