//! The SDK a Rust program links to be debugged by Holdpoint.
//!
//! A [`Session`] is the program's line to the debugger; a [`Run`] is one job; nodes are hung under it as functions that
//! are called ([`Scope::tool`], [`Call::call`]) or as guards that are ended by hand ([`NodeGuard`]). The debugger sees
//! inputs, outputs, errors and streamed text, holds at gates before, after and on error of each node, and can let a
//! held node go on, run again, run with an edited input, return a value in place of its own, or end the run.
//!
//! **Fails open.** Without a debugger nothing waits and nothing changes: a gate is one atomic load, events go to a
//! bounded ring buffer for a debugger that comes later. When the debugger goes, every held gate goes on. The library
//! never panics into its host; `GRAPHMIND_DISABLED=1` turns it off whole.
//!
//! It needs no runtime: a background thread with a small runtime of its own does the talking, and every async function
//! here can be awaited on any executor. What a run *is*, the server knows; this crate only tells what happens.
//!
//! ```
//! use serde_json::{Value, json};
//!
//! async fn look_up(order: String) -> Result<Value, std::io::Error> {
//!     Ok(json!({ "order": order, "state": "shipped" }))
//! }
//!
//! # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
//! let session = client::Session::new("support");
//! let run = session.run("answer").start();
//! let order = run.tool("look_up", "A-17".to_owned(), look_up).await?;
//! let reply = run
//!     .llm("draft")
//!     .call(order, |node, order| async move {
//!         node.text("Your parcel is ");
//!         node.text(order["state"].as_str().unwrap_or("unknown"));
//!         Ok::<_, std::io::Error>(order["state"].clone())
//!     })
//!     .await;
//! assert_eq!(run.finish(reply)?, json!("shipped"));
//! # Ok::<_, std::io::Error>(()) }).unwrap();
//! ```

mod alarm;
mod arm;
mod block;
mod body;
mod call;
mod config;
mod deltas;
mod emit;
mod error;
mod gate;
mod hint;
mod hold;
mod judge;
#[cfg(feature = "tracing")]
mod layer;
mod link;
mod loops;
mod node;
mod place;
mod ring;
mod run;
mod scope;
mod session;
mod shared;
mod sink;
mod status;
mod subscribe;
mod usage;

pub use call::Call;
pub use config::{
    BUFFER_BYTES, BUFFER_EVENTS, CONNECT_BUDGET, DEFAULT_URL, HANDSHAKE_BUDGET, Hide, LOOP_REPEATS,
    RETRY_EVERY, VALUE_BYTES_MAX,
};
pub use error::Aborted;
pub use hint::Hint;
#[cfg(feature = "tracing")]
pub use layer::SpanLayer;
pub use node::{Decision, Node, NodeGuard};
pub use run::{Run, RunBuilder};
pub use scope::Scope;
pub use session::{Session, SessionBuilder};
pub use status::{State, Status};
pub use stream;
pub use subscribe::{RunStream, SubscribeError};
pub use usage::Usage;
pub use wire::{Kind, Point};
