//! The laws of the reducer as checks on any story: what `laws` says of node events, `kxm` says of records.

use graph::{Run, Store, project};
use proptest::prelude::*;

use crate::support::{apply_all, r1, store_of};

/// `other`, the frames in another order and some twice, gives the digest of `frames` in batches of any size.
pub(crate) fn check_batched(frames: &[String], other: &[String], every: usize) -> Result<(), TestCaseError> {
    let mut batched = Store::new();
    for batch in other.chunks(every) {
        apply_all(&mut batched, batch);
        batched.settle();
    }
    prop_assert_eq!(batched.digest(), store_of(frames).digest());
    Ok(())
}

/// Events without their bodies give the same digest.
pub(crate) fn check_slim(frames: &[String]) -> Result<(), TestCaseError> {
    let slim: Vec<String> = frames.iter().map(|frame| wire::slim(frame).into_owned()).collect();
    prop_assert_eq!(store_of(&slim).digest(), store_of(frames).digest());
    Ok(())
}

/// A run that was written and read at `cut` (0 to 1 of the frames) goes on like the original.
pub(crate) fn check_restored(frames: &[String], cut: f64) -> Result<(), TestCaseError> {
    let (before, after) = frames.split_at((frames.len() as f64 * cut) as usize);
    let mut original = Store::new();
    apply_all(&mut original, before);
    let mut restored = Store::new();
    for run in original.runs() {
        let text = serde_json::to_string(run).unwrap();
        restored.insert(serde_json::from_str::<Run>(&text).unwrap());
    }
    prop_assert_eq!(restored.digest(), original.clone().digest());
    for frame in after {
        let decoded = wire::decode(frame);
        let again = restored.apply_to(&r1(), &decoded).duplicate;
        prop_assert_eq!(again, original.apply_to(&r1(), &decoded).duplicate);
    }
    prop_assert_eq!(restored.digest(), original.digest());
    Ok(())
}

/// The state at each sequence of `other`, the frames in another order, is what replaying `frames` up to it gives.
pub(crate) fn check_every_moment(frames: &[String], other: &[String]) -> Result<(), TestCaseError> {
    let mut whole = store_of(other);
    whole.set_live(&r1(), true);
    let run = whole.run(&r1()).unwrap();
    let mut prefix = Store::new();
    for frame in frames {
        let decoded = wire::decode(frame);
        prefix.apply_to(&r1(), &decoded);
        prefix.set_live(&r1(), true);
        prefix.settle();
        check_moment(run, prefix.run(&r1()).unwrap(), decoded.header().unwrap().seq)?;
    }
    Ok(())
}

/// Every node of `run` at `seq` is what the run that stopped there says.
fn check_moment(run: &Run, prefix: &Run, seq: u64) -> Result<(), TestCaseError> {
    let at = project::at(run, seq);
    prop_assert_eq!(at.status(), prefix.status());
    for (ix, node) in prefix.nodes_ix() {
        let whole = run.find_node(node.id.as_str()).unwrap();
        let moment = at.node(whole);
        prop_assert_eq!(moment.counts, prefix.counts(ix), "counts of {} at {}", node.id, seq);
        let now = prefix.node_status(ix);
        // Whether a hint, a route or a namespace is still to come cannot be told from the stamps alone.
        if moment.counts.total + moment.counts.held > 0 {
            prop_assert_eq!(moment.status, now, "status of {} at {}", node.id, seq);
        }
    }
    Ok(())
}
