//! Why the server could not start, in words a person can act on.
//!
//! Invariant: each message names what was seen and what to do next.

use std::io;
use std::path::PathBuf;

/// Who holds a port that we wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PortHolder {
    /// Another Holdpoint answered on it.
    Holdpoint {
        /// Its version.
        version: String,
        /// Its data directory's name is not told to strangers; its process id is, where it says so.
        pid: Option<u32>,
    },
    /// A process the system names, as `python3 (pid 4711)`.
    Process {
        /// The program's name.
        name: String,
        /// The process id.
        pid: u32,
    },
    /// Something that does not say what it is.
    Unknown,
}

impl std::fmt::Display for PortHolder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Holdpoint { version, pid: Some(pid) } => write!(f, "Holdpoint {version} (pid {pid})"),
            Self::Holdpoint { version, pid: None } => write!(f, "Holdpoint {version}"),
            Self::Process { name, pid } => write!(f, "{name} (pid {pid})"),
            Self::Unknown => f.write_str("another program"),
        }
    }
}

/// Why [`crate::start`] gave up.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The port is in use.
    #[error(
        "port {port} is taken by {holder}; the next free one is {}: start with HOLDPOINT_PORT={}, \
         and point apps at it with GRAPHMIND_URL=ws://127.0.0.1:{}/ingest",
        next_free.unwrap_or(0), next_free.unwrap_or(0), next_free.unwrap_or(0)
    )]
    PortTaken {
        /// The port that was asked for.
        port: u16,
        /// Who has it.
        holder: PortHolder,
        /// A port that was free a moment ago; `None` if none was found near.
        next_free: Option<u16>,
    },
    /// Another server uses this data directory.
    #[error("the data directory {} is in use by another Holdpoint{}; stop it or choose another --data-dir",
        dir.display(), pid.map(|p| format!(" (pid {p})")).unwrap_or_default())]
    DataDirInUse {
        /// The directory.
        dir: PathBuf,
        /// The other's process id, where its `server.json` names one.
        pid: Option<u32>,
    },
    /// A file or directory of ours could not be made or read.
    #[error("cannot {what} {}: {source}", path.display())]
    Files {
        /// What was tried: `create`, `write`, `read`, `lock`.
        what: &'static str,
        /// On what.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// No loopback address could be bound for a reason other than a taken port.
    #[error("cannot listen on 127.0.0.1:{port}: {source}")]
    Bind {
        /// The port that was asked for.
        port: u16,
        /// What the system said.
        source: io::Error,
    },
    /// The system gave no random bytes for the token.
    #[error("the system gives no random bytes for the access token: {0}")]
    Random(String),
}
