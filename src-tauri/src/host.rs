//! The server in our process, on a runtime of its own, so that neither the window's event loop nor a slow page can hold
//! it up. A taken port is not an error here: the next free one is used and the window says so.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use ingest::{Exported, Server, ServerConfig, StartError};
use tokio::runtime::Runtime;
use tokio::task::JoinHandle;

use crate::importer::Recordings;

/// Origins of the shell's own page: macOS and Linux, Windows, and Windows with https.
const OUR_PAGES: [&str; 3] = ["tauri://localhost", "http://tauri.localhost", "https://tauri.localhost"];
/// Free ports move: another program may take the one that was free a moment ago.
const TRIES_MAX: u32 = 8;

/// An export under way.
pub(crate) type Export = JoinHandle<Result<Exported, String>>;

/// A running server and what the window should say about it.
pub(crate) struct Host {
    runtime: Runtime,
    server: Mutex<Option<Server>>,
    /// What the page is told; fixed for the life of the server.
    pub(crate) address: Address,
}

/// Where the server is.
#[derive(Clone, Debug)]
pub(crate) struct Address {
    pub(crate) port: u16,
    pub(crate) token: String,
    pub(crate) ingest_url: String,
    pub(crate) viewer_url: String,
    pub(crate) data_dir: PathBuf,
    /// Something the person should know, such as another port than the usual one.
    pub(crate) notice: Option<String>,
}

/// What the window lends the server.
pub(crate) struct Parts {
    pub(crate) port: u16,
    pub(crate) data_dir: PathBuf,
    pub(crate) page: Arc<dyn ingest::Assets>,
    pub(crate) exporter: Arc<dyn ingest::Exporter>,
    pub(crate) demo: Arc<dyn Fn() + Send + Sync>,
}

/// Starts the server.
///
/// # Errors
/// What [`StartError`] says, a taken port excepted; or that the system gives no threads.
pub(crate) fn start(parts: Parts) -> Result<Host, String> {
    let mut builder = tokio::runtime::Builder::new_multi_thread();
    builder.worker_threads(2).thread_name("holdpoint-server").enable_all();
    let runtime = builder.build().map_err(|error| format!("cannot start the server's threads: {error}"))?;
    let (server, notice) = runtime.block_on(listen(parts)).map_err(|error| error.to_string())?;
    let address = Address {
        port: server.addr.port(),
        token: server.token.clone(),
        ingest_url: server.ingest_url.clone(),
        viewer_url: server.viewer_url.clone(),
        data_dir: server.data_dir.clone(),
        notice,
    };
    Ok(Host { runtime, server: Mutex::new(Some(server)), address })
}

impl Host {
    /// Ends the server: closes its sockets, so that held programs go on, and syncs its journals.
    pub(crate) fn stop(&self) {
        let server = self.server.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(server) = server {
            self.runtime.block_on(server.shutdown());
        }
    }

    /// The name to offer for a file of a run; none for a form that is not known, or without a server.
    pub(crate) fn export_name(&self, run: &str, to: &str) -> Option<String> {
        self.server.lock().unwrap_or_else(PoisonError::into_inner).as_ref()?.export_name(run, to)
    }

    /// Writes a run to a file, on the server's threads; none without a server.
    pub(crate) fn export(&self, run: &str, to: &str, redact: bool, path: PathBuf) -> Option<Export> {
        let server = self.server.lock().unwrap_or_else(PoisonError::into_inner);
        Some(self.runtime.spawn(server.as_ref()?.export(run, to, redact, path)))
    }

    /// Runs `end` when the system asks the process to end (Ctrl-C, SIGTERM).
    pub(crate) fn on_signal(&self, end: impl FnOnce() + Send + 'static) {
        self.runtime.spawn(async move {
            if asked_to_end().await {
                end();
            }
        });
    }
}

async fn listen(parts: Parts) -> Result<(Server, Option<String>), StartError> {
    let mut config = ServerConfig::new(parts.data_dir);
    config.port = parts.port;
    config.assets = Some(parts.page);
    config.demo = Some(parts.demo);
    config.importer = Some(Arc::new(Recordings));
    config.exporter = Some(parts.exporter);
    config.extra_origins = OUR_PAGES.map(str::to_string).to_vec();
    let mut notice = None;
    let mut tries = 0;
    loop {
        match ingest::start(config.clone()).await {
            Ok(server) => return Ok((server, notice)),
            Err(StartError::PortTaken { port, holder, next_free: Some(next) }) if tries < TRIES_MAX => {
                tries += 1;
                notice.get_or_insert_with(|| {
                    format!("Port {port} is taken by {holder}. Agents find this window with GRAPHMIND_URL, see Connect.")
                });
                config.port = next;
            }
            Err(error) => return Err(error),
        }
    }
}

#[cfg(unix)]
async fn asked_to_end() -> bool {
    use tokio::signal::unix::{SignalKind, signal};

    let (Ok(mut interrupt), Ok(mut terminate)) =
        (signal(SignalKind::interrupt()), signal(SignalKind::terminate()))
    else {
        return false;
    };
    tokio::select! { _ = interrupt.recv() => true, _ = terminate.recv() => true }
}

#[cfg(not(unix))]
async fn asked_to_end() -> bool {
    tokio::signal::ctrl_c().await.is_ok()
}
