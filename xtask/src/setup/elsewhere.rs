//! macOS, Windows and other Linux systems: we install nothing there, we say what is missing and how to get it.

use super::Need;
use crate::sh::{self, Done};

/// One thing a machine must have.
struct Part {
    what: &'static str,
    how: &'static str,
    there: fn() -> bool,
}

/// Looks for what the needs take.
pub(super) fn check(needs: &[Need]) -> Done {
    let mut parts = Vec::new();
    if needs.contains(&Need::Window) {
        parts.extend(window());
    }
    if needs.contains(&Need::Tests) {
        parts.extend(tests());
    }
    if needs.contains(&Need::Bundles) {
        parts.push(Part {
            what: "npm (the bundler comes from it)",
            how: "install Node.js 20 or newer from https://nodejs.org",
            there: || sh::which("npm").is_some() || sh::which("npm.cmd").is_some(),
        });
    }
    let missing: Vec<String> = parts
        .iter()
        .filter(|part| !(part.there)())
        .map(|part| format!("  {}: {}", part.what, part.how))
        .collect();
    if missing.is_empty() { Ok(()) } else { Err(format!("this machine lacks\n{}", missing.join("\n"))) }
}

#[cfg(target_os = "macos")]
fn window() -> Vec<Part> {
    vec![Part {
        what: "Apple's command line tools",
        how: "xcode-select --install",
        there: || sh::works(sh::command("xcode-select", &["-p"])),
    }]
}

#[cfg(windows)]
fn window() -> Vec<Part> {
    vec![
        Part {
            what: "the Microsoft C++ build tools",
            how: "winget install Microsoft.VisualStudio.2022.BuildTools, with the workload \"Desktop development with C++\"",
            there: || {
                let base = std::env::var_os("ProgramFiles(x86)").unwrap_or_default();
                std::path::Path::new(&base).join("Microsoft Visual Studio").join("Installer").exists()
            },
        },
        Part {
            what: "the WebView2 runtime",
            how: "winget install Microsoft.EdgeWebView2Runtime (Windows 11 has it)",
            there: || {
                let base = std::env::var_os("ProgramFiles(x86)").unwrap_or_default();
                std::path::Path::new(&base).join("Microsoft").join("EdgeWebView").exists()
            },
        },
    ]
}

#[cfg(not(any(target_os = "macos", windows)))]
fn window() -> Vec<Part> {
    vec![
        Part {
            what: "a C compiler and pkg-config",
            how: "Fedora: dnf install gcc pkgconf-pkg-config · Arch: pacman -S base-devel",
            there: || sh::which("cc").is_some() && sh::which("pkg-config").is_some(),
        },
        Part {
            what: "WebKitGTK 4.1 with its headers",
            how: "Fedora: dnf install webkit2gtk4.1-devel · Arch: pacman -S webkit2gtk-4.1 · openSUSE: zypper install webkit2gtk3-devel",
            there: || sh::works(sh::command("pkg-config", &["--exists", "webkit2gtk-4.1"])),
        },
    ]
}

#[cfg(any(target_os = "macos", windows))]
fn tests() -> Vec<Part> {
    vec![Part {
        what: "Python 3.10 or newer",
        how: "install it from https://www.python.org",
        there: || sh::which("python3").or_else(|| sh::which("python")).is_some(),
    }]
}

#[cfg(not(any(target_os = "macos", windows)))]
fn tests() -> Vec<Part> {
    vec![
        Part {
            what: "Python 3.10 or newer",
            how: "install the package python3 of your system",
            there: || sh::which("python3").is_some(),
        },
        Part {
            what: "Xvfb, a screen in memory",
            how: "Fedora: dnf install xorg-x11-server-Xvfb · Arch: pacman -S xorg-server-xvfb",
            there: || sh::which("Xvfb").is_some(),
        },
        Part {
            what: "WebKitWebDriver, to drive the real window",
            how: "Fedora: dnf install webkitgtk6.0-driver · Arch: it comes with webkit2gtk-4.1",
            there: || sh::which("WebKitWebDriver").is_some(),
        },
        Part {
            what: "Chromium and chromedriver, to drive the page in a browser",
            how: "Fedora: dnf install chromium chromedriver · Arch: pacman -S chromium",
            there: || sh::which("chromedriver").is_some(),
        },
    ]
}
