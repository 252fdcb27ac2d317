//! The viewer page: package `ui` compiled to wasm, bound for the browser, laid into `dist/`.
//!
//! `dist/` holds exactly what the window and the server embed. Its files are rewritten only when they change, so a
//! build without news does not make the programs that embed them compile again.

mod stamp;
mod toolchain;

use std::fs;
use std::path::{Path, PathBuf};

use crate::sh::{self, Done};

pub(crate) use toolchain::{Wasm, wasm};

const TARGET: &str = "wasm32-unknown-unknown";
/// The page's script is a file because its content security policy forbids scripts inside the page.
const PAGE_FILES: [&str; 3] = ["index.html", "boot.js", "page.css"];

/// Which page to build.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Page {
    /// The one that ships.
    Shipped,
    /// The same, which also says what a screen reader would be told, so that journeys find things by their words.
    ForJourneys,
}

/// Builds `dist/` if anything that goes into it has changed.
pub(crate) fn build(page: Page) -> Done {
    let dist = sh::root().join("dist");
    let key = stamp::key(&sh::root(), page)?;
    if stamp::is_current(&key, &dist) {
        return Ok(());
    }
    println!("viewer: compiling the page");
    let wasm_file = compile(page)?;
    let fresh = sh::target_dir().join("web").join("page");
    fs::create_dir_all(&fresh).map_err(|error| format!("cannot make {}: {error}", fresh.display()))?;
    bind(&wasm_file, &fresh)?;
    for name in PAGE_FILES {
        copy(&sh::root().join("ui").join(name), &fresh.join(name))?;
    }
    copy(&sh::root().join("icons").join("64x64.png"), &fresh.join("icon.png"))?;
    publish(&fresh, &dist)?;
    stamp::write(&key)
}

fn compile(page: Page) -> Done<PathBuf> {
    let target = sh::target_dir().join("web");
    let chosen =
        wasm().ok_or_else(|| format!("no standard library for {TARGET}: run `cargo xtask setup`"))?;
    let mut cargo = toolchain::cargo(&chosen)?;
    cargo.args(["rustc", "--locked", "-p", "ui", "--lib", "--crate-type", "cdylib", "--release"]);
    if page == Page::ForJourneys {
        cargo.args(["--features", "test-hooks"]);
    }
    if chosen == Wasm::Debian {
        cargo.args(["-Z", "build-std=std,panic_abort"]);
    }
    cargo.args(["--target", TARGET]).env("CARGO_TARGET_DIR", &target);
    sh::run(cargo)?;
    Ok(target.join(TARGET).join("release").join("ui.wasm"))
}

fn bind(wasm_file: &Path, out: &Path) -> Done {
    let mut cargo = sh::cargo(&["run", "--quiet", "--locked", "-p", "xtask-bindgen", "--"]);
    cargo.arg(wasm_file).arg(out).arg("holdpoint");
    sh::run(cargo)
}

/// Makes `dist` equal to `fresh`, touching only the files that differ.
fn publish(fresh: &Path, dist: &Path) -> Done {
    fs::create_dir_all(dist).map_err(|error| format!("cannot make dist/: {error}"))?;
    for name in names(dist)? {
        if !fresh.join(&name).exists() {
            fs::remove_file(dist.join(&name))
                .map_err(|error| format!("cannot remove dist/{name}: {error}"))?;
        }
    }
    for name in names(fresh)? {
        let (from, to) = (fresh.join(&name), dist.join(&name));
        if fs::read(&from).ok() != fs::read(&to).ok() {
            copy(&from, &to)?;
        }
    }
    Ok(())
}

fn names(dir: &Path) -> Done<Vec<String>> {
    let entries = fs::read_dir(dir).map_err(|error| format!("cannot read {}: {error}", dir.display()))?;
    Ok(entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect())
}

fn copy(from: &Path, to: &Path) -> Done {
    fs::copy(from, to)
        .map(drop)
        .map_err(|error| format!("cannot copy {} to {}: {error}", from.display(), to.display()))
}
