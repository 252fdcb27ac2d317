//! Start-up switches of WebKitGTK, before GTK starts.
//!
//! Its DMABUF renderer shows a blank window on many machines (no GPU, virtual machines, remote desktops, some drivers),
//! and nothing in the process can tell beforehand. So it is off unless the person sets the variable themselves. Setting
//! a variable in a running process is unsafe (other threads may read it); starting the same program again is not, and
//! `exec` keeps the process id, the terminal and the parent.

/// The variable; `0` gives the renderer back.
#[cfg(target_os = "linux")]
const SWITCH: &str = "WEBKIT_DISABLE_DMABUF_RENDERER";

/// Replaces the process by itself with the switch set; returns only if there is nothing to do or it cannot be done.
#[cfg(target_os = "linux")]
pub(crate) fn prepare() {
    use std::os::unix::process::CommandExt;

    if std::env::var_os(SWITCH).is_some() {
        return;
    }
    if let Ok(own) = std::env::current_exe() {
        let error = std::process::Command::new(own).args(std::env::args_os().skip(1)).env(SWITCH, "1").exec();
        eprintln!("holdpoint-app: cannot set {SWITCH}, starting without it: {error}");
    }
}

/// Other systems have another webview.
#[cfg(not(target_os = "linux"))]
pub(crate) fn prepare() {}
