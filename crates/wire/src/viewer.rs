//! The frames between the server and a viewer: JSON text over `/ws/ui`, tagged by `t`, names in camel case.
//!
//! Decides the vocabulary only; credits, queues and tokens are the server's. Bodies travel by reference: events here are
//! slim envelopes, and [`ViewerFrame::BodyGet`] reads a range of one value.
mod parts;

pub use parts::{
    BreakpointSpec, BreakpointState, ControlStage, DebugState, HoldSummary, NoticeLevel, RunSummary,
};

use crate::{Action, Matcher, Mode};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::fmt;

/// How many frames a viewer may be sent before its first [`ViewerFrame::Credit`].
pub const CREDITS_AT_START: u32 = 64;

/// Version of these frames and of the state in a snapshot. Raised with every change that an older page cannot show; a
/// page that was built with another one says so instead of showing a broken run.
pub const VERSION: u32 = 2;

/// A frame that could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FrameError(String);

impl fmt::Display for FrameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for FrameError {}

/// Reads a member that is there: its `null` is a value.
fn present<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Box<RawValue>>, D::Error> {
    Box::<RawValue>::deserialize(deserializer).map(Some)
}

/// An enum of struct variants with `encode` and `decode`. Own code reads the tag, because a derived tagged enum buffers
/// its members and cannot hold raw values.
macro_rules! frames {
    (
        $(#[doc = $doc:literal])+
        pub enum $name:ident { $(
            $(#[doc = $about:literal])+
            $variant:ident { $( $(#[doc = $member:literal])+ $(#[serde($($how:tt)*)])? $field:ident: $ty:ty, )* },
        )+ }
    ) => {
        $(#[doc = $doc])+
        #[derive(Clone, Debug, Serialize)]
        #[serde(tag = "t", rename_all = "camelCase", rename_all_fields = "camelCase")]
        pub enum $name { $(
            $(#[doc = $about])+
            $variant { $( $(#[doc = $member])+ $(#[serde($($how)*)])? $field: $ty, )* },
        )+ }

        impl $name {
            /// The frame as JSON text.
            pub fn encode(&self) -> String {
                // Every member is a plain value with string keys, which serialises without fail.
                serde_json::to_string(self).unwrap_or_default()
            }

            /// Reads a frame. Unknown members are ignored, an unknown `t` is named in the error.
            pub fn decode(text: &str) -> Result<Self, FrameError> {
                #[derive(Deserialize)]
                #[serde(rename_all = "camelCase")]
                enum Tag { $( $variant, )+ }
                #[derive(Deserialize)]
                struct Tagged { t: Tag }
                let fail = |error: serde_json::Error| FrameError(format!("{}: {error}", stringify!($name)));
                Ok(match serde_json::from_str::<Tagged>(text).map_err(fail)?.t { $(
                    Tag::$variant => {
                        #[derive(Deserialize)]
                        #[serde(rename_all = "camelCase")]
                        struct Members { $( $(#[serde($($how)*)])? $field: $ty, )* }
                        let Members { $( $field, )* } = serde_json::from_str(text).map_err(fail)?;
                        Self::$variant { $( $field, )* }
                    }
                )+ })
            }
        }
    };
}

frames! {
    /// Server to viewer.
    pub enum ServerFrame {
        /// First frame of a connection.
        Welcome {
            /// Version of the server.
            version: String,
            /// [`VERSION`] of the server; 0 is one from before there was a number.
            #[serde(default)]
            protocol: u32,
            /// Where programs attach.
            ingest_url: String,
            /// Where the page is served.
            viewer_url: String,
            /// Where recordings lie.
            data_dir: String,
            /// Mode and breakpoints.
            debug: DebugState,
            /// All runs.
            runs: Vec<RunSummary>,
            /// The server can start the demo.
            demo: bool,
            /// The server can import recordings.
            import: bool,
            /// The server can write runs for others.
            #[serde(default)]
            export: bool,
        },
        /// A run was added or has changed.
        Run {
            /// The run.
            run: RunSummary,
        },
        /// A run is gone.
        RunRemoved {
            /// Its key.
            run: String,
        },
        /// The state of a watched run; deltas follow.
        Snapshot {
            /// Its key.
            run: String,
            /// The reducer's run, serialised.
            state: Box<RawValue>,
        },
        /// Slim envelopes of a watched run, in order.
        Events {
            /// Its key.
            run: String,
            /// The envelopes.
            events: Vec<Box<RawValue>>,
        },
        /// Whether a run's program is attached.
        Live {
            /// Its key.
            run: String,
            /// Attached or not.
            live: bool,
        },
        /// Sequence numbers the same session used elsewhere: not a gap.
        Account {
            /// Key of the run.
            run: String,
            /// First number.
            from: u64,
            /// Last number.
            to: u64,
        },
        /// The viewer was too slow; it watches again for a new snapshot.
        Lagged {
            /// Key of the run.
            run: String,
            /// How many frames it missed.
            missed: u64,
        },
        /// Mode or breakpoints have changed.
        Debug {
            /// Mode and breakpoints.
            debug: DebugState,
        },
        /// A range of a value; answers [`ViewerFrame::BodyGet`].
        Body {
            /// The request.
            req: u64,
            /// Key of the run.
            run: String,
            /// Sequence number of the envelope.
            seq: u64,
            /// Path of the value in the envelope.
            pointer: String,
            /// Byte offset of `text`.
            offset: u64,
            /// Length of the whole value's text in bytes.
            total_bytes: u64,
            /// The range.
            text: String,
        },
        /// Envelopes in full; answers [`ViewerFrame::EventsGet`].
        EventPage {
            /// The request.
            req: u64,
            /// Key of the run.
            run: String,
            /// How many there are in all.
            total: u64,
            /// The envelopes.
            events: Vec<Box<RawValue>>,
            /// Where the next page begins.
            next_after_seq: Option<u64>,
        },
        /// Streamed text in full; answers [`ViewerFrame::StreamGet`].
        StreamText {
            /// The request.
            req: u64,
            /// Key of the run.
            run: String,
            /// The answer.
            text: String,
            /// The reasoning.
            reasoning: String,
            /// The tool arguments.
            tool_args: String,
            /// Length of all texts in bytes, also where they are cut.
            total_bytes: u64,
        },
        /// What became of a control.
        Control {
            /// The request.
            req: u64,
            /// How far it came.
            stage: ControlStage,
            /// Why it was refused.
            reason: Option<String>,
        },
        /// A request that could not be answered.
        Failed {
            /// The request.
            req: u64,
            /// Why.
            reason: String,
        },
        /// How far a long import is, a few times a second.
        Importing {
            /// Names the import.
            id: u64,
            /// Name of the file.
            name: String,
            /// Events so far.
            events: u64,
            /// Bytes of the file read so far.
            read_bytes: u64,
            /// All of its bytes; 0 where that is not known.
            total_bytes: u64,
            /// It has ended, well or not; its report says which.
            over: bool,
        },
        /// What an import found.
        Report {
            /// Name of the file.
            name: String,
            /// The report.
            report: Box<RawValue>,
        },
        /// How the server is doing.
        Stats {
            /// Events a second.
            events_per_s: f64,
            /// Frames dropped on slow viewers.
            dropped: u64,
            /// Sequence numbers missing.
            gaps: u64,
            /// Programs attached.
            connections: u32,
            /// Memory of the process.
            memory_bytes: u64,
        },
        /// A word to the person.
        Notice {
            /// How urgent.
            level: NoticeLevel,
            /// The word.
            text: String,
        },
    }
}

frames! {
    /// Viewer to server.
    pub enum ViewerFrame {
        /// Send me this run from now on.
        Watch {
            /// Key of the run.
            run: String,
        },
        /// Send it no longer.
        Unwatch {
            /// Key of the run.
            run: String,
        },
        /// I can take more frames.
        Credit {
            /// How many more.
            frames: u32,
        },
        /// A range of a value.
        BodyGet {
            /// Names the request.
            req: u64,
            /// Key of the run.
            run: String,
            /// Sequence number of the envelope.
            seq: u64,
            /// JSON pointer into the envelope, for example `/payload/input`.
            pointer: String,
            /// First byte.
            offset: u64,
            /// How many bytes at most.
            limit: u64,
        },
        /// A page of envelopes in full.
        EventsGet {
            /// Names the request.
            req: u64,
            /// Key of the run.
            run: String,
            /// Begin behind this number; absent begins at the first.
            after_seq: Option<u64>,
            /// How many at most.
            limit: u64,
        },
        /// Streamed text in full.
        StreamGet {
            /// Names the request.
            req: u64,
            /// Key of the run.
            run: String,
            /// Which node.
            node_id: String,
            /// Which execution; absent means the node's unattributed text.
            instance_id: Option<String>,
        },
        /// Answer a hold.
        Resume {
            /// Names the request.
            req: u64,
            /// Key of the run.
            run: String,
            /// Which hold.
            pause_id: String,
            /// Its node, where two holds share an id.
            node_id: Option<String>,
            /// How to release it.
            action: Action,
            /// With inject: the value. `null` is a value, absent is none.
            #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
            output: Option<Box<RawValue>>,
            /// Edited arguments. `null` is a value, absent is none.
            #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
            input: Option<Box<RawValue>>,
        },
        /// Arm or change a breakpoint.
        BreakpointSet {
            /// Names the request.
            req: u64,
            /// The breakpoint.
            spec: BreakpointSpec,
        },
        /// Disarm the breakpoint with exactly this matcher.
        BreakpointClear {
            /// Names the request.
            req: u64,
            /// The matcher.
            matcher: Matcher,
        },
        /// Run freely or step.
        ModeSet {
            /// Names the request.
            req: u64,
            /// The mode.
            mode: Mode,
        },
        /// Hold at errors or not.
        PauseOnError {
            /// Names the request.
            req: u64,
            /// Hold or not.
            on: bool,
        },
        /// Hold everything at its next gate.
        PauseAll {
            /// Names the request.
            req: u64,
        },
        /// Release every hold.
        ContinueAll {
            /// Names the request.
            req: u64,
            /// Only of this run.
            run: Option<String>,
        },
        /// Delete a run and its recording.
        RunDelete {
            /// Names the request.
            req: u64,
            /// Key of the run.
            run: String,
        },
        /// Start the demo.
        DemoStart {
            /// Names the request.
            req: u64,
        },
        /// Stop an import; it leaves nothing behind.
        ImportCancel {
            /// Names the request.
            req: u64,
            /// Which one.
            id: u64,
        },
        /// Open a recording on the server's machine.
        Open {
            /// Names the request.
            req: u64,
            /// Its path.
            path: String,
        },
    }
}
