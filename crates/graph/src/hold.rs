//! One pause of one gate, and how it ended.
//!
//! Invariant: a hold is released by the first `exec.resumed` of its pause id that follows it, whoever asked
//! for it; two holds under one pause id are both released by that answer. Does not know what was asked.

use serde::{Deserialize, Serialize};
use wire::{Action, Body, PauseId, Point, Reason, RefusalCode};

use crate::{InstanceIx, NodeIx, Stamp};

/// One pause of one gate.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Hold {
    /// The sender's id; senders have been seen to use one twice.
    pub pause_id: PauseId,
    /// The node that waits.
    pub node: NodeIx,
    /// The instance that waits, where one can be told.
    pub instance: Option<InstanceIx>,
    /// Where in the node's life the gate stands.
    pub point: Point,
    /// Why it holds, where the sender says.
    pub reason: Option<Reason<'static>>,
    /// More about the reason (`loop` or `smart`), as JSON, at most 512 bytes of it.
    pub detail: Option<Box<str>>,
    /// True when edited arguments are accepted.
    pub editable: bool,
    /// The graph asks and has stopped; there is a gate only where the program pauses under the same id.
    pub interrupt: bool,
    /// What an interrupt asks.
    pub question: Option<Body>,
    /// When it began.
    pub paused: Stamp,
    /// When and how it was released; none while held.
    pub release: Option<Release>,
    /// When the node went on without an answer being seen; the gate is open, how is not known.
    pub passed: Option<Stamp>,
    /// Answers that the program refused; the gate stayed closed.
    pub refusals: u32,
    /// The last refusal.
    pub refused: Option<HoldRefusal>,
    pub(crate) named: Option<InstanceIx>,
    /// Another hold stands for the same interrupt: not shown, not counted.
    pub(crate) shadow: bool,
    /// When a gate of the program took the place of an interrupt.
    pub(crate) taken: Option<Stamp>,
    /// No answer and no passing has been folded in.
    pub(crate) open: bool,
}

/// How a hold was released.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Release {
    /// When.
    pub at: Stamp,
    /// What was done.
    pub action: Action,
    /// True when edited arguments were used.
    pub edited: bool,
    /// Who answered, where the sender says.
    pub principal: Option<Box<str>>,
    /// The request it answers, where the sender says.
    pub request_id: Option<Box<str>>,
}

/// Why the program refused an answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct HoldRefusal {
    /// When.
    pub at: Stamp,
    /// The code.
    pub code: RefusalCode<'static>,
    /// What it says.
    pub message: Option<Box<str>>,
    /// The request it answers, where the sender says.
    pub request_id: Option<Box<str>>,
}

impl Hold {
    pub(crate) fn new(paused: Stamp, node: NodeIx, pause_id: PauseId, point: Point) -> Self {
        Self {
            pause_id,
            node,
            instance: None,
            point,
            reason: None,
            detail: None,
            editable: false,
            interrupt: false,
            question: None,
            paused,
            release: None,
            passed: None,
            refusals: 0,
            refused: None,
            named: None,
            shadow: false,
            taken: None,
            open: false,
        }
    }

    /// True when another hold stands for the same interrupt; it is not to be shown.
    pub fn is_shadow(&self) -> bool {
        self.shadow || self.taken.is_some()
    }

    /// When a gate took its place, else when it was released.
    pub(crate) fn taken_or_released(&self) -> Option<Stamp> {
        self.taken.or(self.release.as_ref().map(|release| release.at))
    }

    /// When it ended, in whatever way; none while open. The end of the run is not looked at.
    pub fn until(&self) -> Option<Stamp> {
        self.release.as_ref().map(|release| release.at).or(self.passed)
    }

    /// What ended it, where that was seen.
    pub fn action(&self) -> Option<Action> {
        self.release.as_ref().map(|release| release.action)
    }
}
