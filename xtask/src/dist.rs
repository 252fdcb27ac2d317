//! `cargo xtask dist`: the packages people install, made by the Tauri bundler from npm (prebuilt, so nothing is compiled
//! for it).

use crate::setup::{self, Need};
use crate::sh::{self, Done};
use crate::web;

const BUNDLER: &str = "@tauri-apps/cli@2";

/// Builds the packages of this system, or those named: `cargo xtask dist deb rpm`.
pub(crate) fn run(wanted: &[String]) -> Done {
    setup::ensure(&[Need::Window, Need::Viewer, Need::Bundles])?;
    web::build(web::Page::Shipped)?;
    sh::run(sh::cargo(&["build", "--release", "--locked", "-p", "cli"]))?;
    let config = beside()?;
    let bundles = if wanted.is_empty() { default_bundles().to_string() } else { wanted.join(",") };
    let npx = if cfg!(windows) { "npx.cmd" } else { "npx" };
    let mut bundler =
        sh::command(npx, &["--yes", BUNDLER, "build", "--ci", "--bundles", &bundles, "--config", &config]);
    bundler.current_dir(sh::root().join("src-tauri"));
    sh::run(bundler)?;
    println!("packages: {}", sh::target_dir().join("release").join("bundle").display());
    Ok(())
}

/// The `holdpoint` command goes into the package beside the window: the bundler wants it under the target's name, and told
/// by a piece of configuration, because the file does not exist in a fresh clone.
fn beside() -> Done<String> {
    let version = sh::read(sh::command("rustc", &["-vV"]))?;
    let host =
        version.lines().find_map(|line| line.strip_prefix("host: ")).ok_or("rustc does not say its host")?;
    let folder = sh::target_dir().join("beside");
    let suffix = std::env::consts::EXE_SUFFIX;
    let from = sh::target_dir().join("release").join(format!("holdpoint{suffix}"));
    let to = folder.join(format!("holdpoint-{host}{suffix}"));
    std::fs::create_dir_all(&folder)
        .and_then(|()| std::fs::copy(&from, &to))
        .map_err(|error| format!("cannot copy {} to {}: {error}", from.display(), to.display()))?;
    Ok(serde_json::json!({ "bundle": { "externalBin": [folder.join("holdpoint")] } }).to_string())
}

fn default_bundles() -> &'static str {
    match std::env::consts::OS {
        "macos" => "app,dmg",
        "windows" => "msi,nsis",
        _ => "deb,rpm",
    }
}
