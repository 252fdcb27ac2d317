//! The loopback server: apps attach, runs are stored, viewers watch and control.
//!
//! `Hub::step` decides everything and does no IO; the modules around it own sockets, clock and disk.
//! An event is appended to its run's journal before any viewer sees it, and only the app moves a hold.
//!
//! ```no_run
//! # async fn run() -> Result<(), ingest::StartError> {
//! let config = ingest::ServerConfig::new("/tmp/holdpoint-data");
//! let server = ingest::start(config).await?;
//! println!("{} {}", server.ingest_url, server.viewer_url);
//! server.shutdown().await;
//! # Ok(())
//! # }
//! ```

mod condition;
mod config;
mod error;
mod http;
mod hub;
mod journal;
#[cfg(any(test, feature = "laws"))]
pub mod laws;
pub mod limits;
mod records;
mod rim;
mod server;
mod sockets;
#[cfg(test)]
mod testing;

pub use config::{
    Assets, Envelopes, ExportAsk, ExportForm, Exported, Exporter, ImportError, ImportFile, ImportProgress,
    ImportSource, Imported, Importer, Retention, ServerConfig,
};
pub use error::{PortHolder, StartError};
pub use server::{Server, default_data_dir, start};
