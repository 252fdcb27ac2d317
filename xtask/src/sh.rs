//! Running other programs: one way to start, to read and to name what failed.

use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What every step gives back: nothing or a value, or a sentence a person can act on.
pub(crate) type Done<T = ()> = Result<T, String>;

/// The workspace's root folder.
pub(crate) fn root() -> PathBuf {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.parent().unwrap_or(own).to_path_buf()
}

/// The folder for everything that is built, as cargo would choose it.
pub(crate) fn target_dir() -> PathBuf {
    match env::var_os("CARGO_TARGET_DIR") {
        Some(dir) => root().join(dir),
        None => root().join("target"),
    }
}

/// A built program of the development profile.
pub(crate) fn built(name: &str) -> PathBuf {
    target_dir().join("debug").join(format!("{name}{}", env::consts::EXE_SUFFIX))
}

/// A command that runs in the workspace's root, without an input to wait on.
pub(crate) fn command<S: AsRef<OsStr>>(program: impl AsRef<OsStr>, args: &[S]) -> Command {
    let mut command = Command::new(program);
    command.args(args).current_dir(root()).stdin(Stdio::null());
    command
}

/// The cargo that started us.
pub(crate) fn cargo<S: AsRef<OsStr>>(args: &[S]) -> Command {
    command(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()), args)
}

/// Runs to the end, with the output on our own.
pub(crate) fn run(mut command: Command) -> Done {
    let line = shown(&command);
    let status = command.status().map_err(|error| format!("cannot start `{line}`: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("`{line}` failed ({status})")) }
}

/// Runs to the end and gives its standard output; its standard error is ours.
pub(crate) fn read(mut command: Command) -> Done<String> {
    let line = shown(&command);
    let output = command
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| format!("cannot start `{line}`: {error}"))?;
    if !output.status.success() {
        return Err(format!("`{line}` failed ({})", output.status));
    }
    String::from_utf8(output.stdout).map_err(|_| format!("`{line}` printed text that is not UTF-8"))
}

/// Whether it runs and succeeds; its output is dropped.
pub(crate) fn works(mut command: Command) -> bool {
    command.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}

/// Where a program lies on the search path.
pub(crate) fn which(program: &str) -> Option<PathBuf> {
    let name = format!("{program}{}", env::consts::EXE_SUFFIX);
    env::split_paths(&env::var_os("PATH")?).map(|dir| dir.join(&name)).find(|path| path.is_file())
}

fn shown(command: &Command) -> String {
    let program = Path::new(command.get_program()).file_stem().unwrap_or(command.get_program());
    let mut line = program.to_string_lossy().into_owned();
    for arg in command.get_args() {
        line.push(' ');
        line.push_str(&arg.to_string_lossy());
    }
    line
}
