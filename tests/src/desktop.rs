//! What a desktop does around the window: a window manager, and a file dragged in from another program.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::Screen;

/// Moves of the pointer between press and release: a drag is recognised by its way, not by its ends.
const MOVES: u32 = 20;

/// A program of the desktop; it ends with this value.
#[derive(Debug)]
pub struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill().and_then(|()| self.0.wait());
    }
}

impl Screen {
    /// Starts a window manager, without which windows neither stack nor take part in drag and drop.
    ///
    /// # Panics
    /// If it does not start.
    pub fn window_manager(&self) -> Running {
        Running(self.program("openbox", &["--sm-disable"]).spawn().expect("openbox starts"))
    }

    /// Drags a file from a small window in the upper left corner and drops it at a place of the screen.
    ///
    /// # Panics
    /// If a program of it does not start.
    pub fn drop_file(&self, file: &Path, x: u32, y: u32) {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("python").join("drag_source.py");
        let mut source = self.program("/usr/bin/python3", &[]);
        let mut source =
            source.arg(script).arg(file).stdout(Stdio::piped()).spawn().expect("the drag source starts");
        let mut ready = String::new();
        let output = source.stdout.take().expect("the output is piped");
        BufReader::new(output).read_line(&mut ready).expect("the drag source prints UTF-8");
        let source = Running(source);
        assert_eq!(ready.trim(), "ready", "the drag source opens");
        let (from_x, from_y) = (80, 30);
        self.pointer(&format!("mousemove {from_x} {from_y} sleep 0.3 mousedown 1 sleep 0.2"));
        for step in 1..=MOVES {
            let along = |from: u32, to: u32| from + (to - from) * step / MOVES;
            self.pointer(&format!("mousemove {} {} sleep 0.02", along(from_x, x), along(from_y, y)));
        }
        self.pointer("sleep 0.3 mouseup 1 sleep 0.5");
        drop(source);
    }

    fn pointer(&self, line: &str) {
        let args: Vec<&str> = line.split(' ').collect();
        let status = self.program("xdotool", &args).status().expect("xdotool starts");
        assert!(status.success(), "xdotool {line}");
    }

    fn program(&self, name: &str, args: &[&str]) -> Command {
        let mut command = Command::new(name);
        command
            .args(args)
            .env("DISPLAY", &self.display)
            .env("GDK_BACKEND", "x11")
            .env_remove("WAYLAND_DISPLAY");
        command.stdin(Stdio::null()).stderr(Stdio::null());
        command
    }
}
