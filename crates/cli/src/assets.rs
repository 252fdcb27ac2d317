//! The viewer page inside the command; built by `cargo xtask web`.

use std::borrow::Cow;
use trace::export::Page;

/// Path and bytes of every file of the page; empty when the page was not built.
static FILES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/assets.rs"));

/// Served in place of a page that is not there.
const MISSING: &str = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Holdpoint</title>\
    <style>body{font:16px/1.5 system-ui;margin:4rem auto;max-width:36rem;padding:0 1rem}code{font-size:.95em}</style>\
    <h1>The viewer is not built in</h1>\
    <p>The server works: agents can attach, and <code>holdpoint runs</code>, <code>holds</code> and \
    <code>resume</code> do here what the page would do.</p>\
    <p>To see the page, run <code>cargo xtask web</code>, then build and start <code>holdpoint</code> again.</p></html>";

/// See the module's documentation.
pub(crate) struct Embedded;

impl ingest::Assets for Embedded {
    fn get(&self, path: &str) -> Option<(Cow<'static, [u8]>, &'static str)> {
        let found = FILES.iter().find(|(name, _)| *name == path);
        let bytes = match found {
            Some((_, bytes)) => *bytes,
            None if FILES.is_empty() && path == "index.html" => MISSING.as_bytes(),
            None => return None,
        };
        Some((Cow::Borrowed(bytes), mime(path)))
    }
}

/// What a page for one recording is made of; none where the viewer was not built in.
pub(crate) fn page(title: &str) -> Option<Page<'_>> {
    let file = |name: &str| FILES.iter().find(|(known, _)| *known == name).map(|(_, bytes)| *bytes);
    let text = |name: &str| std::str::from_utf8(file(name)?).ok();
    let (script, style) = (text("holdpoint.js")?, text("page.css")?);
    Some(Page { title, script, module: file("holdpoint_bg.wasm")?, style })
}

fn mime(path: &str) -> &'static str {
    match path.rsplit_once('.').map_or("", |(_, ending)| ending) {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "wasm" => "application/wasm",
        "json" | "map" => "application/json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ingest::Assets;

    #[test]
    fn there_is_always_a_first_page_and_never_a_stranger() {
        let (page, mime) = Embedded.get("index.html").expect("built or not");
        assert!(page.starts_with(b"<!doctype html>") || page.starts_with(b"<!DOCTYPE html>"));
        assert_eq!(mime, "text/html; charset=utf-8");
        assert!(Embedded.get("../Cargo.toml").is_none());
    }
}
