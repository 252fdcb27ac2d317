//! One page with the viewer and a recording inside, and the recording out of such a page again.
//!
//! The viewer's module and the recording stand in it compressed and in base64, so that nothing in them can end an
//! element; they are written as they come. Invariant: the page's policy lets it run its own script, known by its digest,
//! and connect to nothing.

use std::io::{self, Write};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use base64::write::EncoderWriter;
use flate2::Compression;
use flate2::write::GzEncoder;
use sha2::{Digest, Sha256};

use super::Source;

/// Starts the viewer of the page; stands behind the viewer's own script.
const BOOT: &str = include_str!("page/boot.js");
/// Type of the element that holds the recording: newline-delimited envelopes, gzip, base64.
const RECORDING: &str = "application/vnd.holdpoint.recording";
/// Type of the element that holds the viewer's module: gzip, base64.
const MODULE: &str = "application/vnd.holdpoint.module";

/// The viewer as it was built: what a page is made of.
#[derive(Debug, Clone, Copy)]
pub struct Page<'a> {
    /// Title of the page.
    pub title: &'a str,
    /// `holdpoint.js`.
    pub script: &'a str,
    /// `holdpoint_bg.wasm`.
    pub module: &'a [u8],
    /// `page.css`.
    pub style: &'a str,
}

pub(super) fn write(
    page: Option<&Page<'_>>,
    source: &mut Source<'_>,
    out: &mut dyn Write,
) -> io::Result<Vec<String>> {
    let page = page.ok_or_else(|| io::Error::other("this program was built without the viewer's page"))?;
    let script = format!("{}\n{BOOT}", page.script.trim_end());
    if script.to_ascii_lowercase().contains("</script") {
        return Err(io::Error::other("the viewer's script cannot stand inside a page"));
    }
    head(page, &script, out)?;
    write!(out, "<script type=\"{MODULE}\" id=\"module\">")?;
    packed(out, |out| out.write_all(page.module))?;
    write!(out, "</script>\n<script type=\"{RECORDING}\" id=\"recording\">")?;
    let notes = packed(out, |out| source.lines(out))?;
    let replaced = source.redactor.as_ref().map(super::Redactor::replaced);
    let facts = serde_json::json!({
        "events": source.events, "redacted": replaced.is_some(), "valuesReplaced": replaced.unwrap_or(0),
    });
    writeln!(out, "</script>\n<script type=\"application/json\" id=\"export\">{facts}</script>")?;
    writeln!(out, "<script type=\"module\">{script}</script>\n</body>\n</html>")?;
    Ok(notes)
}

fn head(page: &Page<'_>, script: &str, out: &mut dyn Write) -> io::Result<()> {
    let digest = |text: &str| STANDARD.encode(Sha256::digest(text.as_bytes()));
    let title = escaped(page.title);
    writeln!(out, "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">")?;
    writeln!(
        out,
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'sha256-{}' \
         'wasm-unsafe-eval'; style-src 'sha256-{}'; img-src data:; connect-src 'none'; base-uri 'none'; \
         form-action 'none'\">",
        digest(script),
        digest(page.style),
    )?;
    writeln!(out, "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">")?;
    writeln!(out, "<meta name=\"color-scheme\" content=\"dark light\">\n<title>{title}</title>")?;
    writeln!(out, "<link rel=\"icon\" href=\"data:,\">\n<style>{}</style>\n</head>\n<body>", page.style)?;
    writeln!(out, "<canvas id=\"holdpoint\" tabindex=\"0\" aria-label=\"Holdpoint\"></canvas>")?;
    writeln!(out, "<p id=\"notice\" role=\"alert\" hidden></p>")
}

/// What `write` writes, compressed and in base64.
fn packed<T>(out: &mut dyn Write, write: impl FnOnce(&mut dyn Write) -> io::Result<T>) -> io::Result<T> {
    let mut gzip = GzEncoder::new(EncoderWriter::new(out, &STANDARD), Compression::default());
    let written = write(&mut gzip)?;
    gzip.finish()?.finish()?;
    Ok(written)
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// The recording inside a page of ours, still compressed; none where the page is another's, an error where it is broken.
pub(crate) fn recording_of(html: &str) -> Option<Result<Vec<u8>, String>> {
    let open = format!("<script type=\"{RECORDING}\"");
    let element = &html[html.find(&open)?..];
    let body = element.split_once('>').and_then(|(_, rest)| rest.split_once("</script"));
    let Some((body, _)) = body else { return Some(Err("the page is cut".to_owned())) };
    Some(STANDARD.decode(body.trim()).map_err(|error| error.to_string()))
}
