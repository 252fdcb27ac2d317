//! The demo agent: the `holdpoint` program beside ours, told where to dial. It is an ordinary agent to the server; here
//! is only its life as a process.

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, OnceLock, PoisonError};

/// Starts demo agents and ends those that are left.
#[derive(Default)]
pub(crate) struct Demo {
    url: OnceLock<String>,
    children: Mutex<Vec<Child>>,
}

impl Demo {
    /// Where agents dial; set once, when the server listens.
    pub(crate) fn dial(&self, url: &str) {
        self.url.get_or_init(|| url.to_string());
    }

    /// Starts one. What goes wrong is said on standard error: the page shows that no run appeared.
    pub(crate) fn start(&self) {
        let Some(url) = self.url.get() else { return };
        let mut children = self.children.lock().unwrap_or_else(PoisonError::into_inner);
        children.retain_mut(|child| matches!(child.try_wait(), Ok(None)));
        let program = program();
        let mut command = Command::new(&program);
        command.args(["demo", "--url", url]).stdin(Stdio::null()).stdout(Stdio::null());
        match command.spawn() {
            Ok(child) => children.push(child),
            Err(error) => {
                eprintln!("holdpoint-app: cannot start the demo agent {}: {error}", program.display())
            }
        }
    }

    /// Ends those that still run.
    pub(crate) fn stop(&self) {
        for child in self.children.lock().unwrap_or_else(PoisonError::into_inner).iter_mut() {
            // One that has ended by itself cannot be killed, and that is as good.
            let _ = child.kill().and_then(|()| child.wait());
        }
    }
}

/// The command beside our own program, as both are built and installed together; else the one on the search path.
fn program() -> PathBuf {
    let name = format!("holdpoint{}", env::consts::EXE_SUFFIX);
    let beside = env::current_exe().ok().and_then(|own| own.parent().map(|dir| dir.join(&name)));
    beside.filter(|path| path.is_file()).unwrap_or_else(|| Path::new(&name).to_path_buf())
}
