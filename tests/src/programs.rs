//! The programs under test, as a person would start them: the built window and command, and Python from the folder that
//! set-up made.

use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

use serde_json::Value;

/// Where everything is built: three levels above this test's own program (`target/debug/deps/NAME`).
pub(crate) fn target_dir() -> PathBuf {
    let own = std::env::current_exe().expect("a test knows its own path");
    own.ancestors().nth(3).expect("tests lie in target/PROFILE/deps").to_path_buf()
}

fn built(name: &str) -> PathBuf {
    let path = target_dir().join("debug").join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    assert!(path.is_file(), "{name} is not built: run the journeys with `cargo xtask test`");
    path
}

/// The window's program.
pub fn window_program() -> PathBuf {
    built("holdpoint-app")
}

/// A folder that is removed with this value.
#[derive(Debug)]
pub struct Folder(PathBuf);

impl Folder {
    /// An empty one.
    ///
    /// # Panics
    /// If it cannot be made.
    pub fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("holdpoint-journey-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a temporary folder can be made");
        Self(path)
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Default for Folder {
    fn default() -> Self {
        Self::new()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A server without a window; it ends with this value.
#[derive(Debug)]
pub struct Served {
    child: Child,
    /// Where agents dial.
    pub ingest: String,
    /// The page's address with its token.
    pub viewer: String,
}

/// Starts `holdpoint serve` on a free port.
///
/// # Panics
/// If it does not say that it is ready.
pub fn serve(folder: &Folder) -> Served {
    let mut child = command(folder)
        .args(["serve", "--json", "--port", "0"])
        .stdout(Stdio::piped())
        .spawn()
        .expect("the server starts");
    let ready: Value = first_line(child.stdout.take().expect("the output is piped"));
    assert_eq!(ready["ready"], true, "{ready}");
    let field = |name: &str| ready[name].as_str().expect(name).to_string();
    let page = field("viewer");
    let page = page.split('#').next().unwrap_or_default().trim_end_matches('/');
    Served { child, ingest: field("ingest"), viewer: format!("{page}/#token={}", field("token")) }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill().and_then(|()| self.child.wait());
    }
}

/// Runs a `holdpoint` command against the server of this folder and gives what it prints.
///
/// # Panics
/// If it fails.
pub fn holdpoint(folder: &Folder, args: &[&str]) -> String {
    let output = command(folder).args(args).output().expect("the command starts");
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "holdpoint {args:?}: {error}");
    String::from_utf8(output.stdout).expect("the command prints UTF-8")
}

/// The same with `--json`, read.
///
/// # Panics
/// If it fails or prints no JSON.
pub fn json(folder: &Folder, args: &[&str]) -> Value {
    let text = holdpoint(folder, &[args, &["--json"]].concat());
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("holdpoint {args:?}: {error}: {text}"))
}

fn command(folder: &Folder) -> Command {
    let mut command = Command::new(built("holdpoint"));
    command.env("HOLDPOINT_DATA_DIR", folder.path()).stdin(Stdio::null());
    command
}

/// A program under the debugger; it ends with this value.
#[derive(Debug)]
pub struct Agent(Child);

impl Agent {
    /// Waits for its end and gives what it printed.
    ///
    /// # Panics
    /// If it fails.
    pub fn output(mut self) -> String {
        let mut text = String::new();
        let mut output = self.0.stdout.take().expect("the output is piped");
        output.read_to_string(&mut text).expect("the agent prints UTF-8");
        let status = self.0.wait().expect("the agent ends");
        assert!(status.success(), "the agent ended with {status}: {text}");
        text
    }
}

impl Drop for Agent {
    fn drop(&mut self) {
        let _ = self.0.kill().and_then(|()| self.0.wait());
    }
}

/// Starts a Python program, of `tests/python` unless its path is absolute, with the real client of the contract.
///
/// # Panics
/// If set-up has not installed it.
pub fn python_agent(program: impl AsRef<Path>, ingest: &str, args: &[&str]) -> Agent {
    let python = target_dir().join("python").join("bin").join("python3");
    assert!(python.is_file(), "the journeys' Python is not installed: `cargo xtask setup`");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("python").join(program);
    let child = Command::new(python)
        .arg(path)
        .args(args)
        .env("GRAPHMIND_URL", ingest)
        .env("NO_PROXY", "127.0.0.1,localhost")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn();
    Agent(child.expect("Python starts"))
}

/// The first line of a program that goes on; what it prints later is read and dropped, so that it never blocks.
fn first_line(output: ChildStdout) -> Value {
    let mut lines = BufReader::new(output);
    let mut line = String::new();
    lines.read_line(&mut line).expect("the server prints UTF-8");
    std::thread::spawn(move || std::io::copy(&mut lines, &mut std::io::sink()));
    serde_json::from_str(&line)
        .unwrap_or_else(|error| panic!("the server says that it is ready: {error}: {line:?}"))
}
