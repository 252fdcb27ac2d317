//! `holdpoint app`: opens the window, which is a program of its own beside this one.

use super::Context;
use crate::fail::{Context as _, Done, Fail};
use std::path::{Path, PathBuf};
use std::process::Command;

const PROGRAM: &str = "holdpoint-app";

/// Starts the window and waits for its end.
pub(crate) fn run(context: &Context, files: &[PathBuf]) -> Done {
    let mut command = Command::new(program());
    command.env("HOLDPOINT_DATA_DIR", &context.place.data_dir).args(files);
    if let Some(port) = context.port {
        command.env("HOLDPOINT_PORT", port.to_string());
    }
    let status = command.status().context(format!(
        "cannot start {PROGRAM}; build it with `cargo xtask run`, or use `holdpoint serve` and a browser"
    ))?;
    if status.success() { Ok(()) } else { Err(Fail::new(format!("{PROGRAM} ended with {status}"))) }
}

/// The one beside us, as both are built and installed together; else the one on the search path.
fn program() -> PathBuf {
    let name = format!("{PROGRAM}{}", std::env::consts::EXE_SUFFIX);
    let beside = std::env::current_exe().ok().and_then(|own| own.parent().map(|dir| dir.join(&name)));
    beside.filter(|path| path.is_file()).unwrap_or_else(|| Path::new(&name).to_path_buf())
}
