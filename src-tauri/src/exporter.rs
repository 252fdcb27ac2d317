//! Runs for others: `trace` behind the server's interface.

use std::io::{self, Write};

use ingest::{Envelopes, ExportAsk, ExportForm, Exported, Exporter};
use tauri::AppHandle;
use trace::export::{Options, Page, To, export};

/// Every form that the trace crate writes; a page is made of the files that the window embeds.
pub(crate) struct Forms(pub(crate) AppHandle);

impl Exporter for Forms {
    fn form(&self, to: &str) -> Option<ExportForm> {
        To::of_word(to).map(|to| ExportForm { ending: to.ending(), mime: to.mime() })
    }

    fn export(
        &self,
        ask: &ExportAsk,
        run: &mut dyn Envelopes,
        out: &mut (dyn Write + Send),
    ) -> io::Result<Exported> {
        let to = To::of_word(&ask.to).ok_or(io::ErrorKind::InvalidInput)?;
        let viewer = Viewer::of(&self.0);
        let page = viewer.as_ref().and_then(|viewer| viewer.page(&ask.title));
        let options = Options { to, redact: ask.redact, page };
        let done = export(&mut |each: &mut dyn FnMut(&str) -> io::Result<()>| run.read(each), &options, out)?;
        Ok(Exported { events: done.events, replaced: done.replaced, notes: done.notes })
    }
}

/// The files of the viewer that a page is made of.
struct Viewer {
    script: String,
    style: String,
    module: Vec<u8>,
}

impl Viewer {
    fn of(app: &AppHandle) -> Option<Self> {
        let file = |name: &str| app.asset_resolver().get(name.to_owned()).map(|asset| asset.bytes);
        let text = |name: &str| String::from_utf8(file(name)?).ok();
        Some(Self {
            script: text("holdpoint.js")?,
            style: text("page.css")?,
            module: file("holdpoint_bg.wasm")?,
        })
    }

    fn page<'a>(&'a self, title: &'a str) -> Option<Page<'a>> {
        // The resolver answers an unknown path with the start page.
        let built = self.module.starts_with(b"\0asm");
        built.then(|| Page { title, script: &self.script, module: &self.module, style: &self.style })
    }
}
