//! Debian and its children: which packages each need takes, and installing those that are not there.

use std::path::Path;

use super::Need;
use crate::sh::{self, Done};

/// To compile the window and the native build of the viewer.
const BUILD: [&str; 13] = [
    "build-essential",
    "ca-certificates",
    "curl",
    "file",
    "git",
    "libayatana-appindicator3-dev",
    "libgl1-mesa-dri",
    "libgtk-3-dev",
    "librsvg2-dev",
    "libssl-dev",
    "libwebkit2gtk-4.1-dev",
    "libxdo-dev",
    "pkg-config",
];
/// To drive a real window without a screen, to paint snapshots, and to run Python programs.
const TEST: [&str; 12] = [
    "dbus-daemon",
    "gir1.2-gtk-3.0",
    "imagemagick",
    "libvulkan1",
    "mesa-vulkan-drivers",
    "openbox",
    "python3",
    "python3-gi",
    "python3-venv",
    "webkit2gtk-driver",
    "xdotool",
    "xvfb",
];
/// To drive a browser, where none that can be driven is there: Ubuntu has these packages under no such name, but its
/// images for continuous integration come with Chrome.
const BROWSER: [&str; 2] = ["chromium", "chromium-driver"];
/// The bundler comes from npm.
const NPM: [&str; 2] = ["nodejs", "npm"];
/// What the bundler calls to make an AppImage.
const BUNDLE: [&str; 2] = ["patchelf", "xdg-utils"];
/// A compiler for the browser that needs no download by rustup.
pub(super) const WASM: [&str; 3] = ["rustc-web", "cargo-web", "rust-web-src"];

/// True on a machine whose packages apt manages.
pub(super) fn is_here() -> bool {
    Path::new("/etc/debian_version").exists() && sh::which("apt-get").is_some()
}

/// Installs what the needs take and the machine lacks.
pub(super) fn ensure(needs: &[Need]) -> Done {
    let mut wanted = Vec::new();
    for need in needs {
        match need {
            Need::Window => wanted.extend(BUILD),
            Need::Viewer => {}
            Need::Tests => {
                wanted.extend(TEST);
                wanted.extend(BROWSER.into_iter().filter(|_| sh::which("chromedriver").is_none()));
            }
            Need::Bundles => {
                wanted.extend(BUNDLE);
                wanted.extend(NPM.into_iter().filter(|_| sh::which("npm").is_none()));
            }
        }
    }
    install(&wanted)
}

/// Installs those of the packages that are missing.
pub(super) fn install(packages: &[&str]) -> Done {
    let missing = missing(packages);
    if missing.is_empty() {
        return Ok(());
    }
    println!("setup: installing {}", missing.join(" "));
    let by_hand = || format!("as root: apt-get update && apt-get install -y {}", missing.join(" "));
    apt(&["update", "-qq"]).map_err(|reason| format!("{reason}\n{}", by_hand()))?;
    let mut args = vec!["install", "-y", "-qq", "--no-install-recommends"];
    args.extend(&missing);
    apt(&args).map_err(|reason| format!("{reason}\n{}", by_hand()))
}

fn missing<'a>(packages: &[&'a str]) -> Vec<&'a str> {
    let installed = |package: &str| {
        let asked = sh::command("dpkg-query", &["-W", "-f", "${db:Status-Abbrev}", package]).output();
        asked.is_ok_and(|out| out.stdout.starts_with(b"ii"))
    };
    packages.iter().copied().filter(|package| !installed(package)).collect()
}

fn apt(args: &[&str]) -> Done {
    let is_root = sh::read(sh::command("id", &["-u"])).is_ok_and(|id| id.trim() == "0");
    let mut command = if is_root {
        sh::command("apt-get", args)
    } else if sh::which("sudo").is_some() {
        // sudo may ask for the password: it reads that from the terminal itself.
        sh::command("sudo", &[&["DEBIAN_FRONTEND=noninteractive", "apt-get"], args].concat())
    } else {
        return Err("this needs root, and there is no sudo".to_string());
    };
    command.env("DEBIAN_FRONTEND", "noninteractive");
    sh::run(command)
}
