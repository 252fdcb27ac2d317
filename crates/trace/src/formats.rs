//! The formats, in the order in which they are tried.
//!
//! Each module holds the adapters of one family and knows nothing of the others.

mod flat_spans;
mod graphmind;
mod kxm_records;
mod otlp;

use crate::detect::Format;

/// Every format; the first that recognises a value wins.
pub(crate) const ALL: &[&[Format]] =
    &[graphmind::FORMATS, kxm_records::FORMATS, otlp::FORMATS, flat_spans::FORMATS];
