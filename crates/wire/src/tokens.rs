//! Token arithmetic: six figures, reckoned in this one place.
//!
//! Decides how reported counters become `fresh` input, `cache_read`, `cache_write`, `output`, `reasoning` (the part of
//! the output spent on it) and `total`. Two questions decide every dialect: does input include what came from the
//! cache, does output include reasoning. A reported total that adds up under one reading answers both; explicit flags
//! come next, then what is possible at all (a part cannot exceed its whole), then the usual reading: both included.
//! Invariants: `total == fresh + cache_read + cache_write + output`, and `reasoning <= output`.
//! Every call's own figures count once; figures that only repeat a sum are kept apart, see [`Usage::repeats`].
//! Does not know prices or models.

use crate::Raw;
use serde::{Deserialize, Serialize};

/// Tokens of one call or of many, in six figures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Usage {
    /// Input tokens that were neither read from nor written to a cache.
    pub fresh: u64,
    /// Input tokens read from a cache.
    pub cache_read: u64,
    /// Input tokens written to a cache.
    pub cache_write: u64,
    /// Output tokens, reasoning included.
    pub output: u64,
    /// Output tokens spent on reasoning: a part of `output`, not added to `total`.
    pub reasoning: u64,
    /// Fresh input, both kinds of cached input, and output.
    pub total: u64,
}

/// Counters as a sender reports them; absent ones are zero, a reported total is evidence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Reported {
    /// Input tokens in the sender's reading.
    pub input: u64,
    /// Output tokens in the sender's reading.
    pub output: u64,
    /// Input tokens read from a cache.
    pub cache_read: u64,
    /// Input tokens written to a cache.
    pub cache_write: u64,
    /// Output tokens spent on reasoning.
    pub reasoning: u64,
    /// Total, where reported.
    pub total: Option<u64>,
    /// Stated: whether `input` includes cached tokens.
    pub input_includes_cache: Option<bool>,
    /// Stated: whether `output` includes reasoning.
    pub output_includes_reasoning: Option<bool>,
}

impl Usage {
    /// The six figures of reported counters.
    pub fn reckon(reported: &Reported) -> Self {
        let cached = reported.cache_read.saturating_add(reported.cache_write);
        let (in_cache, in_reasoning) = reported.reading(cached);
        let fresh = if in_cache { reported.input.saturating_sub(cached) } else { reported.input };
        let beside = if in_reasoning { 0 } else { reported.reasoning };
        let output = reported.output.saturating_add(beside);
        let parts = [fresh, reported.cache_read, reported.cache_write, output];
        Self {
            fresh,
            cache_read: reported.cache_read,
            cache_write: reported.cache_write,
            output,
            reasoning: reported.reasoning,
            total: parts.into_iter().fold(0, u64::saturating_add),
        }
    }

    /// The six figures of the `usage` of a `node.finished`.
    pub fn from_wire(usage: &crate::Usage<'_>) -> Self {
        Self::reckon(&Reported::read(usage))
    }

    /// True when these figures of a call are no more than the sum of the calls inside it, said again: input and output
    /// are equal, and there was something to repeat. Repeated figures are shown apart and not added. A call that has
    /// others inside it and figures of its own, such as a message that starts a sub-agent, counts.
    pub fn repeats(&self, inside: &Usage) -> bool {
        !inside.is_zero() && (self.input(), self.output) == (inside.input(), inside.output)
    }

    /// The largest of each part, and their sum.
    pub fn largest(&self, other: &Usage) -> Self {
        let mut most = *self;
        most.each(other, u64::max);
        let parts = [most.fresh, most.cache_read, most.cache_write, most.output];
        most.total = parts.into_iter().fold(0, u64::wrapping_add);
        most
    }

    /// True when all six figures are zero.
    pub fn is_zero(&self) -> bool {
        *self == Self::default()
    }

    /// All input tokens, cached ones included.
    pub fn input(&self) -> u64 {
        self.fresh.saturating_add(self.cache_read).saturating_add(self.cache_write)
    }

    /// Adds every figure of `other`. Wraps past 2^64, so that sums do not depend on their order.
    pub fn add(&mut self, other: &Usage) {
        self.each(other, u64::wrapping_add);
    }

    /// Takes every figure of `other` off again.
    pub fn sub(&mut self, other: &Usage) {
        self.each(other, u64::wrapping_sub);
    }

    fn each(&mut self, other: &Usage, op: fn(u64, u64) -> u64) {
        self.fresh = op(self.fresh, other.fresh);
        self.cache_read = op(self.cache_read, other.cache_read);
        self.cache_write = op(self.cache_write, other.cache_write);
        self.output = op(self.output, other.output);
        self.reasoning = op(self.reasoning, other.reasoning);
        self.total = op(self.total, other.total);
    }
}

