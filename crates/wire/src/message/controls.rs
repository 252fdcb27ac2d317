//! Controls: what a debugger asks of a program.
use super::parts::WireMatcher;
use crate::{Action, Mode, Raw, loose::loose};
use std::borrow::Cow;

loose! {
    /// Payload of `exec.resume`.
    pub struct ExecResume {
        /// Which hold.
        pause_id: Cow<'a, str> = "pauseId",
        /// How to release it.
        action: Action = "action",
        /// With `inject`: the value to go on with.
        output: Option<Raw<'a>> = "output",
        /// The edited arguments, only where the hold is `editable`: with `continue` before a call, with `retry` after it.
        input: Option<Raw<'a>> = "input",
        /// Echoed by the answer.
        request_id: Option<Cow<'a, str>> = "requestId",
    }
    /// Payload of `breakpoint.set`.
    pub struct BreakpointSet {
        /// Which gates.
        matcher: WireMatcher<'a> = "matcher",
    }
    /// Payload of `breakpoint.clear`.
    pub struct BreakpointClear {
        /// The very matcher that was set.
        matcher: WireMatcher<'a> = "matcher",
    }
    /// Payload of `mode.set`.
    pub struct ModeSet {
        /// The mode to adopt.
        mode: Mode = "mode",
    }
}
