//! What calls cost: as reported, and by a price table where nothing was reported.
//!
//! Invariant: a call with a reported cost is never estimated too, so nothing counts twice; injected and cached calls
//! have no tokens of their own and cost nothing. Costs what it walks: all instances of a run, or those of a node.

use crate::{InstanceIx, Money, NodeIx, PriceTable, Run, Usage};

/// What some calls cost.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Spending {
    /// Sums by currency and certainty.
    pub money: Money,
    /// Calls that have tokens, and neither a reported cost nor a price.
    pub unpriced: u32,
}

/// What a run cost.
pub fn spending(run: &Run, prices: &PriceTable) -> Spending {
    let mut sum = Spending::default();
    run.nodes_ix().for_each(|(ix, _)| add_node(run, ix, prices, &mut sum));
    sum
}

/// What the instances of a node cost.
pub fn spending_of(run: &Run, ix: NodeIx, prices: &PriceTable) -> Spending {
    let mut sum = Spending::default();
    add_node(run, ix, prices, &mut sum);
    sum
}

/// What an instance cost: as reported, else by its model's price; nothing where neither is known.
pub fn cost(run: &Run, ix: InstanceIx, prices: &PriceTable) -> Money {
    let instance = run.instance(ix);
    let estimate = || prices.estimate(run.model(ix)?, instance.usage()?);
    instance.money().cloned().unwrap_or_else(|| estimate().into_iter().collect())
}

fn add_node(run: &Run, ix: NodeIx, prices: &PriceTable, sum: &mut Spending) {
    let node = run.node(ix);
    for instance in &node.instances {
        let money = cost(run, *instance, prices);
        let unknown = money.is_empty() && run.instance(*instance).usage().is_some();
        sum.unpriced += u32::from(unknown);
        money.sums().for_each(|cost| sum.money.add(&cost));
    }
    // Tokens of messages that belong to no instance: their model is not told.
    sum.unpriced += u32::from(node.message_usage != Usage::default());
}
