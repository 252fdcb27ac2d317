//! Who holds a port: another Holdpoint says so itself; on Linux the system knows the process.
//!
//! Invariant: never waits longer than a few hundred milliseconds, and an unknown holder is no error.

use std::net::Ipv4Addr;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::error::PortHolder;

const PROBE_WAIT: Duration = Duration::from_millis(400);
const ANSWER_BYTES_MAX: u64 = 4 << 10;

/// Names the holder of `port` as well as it can.
pub(super) async fn by_whom(port: u16) -> PortHolder {
    if let Ok(Some(holder)) = tokio::time::timeout(PROBE_WAIT, ask(port)).await {
        return holder;
    }
    process(port).unwrap_or(PortHolder::Unknown)
}

async fn ask(port: u16) -> Option<PortHolder> {
    let mut socket = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).await.ok()?;
    let request = format!("GET /api/hello HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n");
    socket.write_all(request.as_bytes()).await.ok()?;
    let mut answer = Vec::new();
    socket.take(ANSWER_BYTES_MAX).read_to_end(&mut answer).await.ok()?;
    let text = String::from_utf8(answer).ok()?;
    let (_, body) = text.split_once("\r\n\r\n")?;
    let value: serde_json::Value = serde_json::from_str(body).ok()?;
    Some(PortHolder::Holdpoint {
        version: value.get("holdpoint")?.as_str()?.chars().take(32).collect(),
        pid: value.get("pid").and_then(serde_json::Value::as_u64).and_then(|pid| u32::try_from(pid).ok()),
    })
}

#[cfg(target_os = "linux")]
fn process(port: u16) -> Option<PortHolder> {
    let inode = ["/proc/net/tcp", "/proc/net/tcp6"].into_iter().find_map(|table| inode_in(table, port))?;
    let target = format!("socket:[{inode}]");
    let pids = std::fs::read_dir("/proc").ok()?.flatten();
    for pid in pids.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok()) {
        let Ok(files) = std::fs::read_dir(format!("/proc/{pid}/fd")) else { continue };
        let holds = |file: std::fs::DirEntry| {
            std::fs::read_link(file.path()).is_ok_and(|link| link.as_os_str() == target.as_str())
        };
        if files.flatten().any(holds) {
            let name = std::fs::read_to_string(format!("/proc/{pid}/comm")).ok()?;
            return Some(PortHolder::Process { name: name.trim().to_owned(), pid });
        }
    }
    None
}

#[cfg(target_os = "linux")]
fn inode_in(table: &str, port: u16) -> Option<String> {
    const LISTEN: &str = "0A";
    let text = std::fs::read_to_string(table).ok()?;
    text.lines().skip(1).find_map(|line| {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let local = fields.get(1)?.rsplit_once(':')?.1;
        let ours = u16::from_str_radix(local, 16).ok()? == port && *fields.get(3)? == LISTEN;
        ours.then(|| fields.get(9).map(|inode| (*inode).to_owned()))?
    })
}

#[cfg(not(target_os = "linux"))]
fn process(_port: u16) -> Option<PortHolder> {
    None
}
