//! The server alone, for trying things by hand: `serve [PORT] [DATA_DIR]` prints where it listens and waits.

use std::error::Error;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let port = args.next().map_or(Ok(0), |port| port.parse())?;
    let data_dir = args.next().map_or_else(ingest::default_data_dir, Into::into);
    let server = ingest::start(ingest::ServerConfig { port, ..ingest::ServerConfig::new(data_dir) }).await?;
    println!("{} {} {}", server.ingest_url, server.viewer_url, server.token);
    std::future::pending().await
}
