//! The handshake. Until the answer arrives a program is detached and its gates pass.
use super::parts::{ClientVersions, Sdk, ViewerVersions, WireMatcher};
use crate::{Mode, loose::loose};
use std::borrow::Cow;

loose! {
    /// Payload of `hello`.
    pub struct Hello {
        /// Versions of the program's side.
        versions: ClientVersions<'a> = "versions",
        /// What the program can do; unknown words are ignored.
        capabilities: Vec<Cow<'a, str>> = "capabilities",
        /// The program's name.
        app: Option<Cow<'a, str>> = "app",
        /// The library that drives it.
        sdk: Option<Sdk<'a>> = "sdk",
        /// The token of an earlier connection, which claims its runs again.
        resume_token: Option<Cow<'a, str>> = "resumeToken",
    }
    /// Payload of `hello.ack`.
    pub struct HelloAck {
        /// Versions of the debugger's side.
        versions: ViewerVersions<'a> = "versions",
        /// What the debugger will use of the program's capabilities.
        capabilities: Vec<Cow<'a, str>> = "capabilities",
        /// All breakpoints to arm.
        breakpoints: Vec<WireMatcher<'a>> = "breakpoints",
        /// The mode to adopt.
        mode: Mode = "mode",
        /// Identity of this connection, to be echoed as `resumeToken`.
        session_token: Option<Cow<'a, str>> = "sessionToken",
        /// What the debugger itself can do.
        hub_capabilities: Option<Vec<Cow<'a, str>>> = "hubCapabilities",
    }
}
