//! Which compiler can make wasm here. An ordinary machine has the target from rustup; where rustup cannot download,
//! Debian's `rustc-web` builds the standard library from its own source package.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::TARGET;
use crate::sh::{self, Done};

/// A way to compile for the browser.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wasm {
    /// The toolchain in use has the target's standard library.
    Rustup,
    /// Debian's own compiler in `/usr/bin`, with the sources of the standard library.
    Debian,
}

/// The way this machine offers, if any.
pub(crate) fn wasm() -> Option<Wasm> {
    if has_rustup_target() {
        Some(Wasm::Rustup)
    } else if has_debian_sources() {
        Some(Wasm::Debian)
    } else {
        None
    }
}

/// Cargo, ready to compile for the browser in that way.
pub(crate) fn cargo(way: &Wasm) -> Done<Command> {
    match way {
        Wasm::Rustup => Ok(sh::cargo::<&str>(&[])),
        Wasm::Debian => debian_cargo(),
    }
}

fn has_rustup_target() -> bool {
    let asked = sh::read(sh::command("rustc", &["--print", "target-libdir", "--target", TARGET]));
    let Ok(dir) = asked else { return false };
    fs::read_dir(dir.trim())
        .is_ok_and(|files| files.flatten().any(|f| f.file_name().to_string_lossy().starts_with("libstd")))
}

fn has_debian_sources() -> bool {
    let asked = sh::read(sh::command("/usr/bin/rustc", &["--print", "sysroot"]));
    let has_library =
        asked.is_ok_and(|dir| Path::new(dir.trim()).join("lib/rustlib/src/rust/library/std").exists());
    has_library && Path::new("/usr/bin/cargo").exists()
}

/// The child must not see our own toolchain: cargo and rustup hand it down in variables and in the search path.
fn debian_cargo() -> Done<Command> {
    let mut cargo = sh::command("/usr/bin/cargo", &[] as &[&str]);
    for (name, _) in env::vars_os() {
        let text = name.to_string_lossy();
        let ours = ["CARGO_PKG_", "CARGO_MANIFEST_", "CARGO_BIN_", "CARGO_PRIMARY_"]
            .iter()
            .any(|p| text.starts_with(p));
        let inherited =
            ["CARGO", "RUSTUP_TOOLCHAIN", "RUST_RECURSION_COUNT", "RUSTC", "RUSTDOC", "LD_LIBRARY_PATH"];
        if ours || inherited.contains(&text.as_ref()) {
            cargo.env_remove(&name);
        }
    }
    let mut dirs = vec![PathBuf::from("/usr/bin")];
    dirs.extend(env::split_paths(&env::var_os("PATH").unwrap_or_default()));
    dirs.extend(lld_dir());
    let path = env::join_paths(dirs).map_err(|error| format!("cannot extend PATH: {error}"))?;
    cargo.env("PATH", path).env("RUSTC_BOOTSTRAP", "1");
    Ok(cargo)
}

/// The linker for wasm ships inside the ordinary toolchain, off the search path.
fn lld_dir() -> Option<PathBuf> {
    let sysroot = sh::read(sh::command("rustc", &["--print", "sysroot"])).ok()?;
    let rustlib = Path::new(sysroot.trim()).join("lib").join("rustlib");
    let hosts = fs::read_dir(rustlib).ok()?.flatten();
    hosts.map(|host| host.path().join("bin")).find(|bin| bin.join("rust-lld").exists())
}
