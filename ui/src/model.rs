//! What the views look at: models that only the verbs change. Each part decides one thing and has its own file.

pub mod bodies;
pub mod diff;
pub mod editor;
pub mod events;
pub mod format;
pub mod json;
pub mod pending;
pub mod rows;
pub mod selection;
pub mod streams;
pub mod toasts;

pub use bodies::{BodyAsk, BodyKey};
pub use selection::{DockTab, InspectorTab, Layout, Panel, Selection, ThemeChoice, TimePosition};
