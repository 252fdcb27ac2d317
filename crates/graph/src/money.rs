//! Money: what calls cost as reported, and what they would cost by a price table.
//!
//! Decides that amounts are whole billionths of a currency, so that sums do not depend on their order and can be taken
//! off again; that amounts of different currencies or certainty are never added together; and that a price stands for
//! a model by the longest beginning of its name. Invariant: an estimate is marked as one, and a call that has neither a
//! reported cost nor a price is counted as unpriced. Does not know where a table comes from: it is passed in.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use wire::Raw;

use crate::Usage;

/// Units of an amount in one unit of its currency.
pub const NANOS: f64 = 1e9;

/// How sure a cost is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CostKind {
    /// Said by the provider.
    Reported,
    /// Reckoned from tokens, by the sender or by a price table.
    Estimated,
    /// Its sender does not say.
    Unknown,
}

impl CostKind {
    /// The word in JSON and on screen.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Reported => "reported",
            Self::Estimated => "estimated",
            Self::Unknown => "unknown",
        }
    }

    fn of_word(word: &str) -> Self {
        match word {
            "reported" => Self::Reported,
            "estimated" => Self::Estimated,
            _ => Self::Unknown,
        }
    }
}

/// A currency by its three capital letters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Currency([u8; 3]);

impl Currency {
    /// United States dollars: what is meant where a sender names no currency.
    pub const USD: Self = Self(*b"USD");

    /// The currency of a code; none for what is no code.
    pub fn of_code(code: &str) -> Option<Self> {
        let letters: [u8; 3] = code.as_bytes().try_into().ok()?;
        letters.iter().all(u8::is_ascii_uppercase).then_some(Self(letters))
    }

    /// The code.
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.0).unwrap_or("XXX")
    }
}

impl Serialize for Currency {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for Currency {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let code = String::deserialize(deserializer)?;
        Self::of_code(&code).ok_or_else(|| serde::de::Error::custom(format!("{code:?} is no currency code")))
    }
}

/// What one call cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cost {
    /// In which currency.
    pub currency: Currency,
    /// How sure it is.
    pub kind: CostKind,
    /// The amount in billionths.
    pub nanos: u64,
}

impl Cost {
    /// A cost in units of its currency; none for a negative or unending amount.
    pub fn of(amount: f64, currency: Currency, kind: CostKind) -> Option<Self> {
        let nanos = (amount * NANOS).round();
        (0.0..1.8e19).contains(&nanos).then_some(Self { currency, kind, nanos: nanos as u64 })
    }

    /// The cost in the `usage` of a `node.finished`: `cost`, and where present `currency` and `costKind`.
    pub(crate) fn of_usage(usage: &wire::Usage<'_>) -> Option<Self> {
        let text = |name: &str| usage.extra.get(name).and_then(Raw::as_str);
        let code = text("currency");
        let currency = code.as_deref().map_or(Some(Currency::USD), Currency::of_code)?;
        let kind = text("costKind").as_deref().map_or(CostKind::Reported, CostKind::of_word);
        Self::of(usage.extra.get("cost")?.as_f64()?, currency, kind)
    }

    /// The cost of three words, as a KXM record has them.
    pub(crate) fn of_words(amount: &str, code: Option<&str>, kind: Option<&str>) -> Option<Self> {
        let currency = code.map_or(Some(Currency::USD), Currency::of_code)?;
        Self::of(amount.parse().ok()?, currency, kind.map_or(CostKind::Unknown, CostKind::of_word))
    }
}

/// Sums of costs, one for each currency and certainty.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(from = "Vec<Cost>", into = "Vec<Cost>")]
pub struct Money(BTreeMap<(Currency, CostKind), u64>);

impl Money {
    /// The sums of some costs; none where there are none, or none that is more than nothing.
    pub(crate) fn some(costs: impl IntoIterator<Item = Cost>) -> Option<Box<Self>> {
        let money: Self = costs.into_iter().collect();
        (!money.is_empty()).then(|| Box::new(money))
    }

    /// Adds a cost.
    pub fn add(&mut self, cost: &Cost) {
        self.change(cost, u64::wrapping_add);
    }

    /// Takes a cost off again.
    pub(crate) fn sub(&mut self, cost: &Cost) {
        self.change(cost, u64::wrapping_sub);
    }

    fn change(&mut self, cost: &Cost, op: fn(u64, u64) -> u64) {
        let sum = self.0.entry((cost.currency, cost.kind)).or_default();
        *sum = op(*sum, cost.nanos);
        if *sum == 0 {
            self.0.remove(&(cost.currency, cost.kind));
        }
    }

    /// The sums, by currency, reported ones first.
    pub fn sums(&self) -> impl Iterator<Item = Cost> + '_ {
        self.0.iter().map(|((currency, kind), nanos)| Cost {
            currency: *currency,
            kind: *kind,
            nanos: *nanos,
        })
    }

    /// True when nothing is known to have cost anything.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl FromIterator<Cost> for Money {
    fn from_iter<I: IntoIterator<Item = Cost>>(costs: I) -> Self {
        let mut money = Self::default();
        costs.into_iter().for_each(|cost| money.add(&cost));
        money
    }
}