const INPUT: &[&str] = &["inputTokens", "input_tokens", "promptTokens", "prompt_tokens"];
const OUTPUT: &[&str] = &["outputTokens", "output_tokens", "completionTokens", "completion_tokens"];
/// The contract's own spelling first, then those that senders add.
const CACHE_READ: &[&str] = &[
    "cacheReadTokens",
    "cacheRead",
    "cacheReadInputTokens",
    "cachedInputTokens",
    "cachedTokens",
    "cache_read_input_tokens",
    "cached_input_tokens",
    "cached_tokens",
    "cache_read",
];
const CACHE_WRITE: &[&str] = &[
    "cacheWriteTokens",
    "cacheWrite",
    "cacheCreationInputTokens",
    "cacheWriteInputTokens",
    "cache_creation_input_tokens",
    "cache_write_input_tokens",
    "cache_write",
];
const REASONING: &[&str] =
    &["reasoningTokens", "reasoning", "reasoningOutputTokens", "reasoning_tokens", "reasoning_output_tokens"];
const TOTAL: &[&str] = &["totalTokens", "total_tokens", "total"];
/// Spellings of a dialect whose input never includes what came from the cache.
const INPUT_IS_FRESH: &[&str] = &[
    "cache_read_input_tokens",
    "cache_creation_input_tokens",
    "cacheReadInputTokens",
    "cacheCreationInputTokens",
];
/// Objects that carry details of the input, and of the output.
const DETAILS: &[&str] = &[
    "inputTokenDetails",
    "input_token_details",
    "input_tokens_details",
    "prompt_tokens_details",
    "outputTokenDetails",
    "output_token_details",
    "output_tokens_details",
    "completion_tokens_details",
];

impl Reported {
    /// The counters of a `usage` object on the wire, further spellings included.
    pub fn read(usage: &crate::Usage<'_>) -> Self {
        let further = Self::of(|name| usage.extra.get(name));
        Self {
            input: usage.input_tokens,
            output: usage.output_tokens,
            cache_read: usage.cache_read_tokens.unwrap_or(further.cache_read),
            cache_write: usage.cache_write_tokens.unwrap_or(further.cache_write),
            reasoning: usage.reasoning_tokens.unwrap_or(further.reasoning),
            input_includes_cache: usage.inclusive.or(further.input_includes_cache),
            ..further
        }
    }

    /// The counters of any object that names some, in any spelling we know; none when it names none.
    pub fn of_json(raw: Raw<'_>) -> Option<Self> {
        let counted = |name: &&str| raw.member(name).and_then(count).is_some();
        [INPUT, OUTPUT, TOTAL].into_iter().flatten().any(counted).then(|| Self::of(|name| raw.member(name)))
    }

    fn of<'a>(member: impl Fn(&str) -> Option<Raw<'a>>) -> Self {
        let own = |names: &[&str]| names.iter().find_map(|name| count(member(name)?));
        let detail = |names: &[&str]| {
            let objects = DETAILS.iter().filter_map(|object| member(object));
            objects.flat_map(|object| names.iter().filter_map(move |name| count(object.member(name)?))).next()
        };
        let either = |names: &[&str]| own(names).or_else(|| detail(names)).unwrap_or(0);
        let stated = |name: &str| member(name).and_then(Raw::as_bool);
        let fresh_dialect = || INPUT_IS_FRESH.iter().any(|name| member(name).is_some()).then_some(false);
        Self {
            input: own(INPUT).unwrap_or(0),
            output: own(OUTPUT).unwrap_or(0),
            cache_read: either(CACHE_READ),
            cache_write: either(CACHE_WRITE),
            reasoning: either(REASONING),
            total: own(TOTAL),
            input_includes_cache: stated("inclusive").or_else(fresh_dialect),
            output_includes_reasoning: stated("outputInclusive"),
        }
    }

    /// Whether input includes the cache and output includes reasoning.
    fn reading(&self, cached: u64) -> (bool, bool) {
        let usual = (
            self.input_includes_cache.unwrap_or(true) && cached <= self.input,
            self.output_includes_reasoning.unwrap_or(true) && self.reasoning <= self.output,
        );
        let Some(total) = self.total else { return usual };
        let adds_up = |(cache, reasoning): (bool, bool)| {
            let input = self.input.saturating_add(if cache { 0 } else { cached });
            let output = self.output.saturating_add(if reasoning { 0 } else { self.reasoning });
            input.saturating_add(output) == total
                && (!cache || cached <= self.input)
                && (!reasoning || self.reasoning <= self.output)
        };
        let (c, r) = usual;
        [usual, (!c, r), (c, !r), (!c, !r)].into_iter().find(|reading| adds_up(*reading)).unwrap_or(usual)
    }
}

