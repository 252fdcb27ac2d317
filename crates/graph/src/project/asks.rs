//! What graphs have stopped for: pending interrupts with their questions, for a form to answer.

use wire::{Action, Body};

use crate::{HoldIx, NamespaceIx, NodeIx, Run, Stamp};

/// A pending interrupt.
#[derive(Debug, Clone, PartialEq)]
pub struct Ask<'a> {
    /// The hold that stands for it.
    pub hold: HoldIx,
    /// The interrupt's id, which is the pause id of an answer.
    pub id: &'a str,
    /// The node that asks.
    pub node: NodeIx,
    /// Its name.
    pub name: &'a str,
    /// In which nested graph.
    pub namespace: NamespaceIx,
    /// Since when; the event of this number carries the question.
    pub since: Stamp,
    /// What it asks: the beginning of the value.
    pub question: Option<&'a Body>,
    /// A gate of the program waits too, so that an answer can be sent; else the program has to be resumed by itself.
    pub answerable: bool,
}

/// All pending interrupts, oldest first, also those of a run that has stopped for them.
pub fn asks(run: &Run) -> Vec<Ask<'_>> {
    let pending = run.pending_interrupts().into_iter().map(|ix| ask(run, ix, false));
    // A gate under the same id has taken its place: an answer can be sent for as long as that waits.
    let waits = |id: &str| run.check(id, Action::Continue, false, false).is_ok();
    let taken =
        run.holds_ix().filter(|(_, hold)| hold.interrupt && hold.taken.is_some() && hold.release.is_none());
    let taken = taken.filter(|(_, hold)| !hold.shadow && waits(hold.pause_id.as_str()));
    let mut asks: Vec<Ask<'_>> = pending.chain(taken.map(|(ix, _)| ask(run, ix, true))).collect();
    asks.sort_by_key(|ask| (ask.since.seq, ask.hold));
    asks
}

fn ask(run: &Run, ix: HoldIx, answerable: bool) -> Ask<'_> {
    let hold = run.hold(ix);
    let node = run.node(hold.node);
    Ask {
        hold: ix,
        id: hold.pause_id.as_str(),
        node: hold.node,
        name: &node.name,
        namespace: node.namespace,
        since: hold.paused,
        question: hold.question.as_ref(),
        answerable,
    }
}
