//! What the reducer and its projections promise, tested through the public interface alone.

mod cases;
mod graphs;
mod laws;
mod noise;
mod support;
mod views;
