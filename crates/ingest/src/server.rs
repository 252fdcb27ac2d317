//! Starting and stopping: data directory, token, listeners, the tasks around the hub.
//!
//! Invariant: when `start` returns, both loopback addresses accept; when `shutdown` returns, journals are synced.

mod bind;
mod files;
mod taken;

use std::net::SocketAddr;
use std::path::PathBuf;

use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::config::ServerConfig;
use crate::error::StartError;
use crate::http;

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
    stop: watch::Sender<bool>,
    tasks: Vec<JoinHandle<()>>,
    _lock: files::DirLock,
}

impl Server {
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
    files::publish(&config.data_dir, &token, addr.port())?;
    let (stop, stopped) = watch::channel(false);
    let ingest_url = format!("ws://127.0.0.1:{}/ingest", addr.port());
    let viewer_url = format!("http://127.0.0.1:{}/#token={token}", addr.port());
    let data_dir = config.data_dir.clone();
    let site = http::Site::new(config, token.clone(), addr.port());
    let tasks = listeners
        .into_iter()
        .map(|listener| tokio::spawn(http::serve(listener, site.clone(), stopped.clone())))
        .collect();
    Ok(Server { addr, token, ingest_url, viewer_url, data_dir, stop, tasks, _lock: lock })
}
