//! The contract's messages. Decides which members each has and which of them are required; the meaning of a message is
//! its reader's business. Source: GraphMind wire contract, sections "Events", "Controls", "Handshake".
mod controls;
mod events;
mod handshake;
mod parts;

pub use controls::*;
pub use events::*;
pub use handshake::*;
pub use parts::*;

use crate::{
    error::Issues,
    field::{Bodies, Field},
    json::{Fault, Scanner},
    schema::{Defs, Direction},
};
use serde_json::Value;

/// Ties each message type to its payload: one line a message, everything else follows.
macro_rules! messages {
    ($( $(#[doc = $doc:literal])+ $variant:ident = $wire:literal $(| $alias:literal)*, $direction:ident; )+) => {
        /// A message with its typed payload.
        #[derive(Clone, Debug, PartialEq)]
        pub enum Message<'a> { $( $(#[doc = $doc])+ $variant($variant<'a>), )+ }

        impl<'a> Message<'a> {
            /// Every message type this version knows.
            pub const KINDS: &'static [&'static str] = &[$($wire),+];

            /// The `type` on the wire.
            pub fn kind(&self) -> &'static str {
                match self { $( Self::$variant(_) => $wire, )+ }
            }

            /// Whether a `type` is known.
            pub fn knows(kind: &str) -> bool {
                matches!(kind, $( $wire $(| $alias)* )|+)
            }

            /// Reads the payload of a known `type`.
            pub(crate) fn read(kind: &str, scanner: &mut Scanner<'a>, issues: &mut Issues) -> Option<Self> {
                match kind {
                    $( $wire $(| $alias)* => Field::read(scanner, issues).map(Self::$variant), )+
                    _ => None,
                }
            }

            /// Appends the payload.
            pub(crate) fn write(&self, out: &mut String) {
                match self { $( Self::$variant(payload) => payload.write(out), )+ }
            }

            /// Collects the bodies of a payload; `None` for a `type` that is not known.
            pub(crate) fn bodies(
                kind: &str,
                scanner: &mut Scanner<'a>,
                bodies: &mut Bodies,
            ) -> Option<Result<(), Fault>> {
                match kind {
                    $( $wire $(| $alias)* => Some(<$variant<'_> as Field<'_>>::bodies(scanner, bodies)), )+
                    _ => None,
                }
            }

            /// Type, direction, description and payload schema of every message.
            pub(crate) fn schemas(defs: &mut Defs) -> Vec<(&'static str, Direction, &'static str, Value)> {
                vec![ $( (
                    $wire,
                    Direction::$direction,
                    concat!($($doc),+),
                    <$variant<'_> as Field<'_>>::schema(defs),
                ), )+ ]
            }
        }

        $( impl<'a> From<$variant<'a>> for Message<'a> {
            fn from(payload: $variant<'a>) -> Self {
                Self::$variant(payload)
            }
        } )+
    };
}

messages! {
    /// A run has begun.
    RunStarted = "run.started", Event;
    /// A run has ended.
    RunFinished = "run.finished", Event;
    /// The static structure, as far as the program knows it.
    GraphHint = "graph.hint", Event;
    /// A node has begun.
    NodeStarted = "node.started", Event;
    /// Text has arrived at a node.
    NodeToken = "node.token", Event;
    /// A node has ended.
    NodeFinished = "node.finished", Event;
    /// A node has failed.
    NodeError = "node.error", Event;
    /// A gate holds.
    ExecPaused = "exec.paused", Event;
    /// A gate was released, by whomever.
    ExecResumed = "exec.resumed", Event;
    /// An answer to a hold was refused; the gate still holds.
    ExecRefused = "exec.refused", Event;
    /// The sender has lost events and says which.
    Gap = "gap" | "events.gap" | "events.lost" | "events.dropped" | "seq.gap", Event;
    /// Release a held gate.
    ExecResume = "exec.resume", Control;
    /// Arm a breakpoint.
    BreakpointSet = "breakpoint.set", Control;
    /// Disarm a breakpoint, by exact equality.
    BreakpointClear = "breakpoint.clear", Control;
    /// Run freely or step.
    ModeSet = "mode.set", Control;
    /// A program introduces itself.
    Hello = "hello", Handshake;
    /// The debugger answers with the state it wants.
    HelloAck = "hello.ack", Handshake;
}
