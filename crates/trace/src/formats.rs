//! The formats, in the order in which they are tried.
//!
//! Each module holds the adapters of one family and knows nothing of the others.

mod atif;
mod autogen;
mod claude;
mod codex;
mod flat_spans;
mod graph_journal;
mod graphmind;
mod inspect;
mod jaeger_zipkin;
mod kxm_records;
mod langfuse;
mod langgraph;
mod langsmith;
mod mlflow;
mod openai_agents;
mod otlp;
mod swe_agent;
mod vercel_devtools;

use crate::detect::Format;

/// Every format; the first that recognises a value wins.
pub(crate) const ALL: &[&[Format]] = &[
    graphmind::FORMATS,
    kxm_records::FORMATS,
    otlp::FORMATS,
    jaeger_zipkin::FORMATS,
    flat_spans::FORMATS,
    langfuse::FORMATS,
    langsmith::FORMATS,
    openai_agents::FORMATS,
    vercel_devtools::FORMATS,
    atif::FORMATS,
    swe_agent::FORMATS,
    autogen::FORMATS,
    inspect::FORMATS,
    mlflow::FORMATS,
    claude::FORMATS,
    codex::FORMATS,
    graph_journal::FORMATS,
    langgraph::FORMATS,
];
