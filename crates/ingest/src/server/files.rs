//! The data directory: made owner-only, locked against a second server, told where we listen.
//!
//! Invariant: every file of ours is readable by its owner alone, also when it was there before.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::Path;

use crate::error::StartError;

/// Where exports lie while they are read.
pub(crate) const EXPORTS: &str = "exports";

/// Holds the data directory for this process; freed when dropped or when the process dies.
#[derive(Debug)]
pub(super) struct DirLock(#[expect(dead_code, reason = "kept open for its lock alone")] File);

fn failed<'a>(what: &'static str, path: &'a Path) -> impl FnOnce(io::Error) -> StartError + 'a {
    move |source| StartError::Files { what, path: path.to_path_buf(), source }
}

/// Makes the directory tree and takes its lock.
pub(super) fn prepare(dir: &Path) -> Result<DirLock, StartError> {
    for dir in [dir.to_path_buf(), dir.join("runs")] {
        create_dir_private(&dir).map_err(failed("create", &dir))?;
    }
    let path = dir.join("lock");
    let file = open_private(&path, false).map_err(failed("create", &path))?;
    match file.try_lock() {
        Ok(()) => {
            // What an end without farewell has left there is read by nobody.
            let spool = dir.join(EXPORTS);
            let _ = fs::remove_dir_all(&spool);
            create_dir_private(&spool).map_err(failed("create", &spool))?;
            Ok(DirLock(file))
        }
        Err(TryLockError::WouldBlock) => {
            Err(StartError::DataDirInUse { dir: dir.to_path_buf(), pid: other_pid(dir) })
        }
        Err(TryLockError::Error(source)) => Err(failed("lock", &path)(source)),
    }
}

fn other_pid(dir: &Path) -> Option<u32> {
    let text = fs::read_to_string(dir.join("server.json")).ok()?;
    let value: serde_json::Value = serde_json::from_str(&text).ok()?;
    u32::try_from(value.get("pid")?.as_u64()?).ok()
}

/// 256 random bits as lower-case hexadecimal.
pub(crate) fn new_token() -> Result<String, StartError> {
    let mut bytes = [0u8; 32];
    getrandom::fill(&mut bytes).map_err(|error| StartError::Random(error.to_string()))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Writes `token` and `server.json`, so that the command line finds this server.
pub(super) fn publish(dir: &Path, token: &str, port: u16) -> Result<(), StartError> {
    let token_path = dir.join("token");
    write_private(&token_path, token.as_bytes()).map_err(failed("write", &token_path))?;
    let about = serde_json::json!({
        "port": port,
        "pid": std::process::id(),
        "version": env!("CARGO_PKG_VERSION"),
        "tokenPath": token_path,
        "ingest": format!("ws://127.0.0.1:{port}/ingest"),
        "viewer": format!("http://127.0.0.1:{port}/"),
    });
    let path = dir.join("server.json");
    write_private(&path, about.to_string().as_bytes()).map_err(failed("write", &path))
}

/// Makes `dir` and its parents; `dir` itself becomes 0700 even if it was there.
pub(crate) fn create_dir_private(dir: &Path) -> io::Result<()> {
    fs::create_dir_all(dir)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(dir, fs::Permissions::from_mode(0o700))?;
    }
    Ok(())
}

/// Opens `path` for reading and writing, 0600 even if it was there; `append` opens at the end.
pub(crate) fn open_private(path: &Path, append: bool) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).create(true);
    if append {
        options.append(true)
    } else {
        options.write(true).truncate(false)
    };
    #[cfg(unix)]
    {
        use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
        options.mode(0o600);
        let file = options.open(path)?;
        file.set_permissions(fs::Permissions::from_mode(0o600))?;
        Ok(file)
    }
    #[cfg(not(unix))]
    options.open(path)
}

/// Replaces `path` by `bytes`, whole or not at all: a reader never sees half of it.
pub(crate) fn write_private(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(".new");
    let temporary = path.with_file_name(name);
    let mut file = open_private(&temporary, false)?;
    file.set_len(0)?;
    file.write_all(bytes)?;
    file.sync_data()?;
    fs::rename(&temporary, path)
}
