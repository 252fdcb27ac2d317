//! Gates that hold, as rows.

use wire::Point;

use crate::{HoldIx, NodeIx, Run};

/// A gate that holds.
#[derive(Debug, Clone, PartialEq)]
pub struct HoldRow<'a> {
    /// The hold.
    pub hold: HoldIx,
    /// Its id; two rows may share it, then one answer releases both.
    pub pause_id: &'a str,
    /// Another open hold has the same id.
    pub shared: bool,
    /// The node.
    pub node: NodeIx,
    /// The node's id.
    pub node_id: &'a str,
    /// The node's name.
    pub name: &'a str,
    /// The instance's id, where it can be told.
    pub instance_id: Option<&'a str>,
    /// Where the gate stands.
    pub point: Point,
    /// Why it holds, where the sender says.
    pub reason: Option<&'a str>,
    /// More about the reason.
    pub detail: Option<&'a str>,
    /// Since when, milliseconds since the epoch.
    pub since_ms: f64,
    /// Edited arguments are accepted.
    pub editable: bool,
    /// Answers the program refused.
    pub refusals: u32,
    /// The graph has stopped and asks; no gate waits, so nothing can be sent.
    pub interrupt: bool,
}

/// All gates that hold, oldest first.
pub fn holds(run: &Run) -> Vec<HoldRow<'_>> {
    run.open_holds().into_iter().map(|ix| hold_row(run, ix)).collect()
}

/// One hold as a row.
pub fn hold_row(run: &Run, ix: HoldIx) -> HoldRow<'_> {
    let hold = run.hold(ix);
    let node = run.node(hold.node);
    HoldRow {
        hold: ix,
        pause_id: hold.pause_id.as_str(),
        shared: run.shares_pause(ix),
        node: hold.node,
        node_id: node.id.as_str(),
        name: &node.name,
        instance_id: hold.instance.map(|i| run.instance(i).id.as_str()),
        point: hold.point,
        reason: hold.reason.as_ref().map(|reason| reason.as_str()),
        detail: hold.detail.as_deref(),
        since_ms: hold.paused.ts,
        editable: hold.editable,
        refusals: hold.refusals,
        interrupt: hold.interrupt,
    }
}
