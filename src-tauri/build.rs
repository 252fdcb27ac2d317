//! Embeds the viewer, the capability file and the icons into the window's program.
//!
//! `dist/` is written by `cargo xtask web`. Where it is missing, a page that says how to make it stands in, so that the
//! program always compiles and never shows an empty window.

use std::path::Path;

/// Its look is the browser's own: the page's policy allows no styles inside the page.
const MISSING: &str = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Holdpoint</title>\
<meta name=\"color-scheme\" content=\"dark\"><h1>The viewer is not built yet</h1>\
<p>Run <code>cargo xtask run</code>: it builds the viewer, then this window.</p></html>";

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
