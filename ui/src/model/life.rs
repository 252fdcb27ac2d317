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

/// Facts that are said in a row with the words before them, what tells most first. Words of a state lose their
/// underscores, ids keep them.
const SAID: &[(&str, &str, bool)] = &[
    ("reason", "", false),
    ("resolutionAction", "resolved by ", false),
    ("status", "", true),
    ("outcome", "outcome ", true),
    ("resultClass", "result ", true),
    ("effectClass", "policy ", false),
    ("leaseOperation", "lease ", true),
    ("leaseId", "", false),
    ("receiptQuery", "receipt query ", false),
    ("idempotencyKey", "idempotency key ", false),
    ("toStepId", "on to ", false),
    ("model", "model ", false),
    ("harness", "in ", false),
    ("evidenceRefs", "evidence ", false),
    ("receipts", "receipts ", false),
    ("artifacts", "artifacts ", false),
    ("added", "files added ", false),
    ("modified", "files changed ", false),
    ("deleted", "files deleted ", false),
    ("valuesReplaced", "values replaced ", false),
    ("fieldsOmitted", "fields left out ", false),
    ("pathsRedacted", "paths hidden ", false),
];
/// Facts that stay what they are from record to record: said when they change.
const LASTING: &[&str] = &["effectClass", "leaseId", "idempotencyKey", "receiptQuery", "model", "harness"];

/// The records of an instance, in order; empty where it has none.
pub fn life(run: &Run, ix: InstanceIx) -> Vec<Turn> {
    let records = project::life(run, ix).map(|life| life.records).unwrap_or_default();
    let before = std::iter::once(None).chain(records.iter().map(Some));
    records.iter().zip(before).map(|(record, before)| turn(record, before.copied())).collect()
}

fn turn(record: &KxmRecord, before: Option<&KxmRecord>) -> Turn {
    let told =
        |name: &&str| LASTING.contains(name) && before.is_some_and(|last| last.get(name) == record.get(name));
    let mut facts: Vec<String> = Vec::new();
    for (name, lead, words) in SAID.iter().filter(|(name, ..)| !told(name)) {
        let Some(word) = record.get(name).filter(|word| !word.is_empty() && *word != "0") else { continue };
        facts.push(format!("{lead}{}", if *words { word.replace('_', " ") } else { word.to_owned() }));
    }
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
