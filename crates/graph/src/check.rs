//! Whether an answer to a hold may be sent.
//!
//! Decides it from the state alone, so that a button in the window and a control at the hub are judged alike.
//! Does not know whether the program is still attached, nor how large an answer it can read.

use std::fmt;

use wire::{Action, Point};

use crate::Run;

/// Why an answer may not be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// There is no such run.
    UnknownRun {
        /// The key asked for.
        run: String,
    },
    /// The run never held under this id.
    UnknownPause {
        /// The id asked for.
        pause_id: String,
    },
    /// The hold is over.
    Released {
        /// The id asked for.
        pause_id: String,
        /// How it was released, where that was seen.
        action: Option<Action>,
    },
    /// The run is over, and its gates with it.
    RunOver,
    /// The graph itself has stopped there; no gate of the program waits for an answer.
    NoGate {
        /// The id asked for.
        pause_id: String,
    },
    /// The gate does not take edited arguments.
    NotEditable,
    /// Edited arguments go with `continue` before, and with `retry` after or at an error.
    InputMisplaced {
        /// The action asked for.
        action: Action,
        /// Where the gate stands.
        point: Point,
    },
    /// A value goes with `inject` only.
    OutputWithoutInject {
        /// The action asked for.
        action: Action,
    },
    /// `inject` needs a value.
    InjectWithoutOutput,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownRun { run } => write!(f, "there is no run {run:?}"),
            Self::UnknownPause { pause_id } => write!(f, "no gate ever held under {pause_id:?}"),
            Self::Released { pause_id, action: Some(action) } => {
                write!(f, "{pause_id:?} was already released by {action}")
            }
            Self::Released { pause_id, action: None } => write!(f, "{pause_id:?} holds no more"),
            Self::RunOver => f.write_str("the run is over, nothing holds"),
            Self::NoGate { pause_id } => write!(
                f,
                "the graph has stopped at {pause_id:?} and no gate waits there: resume it in the program"
            ),
            Self::NotEditable => f.write_str("this gate does not take edited arguments"),
            Self::InputMisplaced { action, point } => write!(
                f,
                "edited arguments go with continue at a before gate or with retry at an after or error gate, not with {action} at {point}"
            ),
            Self::OutputWithoutInject { action } => write!(f, "a value goes with inject, not with {action}"),
            Self::InjectWithoutOutput => f.write_str("inject needs a value; null is one"),
        }
    }
}

impl std::error::Error for Refusal {}

impl Run {
    /// Whether an answer to a hold of this run may be sent.
    ///
    /// # Errors
    /// With the reason, where it may not.
    pub fn check(
        &self,
        pause_id: &str,
        action: Action,
        has_input: bool,
        has_output: bool,
    ) -> Result<(), Refusal> {
        let group = self.index.pauses.get(pause_id).map(|at| &self.data.pauses[*at as usize]);
        let shown = |ix: &&crate::HoldIx| !self.hold(**ix).is_shadow();
        let last = group.and_then(|group| group.holds.iter().rev().find(shown));
        let Some(last) = last else { return Err(Refusal::UnknownPause { pause_id: pause_id.to_owned() }) };
        let hold = self.hold(*last);
        if !hold.open {
            return Err(Refusal::Released { pause_id: pause_id.to_owned(), action: hold.action() });
        }
        if self.is_over() {
            return Err(Refusal::RunOver);
        }
        if hold.interrupt {
            return Err(Refusal::NoGate { pause_id: pause_id.to_owned() });
        }
        match (action, has_output) {
            (Action::Inject, false) => return Err(Refusal::InjectWithoutOutput),
            (Action::Inject, true) | (_, false) => {}
            (_, true) => return Err(Refusal::OutputWithoutInject { action }),
        }
        match (has_input, action, hold.point) {
            (false, ..) => Ok(()),
            (true, ..) if !hold.editable => Err(Refusal::NotEditable),
            (true, Action::Continue, Point::Before) | (true, Action::Retry, Point::After | Point::Error) => {
                Ok(())
            }
            (true, action, point) => Err(Refusal::InputMisplaced { action, point }),
        }
    }
}
