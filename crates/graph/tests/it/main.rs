//! What the reducer and its projections promise, tested through the public interface alone.

mod cases;
mod graphs;
mod kxm;
mod law;
mod laws;
mod noise;
mod projections;
mod support;
mod views;
