//! `cargo xtask dist`: the packages people install, made by the Tauri bundler from npm (prebuilt, so nothing is compiled
//! for it).

use crate::setup::{self, Need};
use crate::sh::{self, Done};
use crate::web;

const BUNDLER: &str = "@tauri-apps/cli@2";

/// Builds the packages of this system, or those named: `cargo xtask dist deb rpm`.
pub(crate) fn run(wanted: &[String]) -> Done {
    setup::ensure(&[Need::Window, Need::Viewer, Need::Bundles])?;
    web::build()?;
    sh::run(sh::cargo(&["build", "--release", "--locked", "-p", "cli"]))?;
    let bundles = if wanted.is_empty() { default_bundles().to_string() } else { wanted.join(",") };
    let npx = if cfg!(windows) { "npx.cmd" } else { "npx" };
    let mut bundler = sh::command(npx, &["--yes", BUNDLER, "build", "--ci", "--bundles", &bundles]);
    bundler.current_dir(sh::root().join("src-tauri"));
    sh::run(bundler)?;
    println!("packages: {}", sh::target_dir().join("release").join("bundle").display());
    Ok(())
}

fn default_bundles() -> &'static str {
    match std::env::consts::OS {
        "macos" => "app,dmg",
        "windows" => "msi,nsis",
        _ => "deb,rpm",
    }
}
