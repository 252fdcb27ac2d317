//! What a session was told, by code and by environment.
//!
//! Invariant: an environment switch is a floor that code cannot lower: `GRAPHMIND_DISABLED` and the
//! `GRAPHMIND_HIDE_*` switches win over the builder. This module does not know sockets or threads.

use std::time::Duration;

/// Time a connection attempt may take (contract: how clients behave).
pub const CONNECT_BUDGET: Duration = Duration::from_millis(300);
/// Time from an open socket to the debugger's `hello.ack`.
pub const HANDSHAKE_BUDGET: Duration = Duration::from_millis(1_000);
/// Pause between two attempts to find a debugger.
pub const RETRY_EVERY: Duration = Duration::from_secs(10);
/// Where a debugger listens unless told otherwise.
pub const DEFAULT_URL: &str = "ws://127.0.0.1:4747/ingest";

/// Events kept for a debugger that attaches late, at most.
pub const BUFFER_EVENTS: usize = 20_000;
/// Bytes of events kept, at most.
pub const BUFFER_BYTES: usize = 32 << 20;
/// A single value (input, output) longer than this is sent as a preview marked truncated.
pub const VALUE_BYTES_MAX: usize = 8 << 20;
/// Equal calls of one tool in a row that hold by themselves.
pub const LOOP_REPEATS: u32 = 3;

/// Everything a session is told at its start.
#[derive(Clone, Debug)]
pub(crate) struct Config {
    pub(crate) app: String,
    pub(crate) url: String,
    pub(crate) enabled: bool,
    pub(crate) buffer_events: usize,
    pub(crate) buffer_bytes: usize,
    pub(crate) value_bytes_max: usize,
    pub(crate) retry_every: Duration,
    pub(crate) pause_timeout: Option<Duration>,
    pub(crate) loop_repeats: u32,
    pub(crate) edit_input: bool,
    pub(crate) hide: Hide,
}

/// Which values never leave the process.
///
/// Each switch is also an environment variable (`GRAPHMIND_HIDE_INPUTS`, `…_OUTPUTS`, `…_TOOL_ARGS`,
/// `…_TOOL_RESULTS`, value `1` or `true`). A hidden value is sent as `"__REDACTED__"` and counted in the
/// event's `redaction`. Error messages are not covered: they are what a debugger is for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hide {
    /// Inputs of every node, and streamed tool arguments.
    pub inputs: bool,
    /// Outputs of every node, and every streamed delta.
    pub outputs: bool,
    /// Inputs of tools, and streamed tool arguments.
    pub tool_args: bool,
    /// Outputs of tools.
    pub tool_results: bool,
    /// Object members hidden at any depth, compared without case, `_` and `-`: `"api_key"` also hides `apiKey`.
    pub keys: Vec<String>,
}

/// How the environment is read; tests pass a table instead.
pub(crate) type Env<'a> = &'a dyn Fn(&str) -> Option<String>;

impl Config {
    /// The defaults for `app` under the process's environment.
    pub(crate) fn new(app: &str) -> Self {
        Self {
            app: app.to_owned(),
            url: DEFAULT_URL.to_owned(),
            enabled: true,
            buffer_events: BUFFER_EVENTS,
            buffer_bytes: BUFFER_BYTES,
            value_bytes_max: VALUE_BYTES_MAX,
            retry_every: RETRY_EVERY,
            pause_timeout: None,
            loop_repeats: LOOP_REPEATS,
            edit_input: true,
            hide: Hide::default(),
        }
    }

    /// Applies the environment: the address where code named none, the switches always.
    pub(crate) fn with_env(mut self, url: Option<String>, env: Env<'_>) -> Self {
        let named = url.or_else(|| env("GRAPHMIND_URL").filter(|url| !url.trim().is_empty()));
        if let Some(url) = named {
            self.url = url;
        }
        let on = |name: &str| env(name).is_some_and(|value| is_on(&value));
        self.enabled &= !on("GRAPHMIND_DISABLED");
        self.hide.inputs |= on("GRAPHMIND_HIDE_INPUTS");
        self.hide.outputs |= on("GRAPHMIND_HIDE_OUTPUTS");
        self.hide.tool_args |= on("GRAPHMIND_HIDE_TOOL_ARGS");
        self.hide.tool_results |= on("GRAPHMIND_HIDE_TOOL_RESULTS");
        self
    }
}

fn is_on(value: &str) -> bool {
    let value = value.trim();
    value == "1" || value.eq_ignore_ascii_case("true")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(vars: &[(&str, &str)], url: Option<&str>, hide: Hide) -> Config {
        let vars: Vec<(String, String)> =
            vars.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let env = move |name: &str| vars.iter().find(|(n, _)| n == name).map(|(_, value)| value.clone());
        Config { hide, ..Config::new("app") }.with_env(url.map(str::to_owned), &env)
    }

    #[test]
    fn code_names_the_address_before_the_environment_and_the_default() {
        let check = |vars: &[(&str, &str)], url, expect: &str| {
            assert_eq!(read(vars, url, Hide::default()).url, expect);
        };
        check(&[], None, DEFAULT_URL);
        check(&[("GRAPHMIND_URL", "")], None, DEFAULT_URL);
        check(&[("GRAPHMIND_URL", "ws://[::1]:9/ingest")], None, "ws://[::1]:9/ingest");
        check(&[("GRAPHMIND_URL", "ws://a/")], Some("ws://b/"), "ws://b/");
    }

    #[test]
    fn only_one_or_true_disables() {
        for (value, enabled) in [("1", false), (" TRUE ", false), ("0", true), ("", true), ("no", true)] {
            let config = read(&[("GRAPHMIND_DISABLED", value)], None, Hide::default());
            assert_eq!(config.enabled, enabled, "{value:?}");
        }
    }

    #[test]
    fn the_environment_raises_a_hide_switch_but_never_lowers_one() {
        let told = Hide { outputs: true, ..Hide::default() };
        let vars = [("GRAPHMIND_HIDE_INPUTS", "1"), ("GRAPHMIND_HIDE_OUTPUTS", "0")];
        let hide = read(&vars, None, told).hide;
        assert!(hide.inputs && hide.outputs && !hide.tool_args && !hide.tool_results);
    }
}
