//! Embeds the viewer, the capability file and the icons into the window's program.
//!
//! `dist/` is written by `cargo xtask web`. Where it is missing, a page that says how to make it stands in, so that the
//! program always compiles and never shows an empty window.

use std::path::Path;

const MISSING: &str = "<!doctype html><meta charset=\"utf-8\"><title>Holdpoint</title>\
<body style=\"background:#0d0f13;color:#eceff4;font:16px sans-serif;padding:48px\">\
<h1 style=\"font-size:20px\">The viewer is not built yet</h1>\
<p>Run <code>cargo xtask run</code>: it builds the viewer, then this window.</p>";

fn main() {
    let dist = Path::new("../dist");
    if !dist.join("index.html").exists() {
        let written =
            std::fs::create_dir_all(dist).and_then(|()| std::fs::write(dist.join("index.html"), MISSING));
        if let Err(error) = written {
            println!("cargo::error=cannot write the stand-in page in dist/: {error}");
        }
    }
    println!("cargo::rerun-if-changed=../dist");
    tauri_build::build();
}
