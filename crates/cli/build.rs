//! Embeds the built viewer page (`dist/` of the workspace) into the command.
//!
//! Without one the command is built all the same and serves a page that says how to build it.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let manifest = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").ok_or(io::ErrorKind::NotFound)?);
    let dist = manifest.join("../../dist");
    // A path that is not there makes cargo ask again at each build, which is what finds a page built later.
    println!("cargo::rerun-if-changed={}", dist.display());
    println!("cargo::rerun-if-changed=build.rs");
    let mut table = String::from("&[\n");
    if dist.join("index.html").is_file() {
        list(&dist.canonicalize()?, "", &mut table)?;
    }
    table.push(']');
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or(io::ErrorKind::NotFound)?);
    fs::write(out.join("assets.rs"), table)
}

/// One line a file: its path in the page, and its bytes.
fn list(dir: &Path, prefix: &str, table: &mut String) -> io::Result<()> {
    let mut entries = fs::read_dir(dir)?.collect::<io::Result<Vec<_>>>()?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if entry.file_type()?.is_dir() {
            list(&entry.path(), &format!("{name}/"), table)?;
        } else {
            let path = entry.path();
            println!("cargo::rerun-if-changed={}", path.display());
            // Writing to a String cannot fail.
            let _ = writeln!(table, "({name:?}, include_bytes!({:?}) as &[u8]),", path.to_string_lossy());
        }
    }
    Ok(())
}
