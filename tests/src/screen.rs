//! A screen in memory, so that the real window opens where nobody looks.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

/// A running Xvfb; it ends with this value.
#[derive(Debug)]
pub struct Screen {
    server: Child,
    /// What programs find in `DISPLAY`.
    pub display: String,
}

impl Screen {
    /// Starts one of this size in pixels, on a free number that the server itself picks.
    ///
    /// # Panics
    /// If Xvfb does not start.
    pub fn start(width: u32, height: u32) -> Self {
        let size = format!("{width}x{height}x24");
        let mut server = Command::new("Xvfb")
            .args(["-displayfd", "1", "-screen", "0", &size, "-nolisten", "tcp", "-noreset"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("Xvfb starts; `cargo xtask setup` installs it");
        let mut number = String::new();
        let output = server.stdout.take().expect("the output is piped");
        BufReader::new(output).read_line(&mut number).expect("Xvfb says its number");
        assert!(!number.trim().is_empty(), "Xvfb ended without a number");
        Self { server, display: format!(":{}", number.trim()) }
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        let _ = self.server.kill().and_then(|()| self.server.wait());
    }
}
