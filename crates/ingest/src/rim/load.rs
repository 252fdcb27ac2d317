//! From journal to state, and from state to snapshot; both on blocking threads.
//!
//! Invariant: lines of other runs that ended up in a file change nothing; what is given back is settled.

use std::sync::Arc;

use graph::{RunKey, Store};
use wire::viewer::ServerFrame;

use crate::hub::Input;
use crate::journal::{RunFile, scan};

/// Reads a run as its journal is now.
pub(super) fn load(
    key: RunKey,
    file: Option<Arc<RunFile>>,
    live: bool,
    source: &str,
    known: &[(u64, u64)],
) -> Input {
    let Some(file) = file else { return Input::LoadFailed { key, reason: "it has no journal".to_owned() } };
    let mut store = Store::with_source(source);
    let (len, _) = file.size();
    let read = scan(file.path(), 0, Some(len), |line, _| {
        let decoded = wire::decode(line);
        let fits = decoded.header().is_some_and(|header| header.run_id != wire::WILDCARD_RUN_ID);
        if fits {
            store.apply_to(&key, &decoded);
        }
        fits
    });
    match read {
        Ok(_) if store.run(&key).is_none() => {
            Input::LoadFailed { key, reason: "its journal has no readable event".to_owned() }
        }
        Ok(_) => {
            known.iter().for_each(|(from, to)| store.account(&key, *from, *to));
            store.set_live(&key, live);
            store.settle();
            Input::Loaded { key, store: Box::new(store) }
        }
        Err(error) => Input::LoadFailed { key, reason: error.to_string() },
    }
}

/// Serialises a run as a whole frame.
pub(super) fn snapshot(key: RunKey, store: Arc<Store>) -> Input {
    let state = store.run(&key).map(serde_json::to_string);
    // The hub goes on writing once nobody else holds the state.
    drop(store);
    match state {
        Some(Ok(state)) => {
            let frame = ServerFrame::Snapshot { run: key.to_string(), state: Default::default() }.encode();
            let head = frame.strip_suffix("null}").unwrap_or(&frame);
            Input::SnapshotReady { key, text: [head, &state, "}"].concat().into() }
        }
        Some(Err(error)) => Input::LoadFailed { key, reason: error.to_string() },
        None => Input::LoadFailed { key, reason: "it has no events".to_owned() },
    }
}
