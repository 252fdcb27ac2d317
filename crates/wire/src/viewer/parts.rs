//! Objects inside viewer frames.
use crate::{Matcher, Mode, Point};
use serde::{Deserialize, Serialize};

/// Mode and breakpoints of the debugger.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct DebugState {
    /// Run or step.
    pub mode: Mode,
    /// Hold at errors.
    pub pause_on_error: bool,
    /// All breakpoints, in the order they were set.
    pub breakpoints: Vec<BreakpointState>,
}

/// A breakpoint as a person sets it. The matcher goes to programs; the rest is evaluated by the debugger.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct BreakpointSpec {
    /// Which gates.
    pub matcher: Matcher,
    /// Hold only where this expression is true.
    pub condition: Option<String>,
    /// Hold only at these hits, for example `>= 3`.
    pub hit: Option<String>,
    /// Write this instead of holding.
    pub log: Option<String>,
    /// Whether it is armed.
    pub enabled: bool,
}

/// A breakpoint and what has become of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct BreakpointState {
    /// As it was set.
    pub spec: BreakpointSpec,
    /// A program has it armed.
    pub bound: bool,
    /// How many instances it could have held.
    pub seen: u64,
    /// How many of them the matcher met.
    pub matched: u64,
    /// How many it held.
    pub held: u64,
    /// Why its condition or hit count cannot be used.
    pub error: Option<String>,
}

/// A run in the list.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct RunSummary {
    /// Key: the run id, or `r1 (2)` where an id was used again.
    pub run: String,
    /// The sender's run id.
    pub run_id: String,
    /// The sender's id of the run that started it, else of the outermost one; none where it stands alone.
    pub parent: Option<String>,
    /// The program's name.
    pub app: String,
    /// `live`, or what kind of recording it is.
    pub source: String,
    /// The library that drives it.
    pub sdk: Option<String>,
    /// `running`, `ok`, `error`, `aborted` or `abandoned`.
    pub status: String,
    /// How many events it has.
    pub events: u64,
    /// First time, milliseconds since 1970.
    pub started_ms: f64,
    /// Last time, once it has ended.
    pub ended_ms: Option<f64>,
    /// Gates that hold now.
    pub holds: Vec<HoldSummary>,
    /// Its program is attached.
    pub live: bool,
    /// Length of its recording.
    pub size_bytes: u64,
}

/// A gate that holds.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct HoldSummary {
    /// Names the hold.
    pub pause_id: String,
    /// Key of its run.
    pub run: String,
    /// Its node.
    pub node_id: String,
    /// The node's name.
    pub name: String,
    /// Which execution, where it is known.
    pub instance_id: Option<String>,
    /// Which gate.
    pub point: Point,
    /// Why it holds.
    pub reason: Option<String>,
    /// Since when, milliseconds since 1970.
    pub since_ms: f64,
    /// The call can run with an edited input.
    pub editable: bool,
}

/// How far a control came. What really happened arrives as an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum ControlStage {
    /// It was sent to the program.
    Delivered,
    /// It was not sent.
    Refused,
}

/// How urgent a notice is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum NoticeLevel {
    /// Good to know.
    Info,
    /// Something is not as wished.
    Warning,
    /// Something failed.
    Error,
}
