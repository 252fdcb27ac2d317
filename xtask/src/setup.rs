//! Set-up: what a machine lacks is installed where we can (Debian and its children, as root or through sudo) and named
//! with the command to get it where we cannot. Called by `run` and `test`; asks nothing, and costs a moment when
//! nothing is missing.

mod debian;
mod elsewhere;

use crate::sh::{self, Done};
use crate::web;

/// The Python client of the wire contract that the journeys drive, and its version.
const PYTHON_CLIENT: &str = "graphmind-ai==0.5.1";
const WASM_TARGET: &str = "wasm32-unknown-unknown";

/// What a command is about to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Need {
    /// Compile and open the window.
    Window,
    /// Compile the viewer page.
    Viewer,
    /// Run every check, journeys included.
    Tests,
    /// Build installable packages.
    Bundles,
}

/// Installs what is missing for these needs, or says what to install.
///
/// # Errors
/// One text with every missing thing and the command that brings it.
pub(crate) fn ensure(needs: &[Need]) -> Done {
    if debian::is_here() {
        debian::ensure(needs)?;
    } else {
        elsewhere::check(needs)?;
    }
    if needs.contains(&Need::Viewer) {
        ensure_wasm()?;
    }
    if needs.contains(&Need::Tests) {
        ensure_component("rustfmt", "fmt")?;
        ensure_component("clippy", "clippy")?;
        ensure_python()?;
    }
    Ok(())
}

fn ensure_wasm() -> Done {
    if web::wasm().is_some() {
        return Ok(());
    }
    println!("setup: adding the Rust target {WASM_TARGET}");
    let added = sh::which("rustup").is_some()
        && sh::run(sh::command("rustup", &["target", "add", WASM_TARGET])).is_ok();
    if added && web::wasm().is_some() {
        return Ok(());
    }
    if debian::is_here() {
        debian::install(&debian::WASM)?;
    }
    web::wasm().map(drop).ok_or_else(|| format!("the viewer needs `rustup target add {WASM_TARGET}`"))
}

fn ensure_component(name: &str, subcommand: &str) -> Done {
    if sh::works(sh::cargo(&[subcommand, "--version"])) {
        return Ok(());
    }
    sh::run(sh::command("rustup", &["component", "add", name]))
        .map_err(|reason| format!("the checks need the Rust component {name}: {reason}"))
}

/// The Python of the journeys lives in a folder of its own, so nothing of the person's is touched.
fn ensure_python() -> Done {
    let home = sh::target_dir().join("python");
    let bin = home.join(if cfg!(windows) { "Scripts" } else { "bin" });
    let python = bin.join(if cfg!(windows) { "python.exe" } else { "python3" });
    if sh::works(sh::command(&python, &["-c", "import graphmind"])) {
        return Ok(());
    }
    println!("setup: installing {PYTHON_CLIENT} for the journeys");
    let system = if cfg!(windows) { "python" } else { "python3" };
    let mut venv = sh::command(system, &["-m", "venv", "--clear"]);
    venv.arg(&home);
    sh::run(venv)?;
    sh::run(sh::command(
        &python,
        &["-m", "pip", "install", "--quiet", "--disable-pip-version-check", PYTHON_CLIENT],
    ))
}
