//! Tokens of one call as a format reports them.
//!
//! The six figures are reckoned by the graph from these counters and flags, in one place for every format. Here is
//! decided only which figures are a repeat: a parent's that equal the sum of its descendants'.

use crate::adapter::ObjectWriter;

/// Counters of one call; absent is not reported.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct SpanUsage {
    pub input: Option<u64>,
    pub output: Option<u64>,
    pub cache_read: Option<u64>,
    pub cache_write: Option<u64>,
    pub reasoning: Option<u64>,
    pub total: Option<u64>,
    /// Whether the dialect's input includes what came from a cache; unknown lets the total decide.
    pub inclusive: Option<bool>,
    /// Whether the dialect's output includes reasoning; unknown lets the total decide.
    pub output_inclusive: Option<bool>,
    /// Money as reported, with its currency.
    pub cost: Option<(f64, String)>,
    /// The figures are this call's own by contract: they cannot be a repeat of its children's.
    pub own: bool,
    /// Name of the member that the figures come from.
    pub source: Option<String>,
}

impl SpanUsage {
    pub(crate) fn is_empty(&self) -> bool {
        *self
            == Self {
                inclusive: self.inclusive,
                output_inclusive: self.output_inclusive,
                own: self.own,
                source: self.source.clone(),
                ..Self::default()
            }
    }

    /// Input and output, the figures that a repeat is told by.
    pub(crate) fn sum(&self) -> (u64, u64) {
        (self.input.unwrap_or(0), self.output.unwrap_or(0))
    }

    /// The `usage` of a `node.finished`.
    pub(crate) fn to_json(&self) -> String {
        let mut json = ObjectWriter::new();
        json.raw("inputTokens", &self.input.unwrap_or(0).to_string());
        json.raw("outputTokens", &self.output.unwrap_or(0).to_string());
        let counters = [
            ("cacheReadTokens", self.cache_read),
            ("cacheWriteTokens", self.cache_write),
            ("reasoningTokens", self.reasoning),
            ("totalTokens", self.total),
        ];
        for (name, count) in counters {
            if let Some(count) = count {
                json.raw(name, &count.to_string());
            }
        }
        for (name, flag) in [("inclusive", self.inclusive), ("outputInclusive", self.output_inclusive)] {
            if let Some(flag) = flag {
                json.raw(name, if flag { "true" } else { "false" });
            }
        }
        if let Some((amount, currency)) = &self.cost {
            json.number("cost", *amount).text("currency", currency);
        }
        if let Some(source) = &self.source {
            json.text("source", source);
        }
        json.finish()
    }
}