/// A counter as a number, also where it came as a float without a fraction.
fn count(value: Raw<'_>) -> Option<u64> {
    value.as_u64().or_else(|| {
        let float = value.as_f64()?;
        (0.0..9.0e15).contains(&float).then_some(float as u64)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(usage: &str, [fresh, cache_read, cache_write, output, reasoning, total]: [u64; 6]) {
        let frame = format!(
            r#"{{"gm":1,"seq":1,"ts":0,"runId":"r","type":"node.finished","payload":{{"nodeId":"n","durationMs":1,"status":"ok","usage":{usage}}}}}"#
        );
        let crate::Decoded::Ok(envelope) = crate::decode(&frame) else { panic!("{frame}") };
        let crate::Message::NodeFinished(finished) = envelope.message else { panic!("{frame}") };
        let expect = Usage { fresh, cache_read, cache_write, output, reasoning, total };
        assert_eq!(finished.usage.as_ref().map(Usage::from_wire), Some(expect), "{usage}");
        let alone = Reported::of_json(Raw::parse(usage).unwrap());
        assert_eq!(alone.map(|reported| Usage::reckon(&reported)), Some(expect), "{usage} by itself");
    }

    #[test]
    fn cached_tokens_are_counted_once_in_every_dialect() {
        let all = [86, 17817, 0, 0, 0, 17903];
        check(r#"{"inputTokens":17903,"outputTokens":0,"cacheReadTokens":17817}"#, all);
        check(r#"{"inputTokens":86,"outputTokens":0,"cacheReadTokens":17817}"#, all);
        check(r#"{"inputTokens":17903,"outputTokens":0,"inclusive":true,"cacheReadTokens":17817}"#, all);
        check(r#"{"inputTokens":17903,"outputTokens":0,"cachedInputTokens":17817}"#, all);
        check(r#"{"inputTokens":17903,"outputTokens":0,"input_token_details":{"cache_read":17817}}"#, all);
        check(r#"{"inputTokens":86,"outputTokens":0,"cache_read_input_tokens":17817}"#, all);
    }

    #[test]
    fn a_stated_reading_is_followed_where_it_is_possible() {
        check(
            r#"{"inputTokens":500,"outputTokens":1,"inclusive":false,"cacheReadTokens":100,"cacheWriteTokens":7}"#,
            [500, 100, 7, 1, 0, 608],
        );
        check(
            r#"{"inputTokens":500,"outputTokens":1,"cache_read_input_tokens":100,"cache_creation_input_tokens":7}"#,
            [500, 100, 7, 1, 0, 608],
        );
        check(
            r#"{"inputTokens":5,"outputTokens":1,"inclusive":true,"cacheReadTokens":100}"#,
            [5, 100, 0, 1, 0, 106],
        );
    }

    #[test]
    fn a_reported_total_chooses_the_reading_that_adds_up() {
        let usage = |total: u64| {
            format!(r#"{{"inputTokens":100,"outputTokens":20,"cacheReadTokens":50,"totalTokens":{total}}}"#)
        };
        check(&usage(170), [100, 50, 0, 20, 0, 170]);
        check(&usage(120), [50, 50, 0, 20, 0, 120]);
        check(&usage(999), [50, 50, 0, 20, 0, 120]);
        check(
            r#"{"inputTokens":10,"outputTokens":20,"reasoningTokens":5,"totalTokens":35}"#,
            [10, 0, 0, 25, 5, 35],
        );
        check(r#"{"inputTokens":10,"outputTokens":20,"reasoningTokens":5}"#, [10, 0, 0, 20, 5, 30]);
        check(
            r#"{"inputTokens":10,"outputTokens":20,"reasoningTokens":5,"outputInclusive":false}"#,
            [10, 0, 0, 25, 5, 35],
        );
        check(r#"{"inputTokens":1,"outputTokens":4,"reasoningTokens":9}"#, [1, 0, 0, 13, 9, 14]);
    }

    #[test]
    fn figures_that_equal_the_sum_inside_repeat_it() {
        let usage = |fresh, cache_read, output| Usage {
            fresh,
            cache_read,
            output,
            total: fresh + cache_read + output,
            ..Usage::default()
        };
        let inside = usage(10, 90, 30);
        for (own, repeats) in [
            (usage(10, 90, 30), true),
            (usage(100, 0, 30), true),
            (usage(10, 90, 31), false),
            (usage(0, 0, 30), false),
        ] {
            assert_eq!(own.repeats(&inside), repeats, "{own:?}");
        }
        assert!(!usage(0, 0, 0).repeats(&Usage::default()), "nothing repeats nothing");
    }

    #[test]
    fn adding_and_taking_off_again_leaves_nothing_behind() {
        let one = Usage { fresh: u64::MAX, total: u64::MAX, ..Usage::default() };
        let mut sum = Usage { fresh: 3, total: 3, ..Usage::default() };
        sum.add(&one);
        sum.add(&one);
        sum.sub(&one);
        sum.sub(&one);
        assert_eq!(sum, Usage { fresh: 3, total: 3, ..Usage::default() });
    }
}
