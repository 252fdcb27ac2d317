//! The system's own limits, raised as far as it lets us.
//!
//! Invariant: failing to raise one changes nothing; the server then serves fewer peers at once.

/// Thousands of sockets need thousands of file descriptors; the usual soft limit is 1,024.
#[cfg(unix)]
pub(super) fn raise_open_files() {
    use rustix::process::{Resource, getrlimit, setrlimit};
    let mut limit = getrlimit(Resource::Nofile);
    limit.current = limit.maximum;
    let _ = setrlimit(Resource::Nofile, limit);
}

#[cfg(not(unix))]
pub(super) fn raise_open_files() {}
