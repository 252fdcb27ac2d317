//! Tokens and money as each dialect reports them.
//!
//! Dialects are tried in order and the first that reports anything is taken whole: several stand side by side in
//! one span and must not be mixed. Whether input includes the cache is stated where the dialect fixes it, else the
//! total decides.

use wire::Raw;

use super::{Attributes, count};
use crate::span::SpanUsage;

pub(crate) fn usage(attributes: &Attributes) -> Option<SpanUsage> {
    [open_inference, gen_ai, vercel, langfuse].iter().find_map(|dialect| dialect(attributes)).map(
        |mut usage| {
            usage.cost = usage.cost.take().or_else(|| cost(attributes));
            usage
        },
    )
}

fn some(usage: SpanUsage, source: &str) -> Option<SpanUsage> {
    (!usage.is_empty()).then(|| SpanUsage { source: Some(source.to_owned()), ..usage })
}

fn open_inference(attributes: &Attributes) -> Option<SpanUsage> {
    let at = |name: &str| attributes.count(&format!("llm.token_count.{name}"));
    let usage = SpanUsage {
        input: at("prompt"),
        output: at("completion"),
        total: at("total"),
        cache_read: at("prompt_details.cache_read"),
        cache_write: at("prompt_details.cache_write"),
        reasoning: at("completion_details.reasoning"),
        inclusive: Some(true),
        output_inclusive: Some(true),
        ..SpanUsage::default()
    };
    some(usage, "llm.token_count")
}

fn gen_ai(attributes: &Attributes) -> Option<SpanUsage> {
    let first =
        |names: &[&str]| names.iter().find_map(|name| attributes.count(&format!("gen_ai.usage.{name}")));
    let usage = SpanUsage {
        input: first(&["input_tokens", "prompt_tokens"]),
        output: first(&["output_tokens", "completion_tokens"]),
        total: first(&["total_tokens"]).or_else(|| attributes.count("llm.usage.total_tokens")),
        cache_read: first(&[
            "cache_read.input_tokens",
            "cache_read_input_tokens",
            "cache_read_tokens",
            "input_tokens.cached",
            "details.cache_read_tokens",
            "details.cached_tokens",
        ]),
        cache_write: first(&[
            "cache_creation.input_tokens",
            "cache_creation_input_tokens",
            "cache_write_tokens",
            "details.cache_write_tokens",
        ]),
        reasoning: first(&[
            "reasoning.output_tokens",
            "reasoning_tokens",
            "output_tokens.reasoning",
            "details.reasoning_tokens",
        ]),
        ..SpanUsage::default()
    };
    some(usage, "gen_ai.usage")
}

fn vercel(attributes: &Attributes) -> Option<SpanUsage> {
    let first = |names: &[&str]| names.iter().find_map(|name| attributes.count(&format!("ai.usage.{name}")));
    let usage = SpanUsage {
        input: first(&["inputTokens", "promptTokens", "tokens"]),
        output: first(&["outputTokens", "completionTokens"]),
        total: first(&["totalTokens"]),
        cache_read: first(&["cachedInputTokens", "inputTokenDetails.cacheReadTokens"]),
        cache_write: first(&["inputTokenDetails.cacheWriteTokens"]),
        reasoning: first(&["reasoningTokens", "outputTokenDetails.reasoningTokens"]),
        inclusive: Some(true),
        output_inclusive: Some(true),
        ..SpanUsage::default()
    };
    some(usage, "ai.usage")
}

fn langfuse(attributes: &Attributes) -> Option<SpanUsage> {
    let text = attributes.text("langfuse.observation.usage_details")?;
    some(details(Raw::parse(&text).ok()?), "usage_details")
}

/// Langfuse's `usageDetails`, under keys that vary. Its own, `input` with `input_…` beside it, do not overlap; those
/// of other dialects keep their reading.
pub(crate) fn details(object: Raw<'_>) -> SpanUsage {
    let first = |names: &[&str]| names.iter().find_map(|name| count(object.member(name)?));
    let apart = |name: &str| object.member(name).is_some().then_some(false);
    SpanUsage {
        inclusive: apart("input"),
        output_inclusive: apart("output"),
        input: first(&["input", "prompt_tokens", "input_tokens"]),
        output: first(&["output", "completion_tokens", "output_tokens"]),
        total: first(&["total", "total_tokens"]),
        cache_read: first(&[
            "input_cache_read",
            "cache_read_input_tokens",
            "input_cached_tokens",
            "prompt_details.cache_read",
            "input_cache_read_tokens",
        ]),
        cache_write: first(&[
            "input_cache_creation",
            "cache_creation_input_tokens",
            "input_cache_write",
            "prompt_details.cache_write",
        ]),
        reasoning: first(&[
            "output_reasoning",
            "output_reasoning_tokens",
            "completion_details.reasoning",
            "reasoning_tokens",
        ]),
        ..SpanUsage::default()
    }
}

fn cost(attributes: &Attributes) -> Option<(f64, String)> {
    let amount = ["llm.cost.total", "gen_ai.usage.cost", "gen_ai.usage.total_cost", "operation.cost"]
        .iter()
        .find_map(|name| attributes.get(name)?.as_f64());
    let detailed = || {
        let text = attributes.text("langfuse.observation.cost_details")?;
        Raw::parse(&text).ok()?.member("total")?.as_f64()
    };
    amount.or_else(detailed).map(|amount| (amount, "USD".to_owned()))
}
