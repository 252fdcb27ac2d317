//! Runs for others: `trace` behind the server's interface.

use crate::assets;
use ingest::{Envelopes, ExportAsk, ExportForm, Exported, Exporter};
use std::io::{self, Write};
use trace::export::{Options, To, export};

/// Every form that the trace crate writes.
pub(crate) struct Forms;

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
        let options = Options { to, redact: ask.redact, page: assets::page(&ask.title) };
        let done = export(&mut |each: &mut dyn FnMut(&str) -> io::Result<()>| run.read(each), &options, out)?;
        Ok(Exported { events: done.events, replaced: done.replaced, notes: done.notes })
    }
}
