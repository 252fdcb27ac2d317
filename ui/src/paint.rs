//! Painting: models to shapes, at any zoom.
//!
//! Invariant: nothing here reads a run or changes a model, and hairlines stay one pixel at every zoom while cards and
//! edges scale. Text is never below 12 points on screen; what does not fit is elided, then left out.

mod boxes;
mod card;
mod edge;
mod held;
mod lod;
mod pen;
mod rects;
mod text;

pub use lod::Lod;
pub use pen::{Inks, Pen, View};
pub use rects::RectCache;
pub use text::TextCache;

pub(crate) use boxes::{count, count_fits, folded_box, level_surface, open_box, open_box_header};
pub(crate) use card::{CardLook, card};
pub(crate) use edge::{edge, pill};
pub(crate) use held::{StripLook, strip_button_rects};
pub(crate) use text::LINE_CHARS_MAX;