impl From<Vec<Cost>> for Money {
    fn from(costs: Vec<Cost>) -> Self {
        costs.into_iter().collect()
    }
}

impl From<Money> for Vec<Cost> {
    fn from(money: Money) -> Self {
        money.sums().collect()
    }
}

/// What the tokens of a model cost, in units of the table's currency for a million tokens.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Price {
    /// The model's name, or the beginning of it.
    pub model: String,
    /// Fresh input.
    pub fresh: f64,
    /// Input read from a cache.
    pub cache_read: f64,
    /// Input written to a cache.
    pub cache_write: f64,
    /// Output, reasoning included.
    pub output: f64,
}

/// Prices a person can edit; a plain list, so that it can be kept in any settings file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PriceTable {
    /// The currency of all of them.
    pub currency: Currency,
    /// The prices.
    pub prices: Vec<Price>,
}

impl Default for PriceTable {
    fn default() -> Self {
        Self { currency: Currency::USD, prices: Vec::new() }
    }
}

impl PriceTable {
    /// The price that stands for a model: that of the longest name that the model's begins with.
    pub fn price(&self, model: &str) -> Option<&Price> {
        let fits =
            self.prices.iter().filter(|price| !price.model.is_empty() && model.starts_with(&price.model));
        fits.max_by_key(|price| price.model.len())
    }

    /// What tokens of a model would cost; none without a price for it.
    pub fn estimate(&self, model: &str, usage: &Usage) -> Option<Cost> {
        let price = self.price(model)?;
        let parts = [
            (usage.fresh, price.fresh),
            (usage.cache_read, price.cache_read),
            (usage.cache_write, price.cache_write),
            (usage.output, price.output),
        ];
        let amount: f64 = parts.into_iter().map(|(tokens, each)| tokens as f64 * each / 1e6).sum();
        Cost::of(amount, self.currency, CostKind::Estimated)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn price(model: &str, fresh: f64, output: f64) -> Price {
        Price { model: model.to_owned(), fresh, cache_read: fresh / 10.0, cache_write: fresh * 1.25, output }
    }

    #[test]
    fn the_longest_beginning_of_a_models_name_prices_it() {
        let table = PriceTable {
            prices: vec![price("gpt-4", 30.0, 60.0), price("gpt-4o", 2.5, 10.0), price("", 1.0, 1.0)],
            ..PriceTable::default()
        };
        let usage = Usage {
            fresh: 1_000_000,
            cache_read: 2_000_000,
            cache_write: 0,
            output: 100_000,
            reasoning: 90_000,
            total: 3_100_000,
        };
        for (model, nanos) in [
            ("gpt-4o-2024-08-06", Some(4_000_000_000)),
            ("gpt-4-turbo", Some(42_000_000_000)),
            ("gpt-5", None),
            ("", None),
        ] {
            let cost = table.estimate(model, &usage);
            assert_eq!(
                cost.map(|cost| (cost.nanos, cost.kind)),
                nanos.map(|n| (n, CostKind::Estimated)),
                "{model}"
            );
        }
    }

    #[test]
    fn amounts_of_another_currency_or_certainty_are_sums_of_their_own() {
        let of = |amount, code, kind| Cost::of(amount, Currency::of_code(code).unwrap(), kind).unwrap();
        let mut money = Money::default();
        for cost in [
            of(0.1, "USD", CostKind::Reported),
            of(0.2, "USD", CostKind::Reported),
            of(1.0, "USD", CostKind::Estimated),
            of(2.0, "EUR", CostKind::Unknown),
        ] {
            money.add(&cost);
        }
        let shown: Vec<_> =
            money.sums().map(|c| (c.currency.as_str().to_owned(), c.kind.as_str(), c.nanos)).collect();
        assert_eq!(
            shown,
            [
                ("EUR".to_owned(), "unknown", 2_000_000_000),
                ("USD".to_owned(), "reported", 300_000_000),
                ("USD".to_owned(), "estimated", 1_000_000_000)
            ]
        );
        money.sub(&of(2.0, "EUR", CostKind::Unknown));
        assert_eq!(money.sums().count(), 2, "what is taken off leaves nothing behind");
        let text = serde_json::to_string(&money).unwrap();
        assert_eq!(serde_json::from_str::<Money>(&text).unwrap(), money);
    }

    #[test]
    fn what_is_no_amount_or_currency_is_none() {
        for amount in [-1.0, f64::NAN, f64::INFINITY, 1e12] {
            assert_eq!(Cost::of(amount, Currency::USD, CostKind::Reported), None, "{amount}");
        }
        for code in ["usd", "US", "USDT", "€€€", ""] {
            assert_eq!(Currency::of_code(code), None, "{code}");
        }
    }
}
