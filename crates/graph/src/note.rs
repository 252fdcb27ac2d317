//! What the reducer disliked or had to guess, in words a person can act on.
//!
//! Invariant: nothing is dropped without a note. Notes of a run are a function of its state (see
//! `project::notes`), so they agree whatever the order of arrival.

use serde::{Deserialize, Serialize};

/// One remark.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Note {
    /// What kind of remark.
    pub kind: NoteKind,
    /// The whole remark, one sentence.
    pub text: String,
    /// The node it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub node_id: Option<String>,
    /// The sequence it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seq: Option<u64>,
}

/// Kinds of remarks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NoteKind {
    /// Numbers that were never seen.
    Gap,
    /// Numbers the sender itself says are lost.
    KnownLoss,
    /// Parents that were named and never seen.
    MissingParent,
    /// A node that names itself as parent.
    SelfParent,
    /// Parents that form a ring.
    Cycle,
    /// One pause id on several gates at once.
    DuplicatePause,
    /// Deltas that no instance could be given.
    Unattributed,
    /// Ends that named no instance while several were open.
    Guessed,
    /// Ends of instances whose start was never seen.
    NoStart,
    /// A run that was started again under its id.
    ReusedRun,
    /// What its sender has taken out on purpose.
    Redacted,
    /// Messages of a type this version does not know.
    UnknownType,
    /// Messages that were refused.
    Invalid,
    /// Messages of another protocol version.
    VersionMismatch,
}
