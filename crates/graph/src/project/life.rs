//! The life of a thing as KXM records tell it: its phases, its policy, its uncertainty and how that was resolved.

use crate::{InstanceIx, KxmRecord, Run, Stamp};

/// The life of an instance.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Life<'a> {
    /// Its records, in order: the phases it went through and all their facts.
    pub records: Vec<&'a KxmRecord>,
    /// What doing it twice would mean, for example `external-non-idempotent`.
    pub class: Option<&'a str>,
    /// Others can change what it changes.
    pub shared_mutable: bool,
    /// When it was not known whether it had happened, and what was made of that; oldest first.
    pub doubts: Vec<Doubt<'a>>,
    /// The number of its agent's instance.
    pub instance_no: Option<&'a str>,
    /// Provider and model.
    pub model: Option<(&'a str, &'a str)>,
    /// Where it ran, and with which harness.
    pub executor: Option<(&'a str, &'a str)>,
    /// Files added, modified and deleted, summed over its records.
    pub files: [u64; 3],
    /// Artifacts, pieces of evidence and receipts its records name.
    pub refs: [u64; 3],
}

/// A time of uncertainty.
#[derive(Debug, Clone, PartialEq)]
pub struct Doubt<'a> {
    /// Since when.
    pub since: Stamp,
    /// Why.
    pub reason: Option<&'a str>,
    /// How it was resolved; none while it is not.
    pub resolution: Option<Resolution<'a>>,
}

/// How an uncertainty was resolved.
#[derive(Debug, Clone, PartialEq)]
pub struct Resolution<'a> {
    /// When.
    pub at: Stamp,
    /// What was done, for example `confirm-absent-and-retry`.
    pub action: &'a str,
    /// By whom, as `human:ana`.
    pub by: Option<String>,
    /// Why.
    pub reason: Option<&'a str>,
}

/// The life of an instance; none where no KXM record speaks of it.
pub fn life(run: &Run, ix: InstanceIx) -> Option<Life<'_>> {
    let records = run.records_of(ix)?;
    let mut life = Life::default();
    for record in records {
        life.class = record.get("effectClass").or(life.class);
        life.shared_mutable |= record.get("sharedMutable") == Some("true");
        life.instance_no = record.get("instanceNo").or(life.instance_no);
        life.model = record.get("modelProvider").zip(record.get("model")).or(life.model);
        life.executor = record.get("executorId").zip(record.get("harness")).or(life.executor);
        add(&mut life.files, record, ["added", "modified", "deleted"]);
        add(&mut life.refs, record, ["artifacts", "evidenceRefs", "receipts"]);
        doubt(&mut life.doubts, record);
        life.records.push(record);
    }
    Some(life)
}

fn add(sums: &mut [u64; 3], record: &KxmRecord, names: [&str; 3]) {
    for (sum, name) in sums.iter_mut().zip(names) {
        *sum = sum.saturating_add(record.count(name).unwrap_or(0));
    }
}

fn doubt<'a>(doubts: &mut Vec<Doubt<'a>>, record: &'a KxmRecord) {
    match record.event() {
        "effect.blocked_uncertain" => {
            doubts.push(Doubt { since: record.at, reason: record.get("reason"), resolution: None });
        }
        "effect.uncertainty_resolved" => {
            if let Some(open) = doubts.last_mut().filter(|doubt| doubt.resolution.is_none()) {
                open.resolution = Some(Resolution {
                    at: record.at,
                    action: record.get("resolutionAction").unwrap_or(""),
                    by: record.resolved_by(),
                    reason: record.get("reason"),
                });
            }
        }
        _ => {}
    }
}
