//! Both loopback addresses on one port.
//!
//! Invariant: nothing but 127.0.0.1 and ::1 is ever bound, and never two different programs behind one port:
//! where ::1 exists but is taken, the port counts as taken.

use std::io;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};

use tokio::net::{TcpListener, TcpSocket};

use super::taken;
use crate::error::StartError;
use crate::limits::{BACKLOG, PORTS_TRIED};

/// Binds `port` (0 picks one) and gives the IPv4 address in use.
pub(super) async fn bind(port: u16) -> Result<(Vec<TcpListener>, SocketAddr), StartError> {
    if port != 0 {
        return match pair(port) {
            Ok(pair) => Ok(pair),
            Err(source) if source.kind() == io::ErrorKind::AddrInUse => Err(StartError::PortTaken {
                port,
                holder: taken::by_whom(port).await,
                next_free: next_free(port),
            }),
            Err(source) => Err(StartError::Bind { port, source }),
        };
    }
    // A port that is free on 127.0.0.1 may be taken on ::1, so a picked pair is tried a few times.
    let mut last = None;
    for _ in 0..PORTS_TRIED {
        match pair(0) {
            Ok(pair) => return Ok(pair),
            Err(source) => last = Some(source),
        }
    }
    let source = last.unwrap_or_else(|| io::ErrorKind::AddrInUse.into());
    Err(StartError::Bind { port, source })
}

fn pair(port: u16) -> io::Result<(Vec<TcpListener>, SocketAddr)> {
    let v4 = listen(SocketAddr::from((Ipv4Addr::LOCALHOST, port)))?;
    let addr = v4.local_addr()?;
    match listen(SocketAddr::from((Ipv6Addr::LOCALHOST, addr.port()))) {
        Ok(v6) => Ok((vec![v4, v6], addr)),
        Err(error) if error.kind() == io::ErrorKind::AddrInUse => Err(error),
        // A machine without IPv6 has no ::1 to dial either.
        Err(_) => Ok((vec![v4], addr)),
    }
}

fn listen(addr: SocketAddr) -> io::Result<TcpListener> {
    let socket = if addr.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
    // On Unix this only skips TIME_WAIT, so that a restart gets its port back; on Windows it would share it.
    #[cfg(unix)]
    socket.set_reuseaddr(true)?;
    socket.bind(addr)?;
    socket.listen(BACKLOG)
}

fn next_free(port: u16) -> Option<u16> {
    (1..=PORTS_TRIED).filter_map(|step| port.checked_add(step)).find(|port| pair(*port).is_ok())
}
