//! The canvas as a person meets it: what it shows, and what clicks and keys on it ask for.

#[path = "canvas/clicks.rs"]
mod clicks;
#[path = "canvas/growth.rs"]
mod growth;
#[path = "canvas/live.rs"]
mod live;
#[path = "canvas/motion.rs"]
mod motion;
#[path = "canvas/pictures.rs"]
mod pictures;
#[path = "canvas/runs.rs"]
mod runs;
#[path = "canvas/stage.rs"]
mod stage;
#[path = "canvas/words.rs"]
mod words;
