//! The life of a KXM step, assignment or effect in words: its records as `graph::project::life` gathers them, each as
//! one row that a person can read.

use graph::{InstanceIx, KxmRecord, Run, project};

/// One record in the life of an instance.
#[derive(Clone, Debug, PartialEq)]
pub struct Turn {
    /// Number of its event.
    pub seq: u64,
    /// When, milliseconds since 1970.
    pub ts: f64,
    /// What happened, in words.
    pub what: String,
    /// Facts beside it, in words.
    pub facts: String,
    /// Whether nobody knew, from here on, if it had happened.
    pub uncertain: bool,
}

/// Facts that are said in a row, with their words.
const SAID: &[(&str, &str)] = &[
    ("status", ""),
    ("outcome", "outcome "),
    ("resultClass", "result "),
    ("effectClass", "policy "),
    ("receiptQuery", "receipt query "),
    ("idempotencyKey", "idempotency key "),
    ("leaseId", "lease "),
    ("leaseOperation", "lease "),
    ("resolutionAction", "resolved by "),
    ("toStepId", "on to "),
    ("model", "model "),
    ("harness", "in "),
    ("reason", ""),
    ("evidenceRefs", "evidence "),
    ("receipts", "receipts "),
    ("artifacts", "artifacts "),
    ("added", "files added "),
    ("modified", "files changed "),
    ("deleted", "files deleted "),
    ("valuesReplaced", "values replaced "),
    ("fieldsOmitted", "fields left out "),
    ("pathsRedacted", "paths hidden "),
];

/// The records of an instance, in order; empty where it has none.
pub fn life(run: &Run, ix: InstanceIx) -> Vec<Turn> {
    project::life(run, ix).map_or_else(Vec::new, |life| life.records.into_iter().map(turn).collect())
}

fn turn(record: &KxmRecord) -> Turn {
    let mut facts: Vec<String> = SAID
        .iter()
        .filter_map(|(name, before)| Some((record.get(name)?, before)))
        .filter(|(word, _)| !word.is_empty() && *word != "0")
        .map(|(word, before)| format!("{before}{}", word.replace('_', " ")))
        .collect();
    facts.extend(record.resolved_by().or(record.actor()).map(|who| format!("by {who}")));
    let uncertain = record.event() == "effect.blocked_uncertain";
    Turn {
        seq: record.at.seq,
        ts: record.at.ts,
        what: words(record.event()),
        facts: facts.join(" \u{B7} "),
        uncertain,
    }
}

/// `effect.blocked_uncertain` as a person says it.
fn words(event: &str) -> String {
    match event {
        "effect.blocked_uncertain" => {
            "Nobody knows whether it happened: blocked until somebody decides".to_owned()
        }
        "effect.uncertainty_resolved" => "Somebody decided".to_owned(),
        _ => {
            let text = event.split('.').next_back().unwrap_or(event).replace('_', " ");
            let mut chars = text.chars();
            chars.next().map_or(String::new(), |first| first.to_uppercase().chain(chars).collect())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn delivery() -> Run {
        let mut store = graph::Store::default();
        for envelope in testkit::delivery_run() {
            store.apply(&wire::decode(&envelope));
        }
        store.settle();
        store.runs().next().expect("a run").clone()
    }

    #[test]
    fn an_uncertain_effect_is_told_with_its_resolution() {
        let run = delivery();
        let node = run.find_node("effect:eff_push0001").expect("the push");
        let told = life(&run, run.node(node).instances[0]);
        let at = told.iter().position(|turn| turn.uncertain).expect("it was uncertain");
        assert!(told[at].what.starts_with("Nobody knows"));
        assert!(told[at + 1..].iter().any(|turn| turn.facts.contains("by human:ana")), "{told:#?}");
        assert!(told.iter().any(|turn| turn.facts.contains("policy external-non-idempotent")), "{told:#?}");
        assert!(told.windows(2).all(|pair| pair[0].seq < pair[1].seq));
    }
}
