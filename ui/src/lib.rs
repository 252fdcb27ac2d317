//! The window: a library that the page in the shell's webview, a browser and the tests all run.
//!
//! One pass is three verbs, receive, dispatch and refresh, and then painting. Views are functions over a borrowed
//! [`Model`]; they change nothing and push [`Action`]s. The crate has no files, sockets, clock or threads of its own:
//! frames come through a [`Transport`], everything else through a [`Platform`].

pub mod action;
pub mod fonts;
pub mod glyph;
pub mod model;
pub mod paint;
pub mod platform;
pub mod scene;
pub mod theme;
pub mod transport;
pub mod views;
pub mod widgets;

mod app;
#[cfg(feature = "test-hooks")]
pub mod hooks;
#[cfg(target_arch = "wasm32")]
pub mod web;

pub use action::{Action, Actions};
pub use app::App;
pub use model::Model;
pub use platform::Platform;
pub use transport::Transport;
