//! Starting `holdpoint` in a folder of its own and reading what it says.

use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// How long a test waits for what must come.
pub(crate) const SOON: Duration = Duration::from_secs(20);

/// A data directory that is removed with this value.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("holdpoint-command-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a temporary folder");
        Self(path)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    /// Writes a file of the test's own into it.
    pub(crate) fn file(&self, name: &str, text: &str) -> String {
        let path = self.0.join(name);
        std::fs::write(&path, text).expect("written");
        path.to_string_lossy().into_owned()
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_holdpoint"));
        command.env("HOLDPOINT_DATA_DIR", &self.0).env_remove("HOLDPOINT_PORT").env_remove("GRAPHMIND_URL");
        command.env_remove("GRAPHMIND_DISABLED").args(args).stdin(Stdio::null());
        command
    }

    fn run(&self, args: &[&str]) -> Output {
        self.command(args).output().expect("started")
    }

    /// What a command prints that must succeed.
    pub(crate) fn ok(&self, args: &[&str]) -> String {
        let output = self.run(args);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{args:?}: {errors}");
        String::from_utf8(output.stdout).expect("UTF-8")
    }

    /// The same with `--json`.
    pub(crate) fn json(&self, args: &[&str]) -> Value {
        let text = self.ok(&[args, &["--json"]].concat());
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{args:?}: {error}: {text}"))
    }

    /// What a command that must fail says on standard error, and its exit code.
    pub(crate) fn fails(&self, args: &[&str]) -> (String, i32) {
        let output = self.run(args);
        assert!(!output.status.success(), "{args:?} succeeded: {}", String::from_utf8_lossy(&output.stdout));
        (String::from_utf8_lossy(&output.stderr).into_owned(), output.status.code().expect("an exit code"))
    }

    /// What a command prints, and its exit code, whatever that is.
    pub(crate) fn answers(&self, args: &[&str]) -> (String, i32) {
        let output = self.run(args);
        (String::from_utf8(output.stdout).expect("UTF-8"), output.status.code().expect("an exit code"))
    }

    /// A program that goes on by itself.
    pub(crate) fn start(&self, args: &[&str]) -> Running {
        let mut command = self.command(args);
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("started");
        Running(Some(child))
    }

    pub(crate) fn serve(&self) -> Server {
        self.serve_at("0", &[])
    }

    pub(crate) fn serve_at(&self, port: &str, more: &[&str]) -> Server {
        let mut running = self.start(&[&["serve", "--json", "--port", port], more].concat());
        let output = running.0.as_mut().and_then(|child| child.stdout.take()).expect("piped");
        let mut lines = BufReader::new(output);
        let mut line = String::new();
        lines.read_line(&mut line).expect("UTF-8");
        let ready: Value = serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line:?}"));
        Server { running, ready, _output: lines }
    }

    /// The holds, once there are `count`.
    pub(crate) fn holds(&self, count: usize) -> Vec<Value> {
        until(|| {
            let holds = self.json(&["holds"])["holds"].as_array().cloned().unwrap_or_default();
            (holds.len() == count).then_some(holds)
        })
    }

    /// The row of the only run, once it has this status.
    pub(crate) fn run_with_status(&self, status: &str) -> Value {
        until(|| {
            let run = self.json(&["runs"])["runs"][0].clone();
            (run["status"] == status).then_some(run)
        })
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // A file that is still open on some systems stays for the system to clean up.
        std::fs::remove_dir_all(&self.0).ok();
    }
}

/// Asks until there is an answer.
pub(crate) fn until<T>(mut ask: impl FnMut() -> Option<T>) -> T {
    let end = Instant::now() + SOON;
    loop {
        if let Some(answer) = ask() {
            return answer;
        }
        assert!(Instant::now() < end, "waited in vain");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// A process that ends with this value.
pub(crate) struct Running(Option<Child>);

impl Running {
    /// Waits for its end.
    pub(crate) fn output(mut self) -> Output {
        self.0.take().expect("not waited for").wait_with_output().expect("ended")
    }

    pub(crate) fn kill(&mut self) {
        self.0
            .iter_mut()
            .for_each(|child| child.kill().and_then(|()| child.wait().map(drop)).expect("killed"));
    }

    #[cfg(unix)]
    pub(crate) fn terminate(mut self) -> std::process::ExitStatus {
        let mut child = self.0.take().expect("not waited for");
        let status = Command::new("kill").arg(child.id().to_string()).status().expect("kill");
        assert!(status.success());
        child.wait().expect("ended")
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // One that has ended by itself cannot be killed, and that is as good.
        self.0.iter_mut().for_each(|child| drop(child.kill().and_then(|()| child.wait())));
    }
}

/// `holdpoint serve`.
pub(crate) struct Server {
    pub(crate) running: Running,
    pub(crate) ready: Value,
    _output: BufReader<std::process::ChildStdout>,
}

impl Server {
    pub(crate) fn field(&self, name: &str) -> String {
        self.ready[name].as_str().unwrap_or_else(|| panic!("no {name}: {}", self.ready)).to_owned()
    }

    /// Its port.
    pub(crate) fn port(&self) -> String {
        let ingest = self.field("ingest");
        ingest.trim_end_matches("/ingest").rsplit(':').next().expect("a port").to_owned()
    }
}

/// The text of a member.
pub(crate) fn text(value: &Value, name: &str) -> String {
    value[name].as_str().unwrap_or_else(|| panic!("no {name}: {value}")).to_owned()
}
