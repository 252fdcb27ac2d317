//! Moments of a graph run that are neither starts nor ends: checkpoints as a tree with forks, changes of state, custom
//! events, leases. Rows are made when the run grows, not in every pass; forks and what a value is compared with are
//! decided by `graph::project`.

use std::collections::BTreeMap;

use graph::project::{Checkpoint, checkpoints, state_rows};
use graph::{Run, Tick, TickKind};

/// One row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moment {
    /// Place among the run's ticks.
    pub tick: usize,
    /// How many forks it lies behind.
    pub depth: u32,
    /// It continues a checkpoint that another one continues too.
    pub forks: bool,
    /// Number of the event with the value before, where this one can be compared with it.
    pub before: Option<u64>,
    /// Where its value stands in its event: the first of these that is there.
    pub pointers: &'static [&'static str],
}

/// Where a value stands that is no state.
const PAYLOAD: &[&str] = &["/payload"];

/// Rows of a run; with `only_saved` what was saved and restored.
pub fn moments(run: &Run, only_saved: bool) -> Vec<Moment> {
    let saved = checkpoints(run);
    let branches = branches(&saved);
    let saved: BTreeMap<u64, usize> = saved.iter().enumerate().map(|(at, row)| (row.at.seq, at)).collect();
    let states: BTreeMap<u64, _> = state_rows(run).into_iter().map(|row| (row.at.seq, row)).collect();
    let ticks = run.ticks().iter().enumerate().filter(|(_, tick)| shown(tick, only_saved));
    ticks
        .map(|(tick, told)| {
            let (depth, forks) = saved.get(&told.at.seq).map_or((0, false), |at| branches[*at]);
            let state = states.get(&told.at.seq);
            let before = state.and_then(|state| state.previous);
            let pointers = state.map_or(PAYLOAD, |state| state.pointers());
            Moment { tick, depth, forks, before, pointers }
        })
        .collect()
}

/// For each checkpoint how many forks it lies behind, and whether it begins a branch of its own: all but the first that
/// continue the same one do.
fn branches(saved: &[Checkpoint<'_>]) -> Vec<(u32, bool)> {
    let mut continued = vec![false; saved.len()];
    let mut out: Vec<(u32, bool)> = Vec::with_capacity(saved.len());
    for row in saved {
        let (depth, forks) = match row.parent {
            None => (0, false),
            Some(parent) => {
                let forks = std::mem::replace(&mut continued[parent], true);
                (out[parent].0 + u32::from(forks), forks)
            }
        };
        out.push((depth, forks));
    }
    out
}

fn shown(tick: &Tick, only_saved: bool) -> bool {
    match tick.kind {
        TickKind::Checkpoint | TickKind::Restored => true,
        TickKind::Message => false,
        _ => !only_saved,
    }
}

/// What a moment is, in words.
pub fn words(run: &Run, tick: &Tick) -> String {
    let node = tick.node.map(|ix| run.node(ix).name.to_string()).unwrap_or_default();
    let label = &*tick.label;
    match tick.kind {
        TickKind::Step => format!("Superstep {} begins", tick.step.unwrap_or(0)),
        TickKind::StepEnd => format!("Superstep {} ends", tick.step.unwrap_or(0)),
        TickKind::State => format!("{node} changes the state"),
        TickKind::Values => "The whole state".to_owned(),
        TickKind::Checkpoint => format!("Checkpoint {label}"),
        TickKind::Restored => format!("Restored from {label}"),
        TickKind::Fork => format!("Forks into {label}"),
        TickKind::Join => format!("{label} joins"),
        TickKind::Depth => format!("Graphs are nested {} deep", tick.step.unwrap_or(0)),
        TickKind::Draining => format!(
            "Ends as soon as it can{}",
            if label.is_empty() { String::new() } else { format!(": {label}") }
        ),
        TickKind::Custom => format!("Custom event {label}"),
        TickKind::Lease => format!("Lease {label}"),
        TickKind::Phase | TickKind::Message => label.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checkpoints_that_continue_the_same_one_fork() {
        let mut store = graph::Store::default();
        let saves = [("c1", ""), ("c2", "c1"), ("c3", "c2"), ("c4", "c1"), ("c5", "c4")];
        for (at, (id, from)) in saves.iter().enumerate() {
            let seq = at + 1;
            let event = format!(r#"{{"CheckpointSaved":{{"checkpoint_id":"{id}"}}}}"#);
            let from =
                if from.is_empty() { String::new() } else { format!(r#","parent_checkpoint_id":"{from}""#) };
            let text = format!(
                r#"{{"gm":1,"seq":{seq},"ts":{seq},"runId":"r","type":"graph.event","payload":{{"run_id":"r","event":{event}{from}}}}}"#
            );
            store.apply_to(&"r".into(), &wire::decode(&text));
        }
        store.settle();
        let run = store.run(&"r".into()).expect("the run");
        let rows: Vec<(String, u32, bool)> = moments(run, true)
            .iter()
            .map(|row| (run.ticks()[row.tick].label.to_string(), row.depth, row.forks))
            .collect();
        let row = |id: &str, depth, forks| (id.to_owned(), depth, forks);
        assert_eq!(
            rows,
            [
                row("c1", 0, false),
                row("c2", 0, false),
                row("c3", 0, false),
                row("c4", 1, true),
                row("c5", 1, false)
            ]
        );
    }
}
