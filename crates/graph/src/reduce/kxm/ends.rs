//! How an instance ends, and what it used up.
//!
//! Decides that the clock that never goes back gives the duration, then what the record says, then the sender's clock;
//! that of several records about the cost of one thing the last counts; and that a thing's figures which only repeat
//! those of its attempts, or of what ran inside it, are shown apart.

use super::{Told, end_of};
use crate::facts::Spent;
use crate::kxm::Life;
use crate::{Cost, InstanceIx, Money, Reported, Run, Status, Usage};

impl Run {
    /// Notes tokens and cost that a record names: of the attempt it names, else of the thing itself.
    pub(super) fn spend(&mut self, told: &Told<'_>, instance: InstanceIx) {
        let record = told.record;
        let count = |name: &str| record.count(name).unwrap_or(0);
        let named = ["inputTokens", "outputTokens", "cacheReadTokens", "cacheWriteTokens"];
        let cost = record
            .get("cost")
            .and_then(|amount| Cost::of_words(amount, record.get("currency"), record.get("costKind")));
        let money: Money = cost.into_iter().collect();
        if money.is_empty() && named.iter().all(|name| record.get(name).is_none()) {
            return;
        }
        let usage = Usage::reckon(&Reported {
            input: count(named[0]),
            output: count(named[1]),
            cache_read: count(named[2]),
            cache_write: count(named[3]),
            ..Reported::default()
        });
        let of = if record.event().starts_with("attempt.") { record.get("attemptId") } else { None };
        let life = self.data.kxm.lives.entry(instance).or_default();
        let before = life.sum();
        life.spent.insert(of.unwrap_or("").into(), (usage, money));
        let after = life.sum();
        if let Some(step) = self.step_above(instance) {
            let inside = &mut self.data.kxm.lives.entry(step).or_default().inside;
            inside.sub(&before.usage);
            inside.add(&after.usage);
        }
    }

    /// The step that an instance runs in, where it is not one itself.
    fn step_above(&self, instance: InstanceIx) -> Option<InstanceIx> {
        let start = self.data.kxm.lives.get(&instance)?.start?;
        let parent = self.data.starts[start as usize].parent?;
        let of_step = self.data.nodes[parent.at()].id.as_str().strip_prefix("step:")?;
        self.data.kxm.steps.get(of_step).copied()
    }

    /// Moves an instance to a state where a record says one; none says that it goes on.
    pub(super) fn turn(&mut self, told: &Told<'_>, instance: InstanceIx, status: Option<Status>) {
        let life = self.data.kxm.lives.entry(instance).or_default();
        let Some(status) = status else {
            // Only what was uncertain can go on without being tried again.
            if life.ended == Some(Status::Uncertain) && told.record.get("status").is_some() {
                self.go_on(told, instance, false);
            }
            return;
        };
        let said = status == Status::Error && told.failure().is_some();
        if life.ended == Some(status) && told.record.summary.is_none() && !said && !told.names_cost() {
            return;
        }
        life.ended = Some(status);
        let spent = life.sum();
        let mut end = end_of(told.at, instance, status);
        end.duration_ms = duration_ms(told, life);
        end.output = life.output.clone();
        end.usage = spent.is_some().then(|| Box::new(spent));
        end.failure = told.failure().filter(|_| status == Status::Error).map(Box::new);
        let node = self.data.instances[instance.at()].node;
        self.add_end(node, end);
    }
}

/// Milliseconds from the beginning of a thing to this record.
fn duration_ms(told: &Told<'_>, life: &Life) -> Option<f64> {
    let now_ns = told.record.count("monotonicNs");
    let by_clock = life.began_ns.zip(now_ns).map(|(from, to)| to.saturating_sub(from) as f64 / 1e6);
    let stated = || told.record.get("durationMs")?.parse::<f64>().ok();
    by_clock.or_else(stated).or_else(|| Some((told.at.ts - life.began_ms).max(0.0)))
}

impl Life {
    /// What counts of what its records report.
    fn sum(&self) -> Spent {
        let own = self.spent.get("");
        let (mut usage_of_tries, mut money_of_tries) = (Usage::default(), Money::default());
        for (_, (usage, money)) in self.spent.iter().filter(|(id, _)| !id.is_empty()) {
            usage_of_tries.add(usage);
            money.sums().for_each(|cost| money_of_tries.add(&cost));
        }
        match own {
            None => {
                Spent { usage: usage_of_tries, repeated: None, money: Money::some(money_of_tries.sums()) }
            }
            Some((usage, _)) if usage.repeats(&self.inside) => {
                Spent { usage: Usage::default(), repeated: Some(Box::new(*usage)), money: None }
            }
            Some((usage, money)) => Spent { usage: *usage, repeated: None, money: Money::some(money.sums()) },
        }
    }
}

impl Spent {
    fn is_some(&self) -> bool {
        !self.usage.is_zero() || self.repeated.is_some() || self.money.is_some()
    }
}

impl Told<'_> {
    fn names_cost(&self) -> bool {
        ["inputTokens", "outputTokens", "cost"].iter().any(|name| self.record.get(name).is_some())
    }
}
