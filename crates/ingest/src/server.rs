//! Starting and stopping: data directory, token, listeners, the tasks around the hub.
//!
//! Invariant: when `start` returns, both loopback addresses accept; when `shutdown` returns, journals are synced.

mod bind;
mod files;
mod limits_of_process;
mod taken;

pub(crate) use files::{EXPORTS, new_token, open_private, write_private};

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::config::{Exported, ServerConfig};
use crate::error::StartError;
use crate::http;
use crate::hub::{Debug, Hub, Settings};
use crate::journal::Journal;
use crate::rim::{self, HubHandle, Restored, Rim};

/// A running server; dropping it stops it without waiting.
#[derive(Debug)]
pub struct Server {
    /// The IPv4 loopback address in use.
    pub addr: SocketAddr,
    /// The per-launch token that reading and controlling need.
    pub token: String,
    /// Where apps dial: `ws://127.0.0.1:PORT/ingest`.
    pub ingest_url: String,
    /// The page with its token in the fragment: `http://127.0.0.1:PORT/#token=…`.
    pub viewer_url: String,
    /// Where everything is kept.
    pub data_dir: PathBuf,
    site: http::Site,
    stop: watch::Sender<bool>,
    tasks: Vec<JoinHandle<()>>,
    _lock: files::DirLock,
}

impl Server {
    /// Writes a run to a file that a person has chosen, as `GET /api/runs/{id}/export` does for a browser.
    ///
    /// # Errors
    /// A run or form that is not known, and what the disk says; then the file is as it was.
    pub fn export(
        &self,
        run: &str,
        to: &str,
        redact: bool,
        path: PathBuf,
    ) -> impl Future<Output = Result<Exported, String>> + Send + 'static {
        let (site, run, to) = (self.site.clone(), run.to_owned(), to.to_owned());
        async move { site.export_to(&run, &to, redact, path).await }
    }

    /// The name to offer for the file of a run; none for a form that is not known.
    pub fn export_name(&self, run: &str, to: &str) -> Option<String> {
        self.site.export_name(run, to)
    }

    /// Stops listening, closes every socket, syncs the journals; returns when all of it is done.
    pub async fn shutdown(mut self) {
        self.stop.send_replace(true);
        for task in std::mem::take(&mut self.tasks) {
            if let Err(error) = task.await
                && error.is_panic()
            {
                std::panic::resume_unwind(error.into_panic());
            }
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop.send_replace(true);
    }
}

/// Returns when the server is to stop, or its handle is gone.
pub(crate) async fn stopping(stopped: &mut watch::Receiver<bool>) {
    let _ = stopped.wait_for(|stop| *stop).await;
}

/// Where Holdpoint keeps its data on this machine unless told otherwise (`HOLDPOINT_DATA_DIR` wins).
pub fn default_data_dir() -> PathBuf {
    if let Some(dir) = std::env::var_os("HOLDPOINT_DATA_DIR").filter(|dir| !dir.is_empty()) {
        return PathBuf::from(dir);
    }
    directories::ProjectDirs::from("dev", "holdpoint", "holdpoint")
        .map_or_else(|| std::env::temp_dir().join("holdpoint"), |dirs| dirs.data_dir().to_path_buf())
}

/// Starts the server on the current tokio runtime.
///
/// # Errors
/// A taken port, a data directory in use or unusable, or a system without random bytes.
pub async fn start(config: ServerConfig) -> Result<Server, StartError> {
    let lock = files::prepare(&config.data_dir)?;
    let (listeners, addr) = bind::bind(config.port).await?;
    let token = files::new_token()?;
    limits_of_process::raise_open_files();
    let (stop, stopped) = watch::channel(false);
    let ingest_url = format!("ws://127.0.0.1:{}/ingest", addr.port());
    let page_url = format!("http://127.0.0.1:{}/", addr.port());
    let data_dir = config.data_dir.clone();
    let journal = Arc::new(Journal::new(&data_dir));
    let restored = restored(&data_dir, &journal).await?;
    files::publish(&config.data_dir, &token, addr.port())?;
    let (hub, inbox) = HubHandle::new();
    let rim =
        Rim::new(new_hub(&config, restored, &ingest_url, &page_url), journal.clone(), &config, hub.weak());
    let site = http::Site::new(config, token.clone(), addr.port(), hub, journal, stopped.clone());
    let mut tasks = vec![tokio::spawn(rim.run(inbox, stopped.clone()))];
    for listener in listeners {
        tasks.push(tokio::spawn(http::serve(listener, site.clone(), stopped.clone())));
    }
    let viewer_url = format!("{page_url}#token={token}");
    Ok(Server { addr, token, ingest_url, viewer_url, data_dir, site, stop, tasks, _lock: lock })
}

async fn restored(data_dir: &Path, journal: &Arc<Journal>) -> Result<Restored, StartError> {
    let (dir, journal) = (data_dir.to_path_buf(), journal.clone());
    let read = tokio::task::spawn_blocking(move || rim::restore(&dir, &journal)).await;
    read.map_err(|_| StartError::Files {
        what: "read",
        path: data_dir.to_path_buf(),
        source: std::io::ErrorKind::Interrupted.into(),
    })
}

fn new_hub(config: &ServerConfig, restored: Restored, ingest_url: &str, page_url: &str) -> Hub {
    let settings = Settings {
        ingest_url: ingest_url.to_owned(),
        viewer_url: page_url.to_owned(),
        data_dir: config.data_dir.display().to_string(),
        demo: config.demo.is_some(),
        import: config.importer.is_some(),
        export: config.exporter.is_some(),
        grace_ms: config.grace_ms,
        retention: config.retention,
    };
    let debug = Debug::from_file(restored.debug.as_deref(), config.pause_on_error);
    let mut hub = Hub::new(settings, debug);
    hub.restore(restored.runs, restored.identities, restored.troubles);
    hub
}
