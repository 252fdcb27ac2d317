//! What the parts share: child processes, CPU time, percentiles.

use std::error::Error;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

pub(crate) type Outcome<T> = Result<T, Box<dyn Error>>;
pub(crate) type Socket =
    tokio_tungstenite::WebSocketStream<tokio_tungstenite::MaybeTlsStream<tokio::net::TcpStream>>;

/// What an app says first.
pub(crate) const HELLO: &str = r#"{"gm":1,"seq":1,"ts":1,"runId":"*","type":"hello","payload":{"versions":{"protocol":1,"client":"bench"},"capabilities":[]}}"#;

pub(crate) fn runtime() -> Outcome<tokio::runtime::Runtime> {
    Ok(tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?)
}

/// This program again, in another part.
pub(crate) fn child(what: &str, url: &str) -> Outcome<Child> {
    Ok(Command::new(std::env::current_exe()?).args([what, url]).stdout(Stdio::null()).spawn()?)
}

/// Waits for children without keeping the runtime's thread.
pub(crate) async fn wait_for(children: &mut [Child]) -> Outcome<()> {
    for child in children {
        while child.try_wait()?.is_none() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }
    Ok(())
}

/// User and system time of this process.
pub(crate) fn cpu() -> Outcome<Duration> {
    let stat = std::fs::read_to_string("/proc/self/stat")?;
    let fields: Vec<&str> = stat.rsplit_once(')').ok_or("no stat")?.1.split_whitespace().collect();
    let ticks: u64 = fields[11].parse::<u64>()? + fields[12].parse::<u64>()?;
    Ok(Duration::from_millis(ticks * 10))
}

pub(crate) fn ratio(a: Duration, b: Duration) -> f64 {
    a.as_secs_f64() / b.as_secs_f64()
}

/// The value below which a share of the sorted values lies.
pub(crate) fn at(sorted: &[f64], share: f64) -> f64 {
    sorted.get((share * (sorted.len().max(1) - 1) as f64) as usize).copied().unwrap_or(f64::NAN)
}

pub(crate) fn percentiles(mut values: Vec<f64>) -> String {
    values.sort_by(f64::total_cmp);
    let (p50, p99, max) = (at(&values, 0.5), at(&values, 0.99), at(&values, 1.0));
    format!("{} times, p50 {p50:.3} ms, p99 {p99:.3} ms, max {max:.3} ms", values.len())
}

/// A server on a free port with its files in `dir`.
pub(crate) async fn server(dir: &std::path::Path, name: &str) -> Outcome<ingest::Server> {
    Ok(ingest::start(ingest::ServerConfig { port: 0, ..ingest::ServerConfig::new(dir.join(name)) }).await?)
}

/// Where its viewers dial.
pub(crate) fn viewer_url(server: &ingest::Server) -> String {
    format!("ws://{}/ws/ui?token={}", server.addr, server.token)
}
